// The standing of a run: what it waits for and since when, whether it needs attention, and the next steps.
import { dirname } from "node:path";
import { judgeTimeout, type TimeoutJudgement } from "../../orchestrator/watchdog.ts";
import { timestamp } from "../../ports/clock.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { isHaltOver, type Halt } from "../../run/log/halt.ts";
import { knownHalt } from "../../run/log/halt-details.ts";
import { haltSteps } from "../../run/next-steps/halt-steps.ts";
import { activityOf, isTerminal } from "../../run/log/lifecycle.ts";
import { stepsOn, type NextStep } from "../../run/next-steps/next-step.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import { readsCorpora, type Stage } from "../../run/stage.ts";
import { repairsFirst } from "./repair-steps.ts";
import { finding, type Standing, type StateCondition, type Why } from "./conditions.ts";
import { summarizeLease } from "./status.ts";
import { continuesByTick, isHeartbeatOverdue } from "../../ports/runs.ts";

type Looking = Pick<Ports, "clock" | "processes" | "corpusAt" | "whyNotWritable" | "fleet">;

function needsNothing<C extends StateCondition>(condition: C, why: Why<C>, ...next: NextStep[]): Standing {
  return finding(condition, false, why, next) as Standing;
}

function needsAttention<C extends StateCondition>(condition: C, why: Why<C>, ...next: NextStep[]): Standing {
  return finding(condition, true, why, next) as Standing;
}

/** `corpora`: whether the documents that the run waits for are there; `unchecked` where the caller finds that out by itself. */
export function standingOf(ports: Looking, run: RunLook, corpora: "checked" | "unchecked" = "checked"): Standing {
  const missing = corpora === "checked" ? missingCorpus(ports, run) : null;
  const standing = withReporter(standingByState(ports, run, missing), run);
  // An owner makes damaged files again. For a run at rest a person has to do it.
  if (run.problems.length === 0 || run.lease.held !== null) return standing;
  return { ...standing, next: repairsFirst(run, standing.next) };
}

/** While a process writes a report, nothing else may begin: it can be followed. */
function withReporter(standing: Standing, run: RunLook): Standing {
  if (activityOf(run.manifest, run.lease) !== "reporting" || isHeartbeatOverdue(run)) return standing;
  const next = [stepsOn(run.runRoot)("watch", "follow the report that is being written")];
  return { ...standing, why: { ...standing.why, is_reporting: true }, next } as Standing;
}

function standingByState(ports: Looking, run: RunLook, missing: Standing | null): Standing {
  const { manifest, state } = run;
  const stuck = withoutRoom(ports, run);
  if (stuck !== null) return stuck;
  if (manifest.halt !== null && !isTerminal(state)) return halted(ports, run, manifest.halt);
  if (missing !== null) return missing;
  const step = stepsOn(run.runRoot);
  const last = manifest.state_history.at(-1);
  const ended = manifest.ended_at ?? manifest.updated_at;
  switch (state) {
    case "idle":
      // A fork continues another run, so it was made to be started.
      return (manifest.forked_from === undefined ? needsNothing : needsAttention)(
        "not_started",
        { since: manifest.created_at, forked_from: manifest.forked_from?.run_id },
        step("run", "start it"),
      );
    case "running":
      return running(ports, run);
    case "interrupted":
      return interrupted(run);
    case "paused":
      return needsAttention(
        "paused",
        { since: last?.ts ?? manifest.updated_at, reason: last?.reason, stage: manifest.stage.current },
        step("resume", "end the pause and continue"),
        step("abort", "end it for good", { yes: true }),
      );
    case "completed":
      return needsNothing(
        "completed",
        { since: ended },
        step("report show", "read its report"),
        step("verify", "check it down to the sources"),
      );
    case "aborted":
      return needsNothing(
        "aborted",
        { since: ended, reason: last?.reason },
        step("fork", "a new run that keeps the finished steps"),
        ...reportOfWhatWasFound(run),
      );
    case "failed":
      return failed(run, ended);
  }
}

/** The corpora that the next process at work on the run has to read; none while one works on it. */
export function corporaToRead({ manifest, state, lease }: RunLook): string[] {
  const { stage, settings, halt } = manifest;
  const isWaiting = (state === "idle" || state === "running" || state === "interrupted") && lease.held === null;
  if (!isWaiting || halt !== null || !readsCorpora(stage.current)) return [];
  return settings.corpora.map(({ path }) => path);
}

/** The standing of a run that waits for its corpus. */
export function withoutCorpus(runRoot: string, state: RunLook["state"], why: Why<"corpus_missing">): Standing {
  const step = stepsOn(runRoot);
  return needsAttention(
    "corpus_missing",
    why,
    step("resume", "continue, if the corpus lies elsewhere now", {}, { corpus: "PATH" }),
    state === "idle" ? step("run", "start it, once it is back") : step("resume", "continue now, once it is back"),
  );
}

/** The first of these corpora that is not there. */
export function firstMissing({ corpusAt, fleet }: Pick<Ports, "corpusAt" | "fleet">, paths: readonly string[]) {
  // The documents of a fleet lie on its workers, which say what they lack.
  if (fleet !== undefined) return null;
  for (const path of paths) {
    const found = corpusAt(path);
    if (found !== "there") return { path, found };
  }
  return null;
}

/** The standing of a run that cannot be begun or continued before its corpus is back; null for any other. */
function missingCorpus(ports: Looking, run: RunLook): Standing | null {
  const { manifest, runRoot, state } = run;
  const missing = firstMissing(ports, corporaToRead(run));
  const about = state === "idle" ? { state } : { stage: manifest.stage.current };
  return missing && withoutCorpus(runRoot, state, { since: manifest.updated_at, ...about, ...missing });
}

/** Asks about the runs root once, and only where a run waits for it. */
export function askingOnce(ports: Ports): Ports {
  const known = new Map<string, string | null>();
  return {
    ...ports,
    whyNotWritable(folder) {
      const errno = known.has(folder) ? (known.get(folder) ?? null) : ports.whyNotWritable(folder);
      known.set(folder, errno);
      return errno;
    },
  };
}

/** A run that the next tick would continue, in a folder where nothing can be written. */
function withoutRoom(ports: Looking, run: RunLook): Standing | null {
  const { manifest, runRoot, lease } = run;
  const isTicked = continuesByTick(run) && lease.held === null;
  if (!isTicked || (manifest.halt !== null && knownHalt(manifest.halt).retry_at === undefined)) return null;
  const path = dirname(runRoot);
  const errno = ports.whyNotWritable(path);
  if (errno === null) return null;
  const why = { since: manifest.updated_at, stage: manifest.stage.current, path, errno };
  return needsAttention("cannot_write", why, stepsOn(runRoot)("resume", "continue now, once it can be written"));
}

/** Research ended early. A report can still be made where any source was found. */
function reportOfWhatWasFound({ manifest, runRoot }: RunLook): NextStep[] {
  const step = stepsOn(runRoot);
  return manifest.counters.sources === 0 ? [] : [step("report generate", "write a report from what was found")];
}

function failed(run: RunLook, since: string): Standing {
  const { manifest, runRoot } = run;
  const step = stepsOn(runRoot);
  const { halt, failures, state_history, stage } = manifest;
  const why = { since, failure: failures.at(-1), reason: state_history.at(-1)?.reason, stage: stage.current };
  const ways =
    halt === null
      ? [step("fork", "a new run that keeps the finished steps"), step("inspect", "see every step and failure")]
      : withoutTriage(haltSteps(knownHalt(halt), runRoot, manifest));
  const isFork = ({ verb }: NextStep): boolean => verb === "fork";
  const others = ways.filter((way) => !isFork(way));
  return needsAttention("failed", why, ...ways.filter(isFork), ...reportOfWhatWasFound(run), ...others);
}

/** This finding already says what triage would. */
function withoutTriage(steps: readonly NextStep[]): NextStep[] {
  return steps.filter(({ verb }) => verb !== "triage");
}

function interrupted({ manifest, runRoot, lease }: RunLook): Standing {
  const step = stepsOn(runRoot);
  const recorded = manifest.execution_state === "interrupted" ? manifest.state_history.at(-1) : undefined;
  const policy = manifest.settings.policies.on_interrupt;
  const why = {
    // Until the interruption is recorded, the last record is the last sign of life.
    since: recorded?.ts ?? manifest.updated_at,
    stage: manifest.stage.current,
    tick: manifest.tick.number,
    lease: lease.stale?.why ?? "none",
    policy,
    reason: recorded?.reason,
  };
  return (policy === "hold" ? needsAttention : needsNothing)(
    "interrupted",
    why,
    step("resume", "continue where it stopped"),
    step("fork", "continue in a new run; finished steps are kept"),
    step("abort", "end it for good", { yes: true }),
  );
}

/** The next tick ends a halt whose time has come, except in a run that is paused or holds. */
function halted(ports: Looking, run: RunLook, halt: Halt): Standing {
  const { state, runRoot, manifest } = run;
  const known = knownHalt(halt);
  const isTicked = continuesByTick(run);
  const why: Why<"halted"> = {
    ...known,
    ...(state === "running" ? {} : { state }),
    stage: halt.stage,
    since: halt.created_at,
    last_step: halt.last_step,
    ...(isTicked && isHaltOver(halt, run.now_ms) ? { time_has_come: true } : {}),
  };
  const endsByItself = known.retry_at !== undefined && isTicked;
  const next = withoutTriage(haltSteps(known, runRoot, manifest));
  return (endsByItself ? needsNothing : needsAttention)("halted", why, ...next);
}

function running(ports: Looking, run: RunLook): Standing {
  const { manifest, runRoot, lease } = run;
  const step = stepsOn(runRoot);
  const judgement = judgeLateness(ports, run, { strict: false });
  const about = { stage: manifest.stage.current, ...judgement, lease: summarizeLease(run) };
  if (judgement.timed_out) {
    const { elapsed_s, timeout_s } = judgement;
    const steps = haltSteps({ kind: "timeout", details: { elapsed_s, timeout_s } }, runRoot, manifest);
    const forks = steps.filter(({ verb }) => verb === "fork");
    const why = { since: manifest.stage.last_progress_at, ...about };
    return needsAttention("late", why, step("watchdog", "end it: it makes no progress"), ...forks);
  }
  if (lease.held === null) {
    const why = { since: manifest.updated_at, ...about };
    return needsNothing("between_ticks", why, step("run", "continue now, without waiting for cron"));
  }
  const { claimed_at_ms, refreshed_at_ms, expires_at_ms } = lease.held;
  // The process is frozen, or gets no time from the machine. Once its lease has run out, another may continue.
  if (isHeartbeatOverdue(run)) {
    const why = { since: timestamp(refreshed_at_ms), until: timestamp(expires_at_ms), ...about };
    return needsNothing("silent", why, step("run", "continue, once its lease has run out"));
  }
  const condition = activityOf(manifest, lease) === "ticking" ? "working" : "held";
  const why = { since: timestamp(claimed_at_ms), ...about };
  return needsNothing(condition, why, step("watch", "follow its work"), step("pause", "stop it safely"));
}

export interface JudgeOptions {
  /** Counts the wall clock instead of the time worked. */
  strict: boolean;
  /** Judge as of this time instead of that of the reading. */
  nowMs?: number;
  /** Judge by the limit of this stage instead of the current one. */
  stage?: Stage;
}

/** Judges whether a run is past the time limit of its stage. */
export function judgeLateness(
  { clock, processes }: Pick<Ports, "clock" | "processes">,
  { manifest, lease, now_ms }: Pick<RunLook, "lease" | "now_ms"> & { manifest: Readonly<Manifest> },
  { nowMs = now_ms, ...options }: JudgeOptions,
): TimeoutJudgement {
  return judgeTimeout(manifest, {
    ...options,
    nowMs,
    // A getter, since it is needed only where a tick is open, and few of many runs have one open.
    get uptimeMs() {
      return clock.uptimeMs();
    },
    bootId: processes.self().boot_id,
    heldSinceMs: lease.held?.claimed_at_ms ?? null,
  });
}
