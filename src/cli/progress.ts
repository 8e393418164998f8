// Shows work as it happens on stderr: one live line on a terminal, plain lines elsewhere.
import type { Observer } from "../operations/outcome.ts";
import type { Clock } from "../ports/clock.ts";
import type { ModelWait } from "../ports/observer.ts";
import type { CorpusProgress } from "../ports/provider.ts";
import type { Provenance } from "../run/provenance.ts";
import type { AnyRecord } from "../run/record.ts";
import { fallbacksOf } from "../run/fallbacks.ts";
import { haltKind, isModelUnreachable } from "../run/halt.ts";
import { STAGES, type Stage } from "../run/stage.ts";
import { NO_USAGE, withReserved, withSettled } from "../run/usage.ts";
import { fallbackText } from "./evidence-text.ts";
import { haltHeadline } from "./halt-words.ts";
import type { Host } from "./host.ts";
import type { OutputQueue } from "./output-queue.ts";
import { namedOnce, Reading } from "./reading.ts";
import { Speech } from "./speech.ts";
import type { Style } from "./style.ts";
import { count, duration, moment, oneLine } from "./text.ts";
import { shortUsageText } from "./usage-text.ts";

const REDRAW_MS = 250;
/** Work can go on much faster than anybody reads. */
const LEAST_BETWEEN_REDRAWS_MS = 100;
const ERASE_LINE = "\r\u001b[2K";

export interface ProgressDisplay {
  observer: Observer;
  /** Takes the live line off the terminal; resolves when everything was written, or cannot be. */
  end(stop?: AbortSignal): Promise<void>;
}

export function progressDisplay(
  host: Pick<Host, "isTerminal" | "columns">,
  stderr: OutputQueue,
  clock: Clock,
  style: Style,
): ProgressDisplay {
  /** Of each run its own: a sweep works on several, also side by side. */
  const views = new Map<string, ProgressView>();
  /** What is told belongs to the run of the record told last. */
  let view = new ProgressView(clock.uptimeMs());
  let namedRoot: string | null = null;
  const isLive = host.isTerminal("stderr");
  const speech = new Speech();
  let isDrawn = false;
  let drawnAtMs = -Infinity;
  const draw = (): void => {
    const nowMs = clock.uptimeMs();
    // A later frame says more: none waits for a slow reader.
    if (!isLive || !stderr.isEmpty || nowMs - drawnAtMs < LEAST_BETWEEN_REDRAWS_MS) return;
    isDrawn = true;
    drawnAtMs = nowMs;
    stderr.push(`${ERASE_LINE}${style.dim(oneLine(view.line(nowMs), host.columns("stderr") - 1))}`);
  };
  const tell = (line: string): void => stderr.push(`${isLive ? ERASE_LINE : ""}${line}\n`);
  const timer = isLive ? clock.every(REDRAW_MS, draw) : null;
  return {
    observer: {
      onRecord(runRoot, { record }) {
        const isNew = !views.has(runRoot);
        view = views.get(runRoot) ?? (views.size === 0 ? view : new ProgressView(clock.uptimeMs()));
        views.set(runRoot, view);
        const line = view.note(record);
        // On a terminal the live line says what goes well; only what goes wrong stays.
        const told = line !== null && (!isLive || line.isTrouble) ? line : null;
        // Said first and kept on the screen: it is what a person needs after a crash.
        if (isNew || (told !== null && namedRoot !== runRoot)) {
          tell(`run ${runRoot}`);
          namedRoot = runRoot;
        }
        if (told !== null) tell(told.isTrouble ? style.warn(told.text) : told.text);
        draw();
      },
      onSay(step, what) {
        view.say(step, what);
        draw();
      },
      onChunk(step, chunk) {
        view.doing = `${step}: ${speech.heard(step, chunk)}`;
        draw();
      },
      onWait(wait) {
        tell(style.warn(view.noteWait(wait, clock.uptimeMs())));
        draw();
      },
      onIndex(event) {
        view.noteIndex(event, clock.uptimeMs());
        draw();
      },
    },
    async end(stop) {
      timer?.stop();
      if (isDrawn) stderr.push(ERASE_LINE);
      await stderr.whenEmpty(stop);
    },
  };
}

interface Line {
  text: string;
  isTrouble: boolean;
}

/** What is known of the work from the records seen so far. */
export class ProgressView {
  doing = "";
  #stage: Stage = "init";
  #began: number;
  /** By uptime: until then no call of a model begins. */
  #waitsUntilMs = -Infinity;
  readonly #reading = new Reading();
  #isReading = false;
  /** Since it was followed. */
  #usage = NO_USAGE;
  readonly #planned = new Set<string>();
  readonly #done = new Set<string>();
  readonly #told = new Set<string>();

  constructor(uptimeMs: number) {
    this.#began = uptimeMs;
  }

  /** Takes a record in and says it as a line, when it is worth one. */
  note(record: AnyRecord): Line | null {
    this.#isReading = false;
    switch (record.kind) {
      case "stage.entered":
        this.#enter(record.data.to);
        // Making a run ends its first stage; work on the next one may begin much later.
        if (record.data.from === "init") return null;
        return good(`${this.#position()} ${record.data.to}`);
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
      case "source.stored":
        this.doing = namedOnce(`reading ${record.data.source.origin}`);
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
        return trouble(`  stopped: ${haltHeadline(haltKind(record.data.halt), isModelUnreachable(record.data.halt))}`);
      case "state.changed":
        return good(`${record.data.from} -> ${record.data.to}: ${oneLine(record.data.reason, 200)}`);
      default:
        return null;
    }
  }

  /** What a step says of its work. */
  say(step: string, what: string): void {
    this.doing = `${step}: ${namedOnce(what)}`;
  }

  /** Takes a wait of all calls in and says it as a line. */
  noteWait({ model, reason, asked_ms, wait_ms, until }: ModelWait, uptimeMs: number): string {
    this.#waitsUntilMs = uptimeMs + wait_ms;
    const asked = asked_ms === undefined ? "" : `, the provider asks for ${duration(asked_ms)}`;
    return `  waiting ${duration(wait_ms)}, until ${moment(until)}${asked}: ${model}: ${oneLine(reason, 300)}`;
  }

  /** Shows how far the corpus is read, until the next event. */
  noteIndex(event: Parameters<CorpusProgress>[0], uptimeMs: number): void {
    this.#reading.note(event, uptimeMs);
    this.doing = "";
    this.#isReading = true;
  }

  /** The live line: stage, steps, elapsed, calls of models, how long they wait, what is being done. */
  line(uptimeMs: number): string {
    const elapsed = duration(uptimeMs - this.#began);
    if (this.doing !== "") this.#isReading = false;
    const { left, doing } = this.#isReading ? this.#reading.words(uptimeMs) : { left: "", doing: this.doing };
    const leftMs = this.#waitsUntilMs - uptimeMs;
    const wait = leftMs > 0 ? `waits ${duration(leftMs)}` : "";
    // Before there is a run, or where none is made, a stage says nothing.
    const stage = this.#isReading && this.#stage === "init" ? "" : `${this.#position()} ${this.#stage}`;
    return [stage, this.#steps(), elapsed, shortUsageText(this.#usage), wait, left, doing]
      .filter((part) => part !== "")
      .join(" | ");
  }

  #fallback(provenance: Provenance): Line | null {
    const text = fallbackText(fallbacksOf([provenance]));
    return text === null ? null : this.#once(trouble(`  ${text}`));
  }

  /** Each search meets the same page, and each wave counts anew. */
  #once(line: Line): Line | null {
    if (this.#told.has(line.text)) return null;
    this.#told.add(line.text);
    return line;
  }

  #enter(stage: Stage): void {
    if (stage === this.#stage) return;
    this.#stage = stage;
    this.#planned.clear();
    this.#done.clear();
    this.doing = "";
    this.#isReading = false;
  }

  #position(): string {
    return `[${STAGES.indexOf(this.#stage) + 1}/${STAGES.length}]`;
  }

  #steps(): string {
    if (this.#planned.size === 0) return "";
    return `${this.#done.size} of ${count(this.#planned.size, "step")}`;
  }
}

const good = (text: string): Line => ({ text, isTrouble: false });
const trouble = (text: string): Line => ({ text, isTrouble: true });
