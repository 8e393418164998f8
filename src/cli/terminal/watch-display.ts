// The display of `watch`: events for programs; for people lines, and below them the work under way.
import { shownLine } from "../../kernel/shown-text.ts";
import { basename } from "node:path";
import { standingOf } from "../../operations/look/standing.ts";
import { statusFrom, type StatusResult } from "../../operations/look/status.ts";
import { subjectTitles } from "../../operations/look/subject-titles.ts";
import type { Watcher } from "../../operations/look/watch-run.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { stepsOn } from "../../run/next-steps/next-step.ts";
import { eventsOf } from "../../surface/events.ts";
import type { Host } from "../host.ts";
import { LiveLines } from "./live-lines.ts";
import { print, printText } from "./print.ts";
import { newsIn } from "./news.ts";
import { ProgressView } from "./progress-view.ts";
import { ownerText } from "../../surface/fact-words.ts";
import { stateText } from "../text/status-text.ts";
import type { Style } from "./style.ts";
import { duration } from "../../surface/words.ts";

/** Lines that are shown of the time before the watching began. */
const MAX_EARLIER_LINES = 8;
/** The time before a line, and the last column, which stays free. */
const TIME_WIDTH = "12:00:00  ".length + 1;

/** Prints one dr.event.v1 line for each record. Where several runs share the stream, each line names its run. */
export function eventWatcher(host: Host, of: "one run" | "several runs"): Watcher {
  return {
    onRecord(runRoot, record) {
      const named = of === "one run" ? {} : { run_id: basename(runRoot) };
      for (const event of eventsOf(record)) print(host, `${JSON.stringify({ ...event, ...named })}\n`);
    },
  };
}

/** Lines about several runs for people. Each line names its run, and none is drawn anew. */
export function linesWatcher(host: Host, ports: Ports, style: Style): Watcher {
  const views = new Map<string, ProgressView>();
  const states = new Map<string, string>();
  return {
    onRecord(runRoot, record) {
      const view = views.get(runRoot) ?? new ProgressView(ports.clock.uptimeMs());
      views.set(runRoot, view);
      const line = view.note(record);
      if (line === null) return;
      const words = line.isTrouble ? style.warn(line.text) : line.text;
      printText(host, `${style.dim(record.ts.slice(11, 19))}  ${style.bold(shownLine(basename(runRoot)))}  ${words}\n`);
    },
    onRun(run) {
      const state = stateOf(ports, run, style);
      if (state !== states.get(run.runRoot)) printText(host, `${state}\n`);
      states.set(run.runRoot, state);
    },
    onDamage(runRoot) {
      const verify = style.command(stepsOn(runRoot)("verify", "see everything that is damaged"));
      print(host, `${style.bold(basename(runRoot))}  ${style.bad("damaged")}: ${verify}\n`);
    },
  };
}

/** The run's id and its state. */
function stateOf(ports: Ports, run: RunLook, style: Style): string {
  const status = statusFrom(run);
  return `${style.bold(run.manifest.run_id)}  ${stateText({ ...status, ...standingOf(ports, run) }, style)}`;
}

/** `isWhole` shows every line from the first record on, otherwise only the last few before now. */
export function lineWatcher(
  host: Host,
  ports: Ports,
  style: Style,
  isWhole: boolean,
): { watcher: Watcher; end(): void } {
  const { clock } = ports;
  const isLive = host.isTerminal("stdout");
  const view = new ProgressView(clock.uptimeMs());
  const live = new LiveLines();
  let under: string[] = [];
  let earlier: string[] | null = isWhole ? null : [];
  let shownState = "";
  let lastSeq = 0;
  const columns = (): number => host.columns("stdout");
  const show = (line: string): void =>
    isLive ? print(host, live.draw(under, columns(), [line])) : printText(host, `${line}\n`);
  // Between the ticks of cron the state changes without a record.
  const printState = (run: RunLook): void => {
    const state = stateOf(ports, run, style);
    if (state !== shownState) show(state);
    shownState = state;
  };
  const watcher: Watcher = {
    onRecord(_runRoot, record) {
      lastSeq = record.seq;
      const width = isLive ? columns() - TIME_WIDTH : undefined;
      const line = view.note(record, width);
      const words = line === null ? [] : [line.isTrouble ? style.warn(line.text) : line.text];
      for (const one of [...words, ...newsIn(record, width)]) {
        const text = `${style.dim(record.ts.slice(11, 19))}  ${one}`;
        if (earlier === null) show(text);
        else earlier.push(text);
      }
    },
    onRun(run) {
      for (const line of earlier?.slice(-MAX_EARLIER_LINES) ?? []) show(line);
      earlier = null;
      printState(run);
      if (!isLive) return;
      // Where watching began later, not every record was shown. A snapshot may be older than the records.
      if (run.manifest.revision >= lastSeq) view.begin(run.manifest);
      void view.readTitles(() => subjectTitles(ports, run.runRoot));
      const status = statusFrom(run);
      under = view
        .linesBelow(heading(view, status, run.now_ms), columns(), host.rows("stdout"), status.lease.held_by !== null)
        .map(style.dim);
      const change = live.draw(under, columns());
      if (change !== "") print(host, change);
    },
  };
  return {
    watcher,
    end() {
      const change = live.draw([], columns());
      if (isLive && change !== "") print(host, change);
    },
  };
}

/** `[4/10] wave1 | 3 of 8 steps`, `process 17 on host`, `12 s since the last progress`. */
function heading(view: ProgressView, { stage, lease }: StatusResult, nowMs: number): string[] {
  return [
    view.position(),
    ownerText(lease) ?? "no process works on it",
    `${duration(nowMs - Date.parse(stage.last_progress_at))} since the last progress`,
  ];
}
