// Judges whether a stage is late: by the time that was worked, or strictly by the wall clock.
import type { TimeoutHalt } from "../run/log/halt.ts";
import type { Manifest } from "../run/log/manifest.ts";

export interface TimeoutJudgement extends Pick<
  TimeoutHalt,
  "elapsed_s" | "timeout_s" | "timer_origin_field" | "timer_origin"
> {
  timed_out: boolean;
  /** What `elapsed_s` counts: only time in which the run was worked on, or every second since `timer_origin`. */
  measured: "time_worked" | "wall_clock";
}

export interface WatchdogView {
  nowMs: number;
  uptimeMs: number;
  bootId: string;
  /** When the lease in force was claimed; null when no living process holds it, and then an open tick does not count. */
  heldSinceMs: number | null;
  strict: boolean;
  stage?: Manifest["stage"]["current"];
}

/** A stage that is late, after so much time worked. */
export function lateAfter({ stage, settings }: Readonly<Manifest>, workedMs: number): TimeoutJudgement {
  const timeout_s = settings.timeouts[stage.current];
  return { timed_out: true, elapsed_s: shownSeconds(workedMs), timeout_s, ...originOf(stage), measured: "time_worked" };
}

function originOf(stage: Manifest["stage"]): Pick<TimeoutJudgement, "timer_origin_field" | "timer_origin"> {
  return Date.parse(stage.last_progress_at) > Date.parse(stage.started_at)
    ? { timer_origin_field: "stage.last_progress_at", timer_origin: stage.last_progress_at }
    : { timer_origin_field: "stage.started_at", timer_origin: stage.started_at };
}

export function judgeTimeout(manifest: Readonly<Manifest>, view: WatchdogView): TimeoutJudgement {
  const { stage, settings, execution_state } = manifest;
  const origin = originOf(stage);
  const timeout_s = settings.timeouts[view.stage ?? stage.current];
  const isAtWork = execution_state === "running" || (view.strict && execution_state === "interrupted");
  const isHalted = manifest.halt !== null;
  const elapsedMs = view.strict ? view.nowMs - Date.parse(origin.timer_origin) : workedMs(manifest, view);
  const mayBeLate = isAtWork && (view.strict || !isHalted);
  return {
    timed_out: mayBeLate && elapsedMs > timeout_s * 1000,
    elapsed_s: shownSeconds(elapsedMs),
    timeout_s,
    ...origin,
    measured: view.strict ? "wall_clock" : "time_worked",
  };
}

/** Rounds to a tenth of a second. Less than a second is rounded up to a millisecond, so that it is never shown as zero. */
function shownSeconds(ms: number): number {
  return Math.max(0, ms < 1000 ? Math.ceil(ms) / 1000 : Math.round(ms / 100) / 10);
}

/**
 * The time in which a tick was open under a live lease since the last progress. Within one boot both clocks measure it. They
 * differ when the wall clock jumped: a time below zero is wrong, and of the others the shortest counts, so that no run is
 * wrongly called late.
 */
function workedMs(manifest: Readonly<Manifest>, view: WatchdogView): number {
  const { tick, stage } = manifest;
  if (!tick.is_open || view.heldSinceMs === null || tick.started_at === null) return tick.worked_ms;
  const [startedMs, progressMs] = [Date.parse(tick.started_at), Date.parse(stage.last_progress_at)];
  // After its host slept past the lease, an owner claims it anew. The time before that was not worked.
  const sinceMs = Math.max(startedMs, progressMs, view.heldSinceMs);
  const byClock = view.nowMs - sinceMs;
  const byUptime = tick.boot_id === view.bootId ? view.uptimeMs - tick.uptime_ms - (sinceMs - startedMs) : byClock;
  // When the clock was set back to before the start of the tick, it still gives the time since a later progress.
  const possible = [byClock, byUptime, view.nowMs - progressMs].filter((ms) => ms >= 0);
  return tick.worked_ms + (possible.length === 0 ? 0 : Math.min(...possible));
}
