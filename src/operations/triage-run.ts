// What is wrong with a run, why, and the exact next commands.
import { RunError, type ErrorFacts } from "../kernel/errors.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-store.ts";
import { isTerminal } from "../run/lifecycle.ts";
import { stepsOn, type NextStep } from "../run/next-step.ts";
import { blockedUrlsOf } from "./blocked-urls-of.ts";
import { mendedFirst, mendingSteps } from "./damage.ts";
import { settleForked } from "./forks-of.ts";
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
  const about = { runRoot, runId: run.manifest.run_id };
  const [first, ...further] = findingsOf(ports, run);
  const [main = first, ...others] = await settleForked(ports, about, [first, ...further]);
  return { result: { findings: [main, ...others, ...(await notReached(ports, run))] }, run, error: null };
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

export function findingsOf(ports: Ports, run: RunLook): [Finding, ...Finding[]] {
  const main: Finding = standingOf(ports, run);
  const further = isTerminal(run.state) ? [] : [...requestFinding(ports, run), ...failedAttempts(run)];
  const [damage] = damageFinding(run, main);
  if (damage === undefined) return [main, ...further];
  // What mends the damage stands once, and before anything else of a run that has ended.
  const next = isTerminal(run.state)
    ? []
    : main.next.filter(({ verb }) => !damage.next.some((step) => step.verb === verb));
  return [damage, { ...main, next }, ...further];
}

/** What the look itself could not trust. Whoever works on the run makes it again; a run that rests waits for somebody. */
function damageFinding(run: RunLook, main: Finding): Finding[] {
  const { problems, lease } = run;
  if (problems.length === 0) return [];
  return [
    {
      condition: "damaged",
      needs_attention: lease.held === null,
      why: { files: problems },
      next: mendedFirst(
        run,
        main.next.filter(({ verb }) => verb === "fork"),
      ),
    },
  ];
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
  // What a halt names is told with the halt.
  const { details = {} } = manifest.halt ?? {};
  const told = Array.isArray(details["steps"]) ? (details["steps"] as { key?: unknown }[]).map(({ key }) => key) : [];
  const failing = Object.entries(manifest.steps).filter(
    ([key, step]) => step.error !== undefined && step.state === "failed" && !told.includes(key),
  );
  if (failing.length === 0) return [];
  const why = { steps: failing.map(([key, { attempts, error }]) => ({ key, attempts, error })) };
  const next = [stepsOn(runRoot)("inspect", "see every step and failure")];
  return [{ condition: "failed_attempts", needs_attention: false, why, next }];
}
