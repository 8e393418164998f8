// What is wrong with a run, why, and the exact next commands.
import { RunError, type ErrorFacts } from "../kernel/errors.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-store.ts";
import { isTerminal } from "../run/lifecycle.ts";
import { stepsOn, type NextStep } from "../run/next-step.ts";
import { blockedUrlsOf } from "./blocked-urls-of.ts";
import type { Outcome } from "./outcome.ts";
import { standingOf, type StateCondition } from "./standing.ts";
import { isDue } from "./work-outcome.ts";

export type Condition = StateCondition | "request_waits" | "failed_attempts" | "not_reached" | "damaged" | "unreadable";

export interface Finding {
  condition: Condition;
  /** Somebody has to do something. */
  needs_attention: boolean;
  why: ErrorFacts;
  next: NextStep[];
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
    return { result: { findings: [unseen(runRoot, error)] }, run: null, error: null };
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
  return [{ condition: "not_reached", needs_attention: false, why: { urls }, next: [] }];
}

function isDamage(error: unknown): error is RunError {
  return error instanceof RunError && (error.code === "INTEGRITY_ERROR" || error.code === "MISSING_ARTIFACT");
}

/** A run that could not be looked at: damaged, or out of reach for this program or this user. */
export function unseen(runRoot: string, error: unknown): Finding {
  const why = error instanceof RunError ? { code: error.code, ...error.facts } : { reason: String(error) };
  return isDamage(error)
    ? { condition: "damaged", needs_attention: true, why, next: mendingSteps(runRoot) }
    : {
        condition: "unreadable",
        needs_attention: true,
        why,
        next: [stepsOn(runRoot)("status", "see what it says")],
      };
}

/** Damage that a repair could not undo leaves only a fork: looking or repairing again changes nothing. */
function mendingSteps(runRoot: string, isRepaired = false): NextStep[] {
  const step = stepsOn(runRoot);
  if (isRepaired)
    return [
      step("fork", "continue in a new run without what is missing"),
      step("verify", "after bringing it back from a backup: check it"),
    ];
  return [
    step("verify", "see everything that is damaged"),
    step("repair", "see what a repair would do", "--dry-run"),
    step("repair", "repair what can be repaired"),
  ];
}

export function findingsOf(ports: Ports, run: RunLook): [Finding, ...Finding[]] {
  const main: Finding = standingOf(ports, run);
  const further = isTerminal(run.state) ? [] : [...requestFinding(ports, run), ...failedAttempts(run)];
  const [damage] = damageFinding(run);
  return damage === undefined ? [main, ...further] : [damage, main, ...further];
}

/** What the look itself could not trust. Whoever works on the run makes it again; a run that rests waits for somebody. */
function damageFinding(run: RunLook): Finding[] {
  const { problems, runRoot, lease } = run;
  if (problems.length === 0) return [];
  return [
    {
      condition: "damaged",
      needs_attention: lease.held === null,
      why: { files: problems },
      next: mendingSteps(runRoot, isRepaired(run, problems)),
    },
  ];
}

/** True when a repair has seen to all of this damage already, and could not bring it back. */
export function isRepaired({ manifest }: Pick<RunLook, "manifest">, files: readonly { path: string }[]): boolean {
  const missing = manifest.missing ?? [];
  return files.length > 0 && files.every((file) => missing.some(({ path }) => path === file.path));
}

/** A pause that is asked of a paused run is no news. */
function requestFinding(ports: Ports, run: RunLook): Finding[] {
  const { runRoot, state, lease } = run;
  const waiting = run.requests.filter(({ kind }) => kind !== "pause" || state !== "paused");
  if (waiting.length === 0) return [];
  const isHeeded = lease.held !== null || isDue(run, ports.clock.nowMs());
  const step = stepsOn(runRoot);
  // Where nobody works on the run the command does at once what was only asked for.
  const next = isHeeded
    ? step("status", "check whether it was done")
    : waiting.some(({ kind }) => kind === "abort")
      ? step("abort", "do it now", "--yes")
      : step("pause", "do it now");
  return [
    {
      condition: "request_waits",
      needs_attention: !isHeeded,
      why: { requests: waiting.map(({ kind, requested_at, reason }) => ({ kind, requested_at, reason })) },
      next: [next],
    },
  ];
}

function failedAttempts({ manifest, runRoot }: RunLook): Finding[] {
  const failing = Object.entries(manifest.steps).filter(
    ([, step]) => step.error !== undefined && step.state === "failed",
  );
  if (failing.length === 0) return [];
  const why = { steps: failing.map(([key, { attempts, error }]) => ({ key, attempts, error })) };
  const next = [stepsOn(runRoot)("inspect", "see every step and failure")];
  return [{ condition: "failed_attempts", needs_attention: false, why, next }];
}
