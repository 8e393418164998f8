// Tests that a researcher is reminded of its findings when the beginning of its conversation is cut off.
import { expect, setDefaultTimeout, test } from "bun:test";
import { recallOf } from "../../../src/drivers/research/research.ts";
import { asksFor, type Script } from "../../models/answers.ts";
import { LiveRun } from "../../live/live-run.ts";
import { ToolBench } from "./tool-bench.ts";
import { named, researchCalls, resultsOf, submits, taskOf, wellBehaved } from "../../live/well-behaved.ts";

setDefaultTimeout(600_000);

const CUT = "The beginning of this conversation is left out";

async function worked(): Promise<ToolBench> {
  const bench = new ToolBench({
    "corpus/a.md": "The cache is written to disk every second.",
    "corpus/b.md": "A cache is fast.",
  });
  await bench.call("search", { query: "cache" });
  await bench.call("search", { query: "nothing like it" });
  const quote = { text: "The cache is written to disk every second.", part_ids: ["one"] };
  await bench.call("quote", { ...quote, document: "d1", statement: "The cache reaches the disk each second." });
  await bench.call("note_gap", { text: "what it costs", reason: "no page tells" });
  return bench;
}

test("names quotes, gaps, searches and documents, as data", async () => {
  const { messages } = await worked();
  const told = recallOf(messages, 10_000) ?? "";
  expect(told).toStartWith(CUT);
  expect(JSON.parse(told.slice(told.indexOf("{")))).toEqual({
    recorded: [{ document: "d1", statement: "The cache reaches the disk each second.", part_ids: ["one"] }],
    not_found: [{ text: "what it costs" }],
    searched: ["cache", "nothing like it"],
    documents: [
      { document: "d1", title: "About corpus/a.md" },
      { document: "d2", title: "About corpus/b.md" },
    ],
  });
});

test("keeps to its length, lists recorded quotes first, and is null without anything to list", async () => {
  const { messages } = await worked();
  for (const most of [200, 300, 400]) expect((recallOf(messages, most) ?? "").length).toBeLessThanOrEqual(most);
  expect(recallOf(messages, 280)).toContain("recorded");
  expect(recallOf(messages, 280)).not.toContain('documents"');
  expect(recallOf([], 10_000)).toBeNull();
});

/** Quotes at once, searches on for long, and hands in. */
const restless: Script = (request) => {
  const task = taskOf(request);
  if (task.who !== "research") return wellBehaved(request);
  const turn = task.messages.filter(({ role }) => role === "assistant").length;
  const isCut = task.user.includes(CUT);
  if (isCut || resultsOf(task, "recorded").length > 0) {
    const query = isCut ? "the last one" : `options parsed ${turn}`;
    return asksFor(named(task, isCut ? [submits({ notes: ["enough"] })] : [{ name: "search", arguments: { query } }]));
  }
  return asksFor(named(task, researchCalls(task)));
};

test("is sent with the first message once something was cut, and is not stored", async () => {
  const line = (nth: number) =>
    `Options of kind ${nth} are parsed one by one, and errors in them are reported at once.`;
  const text = Array.from({ length: 40 }, (_, nth) => line(nth)).join("\n\n");
  await using live = await LiveRun.open({
    script: restless,
    mode: "quick",
    documents: new Map([["a.md", `# A\n\n${text}\n`]]),
  });
  const model = { provider: "compatible" as const, name: "scripted", base_url: live.server.baseUrl };
  live.options.models = { default: model, context_tokens: 16_000, max_output_tokens: 1_000 };
  expect((await live.start()).error).toBeNull();
  const told = live.server.requests.map(taskOf).filter(({ who, user }) => who === "research" && user.includes(CUT));
  expect(told.length).toBeGreaterThan(0);
  for (const { user } of told) {
    expect(user).toContain("It is written there: Options of kind");
    expect(user).toMatch(/"searched":\[.*"options parsed 3"/);
  }
  expect(JSON.stringify(await live.histories())).not.toContain(CUT);
});
