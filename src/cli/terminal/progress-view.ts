// The progress of a run from its records: lines that stay, and lines that a terminal draws anew.
import { stageName } from "../../surface/stage-words.ts";
import { fallbacksOf, type Provenance } from "../../run/log/provenance.ts";
import { knownHalt } from "../../run/log/halt-details.ts";
import type { ModelWait, RunAtWork } from "../../ports/observer.ts";
import type { CorpusProgress, IndexProgress } from "../../ports/provider.ts";
import type { AnyRecord } from "../../run/log/record.ts";
import type { Budgets } from "../../run/settings/settings.ts";
import { type Stage, STAGES } from "../../run/stage.ts";
import { expectedCalls, type Progress } from "../../run/money/expected-calls.ts";
import { NO_USAGE } from "../../run/money/usage.ts";
import { withReserved, withSettled } from "../../run/log/usage-sums.ts";
import { changeText, count, duration, fallbackText, moment, namedOnce } from "../../surface/words.ts";
import { headlineOfHalt } from "../../surface/halt-words.ts";
import { joinedLines, oneLine } from "./layout.ts";
import { spentParts } from "../../surface/usage-words.ts";
import { type RecordedQuote, Workers } from "../../surface/workers.ts";
import { workerLines } from "./worker-lines.ts";

/** A line that is not cut to a terminal. */
const MAX_WIDTH = 200;

export interface Line {
  text: string;
  isTrouble: boolean;
  /** On a terminal the live lines say what goes well; these stay. */
  stays: boolean;
}

export class ProgressView {
  readonly workers = new Workers();
  #stage: Stage = "init";
  #titledStage: Stage | null = null;
  #began: number;
  /** No call of a model begins before this uptime. */
  #waitsUntilMs = -Infinity;
  readonly #reading = new Reading();
  #isReading = false;
  #usage = NO_USAGE;
  #budgets: Budgets | null = null;
  /** What an estimate of calls needs; null for a run that calls no model. */
  #scope: Pick<Progress, "mode" | "limits"> | null = null;
  readonly #planned = new Set<string>();
  readonly #done = new Set<string>();
  readonly #shown = new Set<string>();

  constructor(uptimeMs: number) {
    this.#began = uptimeMs;
  }

  /** Reads what the perspectives and gaps of the run are called, as far as they are known, once in each stage. */
  async readTitles(read: () => Promise<ReadonlyMap<string, string>>): Promise<void> {
    if (this.#titledStage === this.#stage) return;
    this.#titledStage = this.#stage;
    this.workers.titles = await read();
  }

  /** Takes over the state of the run, since not every record of it is reported. */
  begin({ settings, usage, stage, steps, mode, limits }: RunAtWork): void {
    this.#budgets = settings.budgets ?? null;
    if (mode !== undefined && limits !== undefined && settings.models !== undefined) this.#scope = { mode, limits };
    this.#usage = usage ?? NO_USAGE;
    if (stage !== undefined) this.#enter(stage.current);
    for (const [key, { state }] of Object.entries(steps ?? {})) {
      this.#planned.add(key);
      if (state === "completed") this.#done.add(key);
    }
  }

  /** Notes a record. Returns a line of at most this width, or null where none is worth it. */
  note(record: AnyRecord, width = MAX_WIDTH): Line | null {
    this.#isReading = false;
    const quote = this.workers.note(record);
    return quote === null ? this.#lineOf(record) : { ...good(quoteText(quote, width)), stays: true };
  }

  #lineOf(record: AnyRecord): Line | null {
    switch (record.kind) {
      case "stage.entered":
        this.#enter(record.data.to);
        // A run that was only made has left its first stage; work on the next one may begin much later.
        if (record.data.from === "init") return null;
        return good(`${this.#place()} ${stageName(record.data.to)}`);
      case "step.started":
        this.#enter(record.data.stage);
        return null;
      case "stage.planned":
        this.#enter(record.data.stage);
        for (const key of record.data.keys) this.#planned.add(key);
        return null;
      case "step.completed":
      case "step.adopted":
        this.#done.add(record.data.key);
        this.#planned.add(record.data.key);
        return good(`  ${record.data.key} ${record.kind === "step.adopted" ? "adopted" : "done"} (${this.#steps()})`);
      case "step.failed": {
        const { key, attempt, error } = record.data;
        return trouble(`  ${key} failed, attempt ${attempt}: ${oneLine(error.message, 200)}`);
      }
      case "usage.reserved":
        this.#usage = withReserved(this.#usage, record.data);
        return null;
      case "usage.settled":
        this.#usage = withSettled(this.#usage, record.data);
        return null;
      case "run.created":
        this.begin(record.data);
        return null;
      case "settings.changed":
        this.#budgets = record.data.settings.budgets ?? null;
        return null;
      case "url.blocked": {
        const { url, reason } = record.data;
        return this.#once(good(`  not reached: ${oneLine(url, 200)} (${reason})`));
      }
      case "provider.resolved":
        return this.#fallback(record.data);
      case "gate.judged": {
        const { gate, status, reasons } = record.data;
        return status === "pass"
          ? good(`  gate ${gate} passed`)
          : trouble(`  gate ${gate} failed: ${oneLine(reasons.join("; "), 300)}`);
      }
      case "halt.raised":
        return trouble(`  stopped: ${headlineOfHalt(knownHalt(record.data.halt))}`);
      case "state.changed":
        return good(changeText({ ...record.data, reason: oneLine(record.data.reason, 200) }));
      default:
        return null;
    }
  }

  /** Notes that all calls wait, and returns a line about it. */
  noteWait({ model, reason, asked_ms, wait_ms, until }: ModelWait, uptimeMs: number): string {
    this.#waitsUntilMs = uptimeMs + wait_ms;
    const requested = asked_ms === undefined ? "" : `, the provider requests ${duration(asked_ms)}`;
    return `  waiting ${duration(wait_ms)}, until ${moment(until)}${requested}: ${model}: ${oneLine(reason, 300)}`;
  }

  /** Shows how far the corpus is read, until the next event. Returns a line where a corpus begins to be read or waited for. */
  noteIndex(event: Parameters<CorpusProgress>[0], uptimeMs: number): string | null {
    this.#isReading = true;
    const begun = this.#reading.note(event, uptimeMs);
    return begun === null ? null : oneLine(begun, MAX_WIDTH);
  }

  /** How far the corpus is read; null while none is. */
  readingLine(uptimeMs: number): string | null {
    if (!this.#isReading) return null;
    const { left, doing } = this.#reading.words(uptimeMs);
    const parts = [duration(uptimeMs - this.#began), left, doing].filter((part) => part !== "");
    return oneLine(parts.join(" | "), MAX_WIDTH);
  }

  /** How far the stage is and how long the work has gone on. Only the process that works on it knows. */
  lines(uptimeMs: number, columns: number, rows: number): string[] {
    const { left, doing } = this.#isReading ? this.#reading.words(uptimeMs) : { left: "", doing: "" };
    const leftMs = this.#waitsUntilMs - uptimeMs;
    const wait = leftMs > 0 ? `waits ${duration(leftMs)}` : "";
    // Before there is a run, or where none is made, a stage says nothing.
    const isNoStage = this.#isReading && this.#stage === "init";
    const place = [isNoStage ? "" : this.position(), duration(uptimeMs - this.#began)];
    return this.linesBelow([...place, wait, left, doing], columns, rows);
  }

  /** The parts of a heading with what was spent, and below it the workers, as the terminal has room. */
  linesBelow(heading: readonly string[], columns: number, rows: number, isWorkedOn = true): string[] {
    // A line that fills the last column would make the terminal continue to the next one.
    const width = columns - 1;
    const parts = [...heading, ...spentParts(this.#usage, this.#budgets, this.#toCome())].filter((part) => part !== "");
    const head = joinedLines(parts, " | ", width).slice(0, rows - 1);
    if (!isWorkedOn) return head;
    return [...head, ...workerLines(this.workers.working(this.#planned), width, Math.max(0, rows - 1 - head.length))];
  }

  #toCome(): number | null {
    const steps = { planned: this.#planned.size, open: this.#planned.size - this.#done.size };
    return this.#scope === null ? null : expectedCalls({ ...this.#scope, stage: this.#stage, steps });
  }

  /** `[3/10] wave1 | 1 of 2 steps`. */
  position(): string {
    const steps = this.#planned.size === 0 ? "" : ` | ${this.#steps()}`;
    return `${this.#place()} ${stageName(this.#stage)}${steps}`;
  }

  #fallback(provenance: Provenance): Line | null {
    const text = fallbackText(fallbacksOf([provenance]));
    return text === null ? null : this.#once(trouble(`  ${text}`));
  }

  /** Every search may meet the same page: one line is enough. */
  #once(line: Line): Line | null {
    if (this.#shown.has(line.text)) return null;
    this.#shown.add(line.text);
    return line;
  }

  #enter(stage: Stage): void {
    if (stage === this.#stage) return;
    this.#stage = stage;
    this.#planned.clear();
    this.#done.clear();
    this.#isReading = false;
  }

  #place(): string {
    return `[${STAGES.indexOf(this.#stage) + 1}/${STAGES.length}]`;
  }

  #steps(): string {
    return `${this.#done.size} of ${count(this.#planned.size, "step")}`;
  }
}

const good = (text: string): Line => ({ text, isTrouble: false, stays: false });
const trouble = (text: string): Line => ({ text, isTrouble: true, stays: true });

/** `  "words of the source" (its title)`. */
function quoteText({ text, title }: RecordedQuote, width: number): string {
  const source = oneLine(title, Math.floor(width / 3));
  return `  "${oneLine(text, width - Bun.stringWidth(source) - 7)}" (${source})`;
}

/** Before that an estimate says little. */
const LEAST_MS = 3_000;
const LEAST_SHARE = 0.02;

export class Reading {
  #event: (IndexProgress & { corpus: string }) | null = null;
  #sinceMs = 0;
  #bytesBefore = 0;
  #endsMs: number | null = null;

  /** Returns what begins with the event, or null where what was shown continues. */
  note(event: IndexProgress & { corpus: string }, uptimeMs: number): string | null {
    const isNew = event.kind !== this.#event?.kind || event.corpus !== this.#event.corpus;
    if (event.kind === "reading") this.#estimate(event, uptimeMs);
    this.#event = event;
    if (!isNew || event.kind === "writing") return null;
    if (event.kind === "waiting" || event.total === 1) return this.words(uptimeMs).doing;
    return `reading ${count(event.total, "file")} of ${event.corpus}`;
  }

  /** What is done, and about how long it takes; nothing before the first event. */
  words(uptimeMs: number): { left: string; doing: string } {
    const event = this.#event;
    if (event === null) return { left: "", doing: "" };
    const { corpus } = event;
    if (event.kind === "writing") return { left: "", doing: `writing the index of ${corpus}` };
    if (event.kind === "waiting") {
      const most = duration(event.most_ms);
      return { left: "", doing: `waiting, at most ${most}, for another process that reads ${corpus}` };
    }
    const { read, total, path, page, pages } = event;
    const which = total === 1 ? "reading" : `reading ${read + 1} of ${total}`;
    const at = page === undefined ? "" : `, page ${page} of ${pages}`;
    const left = this.#endsMs === null ? "" : timeLeft(this.#endsMs - uptimeMs);
    return { left, doing: `${which}${at}: ${namedOnce(`${corpus}/${path}`)}` };
  }

  #estimate(event: Extract<IndexProgress, { kind: "reading" }> & { corpus: string }, uptimeMs: number): void {
    if (this.#event?.kind !== "reading" || this.#event.corpus !== event.corpus) {
      this.#sinceMs = uptimeMs;
      this.#bytesBefore = event.bytes_read;
      this.#endsMs = null;
    }
    const done = event.bytes_read - this.#bytesBefore;
    const share = done / Math.max(1, event.bytes_total - this.#bytesBefore);
    const elapsedMs = uptimeMs - this.#sinceMs;
    if (elapsedMs < LEAST_MS || share < LEAST_SHARE) return;
    this.#endsMs = uptimeMs + (elapsedMs * (1 - share)) / share;
  }
}

/** Rounded as coarsely as an estimate deserves. */
function timeLeft(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 10) return "a few seconds left";
  if (seconds < 90) return `about ${Math.round(seconds / 10) * 10} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `about ${minutes} min left` : `about ${count(Math.round(minutes / 60), "hour")} left`;
}
