// The steps under way, one line each: what it works on, what it does now, how far it is. Drawn from journal records, so that whoever only watches sees the same.
import { z } from "../../kernel/schema.ts";
import type { ModelChunk } from "../../ports/model.ts";
import type { ToolCall } from "../../run/conversation.ts";
import type { AnyRecord, RecordData } from "../../run/record.ts";
import type { Role } from "../../run/role.ts";
import { count, namedOnce } from "../../surface/words.ts";
import { oneLine } from "./layout.ts";

/** What a call of a model is for. */
const WORK_OF: Record<Role, string> = {
  planner: "planning",
  researcher: "thinking",
  writer: "writing",
  reviewer: "reviewing",
  verifier: "judging",
};
/** Titles take at most this share of a line. */
const TITLE_SHARE = 0.4;
/** With less room for what is done, how far it is goes away. */
const LEAST_DOING = 24;

/** What the tools of a researcher leave, as far as it is shown; the calls of other tools have other states. */
const stateSchema = z.object({
  found: z.array(z.object({ name: z.string(), origin: z.string() })).optional(),
  quoted: z.object({ title: z.string(), text: z.string() }).optional(),
});
const argumentsSchema = z.object({
  query: z.string().optional(),
  words: z.string().optional(),
  document: z.string().optional(),
});

interface Worker {
  inputsDigest: string;
  isWorking: boolean;
  doing: string;
  /** What its last call of a model is for. */
  asks: string;
  wordsSaid: number;
  /** Replies of the model in the conversation under way. */
  turns: number;
  conversation: string;
  quotes: number;
  /** The arguments of the calls of the last reply, by id. */
  calls: Map<string, string>;
  /** What searches found, by the names that the model uses. */
  origins: Map<string, string>;
}

export interface RecordedQuote {
  text: string;
  title: string;
}

export class Workers {
  /** The titles of perspectives and gaps, by id. */
  titles: ReadonlyMap<string, string> = new Map();
  readonly #workers = new Map<string, Worker>();

  /** Takes a record in; the quote, when it records one. */
  note(record: AnyRecord): RecordedQuote | null {
    switch (record.kind) {
      case "step.started":
        this.#start(record.data);
        return null;
      case "step.completed":
      case "step.adopted":
        this.#workers.delete(record.data.key);
        return null;
      case "step.failed":
        // The next attempt may take up its conversations.
        this.#of(record.data.key).isWorking = false;
        return null;
      case "tick.started":
      case "tick.ended":
      case "state.changed":
        for (const worker of this.#workers.values()) worker.isWorking = false;
        return null;
      case "usage.reserved": {
        const worker = this.#of(record.data.key);
        worker.asks = WORK_OF[record.data.role as Role] ?? "asking a model";
        worker.doing = worker.asks;
        worker.wordsSaid = 0;
        return null;
      }
      case "message.stored":
        this.#take(record.data);
        return null;
      case "tool.requested": {
        const worker = this.#of(record.data.key);
        worker.doing = actionOf(record.data.name, worker.calls.get(record.data.tool_call_id), worker.origins);
        return null;
      }
      case "tool.completed":
        return this.#result(record.data);
      default:
        return null;
    }
  }

  /** What a step says of its work, where no conversation tells it. */
  say(key: string, what: string): void {
    this.#of(key).doing = namedOnce(what);
  }

  /** A piece of a reply, as it comes. */
  hear(key: string, chunk: ModelChunk): void {
    const worker = this.#of(key);
    if (chunk.type === "tool_call_delta") worker.doing = actionOf(chunk.name, undefined, worker.origins);
    if (chunk.type !== "text") return;
    worker.wordsSaid += chunk.text.match(/\s+/g)?.length ?? 0;
    if (worker.wordsSaid > 0) worker.doing = `${worker.asks}, ${count(worker.wordsSaid, "word")} so far`;
  }

  /** Those at work, in the order in which they began; with more of them than `most`, the last line counts the others. */
  lines(width: number, most: number, planned: ReadonlySet<string>): string[] {
    const working = [...this.#workers].filter(([, { isWorking }]) => isWorking);
    const shown = working.slice(0, working.length > most ? Math.max(0, most - 1) : most);
    const titles = shown.map(([key]) => oneLine(this.#titleOf(key, planned), Math.floor(width * TITLE_SHARE)));
    const longest = Math.max(0, ...titles.map((title) => Bun.stringWidth(title)));
    const lines = shown.map(([, worker], at) => {
      const title = titles[at] ?? "";
      const room = width - longest - 4;
      return `  ${title}${" ".repeat(longest - Bun.stringWidth(title))}  ${doingText(worker, room)}`;
    });
    return most > 0 && working.length > most ? [...lines, `  and ${working.length - lines.length} more`] : lines;
  }

  #start({ key, inputs_digest }: RecordData<"step.started">): void {
    const before = this.#workers.get(key);
    // What it has read and quoted counts on, unless its inputs are others.
    const worker = before?.inputsDigest === inputs_digest ? before : newWorker(inputs_digest);
    this.#workers.delete(key);
    this.#workers.set(key, { ...worker, isWorking: true, doing: "" });
  }

  #take({ key, conversation, role, message }: RecordData<"message.stored">): void {
    const worker = this.#of(key);
    if (worker.conversation !== conversation || role === "system") {
      worker.conversation = conversation;
      worker.turns = 0;
    }
    if (role !== "assistant") return;
    worker.turns++;
    const calls: readonly ToolCall[] = message?.role === "assistant" ? message.tool_calls : [];
    worker.calls = new Map(calls.map((call) => [call.tool_call_id, call.arguments]));
  }

  #result({ key, outcome, state }: RecordData<"tool.completed">): RecordedQuote | null {
    const worker = this.#of(key);
    const { found = [], quoted } = stateSchema.safeParse(state).data ?? {};
    for (const { name, origin } of found) worker.origins.set(name, origin);
    if (quoted === undefined || outcome !== "done") return null;
    worker.quotes++;
    return quoted;
  }

  #of(key: string): Worker {
    const worker = this.#workers.get(key) ?? newWorker("");
    this.#workers.set(key, worker);
    return worker;
  }

  /** `What Zod reports`, `section 2 of 5`, `draft 1`. */
  #titleOf(key: string, planned: ReadonlySet<string>): string {
    const subject = key.slice(key.indexOf(":") + 1);
    const title = this.titles.get(subject);
    if (title !== undefined) return title;
    const words = subject.replace(/[:_-]/g, " ");
    const series = key.replace(/\d+$/, "");
    const others = [...planned].filter((other) => other !== key && other.replace(/\d+$/, "") === series).length;
    return series === key || others === 0 ? words : `${words} of ${others + 1}`;
  }
}

function newWorker(inputsDigest: string): Worker {
  return {
    inputsDigest,
    isWorking: true,
    doing: "",
    asks: "",
    wordsSaid: 0,
    turns: 0,
    conversation: "",
    quotes: 0,
    calls: new Map(),
    origins: new Map(),
  };
}

/** `searching "option parsing" | turn 4, 3 quotes`. */
function doingText({ doing, turns, quotes }: Worker, room: number): string {
  const parts = [turns > 1 ? `turn ${turns}` : "", quotes > 0 ? count(quotes, "quote") : ""];
  const far = parts.filter((part) => part !== "").join(", ");
  const left = room - Bun.stringWidth(far) - 3;
  const shown = doing === "" ? "at work" : doing;
  return far === "" || left < LEAST_DOING ? oneLine(shown, room) : `${oneLine(shown, left)} | ${far}`;
}

/** Names and arguments are a model's: anything may stand there. */
function actionOf(name: string, given: string | undefined, origins: ReadonlyMap<string, string>): string {
  const { query, words, document } = argumentsOf(given);
  const origin = document === undefined ? undefined : namedOnce(origins.get(document) ?? document);
  switch (name) {
    case "search":
      return query === undefined ? "searching" : `searching "${query}"`;
    case "open":
      return origin === undefined ? "reading" : `reading ${origin}`;
    case "find":
      return words === undefined ? "searching a document" : `searching "${words}" in ${origin ?? "a document"}`;
    case "quote":
      return origin === undefined ? "recording a quote" : `recording a quote from ${origin}`;
    case "note_gap":
      return "noting what was not found";
    case "submit":
      return "handing in";
    default:
      return `calling ${name}`;
  }
}

function argumentsOf(given: string | undefined): z.infer<typeof argumentsSchema> {
  if (given === undefined) return {};
  try {
    return argumentsSchema.safeParse(JSON.parse(given)).data ?? {};
  } catch {
    return {};
  }
}
