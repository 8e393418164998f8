// One draft in this process: the driver's own task, with a writer and a verifier as functions, over two documents.
import { draft } from "../../../src/drivers/writing/writing.ts";
import type { Conversation, ConversationOptions, Tasks, TaskTools, WritersInput } from "../../../src/ports/driver.ts";
import type { Message } from "../../../src/run/model/conversation.ts";
import type { Draft } from "../../../src/run/report/report.ts";
import type { Citation, Summary } from "../../../src/run/report/research.ts";
import { LIMITS_BY_MODE, type Assignment } from "../../../src/run/settings/settings.ts";
import type { Source } from "../../../src/run/report/source.ts";
import { recordedKeys } from "../../../src/stages/extended-quotes.ts";
import { judgeDraft } from "../../../src/stages/review.ts";

export const QUESTION = "Which of the two should we choose for 2,000 jobs within 5 minutes?";
const TEXTS: Readonly<Record<string, string>> = {
  "corpus/kestrel.md":
    "# Kestrel\n\n## Speed\n\nIt handled 9,500 jobs per second. That was on four cores.\n\n## Price\n\nIt costs 20 € a month.\n",
  "corpus/heron.md": "# Heron\n\nHeron handled 3,800 jobs per second in the same test. It needs no setup.\n",
};
/** c1 to c4. */
export const QUOTES = [
  "It handled 9,500 jobs per second.",
  "It costs 20 € a month.",
  "Heron handled 3,800 jobs per second in the same test.",
  "It needs no setup.",
] as const;

/** What a writer says: a page, changes by id, or words without a call. */
export type Said =
  | { page: string; title?: string; parts?: unknown[] }
  | { sections: unknown[]; title?: string }
  | { changes: Record<string, string> }
  | { words: string };
export interface Verdict {
  verdict: "supported" | "partly" | "contradicted" | "unclear" | "framing";
  excess?: string;
}
export interface AskedStatement {
  id: string;
  asks: string;
  statement: string;
  quotes?: string[];
}

export interface DraftOptions {
  /** The last of them is said for ever. */
  writes: readonly Said[];
  judges?: (statement: AskedStatement) => Verdict;
  previous?: Draft;
  directives?: Tasks["draft"]["input"]["directives"];
  notes?: string[];
  /** What the researcher noted as not found, with its parts, and the parts that it looked for. */
  gaps?: Summary["gaps"];
  lookedFor?: string[];
  assignment?: Assignment;
  /** What the models read at once. */
  resultLength?: number;
  /** The title of the document about Kestrel. */
  kestrelTitle?: string;
  /** Why the attempt before this one failed. */
  lesson?: NonNullable<TaskTools["lesson"]>;
}

export interface Drafted {
  draft: Draft;
  /** What the writer was told after its prompts. */
  told: string[];
  /** What the writer was told first. */
  prompt: string;
  /** What the writer was given. */
  task: Record<string, unknown>;
  /** Ids by call of the verifier. */
  judged: string[][];
  /** What gate E has against it. */
  gate: string[];
}

export async function drafted(options: DraftOptions): Promise<Drafted> {
  const { writes, previous = null, directives = [], lesson } = options;
  const seen = new Seen();
  const scripted = scriptedTools({ draft: writes }, seen, options);
  const tools = lesson === undefined ? scripted : { ...scripted, lesson };
  const made = await draft({ ...writersInput(options), directives, previous }, tools);
  const prompt = seen.prompts.get("draft") ?? "";
  return { draft: made, prompt, ...seen.of("draft"), judged: seen.judged, gate: await gateOf(made) };
}

/** What gate E has against it. */
export async function gateOf(made: Draft): Promise<string[]> {
  const citations = QUOTES.map((text, index) => citationOf(text, index));
  const extended = await recordedKeys(made, citations, async (digest) => textBy(digest));
  return judgeDraft(
    made,
    [{ draft: 1, decision: "accept", directives: [] }],
    { citations, extended },
    LIMITS_BY_MODE.standard,
  ).reasons;
}

export function writersInput({
  notes = [],
  gaps,
  lookedFor,
  assignment,
  kestrelTitle = "Kestrel",
}: Pick<DraftOptions, "notes" | "gaps" | "lookedFor" | "assignment" | "kestrelTitle"> = {}): WritersInput {
  return {
    question: QUESTION,
    ...(assignment === undefined ? {} : { assignment }),
    plan: {
      parts: [
        { id: "speed", text: "how fast they are", terms: [] },
        { id: "price", text: "what they cost", terms: [] },
      ],
      perspectives:
        lookedFor === undefined
          ? []
          : [{ id: "a", title: "A", kind: "overview", questions: [], queries: [], part_ids: lookedFor }],
    },
    pivot: { parts: [], gaps: [], decision: "skip", reason: "enough" },
    summaries: [
      {
        schema_version: "summary.v1",
        subject: "a",
        subject_kind: "perspective",
        title: "A",
        points: [],
        notes,
        ...(gaps === undefined ? {} : { gaps }),
      },
    ],
    citations: [{ subject: "a", citations: QUOTES.map((text, index) => citationOf(text, index)) }],
    sources: Object.entries(TEXTS).map(([origin, text]) => sourceOf(origin, text, kestrelTitle)),
    limits: LIMITS_BY_MODE.standard,
  };
}

/** What the models were told and asked. */
export class Seen {
  readonly judged: string[][] = [];
  readonly #said = new Map<string, string[]>();

  note(name: string, messages: readonly Message[]): void {
    this.#said.set(
      name,
      messages.flatMap(({ role, content }) => (role === "user" ? [content] : [])),
    );
    this.prompts.set(name, messages[0]?.content ?? "");
  }

  readonly prompts = new Map<string, string>();

  of(name: string): { told: string[]; task: Record<string, unknown> } {
    const [task = "{}", ...told] = this.#said.get(name) ?? [];
    return { told, task: JSON.parse(task) as Record<string, unknown> };
  }
}

/** `writes`: by the name of the conversation; the last of each is said for ever. */
export function scriptedTools(
  writes: Readonly<Record<string, readonly Said[]>>,
  seen: Seen,
  { judges = () => ({ verdict: "supported" }), resultLength = 100_000 }: Partial<DraftOptions> = {},
): TaskTools {
  return toolsOf(resultLength, (name, conversation, turn) => {
    const said = writes[name];
    if (said !== undefined) {
      seen.note(name, conversation);
      return callsOf(said[Math.min(turn, said.length - 1)] ?? { words: "" });
    }
    const shown = JSON.parse(conversation[1]?.content ?? "") as { statements: AskedStatement[] };
    seen.judged.push(shown.statements.map(({ id }) => id));
    const verdicts = shown.statements.map((one) => ({ id: one.id, why: "so read", ...judges(one) }));
    return { content: "", calls: [{ name: "submit", arguments: JSON.stringify({ verdicts }) }] };
  });
}

interface Reply {
  content: string;
  calls: { name: string; arguments: string }[];
}

function callsOf(said: Said): Reply {
  if ("words" in said) return { content: said.words, calls: [] };
  if ("page" in said || "sections" in said)
    return { content: "", calls: [{ name: "submit", arguments: JSON.stringify(said) }] };
  const changes = Object.entries(said.changes).map(([statement_id, text]) => ({ statement_id, text }));
  return { content: "", calls: [{ name: "revise", arguments: JSON.stringify({ changes }) }] };
}

/** `turn`: how many replies came before in this conversation. */
function toolsOf(
  resultLength: number,
  reply: (name: string, messages: readonly Message[], turn: number) => Reply,
): TaskTools {
  const converse = async ({ name, tools }: ConversationOptions): Promise<Conversation> => {
    const messages: Message[] = [];
    return {
      model: "test:model",
      messages,
      asked: 1,
      async say(role, content) {
        messages.push({ message_id: messages.length, role, content });
      },
      async ask() {
        const turn = messages.filter(({ role }) => role === "assistant").length;
        const { content, calls } = reply(name, messages, turn);
        const tool_calls = calls.map((call, index) => ({ tool_call_id: `t${turn}-${index}`, ...call }));
        const message = { message_id: messages.length, role: "assistant" as const, content, tool_calls };
        messages.push(message);
        return message;
      },
      async answer() {
        const last = messages.at(-1);
        if (last?.role !== "assistant") return;
        for (const { tool_call_id, name: called, arguments: args } of last.tool_calls) {
          const tool = tools.find(({ description }) => description.name === called);
          const answered = await tool?.run(args);
          if (answered !== undefined)
            messages.push({ message_id: messages.length, role: "tool", tool_call_id, name: called, ...answered });
        }
      },
    };
  };
  const tools: Partial<TaskTools> = {
    converse,
    sourceText: async (digest) => textBy(digest),
    say: () => undefined,
    resultLength,
    signal: new AbortController().signal,
  };
  return tools as TaskTools;
}

function textBy(digest: string): Uint8Array {
  const [, text = ""] = Object.entries(TEXTS).find(([origin]) => digestOf(origin) === digest) ?? [];
  return new TextEncoder().encode(text);
}

function digestOf(origin: string): Source["source_digest"] {
  return `sha256:${Bun.hash(origin).toString(16).padStart(64, "0")}`;
}

function sourceOf(origin: string, text: string, kestrelTitle: string): Source {
  return {
    schema_version: "source.v1",
    source_digest: digestOf(origin),
    text_digest: digestOf(origin),
    media_type: "text/markdown",
    title: origin.includes("kestrel") ? kestrelTitle : "Heron",
    origin,
    provider_id: "filesystem",
    retrieved_at: "2026-01-01T00:00:00.000Z",
    bytes: new TextEncoder().encode(text).byteLength,
  };
}

function citationOf(text: string, index: number): Citation {
  const [origin = "", whole = ""] = Object.entries(TEXTS).find(([, one]) => one.includes(text)) ?? [];
  const start = new TextEncoder().encode(whole.slice(0, whole.indexOf(text))).byteLength;
  const end = start + new TextEncoder().encode(text).byteLength;
  return {
    citation_id: `a-q${index + 1}`,
    subject: "a",
    quote: { source_digest: digestOf(origin), start, end, text },
    found: true,
    verdict: "supported",
    method: "verbatim",
    part_ids: [index === 1 ? "price" : "speed"],
  };
}
