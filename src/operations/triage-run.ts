// What is wrong with a run, why, and the exact next commands.
import { RunError, type ErrorFacts } from "../kernel/errors.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-store.ts";
import { haltKind } from "../run/halt.ts";
import { isTerminal } from "../run/lifecycle.ts";
import { summarizeLease } from "./status.ts";
import type { Outcome } from "./outcome.ts";
import { heldSinceMs, judgeTimeout } from "../orchestrator/watchdog.ts";
import { commandFor, commandsOfHalt } from "../run/next-commands.ts";

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
  /** The state the run is in first, then what else is noteworthy. */
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
  return { result: { findings: findingsOf(ports, run) }, run, error: null };
}

function isDamage(error: unknown): error is RunError {
  return error instanceof RunError && (error.code === "INTEGRITY_ERROR" || error.code === "MISSING_ARTIFACT");
}

/** A run that could not be looked at: damaged, or out of reach for this program or this user. */
export function unseen(ports: Ports, runRoot: string, error: unknown): Finding {
  const why = error instanceof RunError ? { code: error.code, ...error.facts } : { reason: String(error) };
  const next = (verb: string, ...flags: string[]): string => commandFor(ports, verb, runRoot, ...flags);
  return isDamage(error)
    ? {
        condition: "damaged",
        needs_attention: true,
        why,
        next_commands: [next("verify"), next("repair", "--dry-run"), next("repair")],
      }
    : { condition: "unreadable", needs_attention: true, why, next_commands: [next("status")] };
}

export function findingsOf(ports: Ports, run: RunLook): [Finding, ...Finding[]] {
  const { manifest, requests } = run;
  const findings: [Finding, ...Finding[]] = [mainFinding(ports, run)];
  if (requests.length > 0 && !isTerminal(run.state)) {
    const why = { requests: requests.map(({ kind, requested_at, reason }) => ({ kind, requested_at, reason })) };
    findings.push({
      condition: "request_waits",
      needs_attention: run.lease.held === null,
      why,
      next_commands: [commandFor(ports, "status", run.runRoot)],
    });
  }
  const failing = Object.entries(manifest.steps).filter(
    ([, step]) => step.error !== undefined && step.state === "failed",
  );
  if (failing.length > 0) {
    const why = { steps: failing.map(([key, { attempts, error }]) => ({ key, attempts, error })) };
    findings.push({
      condition: "failed_attempts",
      needs_attention: false,
      why,
      next_commands: [commandFor(ports, "inspect", run.runRoot)],
    });
  }
  return findings;
}

function mainFinding(ports: Ports, run: RunLook): Finding {
  const { manifest, state, runRoot, lease } = run;
  const next = (verb: string, ...flags: string[]): string => commandFor(ports, verb, runRoot, ...flags);
  const reason = manifest.state_history.at(-1)?.reason;
  const { halt } = manifest;
  if (halt !== null && !isTerminal(state)) {
    const details = "details" in halt ? { details: halt.details, retry_at: halt.retry_at } : {};
    const why = {
      kind: haltKind(halt),
      stage: halt.stage,
      since: halt.created_at,
      last_step: halt.last_step,
      ...details,
    };
    const next_commands = withoutTriage(commandsOfHalt(halt, runRoot));
    const endsByItself = "retry_at" in halt && halt.retry_at !== undefined;
    return { condition: "halted", needs_attention: !endsByItself, why, next_commands };
  }
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
        reason,
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
      const next_commands =
        halt === null ? [next("fork"), next("inspect")] : withoutTriage(commandsOfHalt(halt, runRoot));
      return { condition: "failed", needs_attention: true, why, next_commands };
    }
  }
}

/** Who reads a finding is here already. */
function withoutTriage(commands: readonly string[]): string[] {
  return commands.filter((command) => !command.includes(" triage "));
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
  if (manifest.tick.is_open) {
    return { condition: "working", needs_attention: false, why, next_commands: [commandFor(ports, "status", runRoot)] };
  }
  return {
    condition: "between_ticks",
    needs_attention: false,
    why,
    next_commands: [commandFor(ports, "run", runRoot)],
  };
}
