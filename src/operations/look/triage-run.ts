// Findings about a run: what is wrong, why, and the next steps. Where a fork has settled a finding, it names the fork.
import { dirname } from "node:path";
import { isDamage } from "../../kernel/damage.ts";
import { isFault, RunError } from "../../kernel/errors.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { failedStepsIn, knownHalt } from "../../run/log/halt-details.ts";
import { isTerminal } from "../../run/log/lifecycle.ts";
import { stepsOn } from "../../run/next-steps/next-step.ts";
import { isResult } from "../../run/log/request.ts";
import { lostSteps, repairsFirst, repairSteps } from "./repair-steps.ts";
import type { Outcome } from "../outcome.ts";
import { finding, type Finding, type Standing } from "./conditions.ts";
import { fleetFindings, withFleet } from "./fleet-findings.ts";
import { standingOf } from "./standing.ts";
import { isDue } from "../../ports/runs.ts";

export interface TriageResult {
  /** Damage first, then the state the run is in, then what else is noteworthy. */
  findings: [Finding, ...Finding[]];
}

/**
 * Reads the run with all of its journal, and judges; writes nothing in it. Damage is a finding. Errors: `NOT_FOUND`,
 * `SCHEMA_UNSUPPORTED`.
 */
export async function triageRun(ports: Ports, runRoot: string): Promise<Outcome<TriageResult>> {
  let run: RunLook;
  try {
    run = await ports.store.look(runRoot, { wholeLog: "of all runs" });
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { result: { findings: [unseen(runRoot, error)] }, run: null, error: null };
  }
  const ofFleet = await fleetFindings(ports, dirname(runRoot));
  const findings = withFleet(ofFleet(run), findingsOf(ports, run));
  const fork = settledByFork(findings).length === 0 ? null : await forkOf(ports, run);
  const [main, ...others] = fork === null ? findings : withFork(findings, fork);
  const all: TriageResult["findings"] = [main, ...others, ...(await notReached(ports, run))];
  return { result: { findings: all }, run, error: null };
}

/** Each page, engine and server that gave nothing, with what would help. */
async function notReached(ports: Ports, run: RunLook): Promise<Finding[]> {
  // `verify` reads the journal of a damaged run. Loaded late, since status does not need it.
  const { blockedUrlsOf } = await import("./blocked-urls-of.ts");
  const urls = run.problems.length > 0 ? [] : await blockedUrlsOf(ports, run);
  if (urls.length === 0) return [];
  return [finding("not_reached", false, { urls }, [])];
}

/** A run that could not be read: damaged, or out of reach for this program or this user. */
export function unseen(runRoot: string, error: unknown): Finding {
  const why = error instanceof RunError ? { code: error.code, ...error.facts } : { reason: String(error) };
  const step = stepsOn(runRoot);
  const next = isFault(error, "INTEGRITY_ERROR.journal_lost")
    ? lostSteps(runRoot)
    : isDamage(error)
      ? repairSteps(runRoot)
      : [step("status", "see what it says")];
  return finding(isDamage(error) ? "damaged" : "unreadable", true, why, next);
}

export function findingsOf(ports: Ports, run: RunLook): [Finding, ...Finding[]] {
  const main = standingOf(ports, run);
  const further = isTerminal(run.state) ? [] : [...requestFinding(ports, run), ...failedAttempts(run)];
  if (run.problems.length === 0) return [main, ...further];
  const damage = damageFinding(run, main);
  // The steps that repair the damage are named once; a run that has ended needs no others.
  const next = isTerminal(run.state)
    ? []
    : main.next.filter(({ verb }) => !damage.next.some((step) => step.verb === verb));
  return [damage, { ...main, next }, ...further];
}

/** The files that could not be trusted. An owner at work makes them again; otherwise a person has to. */
function damageFinding(run: RunLook, main: Finding): Finding {
  const forks = main.next.filter(({ verb }) => verb === "fork");
  const needs_attention = run.lease.held === null;
  return finding("damaged", needs_attention, { files: run.problems }, repairsFirst(run, forks));
}

/** A request to pause a paused run is not worth reporting. */
function requestFinding(ports: Ports, run: RunLook): Finding[] {
  const { runRoot, state, lease } = run;
  const waiting = run.requests.filter(({ kind }) => kind !== "pause" || state !== "paused");
  // An answer for a run that has ended has no effect.
  if (waiting.length === 0 || (isTerminal(state) && waiting.every(isResult))) return [];
  const isHeeded = lease.held !== null || isDue(run);
  const step = stepsOn(runRoot);
  // No process works on the run, so the command itself does what was requested.
  const next = isHeeded
    ? step("status", "check whether it was done")
    : waiting.some(({ kind }) => kind === "abort")
      ? step("abort", "do it now", { yes: true })
      : waiting.some(({ kind }) => kind === "pause")
        ? step("pause", "do it now")
        : step("resume", "take up what was submitted");
  const requests = waiting.map(({ kind, requested_at, reason }) => ({ kind, requested_at, reason }));
  return [finding("request_waits", !isHeeded, { requests }, [next])];
}

function failedAttempts({ manifest, runRoot }: RunLook): Finding[] {
  // Steps that a halt names are reported with the halt.
  const reported = manifest.halt === null ? [] : failedStepsIn(knownHalt(manifest.halt)).map(({ key }) => key);
  const failing = Object.entries(manifest.steps).filter(
    ([key, step]) => step.error !== undefined && step.state === "failed" && !reported.includes(key),
  );
  if (failing.length === 0) return [];
  const why = { steps: failing.map(([key, { attempts, error }]) => ({ key, attempts, error })) };
  const next = [stepsOn(runRoot)("inspect", "see every step and failure")];
  return [finding("failed_attempts", false, why, next)];
}

// --- runs that continue in a fork ------------------------------------------------------------------------------------

/** The standing as `triage` judges it: where a run continues in a fork, the first step leads there. */
export async function settledStanding(ports: Ports, run: RunLook): Promise<Standing> {
  const standing = standingOf(ports, run);
  if (settledByFork(findingsOf(ports, run)).length === 0) return standing;
  const fork = await forkOf(ports, run);
  return fork === null ? standing : inFork(standing, fork);
}

/** The findings that need attention, when a fork settles all of them. */
export function settledByFork(findings: readonly Finding[]): Finding[] {
  const open = findings.filter(({ needs_attention }) => needs_attention);
  // A fork of a damaged run continues without it, so that nothing else that it waits for matters any more.
  return open.some(({ condition }) => condition === "damaged") || open.every(isSettledByFork) ? open : [];
}

/** To continue the run itself would lead to the same end. */
function isSettledByFork({ condition, why }: Finding): boolean {
  return condition === "failed" || (condition === "halted" && why.kind === "no_evidence");
}

export interface Fork {
  runId: string;
  runRoot: string;
  /** A fork is started only by the one who made it. */
  hasBegun: boolean;
}

/** What the run is a fork of, and how far that has come; null for a run that is none. */
export function forkIn({ runRoot, manifest, state }: RunLook): { of: string; fork: Fork } | null {
  const { run_id: runId, forked_from } = manifest;
  return forked_from === undefined
    ? null
    : { of: forked_from.run_id, fork: { runId, runRoot, hasBegun: state !== "idle" } };
}

/** A fork of the run in the same runs root: one that has begun, where there is one. */
async function forkOf({ runs }: Pick<Ports, "runs">, run: RunLook): Promise<Fork | null> {
  let idle: Fork | null = null;
  for await (const { look } of runs.list(dirname(run.runRoot), { cutShort: true })) {
    const known = look === null ? null : forkIn(look);
    if (known?.of !== run.manifest.run_id) continue;
    if (known.fork.hasBegun) return known.fork;
    idle = known.fork;
  }
  return idle;
}

/** The findings, where those that a fork settles lead there. */
export function withFork(findings: TriageResult["findings"], fork: Fork): TriageResult["findings"] {
  const settled = settledByFork(findings);
  const settledOf = (finding: Finding): Finding => (settled.includes(finding) ? inFork(finding, fork) : finding);
  const [main, ...others] = findings;
  return [settledOf(main), ...others.map(settledOf)];
}

function inFork<T extends Finding>(finding: T, { runId, runRoot, hasBegun }: Fork): T {
  const step = stepsOn(runRoot);
  if (hasBegun) {
    const next = [step("status", "see how the fork stands")];
    return { ...finding, needs_attention: false, why: { ...finding.why, went_on_in: runId }, next };
  }
  const next = [step("run", "start the fork that was made of it"), ...finding.next];
  return { ...finding, why: { ...finding.why, fork_waits: runId }, next };
}
