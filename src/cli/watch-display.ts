// What `watch` shows while it goes on: events for programs, or lines and one line that is redrawn for people.
import { RunError } from "../kernel/errors.ts";
import { standingOf } from "../operations/standing.ts";
import { statusFrom } from "../operations/status.ts";
import type { Watcher } from "../operations/watch-run.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-store.ts";
import { STAGES } from "../run/stage.ts";
import { eventsOf } from "./events.ts";
import type { Host } from "./host.ts";
import { ProgressView } from "./progress.ts";
import { ownerText } from "./owner-text.ts";
import { stateText } from "./status-text.ts";
import type { Style } from "./style.ts";
import { count, duration, oneLine } from "./text.ts";

const ERASE_LINE = "\r\u001b[2K";
/** Of what happened before it was watched, the last so many lines. */
const MAX_EARLIER_LINES = 8;

/** Writes to stdout. Errors: `WRITE_FAILED` when the reader has gone, which ends the watching. */
function print(host: Host, words: string): void {
  try {
    host.write("stdout", words);
  } catch (cause) {
    const errno = (cause as { code?: unknown }).code;
    const reason = "nobody reads the events any more";
    throw new RunError("WRITE_FAILED", { reason, stream: "stdout", errno }, { cause });
  }
}

/** One dr.event.v1 line for each record. */
export function eventWatcher(host: Host): Watcher {
  return {
    onRecord(_runRoot, placed) {
      for (const event of eventsOf(placed)) print(host, `${JSON.stringify(event)}\n`);
    },
  };
}

/** `isWhole`: every line from the first record on, instead of the last few before now. */
export function lineWatcher(
  host: Host,
  ports: Ports,
  style: Style,
  isWhole: boolean,
): { watcher: Watcher; end(): void } {
  const { clock } = ports;
  const isLive = host.isTerminal("stdout");
  const view = new ProgressView(clock.uptimeMs());
  let earlier: string[] | null = isWhole ? null : [];
  let shownState = "";
  let isDrawn = false;
  const tell = (line: string): void => {
    print(host, `${isDrawn ? ERASE_LINE : ""}${line}\n`);
    isDrawn = false;
  };
  // Between the ticks of cron nobody works on it: that is the live line's to say.
  const tellState = (run: RunLook): void => {
    const status = statusFrom(run, clock.nowMs());
    const state = `${status.execution_state} ${status.halt} ${status.owner_is_silent}`;
    if (state !== shownState)
      tell(`${style.bold(run.manifest.run_id)}  ${stateText({ ...status, ...standingOf(ports, run) }, style)}`);
    shownState = state;
  };
  const watcher: Watcher = {
    onRecord(_runRoot, { record }) {
      const line = view.note(record);
      if (line === null) return;
      const told = `${style.dim(record.ts.slice(11, 19))}  ${line.isTrouble ? style.warn(line.text) : line.text}`;
      if (earlier === null) tell(told);
      else earlier.push(told);
    },
    onLook(run) {
      for (const line of earlier?.slice(-MAX_EARLIER_LINES) ?? []) tell(line);
      earlier = null;
      tellState(run);
      if (!isLive) return;
      print(host, `${ERASE_LINE}${style.dim(oneLine(standing(run, clock.nowMs()), host.columns("stdout") - 1))}`);
      isDrawn = true;
    },
  };
  return {
    watcher,
    end() {
      if (isDrawn) print(host, ERASE_LINE);
      isDrawn = false;
    },
  };
}

/** `[4/10] wave1 | 3 of 8 steps | process 17 on host | 12 s since the last progress`. */
function standing(run: RunLook, nowMs: number): string {
  const { stage, steps, lease } = statusFrom(run, nowMs);
  return [
    `[${STAGES.indexOf(stage.current) + 1}/${STAGES.length}] ${stage.current}`,
    steps.total === 0 ? "" : `${steps.completed} of ${count(steps.total, "step")}`,
    ownerText(lease) ?? "nobody works on it",
    `${duration(nowMs - Date.parse(stage.last_progress_at))} since the last progress`,
  ]
    .filter((part) => part !== "")
    .join(" | ");
}
