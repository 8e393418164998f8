// The steps under way: what each works on, what it does now, and how far it is. All of it comes from journal records, so a
// process that only watches sees the same.
import { isObject } from "../kernel/json-object.ts";
import type { ModelChunk } from "../ports/model.ts";
import type { RecordData, RecordKind } from "../run/log/record.ts";
import type { CallRole } from "../run/role.ts";
import { count, namedOnce } from "./words.ts";

/** What a worker does while a model of this role is called. */
const WORK_OF: Record<CallRole, string> = {
  planner: "planning",
  researcher: "thinking",
  writer: "writing",
  reviewer: "reviewing",
  verifier: "judging",
  ranker: "ranking",
};
/** How much of the end of a reply is kept. */
const MAX_SAID = 600;

interface Worker {
  inputsDigest: string;
  isWorking: boolean;
  doing: string;
  /** What its last call of a model is for. */
  asks: string;
  wordsSaid: number;
  said: string;
  /** Replies of the model in the conversation under way. */
  turns: number;
  conversation: string;
  quotes: number;
  /** The arguments of the calls of the last reply, by id. */
  calls: Map<string, string>;
  /** What searches found, by the names that the model uses. */
  origins: Map<string, string>;
}

/** A worker as people see it. */
export interface ShownWorker {
  key: string;
  /** `What Zod reports`, `section 2 of 5`, `draft 1`. */
  title: string;
  doing: string;
  /** The end of the reply that comes in; empty where none does. */
  said: string;
  /** `turn 4, 3 quotes` */
  far: string;
}

export interface RecordedQuote {
  text: string;
  title: string;
}

/** A record, or the event that announces it. */
export type NotedRecord = {
  [K in RecordKind | "unknown"]: { kind: K; data: K extends RecordKind ? RecordData<K> : unknown };
}[RecordKind | "unknown"];

export class Workers {
  /** The titles of perspectives and gaps, by id. */
  titles: ReadonlyMap<string, string> = new Map();
  readonly #workers = new Map<string, Worker>();

  /** Notes a record. Returns the quote that it records, if any. */
  note(record: NotedRecord): RecordedQuote | null {
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
        worker.asks = WORK_OF[record.data.role as CallRole] ?? "asking a model";
        worker.doing = worker.asks;
        worker.wordsSaid = 0;
        worker.said = "";
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

  /** Notes what a step says of its own work, where it has no conversation. */
  say(key: string, what: string): void {
    this.#of(key).doing = namedOnce(what);
  }

  /** A piece of a reply, as it comes. */
  hear(key: string, chunk: ModelChunk): void {
    const worker = this.#of(key);
    if (chunk.type === "tool_call_delta") worker.doing = actionOf(chunk.name, undefined, worker.origins);
    if (chunk.type !== "text") return;
    worker.said = `${worker.said}${chunk.text}`.slice(-MAX_SAID);
    worker.wordsSaid += chunk.text.match(/\s+/g)?.length ?? 0;
    if (worker.wordsSaid > 0) worker.doing = `${worker.asks}, ${count(worker.wordsSaid, "word")} so far`;
  }

  /** Those at work, in the order in which they began. */
  working(planned: ReadonlySet<string>): ShownWorker[] {
    return [...this.#workers].flatMap(([key, { isWorking, doing, said, turns, quotes }]) => {
      if (!isWorking) return [];
      const far = [turns > 1 ? `turn ${turns}` : "", quotes > 0 ? count(quotes, "quote") : ""];
      const shown = {
        doing: doing === "" ? "at work" : doing,
        said,
        far: far.filter((part) => part !== "").join(", "),
      };
      return [{ key, title: this.#titleOf(key, planned), ...shown }];
    });
  }

  #start({ key, inputs_digest }: RecordData<"step.started">): void {
    const before = this.#workers.get(key);
    // With the same inputs, what it has read and quoted still counts.
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
    worker.said = "";
    const calls = message?.role === "assistant" ? message.tool_calls : [];
    worker.calls = new Map(calls.map((call) => [call.tool_call_id, call.arguments]));
  }

  #result({ key, outcome, state }: RecordData<"tool.completed">): RecordedQuote | null {
    const worker = this.#of(key);
    if (!isObject(state)) return null;
    for (const passage of Array.isArray(state["found"]) ? state["found"] : []) {
      const [name, origin] = wordsIn(passage, "name", "origin");
      if (name !== undefined && origin !== undefined) worker.origins.set(name, origin);
    }
    const [text, title] = wordsIn(state["quoted"], "text", "title");
    if (text === undefined || title === undefined || outcome !== "done") return null;
    worker.quotes++;
    return { text, title };
  }

  #of(key: string): Worker {
    const worker = this.#workers.get(key) ?? newWorker("");
    this.#workers.set(key, worker);
    return worker;
  }

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
    said: "",
    turns: 0,
    conversation: "",
    quotes: 0,
    calls: new Map(),
    origins: new Map(),
  };
}

/** A model chose the name and the arguments, so anything may be in them. */
function actionOf(name: string, given: string | undefined, origins: ReadonlyMap<string, string>): string {
  const [query, words, document] = wordsIn(parsed(given), "query", "words", "document");
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
      return "submitting";
    default:
      return `calling ${name}`;
  }
}

/** The members of an object that are text. Without a schema, since the page of the console loads this file and has to stay small. */
function wordsIn(value: unknown, ...names: string[]): (string | undefined)[] {
  return names.map((name) => {
    const word = isObject(value) ? value[name] : undefined;
    return typeof word === "string" ? word : undefined;
  });
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? null : (JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}
