// The state a run is in, as a finding: what it waits for, since when, whether it needs somebody, and the next steps.
import type { ErrorFacts } from "../kernel/errors.ts";
import { heldSinceMs, judgeTimeout } from "../orchestrator/watchdog.ts";
import { timestamp } from "../ports/clock.ts";
import type { Ports } from "../ports/ports.ts";
import type { LeaseView, RunLook } from "../ports/run-store.ts";
import { isHaltOver, type Halt } from "../run/halt.ts";
import { factsOfHalt, haltSteps } from "../run/halt-steps.ts";
import { activityOf, isTerminal } from "../run/lifecycle.ts";
import { stepsOn, type NextStep } from "../run/next-step.ts";
import { readsCorpora } from "../run/stage.ts";
import { mendedFirst } from "./damage.ts";
import { isHeartbeatOverdue } from "./heartbeat.ts";
import { summarizeLease } from "./status.ts";
import { goesOnByTick } from "./work-outcome.ts";

export type StateCondition =
  | "not_started"
  | "working"
  | "held"
  | "silent"
  | "between_ticks"
  | "corpus_missing"
  | "late"
  | "interrupted"
  | "paused"
  | "halted"
  | "completed"
  | "failed"
  | "aborted";

export interface Standing {
  condition: StateCondition;
  /** Somebody has to do something. */
  needs_attention: boolean;
  /** Holds `since`, the time at which this began. */
  why: ErrorFacts & { since: string };
  next: NextStep[];
}

type Looking = Pick<Ports, "clock" | "processes" | "corpusAt">;

export function standingOf(ports: Looking, run: RunLook): Standing {
  const standing = standingByState(ports, run);
  // Whoever works on the run makes damaged files again; a run that rests waits for somebody.
  if (run.problems.length === 0 || run.lease.held !== null) return standing;
  return { ...standing, next: mendedFirst(run, standing.next) };
}

function standingByState(ports: Looking, run: RunLook): Standing {
  const { manifest, state } = run;
  const { halt } = manifest;
  if (halt !== null && !isTerminal(state)) return halted(ports, run, halt);
  const gone = withoutCorpus(ports, run);
  if (gone !== null) return gone;
  const step = stepsOn(run.runRoot);
  const reason = manifest.state_history.at(-1)?.reason;
  const ended = manifest.ended_at ?? manifest.updated_at;
  switch (state) {
    case "idle":
      return {
        condition: "not_started",
        needs_attention: false,
        why: { since: manifest.created_at },
        next: [step("run", "start it")],
      };
    case "running":
      return running(ports, run);
    case "interrupted":
      return interrupted(run);
    case "paused":
      return {
        condition: "paused",
        needs_attention: true,
        why: { since: manifest.state_history.at(-1)?.ts ?? manifest.updated_at, reason, stage: manifest.stage.current },
        next: [step("resume", "end the pause and continue"), step("abort", "end it for good")],
      };
    case "completed":
      return {
        condition: "completed",
        needs_attention: false,
        why: { since: ended },
        next: [step("report show", "read its report"), step("verify", "check it down to the sources")],
      };
    case "aborted":
      return {
        condition: "aborted",
        needs_attention: false,
        why: { since: ended, reason },
        next: [
          step("fork", "a new run that keeps the finished steps"),
          ...(manifest.counters.sources === 0 ? [] : [step("report generate", "write a report from what was found")]),
        ],
      };
    case "failed":
      return failed(run, ended, reason);
  }
}

/** The corpora that whoever works on the run next has to read; none while somebody works on it. */
export function corporaToRead({ manifest, state, lease }: RunLook): string[] {
  const { stage, settings, halt } = manifest;
  const isWaiting = (state === "idle" || state === "running" || state === "interrupted") && lease.held === null;
  if (!isWaiting || halt !== null || !readsCorpora(stage.current)) return [];
  return settings.corpora.map(({ path }) => path);
}

/** Of a run that waits for its corpus. */
export const CORPUS_MISSING = { condition: "corpus_missing", needs_attention: true } as const;

/** A run that nobody can continue, or begin, before its corpus is back. */
function withoutCorpus({ corpusAt }: Looking, run: RunLook): Standing | null {
  const missing = corporaToRead(run).map((path) => ({ path, found: corpusAt(path) }));
  const first = missing.find(({ found }) => found !== "there");
  if (first === undefined) return null;
  const { manifest, runRoot, state } = run;
  const step = stepsOn(runRoot);
  const since = manifest.updated_at;
  const elsewhere = step("resume", "continue, if the corpus lies elsewhere now", "--corpus", "PATH");
  if (state === "idle")
    return {
      ...CORPUS_MISSING,
      why: { since, state, ...first },
      next: [elsewhere, step("run", "start it, once it is back")],
    };
  return {
    ...CORPUS_MISSING,
    why: { since, stage: manifest.stage.current, ...first },
    next: [elsewhere, step("resume", "continue now, once it is back")],
  };
}

function failed({ manifest, runRoot }: RunLook, since: string, reason: string | undefined): Standing {
  const step = stepsOn(runRoot);
  const { halt } = manifest;
  const ways =
    halt === null
      ? [step("fork", "a new run that keeps the finished steps"), step("inspect", "see every step and failure")]
      : forkFirst(haltSteps(factsOfHalt(halt), runRoot, manifest));
  const why = { since, failure: manifest.failures.at(-1), reason, stage: manifest.stage.current };
  return { condition: "failed", needs_attention: true, why, next: ways };
}

/** Triage is left out: the finding says what triage would. */
function forkFirst(steps: readonly NextStep[]): NextStep[] {
  const others = steps.filter(({ verb }) => verb !== "triage");
  return [...others.filter(({ verb }) => verb === "fork"), ...others.filter(({ verb }) => verb !== "fork")];
}

function interrupted({ manifest, runRoot, lease }: RunLook): Standing {
  const step = stepsOn(runRoot);
  const recorded = manifest.execution_state === "interrupted" ? manifest.state_history.at(-1) : undefined;
  const policy = manifest.settings.policies.on_interrupt;
  const why = {
    // Of an interruption that is not recorded yet, the last record is the last sign of life.
    since: recorded?.ts ?? manifest.updated_at,
    stage: manifest.stage.current,
    tick: manifest.tick.number,
    lease: lease.stale?.why ?? "none",
    policy,
    reason: recorded?.reason,
  };
  const next = [
    step("resume", "continue where it stopped"),
    step("fork", "go on in a new run; finished steps are kept"),
    step("abort", "end it for good"),
  ];
  return { condition: "interrupted", needs_attention: policy === "hold", why, next };
}

/** The next tick ends a halt whose time has come, except in a run that is paused or holds. */
function halted(ports: Looking, run: RunLook, halt: Halt): Standing {
  const { state, runRoot, manifest } = run;
  const { kind, details, retry_at } = factsOfHalt(halt);
  const isTicked = goesOnByTick(run);
  const why = {
    kind,
    ...(state === "running" ? {} : { state }),
    stage: halt.stage,
    since: halt.created_at,
    last_step: halt.last_step,
    details,
    retry_at,
    ...(isTicked && isHaltOver(halt, ports.clock.nowMs()) ? { time_has_come: true } : {}),
  };
  const endsByItself = retry_at !== undefined && isTicked;
  const next = haltSteps({ kind, details, retry_at }, runRoot, manifest).filter(({ verb }) => verb !== "triage");
  return { condition: "halted", needs_attention: !endsByItself, why, next };
}

function running(ports: Looking, run: RunLook): Standing {
  const { manifest, runRoot, lease } = run;
  const step = stepsOn(runRoot);
  const nowMs = ports.clock.nowMs();
  const judgement = judgeTimeout(manifest, {
    nowMs,
    uptimeMs: ports.clock.uptimeMs(),
    bootId: ports.processes.self().boot_id,
    heldSinceMs: heldSinceMs(lease),
    strict: false,
  });
  const about = { stage: manifest.stage.current, ...judgement, lease: summarizeLease(lease, nowMs) };
  if (judgement.timed_out) {
    const { elapsed_s, timeout_s } = judgement;
    const steps = haltSteps({ kind: "timeout", details: { elapsed_s, timeout_s } }, runRoot, manifest);
    const forks = steps.filter(({ verb }) => verb === "fork");
    return {
      condition: "late",
      needs_attention: true,
      why: { since: manifest.stage.last_progress_at, ...about },
      next: [step("watchdog", "end it: it makes no progress"), ...forks],
    };
  }
  if (lease.held !== null) {
    if (isHeartbeatOverdue(manifest, lease, nowMs)) return silent(run, lease.held, about);
    const since = lease.held.record.created_at ?? lease.held.record.refreshed_at;
    return {
      condition: activityOf(manifest, lease) === "ticking" ? "working" : "held",
      needs_attention: false,
      why: { since, ...about },
      next: [step("watch", "follow its work"), step("pause", "stop it safely")],
    };
  }
  return {
    condition: "between_ticks",
    needs_attention: false,
    why: { since: manifest.updated_at, ...about },
    next: [step("run", "continue now, without waiting for cron")],
  };
}

/** A process that is frozen, or that the machine gives no time. Once its lease runs out, others may go on. */
function silent({ runRoot }: RunLook, held: NonNullable<LeaseView["held"]>, about: ErrorFacts): Standing {
  const step = stepsOn(runRoot);
  return {
    condition: "silent",
    needs_attention: false,
    why: { since: held.record.refreshed_at, until: timestamp(held.expires_at_ms), ...about },
    next: [step("run", "continue, once its lease has run out")],
  };
}
