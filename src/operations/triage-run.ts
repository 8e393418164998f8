// Findings about a run: what is wrong, why, and the next steps. Where a fork has settled a finding, it names the fork.
import { dirname } from "node:path";
import { isDamage } from "../kernel/damage.ts";
import { RunError, type ErrorFacts } from "../kernel/errors.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-log.ts";
import { isTerminal } from "../run/lifecycle.ts";
import { stepsOn, type NextStep } from "../run/next-step.ts";
import { isResult } from "../run/request.ts";
import { mendedFirst, mendingSteps } from "./mending.ts";
import type { Outcome } from "./outcome.ts";
import { standingOf, type Standing, type StateCondition } from "./standing.ts";
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

/**
 * Looks at the run, unless it was just `seen`, and judges; writes nothing. Damage is a finding. Errors: `NOT_FOUND`,
 * `SCHEMA_UNSUPPORTED`.
 */
export async function triageRun(
  ports: Ports,
  runRoot: string,
  seen: RunLook | null = null,
): Promise<Outcome<TriageResult>> {
  let run: RunLook;
  try {
    run = seen ?? (await ports.store.look(runRoot));
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { result: { findings: [unseen(runRoot, error)] }, run: null, error: null };
  }
  const findings = findingsOf(ports, run);
  const fork = await settlingFork(ports, run, findings);
  const settled = fork === null ? [] : settledByFork(findings);
  const told = (finding: Finding): Finding =>
    fork !== null && settled.includes(finding) ? inFork(finding, fork) : finding;
  const [main, ...others] = findings;
  const all: TriageResult["findings"] = [told(main), ...others.map(told), ...(await notReached(ports, run))];
  return { result: { findings: all }, run, error: null };
}

/** Each page, engine and server that gave nothing, with what would help. */
async function notReached(ports: Ports, run: RunLook): Promise<Finding[]> {
  // `verify` reads the journal of a damaged run. Loaded late, since status does not need it.
  const { blockedUrlsOf } = await import("./blocked-urls-of.ts");
  const urls = run.problems.length > 0 ? [] : await blockedUrlsOf(ports, run);
  if (urls.length === 0) return [];
  return [{ condition: "not_reached", needs_attention: false, why: { urls }, next: [] }];
}

/** A run that could not be looked at: damaged, or out of reach for this program or this user. */
export function unseen(runRoot: string, error: unknown): Finding {
  const why = error instanceof RunError ? { code: error.code, ...error.facts } : { reason: String(error) };
  const next = isDamage(error) ? mendingSteps(runRoot) : [stepsOn(runRoot)("status", "see what it says")];
  return { condition: isDamage(error) ? "damaged" : "unreadable", needs_attention: true, why, next };
}

export function findingsOf(ports: Ports, run: RunLook): [Finding, ...Finding[]] {
  const main: Finding = standingOf(ports, run);
  const further = isTerminal(run.state) ? [] : [...requestFinding(ports, run), ...failedAttempts(run)];
  if (run.problems.length === 0) return [main, ...further];
  const damage = damageFinding(run, main);
  // The steps that mend the damage stand once; a run that has ended needs no others.
  const next = isTerminal(run.state)
    ? []
    : main.next.filter(({ verb }) => !damage.next.some((step) => step.verb === verb));
  return [damage, { ...main, next }, ...further];
}

/** The files that the look could not trust. An owner at work makes them again; otherwise somebody has to. */
function damageFinding(run: RunLook, main: Finding): Finding {
  const forks = main.next.filter(({ verb }) => verb === "fork");
  const needs_attention = run.lease.held === null;
  return { condition: "damaged", needs_attention, why: { files: run.problems }, next: mendedFirst(run, forks) };
}

/** A request to pause a paused run is not worth telling. */
function requestFinding(ports: Ports, run: RunLook): Finding[] {
  const { runRoot, state, lease } = run;
  const waiting = run.requests.filter(({ kind }) => kind !== "pause" || state !== "paused");
  // An answer for a run that has ended has no effect.
  if (waiting.length === 0 || (isTerminal(state) && waiting.every(isResult))) return [];
  const isHeeded = lease.held !== null || isDue(run, ports.clock.nowMs());
  const step = stepsOn(runRoot);
  // Nobody works on the run, so the command itself does what was asked for.
  const next = isHeeded
    ? step("status", "check whether it was done")
    : waiting.some(({ kind }) => kind === "abort")
      ? step("abort", "do it now", "--yes")
      : waiting.some(({ kind }) => kind === "pause")
        ? step("pause", "do it now")
        : step("resume", "take up what was handed in");
  const requests = waiting.map(({ kind, requested_at, reason }) => ({ kind, requested_at, reason }));
  return [{ condition: "request_waits", needs_attention: !isHeeded, why: { requests }, next: [next] }];
}

function failedAttempts({ manifest, runRoot }: RunLook): Finding[] {
  // Steps that a halt names are told with the halt.
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

// --- runs that went on in a fork: somebody has seen to them ---------------------------------------------------------

/** The standing as `triage` judges it: where a run went on in a fork, the only next step leads there. */
export async function settledStanding(ports: Ports, run: RunLook): Promise<Standing> {
  const standing = standingOf(ports, run);
  const fork = await settlingFork(ports, run, findingsOf(ports, run));
  return fork === null ? standing : inFork(standing, fork);
}

/** The findings that need somebody, when a fork settles all of them. */
export function settledByFork(findings: readonly Finding[]): Finding[] {
  const open = findings.filter(({ needs_attention }) => needs_attention);
  // A fork of a damaged run goes on without it, so that nothing else that it waits for matters any more.
  return open.some(({ condition }) => condition === "damaged") || open.every(isSettledByFork) ? open : [];
}

/** To continue the run itself would lead to the same end. */
function isSettledByFork({ condition, why }: Finding): boolean {
  return condition === "failed" || (condition === "halted" && why["kind"] === "no_evidence");
}

interface Fork {
  runId: string;
  runRoot: string;
}

/** A fork in the same runs root that settles the findings; null where there is none, or where findings would stay open. */
async function settlingFork(
  { folders }: Pick<Ports, "folders">,
  run: RunLook,
  findings: readonly Finding[],
): Promise<Fork | null> {
  if (settledByFork(findings).length === 0) return null;
  for await (const { runRoot, look } of folders.list(dirname(run.runRoot), { cutShort: true }))
    if (look?.manifest.forked_from?.run_id === run.manifest.run_id) return { runId: look.manifest.run_id, runRoot };
  return null;
}

function inFork<T extends Finding>(finding: T, { runId, runRoot }: Fork): T {
  const next = [stepsOn(runRoot)("status", "see how the fork stands")];
  return { ...finding, needs_attention: false, why: { ...finding.why, went_on_in: runId }, next };
}
