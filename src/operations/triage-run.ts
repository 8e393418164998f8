// What is wrong with a run, why, and the exact next commands.
import { RunError, type ErrorFacts } from "../kernel/errors.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-store.ts";
import { haltKind, isHaltOver, type Halt } from "../run/halt.ts";
import { isTerminal } from "../run/lifecycle.ts";
import { blockedUrlsOf } from "./blocked-urls-of.ts";
import { summarizeLease } from "./status.ts";
import type { Outcome } from "./outcome.ts";
import { heldSinceMs, judgeTimeout } from "../orchestrator/watchdog.ts";
import { commandFor, commandsOfHalt, isBareCommand } from "../run/next-commands.ts";
import { goesOnByTick, isDue } from "./work-outcome.ts";

export type Condition =
  | "not_started"
  | "working"
  | "between_ticks"
  | "late"
  | "interrupted"
  | "paused"
  | "halted"
  | "completed"
  | "failed"
  | "aborted"
  | "request_waits"
  | "failed_attempts"
  | "not_reached"
  | "damaged"
  | "unreadable";

export interface Finding {
  condition: Condition;
  /** Somebody has to do something. */
  needs_attention: boolean;
  why: ErrorFacts;
  next_commands: string[];
}

export interface TriageResult {
  /** Damage first, then the state the run is in, then what else is noteworthy. */
  findings: [Finding, ...Finding[]];
}

/** Looks and judges; writes nothing. A damaged run is a finding; `NOT_FOUND` and a newer schema are errors. */
export async function triageRun(ports: Ports, runRoot: string): Promise<Outcome<TriageResult>> {
  let run: RunLook;
  try {
    run = await ports.store.look(runRoot);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { result: { findings: [unseen(ports, runRoot, error)] }, run: null, error: null };
  }
  const findings = findingsOf(ports, run);
  findings.push(...(await notReached(ports, run)));
  return { result: { findings }, run, error: null };
}

/** Each page, engine and server that gave nothing, with what would help. */
async function notReached(ports: Ports, run: RunLook): Promise<Finding[]> {
  // Where the look alone found damage, the journal is for `verify`.
  const urls = run.problems.length > 0 ? [] : await blockedUrlsOf(ports, run);
  if (urls.length === 0) return [];
  return [{ condition: "not_reached", needs_attention: false, why: { urls }, next_commands: [] }];
}

function isDamage(error: unknown): error is RunError {
  return error instanceof RunError && (error.code === "INTEGRITY_ERROR" || error.code === "MISSING_ARTIFACT");
}

/** A run that could not be looked at: damaged, or out of reach for this program or this user. */
export function unseen(ports: Ports, runRoot: string, error: unknown): Finding {
  const why = error instanceof RunError ? { code: error.code, ...error.facts } : { reason: String(error) };
  return isDamage(error)
    ? { condition: "damaged", needs_attention: true, why, next_commands: repairCommands(ports, runRoot) }
    : {
        condition: "unreadable",
        needs_attention: true,
        why,
        next_commands: [commandFor(ports, "status", runRoot)],
      };
}

function repairCommands(ports: Ports, runRoot: string): string[] {
  const next = (verb: string, ...flags: string[]): string => commandFor(ports, verb, runRoot, ...flags);
  return [next("verify"), next("repair", "--dry-run"), next("repair")];
}

export function findingsOf(ports: Ports, run: RunLook): [Finding, ...Finding[]] {
  const main = mainFinding(ports, run);
  const further = isTerminal(run.state) ? [] : [...requestFinding(ports, run), ...failedAttempts(ports, run)];
  const [damage] = damageFinding(ports, run);
  return damage === undefined ? [main, ...further] : [damage, main, ...further];
}

/** What the look itself could not trust. Whoever works on the run makes it again; a run that rests waits for somebody. */
function damageFinding(ports: Ports, { problems, runRoot, lease }: RunLook): Finding[] {
  if (problems.length === 0) return [];
  return [
    {
      condition: "damaged",
      needs_attention: lease.held === null,
      why: { files: problems },
      next_commands: repairCommands(ports, runRoot),
    },
  ];
}

/** A pause that is asked of a paused run is no news. */
function requestFinding(ports: Ports, run: RunLook): Finding[] {
  const { runRoot, state, lease } = run;
  const waiting = run.requests.filter(({ kind }) => kind !== "pause" || state !== "paused");
  if (waiting.length === 0) return [];
  const isHeeded = lease.held !== null || isDue(run, ports.clock.nowMs());
  // Where nobody works on the run the command does at once what was only asked for.
  const again = waiting.some(({ kind }) => kind === "abort") ? ["abort", "--yes"] : ["pause"];
  const [verb = "", ...flags] = isHeeded ? ["status"] : again;
  return [
    {
      condition: "request_waits",
      needs_attention: !isHeeded,
      why: { requests: waiting.map(({ kind, requested_at, reason }) => ({ kind, requested_at, reason })) },
      next_commands: [commandFor(ports, verb, runRoot, ...flags)],
    },
  ];
}

function failedAttempts(ports: Ports, { manifest, runRoot }: RunLook): Finding[] {
  const failing = Object.entries(manifest.steps).filter(
    ([, step]) => step.error !== undefined && step.state === "failed",
  );
  if (failing.length === 0) return [];
  const why = { steps: failing.map(([key, { attempts, error }]) => ({ key, attempts, error })) };
  const next_commands = [commandFor(ports, "inspect", runRoot)];
  return [{ condition: "failed_attempts", needs_attention: false, why, next_commands }];
}

function mainFinding(ports: Ports, run: RunLook): Finding {
  const { manifest, state, runRoot, lease } = run;
  const next = (verb: string, ...flags: string[]): string => commandFor(ports, verb, runRoot, ...flags);
  const reason = manifest.state_history.at(-1)?.reason;
  const { halt } = manifest;
  if (halt !== null && !isTerminal(state)) return haltedFinding(ports, run, halt);
  switch (state) {
    case "idle":
      return {
        condition: "not_started",
        needs_attention: false,
        why: { created_at: manifest.created_at },
        next_commands: [next("run")],
      };
    case "running":
      return runningFinding(ports, run);
    case "interrupted": {
      const why = {
        tick: manifest.tick.number,
        tick_started_at: manifest.tick.started_at,
        stage: manifest.stage.current,
        lease: lease.stale?.why ?? "none",
        policy: manifest.settings.policies.on_interrupt,
        // Of a state that is not recorded yet nobody has written why.
        reason: manifest.execution_state === "interrupted" ? reason : undefined,
      };
      return {
        condition: "interrupted",
        needs_attention: why.policy === "hold",
        why,
        next_commands: [next("resume"), next("verify")],
      };
    }
    case "paused": {
      const why = { since: manifest.state_history.at(-1)?.ts, reason, stage: manifest.stage.current };
      return { condition: "paused", needs_attention: true, why, next_commands: [next("resume")] };
    }
    case "completed":
      return {
        condition: "completed",
        needs_attention: false,
        why: { ended_at: manifest.ended_at },
        next_commands: [next("report show"), next("verify")],
      };
    case "aborted":
      return {
        condition: "aborted",
        needs_attention: false,
        why: { ended_at: manifest.ended_at, reason },
        next_commands: [next("fork")],
      };
    case "failed": {
      const why = {
        ended_at: manifest.ended_at,
        failure: manifest.failures.at(-1),
        reason,
        stage: manifest.stage.current,
      };
      return { condition: "failed", needs_attention: true, why, next_commands: [next("fork"), next("inspect")] };
    }
  }
}

/** A halt that time ends is over with a tick, which passes by a run that somebody paused or that holds. */
function haltedFinding(ports: Ports, run: RunLook, halt: Halt): Finding {
  const { state, runRoot } = run;
  const isTicked = goesOnByTick(run);
  const why = {
    kind: haltKind(halt),
    ...(state === "running" ? {} : { state }),
    stage: halt.stage,
    since: halt.created_at,
    last_step: halt.last_step,
    ...("details" in halt ? { details: halt.details, retry_at: halt.retry_at } : {}),
    ...(isTicked && isHaltOver(halt, ports.clock.nowMs()) ? { time_has_come: true } : {}),
  };
  // Who reads a finding is here already.
  const useless = ["triage", ...(isTicked ? [] : ["tick"])];
  const next_commands = commandsOfHalt(halt, runRoot).filter(
    (command) => !useless.some((verb) => isBareCommand(command, verb, runRoot)),
  );
  const endsByItself = "retry_at" in halt && halt.retry_at !== undefined && isTicked;
  return { condition: "halted", needs_attention: !endsByItself, why, next_commands };
}

function runningFinding(ports: Ports, run: RunLook): Finding {
  const { manifest, runRoot, lease } = run;
  const judgement = judgeTimeout(manifest, {
    nowMs: ports.clock.nowMs(),
    uptimeMs: ports.clock.uptimeMs(),
    bootId: ports.processes.self().boot_id,
    heldSinceMs: heldSinceMs(lease),
    strict: false,
  });
  const why = { stage: manifest.stage.current, ...judgement, lease: summarizeLease(lease) };
  if (judgement.timed_out) {
    const next_commands = [commandFor(ports, "watchdog", runRoot), commandFor(ports, "fork", runRoot)];
    return { condition: "late", needs_attention: true, why, next_commands };
  }
  if (manifest.tick.is_open || lease.held !== null) {
    return { condition: "working", needs_attention: false, why, next_commands: [commandFor(ports, "status", runRoot)] };
  }
  return {
    condition: "between_ticks",
    needs_attention: false,
    why,
    next_commands: [commandFor(ports, "run", runRoot)],
  };
}
