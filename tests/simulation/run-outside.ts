// The world outside every simulated process, which survives their deaths: documents, what was asked, what was announced.
import { digestOfBytes, digestOfJson } from "../../src/kernel/digest.ts";
import { RunError } from "../../src/kernel/errors.ts";
import type { Driver, TaskKind, Tasks, TaskTools } from "../../src/ports/driver.ts";
import type { Observer } from "../../src/ports/observer.ts";
import type { InitOptions } from "../../src/operations/options.ts";
import type { Models } from "../../src/ports/model.ts";
import type { OpenCorpora, Passage, Provider, ReadAttached } from "../../src/ports/provider.ts";
import type { Prices } from "../../src/run/money/prices.ts";
import type { DriverId } from "../../src/run/settings/settings.ts";
import { Crashed } from "./disk.ts";
import type { Actor } from "./world.ts";
import { thoroughDriver } from "./thorough-driver.ts";

/** One step that a driver was asked to perform, by whom. */
export interface Performance {
  key: string;
  process: string;
  /** True when somebody had already announced that this step is finished. */
  isAgain: boolean;
}

/** A record that a process announced as durable. */
export interface Announcement {
  runRoot: string;
  seq: number;
  digest: string;
  kind: string;
  /** The step that it says is finished. */
  completed?: string;
}

export interface Performing extends Performance {
  kind: TaskKind;
  tools: TaskTools;
  actor: Actor;
  /** How often this step was begun, this time counted. */
  nth: number;
}

export class Outside {
  /** Text by path; the corpus name is the last part of its folder. */
  documents: Map<string, string>;
  performances: Performance[] = [];
  announced: Announcement[] = [];
  searches = 0;
  /** What a start asks for beside the usual. */
  asked: Partial<InitOptions> = {};
  /** What models cost. */
  prices: Prices[] = [];
  /** Runs before each step: it may take time, fail, or never end. */
  beforeStep: (performing: Performing) => Promise<void> | void = () => undefined;
  /** May replace what a step results in. */
  afterStep: (performing: Performing, result: unknown) => unknown = (_performing, result) => result;

  /** Takes the text out of what agents and people bring. */
  readAttached: ReadAttached = () => Promise.reject(new Error("nobody brings documents in this world"));

  constructor(documents: ReadonlyMap<string, string>) {
    this.documents = new Map(documents);
  }

  clone(copy = new Outside(this.documents)): Outside {
    copy.asked = this.asked;
    copy.prices = this.prices;
    copy.performances = [...this.performances];
    copy.announced = [...this.announced];
    copy.searches = this.searches;
    copy.beforeStep = this.beforeStep;
    copy.afterStep = this.afterStep;
    return copy;
  }

  timesPerformed(key: string): number {
    return this.performances.filter((performance) => performance.key === key).length;
  }

  /** Follows the records of a process, as a reader of its standard output would. */
  listen(): Observer {
    return {
      onRecord: (runRoot, record) => {
        const { seq, digest, kind } = record;
        if (record.kind === "step.reopened")
          for (const announced of this.announced)
            if (announced.completed === record.data.key) delete announced.completed;
        this.announced.push({
          runRoot,
          seq,
          digest,
          kind,
          ...(record.kind === "step.completed" ? { completed: record.data.key } : {}),
        });
      },
    };
  }

  /** A driver as one process reaches it. */
  driverFor(actor: Actor, _id: DriverId, version = thoroughDriver.version): Driver {
    return this.watched(actor, { ...thoroughDriver, version });
  }

  /** The models as one process reaches them. */
  async modelsFor(_actor: Actor): Promise<Models> {
    throw new Error("no model in this world");
  }

  /** The same driver, with every step noted. */
  protected watched(actor: Actor, driver: Driver): Driver {
    const perform = async <K extends TaskKind>(
      kind: K,
      input: Tasks[K]["input"],
      tools: TaskTools,
    ): Promise<Tasks[K]["result"]> => {
      await aliveAndAwake(actor);
      const key = stepKeyOf(kind, input);
      const performance = {
        key,
        process: actor.name,
        isAgain: this.announced.some(({ completed }) => completed === key),
      };
      this.performances.push(performance);
      const performing = { ...performance, kind, tools, actor, nth: this.timesPerformed(key) };
      await this.beforeStep(performing);
      await aliveAndAwake(actor);
      const result = await driver.perform(kind, input, tools);
      return this.afterStep(performing, result) as Tasks[K]["result"];
    };
    return { ...driver, perform };
  }

  /** The corpora as one process reaches them. */
  corporaFor(actor: Actor): OpenCorpora {
    return async (corpora) => {
      await aliveAndAwake(actor);
      const files = [...this.documents].map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }));
      if (files.length === 0) throw new RunError("INVALID_ARGS", { reason: "nothing in the corpus can be read" });
      const digest = digestOfJson(files.map(({ path, bytes }) => ({ path, digest: digestOfBytes(bytes) })));
      const reports = corpora.map(({ name, path }) => ({
        corpus: { name, path, digest, documents: files.length },
        skipped: [],
      }));
      return { provider: this.providerFor(actor, corpora[0]?.name ?? "corpus"), reports };
    };
  }

  protected providerFor(actor: Actor, corpus: string): Provider {
    return {
      id: "filesystem",
      search: async (query, limit) => {
        await aliveAndAwake(actor);
        this.searches++;
        return passagesOf(this.documents, corpus, query).slice(0, limit);
      },
      fetch: async ({ origin, document_digest }) => {
        await aliveAndAwake(actor);
        const path = origin.slice(corpus.length + 1);
        const text = this.documents.get(path);
        if (text === undefined) return { kind: "gone", reason: "it was removed" };
        const bytes = new TextEncoder().encode(text);
        if (digestOfBytes(bytes) !== document_digest) return { kind: "changed" };
        const textFrom = { text_from: "bytes" } as const;
        return {
          kind: "document",
          document: { origin, title: path, media_type: "text/markdown", bytes, text: bytes, textFrom },
        };
      },
      close: () => undefined,
    };
  }
}

/** A dead process asks nothing of anybody, and a frozen one only when it goes on. */
export async function aliveAndAwake({ files, name }: Actor): Promise<void> {
  while (files.life.state === "frozen") await files.life.whenGoingOn();
  if (files.life.state === "dead") throw new Crashed(name, "it asked the outside");
}

function isOfReview(subject: string): boolean {
  return subject.startsWith("review-");
}

/** The step that a task belongs to; a run of these tests asks for one redraft at most. */
export function stepKeyOf<K extends TaskKind>(kind: K, input: Tasks[K]["input"]): string {
  const keys: { [T in TaskKind]: (input: Tasks[T]["input"]) => string } = {
    plan: () => "perspectives:plan",
    draft_plan: ({ stance }) => `perspectives:draft-${stance}`,
    research: ({ perspective }) => `wave1:${perspective.id}`,
    pivot: ({ wave }) => (wave === 2 ? "pivot:decide" : `pivot:wave-${wave}`),
    fill_gap: ({ gap: { id } }) => (isOfReview(id) ? id.replace("review-", "review:research-") : `wave2:${id}`),
    judge_findings: ({ findings }) =>
      findings.some(({ subject_kind }) => subject_kind === "gap") ? "verdicts:wave-2" : "verdicts:wave-1",
    check_citations: ({ subject }) =>
      isOfReview(subject) ? subject.replace("review-", "review:citations-") : `citations:${subject}`,
    summarize: ({ findings }) => `summaries:${findings.subject}`,
    draft: ({ previous }) => (previous === null ? "synthesis:draft-1" : "review:revise-2"),
    outline: () => "synthesis:outline",
    section: ({ section }) => `synthesis:section:${section}`,
    answer: () => "synthesis:answer",
    judge_claims: () => "report",
    review: ({ draft_number }) => `review:draft-${draft_number}`,
  };
  return keys[kind](input);
}

/** Paragraphs by the number of query words they hold, then by path and place. */
function passagesOf(documents: ReadonlyMap<string, string>, corpus: string, query: string): Passage[] {
  const words = new Set(query.toLowerCase().match(/\p{L}+/gu));
  const found: Passage[] = [];
  for (const [path, text] of documents) {
    const document_digest = digestOfBytes(text);
    let start = 0;
    for (const paragraph of text.split("\n\n")) {
      const end = start + Buffer.byteLength(paragraph);
      const score = new Set(
        paragraph
          .toLowerCase()
          .match(/\p{L}+/gu)
          ?.filter((word) => words.has(word)),
      ).size;
      if (score > 0)
        found.push({ origin: `${corpus}/${path}`, title: path, document_digest, start, end, text: paragraph, score });
      start = end + 2;
    }
  }
  const order = (a: Passage, b: Passage): number =>
    b.score - a.score || (a.origin < b.origin ? -1 : a.origin > b.origin ? 1 : a.start - b.start);
  return found.sort(order);
}
