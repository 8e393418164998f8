// Shows work on stderr while it happens: on a terminal lines that are drawn anew in place, elsewhere plain lines.
import { shownLine } from "../../kernel/shown-text.ts";
import type { Observer } from "../../ports/observer.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Host } from "../host.ts";
import { LiveLines } from "./live-lines.ts";
import type { OutputQueue } from "./output-queue.ts";
import { newsIn } from "./news.ts";
import { ProgressView } from "./progress-view.ts";
import type { Style } from "./style.ts";

const REDRAW_MS = 250;
const LEAST_BETWEEN_REDRAWS_MS = 100;
/** Without live lines, while a corpus is read. */
const READING_SHOWN_EVERY_MS = 60_000;

export interface ProgressDisplay {
  observer: Observer;
  /** Takes the live lines off the terminal; resolves when everything was written, or cannot be. */
  end(stop?: AbortSignal): Promise<void>;
}

export interface ProgressOptions {
  host: Pick<Host, "columns" | "rows">;
  /** Whether stderr is a terminal on which no other process writes. */
  isLive: boolean;
  stderr: OutputQueue;
  clock: Clock;
  style: Style;
  /** What the perspectives and gaps of a run are called, as far as they are known. */
  titlesOf: (runRoot: string) => Promise<ReadonlyMap<string, string>>;
}

export function progressDisplay({ host, isLive, stderr, clock, style, titlesOf }: ProgressOptions): ProgressDisplay {
  /** One for each run: `tick --all` works on several at the same time. */
  const views = new Map<string, ProgressView>();
  /** The run of the last record: what is said without a run belongs to it. */
  let view = new ProgressView(clock.uptimeMs());
  let namedRoot: string | null = null;
  const begun = new Set<string>();
  const live = new LiveLines();
  let drawnAtMs = -Infinity;
  const columns = (): number => host.columns("stderr");
  const frame = (): string[] => view.lines(clock.uptimeMs(), columns(), host.rows("stderr")).map(style.dim);
  const draw = (): void => {
    const nowMs = clock.uptimeMs();
    // A later frame says more: none waits for a slow reader.
    if (!isLive || !stderr.isEmpty || nowMs - drawnAtMs < LEAST_BETWEEN_REDRAWS_MS) return;
    drawnAtMs = nowMs;
    const change = live.draw(frame(), columns());
    if (change !== "") stderr.push(change);
  };
  const print = (line: string): void => stderr.push(isLive ? live.draw(frame(), columns(), [line]) : `${line}\n`);
  const viewOf = (runRoot: string): ProgressView => {
    const known = views.get(runRoot) ?? (views.size === 0 ? view : new ProgressView(clock.uptimeMs()));
    views.set(runRoot, known);
    return known;
  };
  let timer = isLive ? clock.every(REDRAW_MS, draw) : null;
  const printReading = (): void => {
    const line = view.readingLine(clock.uptimeMs());
    if (line !== null) print(line);
  };
  return {
    observer: {
      onRun: (runRoot, run) => viewOf(runRoot).begin(run),
      onRecord(runRoot, record) {
        view = viewOf(runRoot);
        const width = isLive ? columns() - 1 : undefined;
        const line = view.note(record, width);
        if (isLive && record.kind === "step.started") void view.readTitles(() => titlesOf(runRoot));
        const shown = line !== null && (!isLive || line.stays) ? line : null;
        // Printed first and kept on the screen: after a crash a person needs it.
        if (!begun.has(runRoot) || (shown !== null && namedRoot !== runRoot)) {
          print(`run ${shownLine(runRoot)}`);
          namedRoot = runRoot;
          begun.add(runRoot);
        }
        if (shown !== null) print(shown.isTrouble ? style.warn(shown.text) : shown.text);
        for (const news of newsIn(record, width)) print(news);
        draw();
      },
      onSay(step, what) {
        view.workers.say(step, what);
        draw();
      },
      onChunk(step, chunk) {
        view.workers.hear(step, chunk);
        draw();
      },
      onWait(wait) {
        print(style.warn(view.noteWait(wait, clock.uptimeMs())));
        draw();
      },
      onIndex(event) {
        const begins = view.noteIndex(event, clock.uptimeMs());
        if (isLive) draw();
        else if (begins !== null) {
          print(begins);
          timer?.stop();
          timer = clock.every(READING_SHOWN_EVERY_MS, printReading);
        }
      },
    },
    async end(stop) {
      timer?.stop();
      const change = live.draw([], columns());
      if (isLive && change !== "") stderr.push(change);
      await stderr.whenEmpty(stop);
    },
  };
}
