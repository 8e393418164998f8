// Tests of a model that takes 8,192 tokens: the counting of the server is learned from its replies, and the whole window is used.
import { expect, setDefaultTimeout, test } from "bun:test";
import { asksFor, type Answer, type ErrorAnswer, type MessageAnswer, type SeenRequest } from "../models/answers.ts";
import { LiveRun } from "./live-run.ts";
import { named, researchCalls, resultsOf, submits, taskOf, wellBehaved } from "./well-behaved.ts";

setDefaultTimeout(600_000);

const CONTEXT = 8_192;
/** What English has in most tokenizers. */
const CHARACTERS_PER_TOKEN = 4;
/** Of the documents that were found. */
const TO_READ = 2;

interface Body {
  messages: { role: string }[];
  tools?: object[];
  max_tokens: number;
}

function tokensOf({ body }: Pick<SeenRequest, "body">): number {
  const { messages, tools = [] } = body as Body;
  return Math.ceil((JSON.stringify(messages).length + JSON.stringify(tools).length) / CHARACTERS_PER_TOKEN);
}

const TOO_LONG: ErrorAnswer = {
  kind: "error",
  status: 400,
  type: "invalid_request_error",
  code: "context_length_exceeded",
  message: `This model's maximum context length is ${CONTEXT} tokens.`,
};

/** Counts as most models do, refuses what it cannot hold, and reads what it found before it records a quote of each. */
function readsMuch(request: SeenRequest): Answer {
  const tokens = tokensOf(request);
  if (tokens + (request.body as Body).max_tokens > CONTEXT) return TOO_LONG;
  const task = taskOf(request);
  const usage = { input: tokens, output: 50 };
  if (task.who !== "research") return { ...(wellBehaved(request) as MessageAnswer), usage };
  const found = resultsOf<{ document: string }[]>(task, "found").flat();
  const opened = resultsOf<{ document: string; document_text: string }>(task, "opened");
  const names = [...new Set(found.map(({ document }) => document.split(".")[0] ?? document))];
  const next = names[opened.length];
  if (resultsOf(task, "recorded").length > 0) return asksFor(named(task, [submits({ notes: [] })]), { usage });
  if (next === undefined) return asksFor(named(task, researchCalls(task)), { usage });
  return asksFor(named(task, [{ name: "open", arguments: { document: next } }]), { usage });
}

function documents(): Map<string, string> {
  const things = "harbour engine ledger signal column quarry timber copper canal bridge letter winter".split(" ");
  const line = (nth: number, at: number): string =>
    `The ${things[(nth + at) % 12]} ${nth} parses the options of its command line one by one and reports errors in option ${things[at % 12]} with a message.`;
  const page = (nth: number): string => Array.from({ length: 20 }, (_, at) => line(nth, at)).join("\n\n");
  return new Map(Array.from({ length: 8 }, (_, nth) => [`part-${nth}.md`, `# Part ${nth}\n\n${page(nth)}\n`]));
}

async function quickRun(): Promise<LiveRun> {
  const live = await LiveRun.open({ mode: "quick", limits: {}, documents: documents(), script: readsMuch });
  const model = { provider: "compatible" as const, name: "scripted", base_url: live.server.baseUrl };
  live.options.models = { default: model, context_tokens: CONTEXT };
  return live;
}

test("a quick run ends, and no document is cut off before it was quoted", async () => {
  await using live = await quickRun();
  expect((await live.start()).error).toBeNull();
  expect(live.server.requests.every((request) => tokensOf(request) <= CONTEXT)).toBe(true);
  const researched = live.server.requests.filter((request) => taskOf(request).who === "research");
  // Each searches once, reads what it found, quotes it all in one reply, and hands in.
  expect(researched).toHaveLength(2 * (1 + TO_READ + 1 + 1));
  const done = (await live.dataOf("tool.completed")).filter(({ outcome }) => outcome === "done");
  expect(done.filter(({ name }) => name === "quote")).toHaveLength(2 * TO_READ);
});
