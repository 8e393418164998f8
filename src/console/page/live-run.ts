// A run as it happens: its events, from the first on, folded into what the page shows.
import { TimelineFold } from "../../pages/timeline.ts";
import type { EventLine } from "../event-lines.ts";
import type { ModelChunk } from "../../ports/model.ts";
import { type NotedRecord, Workers, type ShownWorker } from "../../surface/workers.ts";
import { Followed } from "./followed.ts";
import { call } from "./requests.ts";
import type { FindingQuote, Inspected, Plan, Source, WireEvent } from "./wire.ts";

export interface JournalLine extends EventLine {
  seq: number;
  ts: string;
  event: string;
}
export type FoundQuote = Pick<FindingQuote, "source_digest" | "start" | "end" | "text" | "part_ids" | "statement">;

/** Events that come within this time are drawn together. */
const DRAW_MS = 60;
/** Stages whose steps leave quotes. */
const RESEARCH = /^(wave1|wave2|review:research)/;

export class LiveRun {
  /** Counts the changes of the members below. */
  readonly changes = new Followed(0);
  readonly journal: JournalLine[] = [];
  workers: readonly ShownWorker[] = [];
  quotes: readonly FoundQuote[] = [];
  sources: readonly Source[] = [];
  parts: Plan["parts"] = [];
  readonly times = new TimelineFold();
  /** All calls of models wait until then. */
  waitsUntil: string | null = null;
  readonly #runId: string;
  readonly #stream: EventSource;
  readonly #onChange: () => void;
  readonly #fold = new Workers();
  readonly #planned = new Set<string>();
  readonly #found = new Map<string, FoundQuote>();
  readonly #stored = new Map<string, Source>();
  /** Steps whose results are still to be read. */
  readonly #finished: string[] = [];
  #isReading = false;
  #waiting: WireEvent[] = [];

  constructor(runId: string, onChange: () => void) {
    this.#runId = runId;
    this.#onChange = onChange;
    this.#stream = new EventSource(`api/runs/${runId}/events?after=0&lines=1`);
    this.#stream.addEventListener("message", ({ data }) => this.#take(JSON.parse(String(data)) as WireEvent));
  }

  close(): void {
    this.#stream.close();
  }

  #take(event: WireEvent): void {
    if (this.#waiting.push(event) === 1) setTimeout(() => this.#draw(), DRAW_MS);
  }

  #draw(): void {
    const events = this.#waiting;
    this.#waiting = [];
    for (const event of events) this.#note(event);
    this.sources = [...this.#stored.values()];
    this.#change();
    void this.#readResults();
    if (events.some(({ seq, event }) => seq !== undefined || event === "damaged")) this.#onChange();
  }

  #change(): void {
    this.workers = this.#fold.working(this.#planned);
    this.quotes = [...this.#found.values()];
    this.changes.value++;
  }

  #note(event: WireEvent): void {
    const { event: name, ts, seq, data, line } = event;
    if (seq === undefined || line === undefined) return this.#notePassing(event);
    this.journal.push({ seq, ts, event: name, ...line });
    this.times.note(event);
    if (name !== "report.published") this.#noteRecord({ kind: name, data } as NotedRecord);
  }

  #noteRecord(record: NotedRecord): void {
    this.#fold.note(record);
    this.waitsUntil = null;
    switch (record.kind) {
      case "stage.entered":
        this.#planned.clear();
        break;
      case "stage.planned":
        for (const key of record.data.keys) this.#planned.add(key);
        break;
      case "source.stored":
        this.#stored.set(record.data.source.source_digest, record.data.source);
        break;
      case "tool.completed": {
        const { quoted } = (record.data.state ?? {}) as { quoted?: FoundQuote };
        if (quoted !== undefined && record.data.outcome === "done") this.#find(quoted);
        break;
      }
      case "step.completed":
      case "step.adopted":
        if (RESEARCH.test(record.data.key) || record.data.stage === "perspectives")
          this.#finished.push(record.data.key);
        break;
      default:
        break;
    }
  }

  #notePassing({ event, data }: WireEvent): void {
    if (event === "wait") this.waitsUntil = (data as { until: string }).until;
    const { key, ...chunk } = data as ModelChunk & { key: string };
    if (key !== undefined) this.#fold.hear(key, { ...chunk, type: event } as ModelChunk);
  }

  #find({ source_digest, start, end, text, part_ids, statement }: FoundQuote): void {
    const quote = { source_digest, start, end, text, part_ids: part_ids ?? [], ...(statement ? { statement } : {}) };
    this.#found.set(`${source_digest} ${start} ${end}`, quote);
  }

  /** Reads the plan, and quotes that no conversation reported. */
  async #readResults(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    for (let key = this.#finished.shift(); key !== undefined; key = this.#finished.shift()) {
      const path = `api/runs/${this.#runId}/inspect?step=${encodeURIComponent(key)}`;
      const { value } = await call<Inspected>(path).catch(() => ({ value: null }));
      for (const quote of value?.quotes ?? []) this.#find(quote);
      if (value?.parts !== undefined) this.parts = value.parts;
      if (value?.perspectives !== undefined)
        this.#fold.titles = new Map(value.perspectives.map(({ id, title }) => [id, title]));
      this.#change();
    }
    this.#isReading = false;
  }
}
