// `verify --retry`: judges what was not checked once more. While citations are checked, the steps that could not are done
// again; where a report is there, its unchecked claims are judged, and a version with the verdicts is published.
import { RunError } from "../kernel/errors.ts";
import { reportPlace } from "../orchestrator/model-desk.ts";
import { withSession, type Session } from "../orchestrator/session.ts";
import { Workbench } from "../orchestrator/workbench.ts";
import type { Observer, StopSignals } from "../ports/observer.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-store.ts";
import { parseWith } from "../run/common.ts";
import { haltKind } from "../run/halt.ts";
import { isTerminal, mayReportManually } from "../run/lifecycle.ts";
import type { RecordDraft } from "../run/record.ts";
import { claimsOf, contradictedLast, type Claim, type Draft, type JudgedClaim, type Report } from "../run/report.ts";
import { citationsSchema } from "../run/research.ts";
import { publishManually, refuseHalt, type GenerateResult } from "./generate-report.ts";
import type { Outcome, RunResult } from "./outcome.ts";
import { parseReport, readReportBytes, versionOf } from "./read-report.ts";
import { workOnRun } from "./work-on-run.ts";

export interface RetryResult {
  /** What was not checked: citations of a run at work, or claims of its report. */
  retried: number;
  /** Of them, how many still are not. */
  still_not_checked: number;
  /** The version that holds the new verdicts; null when no report was made. */
  report: GenerateResult | null;
  /** How the run went on; null when it did not. */
  work: RunResult | null;
}

const NOTHING: RetryResult = { retried: 0, still_not_checked: 0, report: null, work: null };

/** Errors: `LOCK_HELD`; `INVALID_STATE` while there is neither a citation nor a report to judge; those of the driver. */
export async function retryChecks(
  ports: Ports,
  runRoot: string,
  observer: Observer,
  signals?: StopSignals,
): Promise<Outcome<RetryResult>> {
  const run = await ports.store.look(runRoot);
  if (run.manifest.stage.current === "citations" && !isTerminal(run.state))
    return await retryCitations(ports, run, observer, signals);
  return await retryClaims(ports, run, observer);
}

// --- while citations are checked ----------------------------------------------------------------------------------

async function retryCitations(
  ports: Ports,
  { runRoot }: RunLook,
  observer: Observer,
  signals?: StopSignals,
): Promise<Outcome<RetryResult>> {
  const retried = await withSession(ports, runRoot, { reason: "verify --retry", observer, signals }, reopen);
  if (retried === 0) return { result: NOTHING, run: await ports.store.look(runRoot), error: null };
  const work = await workOnRun(
    ports,
    runRoot,
    { lifts: true, untilStage: "summaries", reason: "verify --retry" },
    observer,
    signals,
  );
  const { manifest } = await ports.store.look(runRoot);
  const still_not_checked = Number(manifest.gates.C.metrics["not_checked"] ?? 0);
  return { ...work, result: { retried, still_not_checked, report: null, work: work.result } };
}

/** Opens the steps again that left something unchecked; returns how many citations those hold. */
async function reopen({ writer }: Session): Promise<number> {
  const { steps, halt } = writer.manifest;
  const drafts: RecordDraft[] = [];
  let retried = 0;
  for (const [key, step] of Object.entries(steps)) {
    if (step.stage !== "citations" || step.state !== "completed" || step.result === undefined) continue;
    const { citations } = parseWith(citationsSchema, await writer.readResult(step.result), { step: key });
    const unchecked = citations.filter(({ found, verdict }) => found && verdict === "not_checked").length;
    if (unchecked === 0) continue;
    retried += unchecked;
    drafts.push({ kind: "step.reopened", data: { key, stage: "citations", reason: "verify --retry" } });
  }
  if (drafts.length > 0 && halt !== null)
    drafts.push({ kind: "halt.cleared", data: { kind: haltKind(halt), reason: "verify --retry" } });
  if (drafts.length > 0) await writer.commit(drafts);
  return retried;
}

// --- claims of a report -------------------------------------------------------------------------------------------

async function retryClaims(ports: Ports, run: RunLook, observer: Observer): Promise<Outcome<RetryResult>> {
  const { runRoot } = run;
  if (run.manifest.report_versions.length === 0) {
    throw new RunError("INVALID_STATE", {
      reason: "there is nothing to judge again: the run is not at its citations, and has no report yet",
      stage: run.manifest.stage.current,
      run_root: runRoot,
    });
  }
  const version = versionOf(run);
  const report = parseReport((await readReportBytes(ports, runRoot, version)).json, version);
  const unchecked = claimsOf(report).filter(({ verdict }) => verdict === "not_checked");
  if (unchecked.length === 0) return { result: NOTHING, run, error: null };
  if (!mayReportManually(run.state)) {
    throw new RunError("INVALID_STATE", {
      reason: "claims of a report are judged again while a run is paused, interrupted or ended",
      state: run.state,
      run_root: runRoot,
    });
  }
  const bench = await Workbench.open(ports, runRoot, run.manifest);
  try {
    const result = await withSession(ports, runRoot, { reason: "verify --retry", observer }, (session) =>
      judgeAgain(session, bench, report, unchecked),
    );
    return { result, run: await ports.store.look(runRoot), error: null };
  } finally {
    bench.close();
  }
}

async function judgeAgain(
  session: Session,
  bench: Workbench,
  report: Report,
  unchecked: Claim[],
): Promise<RetryResult> {
  const { driver } = await bench.contextFor(session);
  bench.deskOf(session).ledger.openForReport();
  const tools = bench.toolsFor(session)(reportPlace(session.writer.manifest), session.signal);
  const judged = await driver
    .perform("judge_claims", { claims: unchecked }, tools)
    .catch((error: unknown) => refuseHalt(error, session.writer.runRoot));
  const still_not_checked = judged.filter(({ verdict }) => verdict === "not_checked").length;
  const counts = { retried: unchecked.length, still_not_checked, work: null };
  // A version that says the same as the one before would help nobody.
  if (still_not_checked === unchecked.length) return { ...counts, report: null };
  return { ...counts, report: await publishManually(session, withVerdicts(report, judged), report.partial) };
}

const COUNTED_BEFORE =
  "Claims that were not checked before were judged once more for this version; strength and gaps were counted before that.";

function withVerdicts(report: Report, judged: readonly JudgedClaim[]): Draft {
  const byId = new Map(judged.map(({ claim_id, ...verdict }) => [claim_id, verdict]));
  const judgedAnew = ({ reason, ...claim }: Claim): Claim => {
    const verdict = byId.get(claim.claim_id);
    return verdict === undefined ? { ...claim, ...(reason === undefined ? {} : { reason }) } : { ...claim, ...verdict };
  };
  const { question, sources, gaps, strengths, comparisons, notes = [], unfinished } = report;
  return {
    question,
    sections: contradictedLast(
      report.sections.map((section) => ({ ...section, claims: section.claims.map(judgedAnew) })),
    ),
    sources,
    gaps,
    ...(strengths === undefined ? {} : { strengths }),
    ...(comparisons === undefined ? {} : { comparisons }),
    notes: [...new Set([...notes, ...(strengths === undefined ? [] : [COUNTED_BEFORE])])],
    ...(unfinished === undefined ? {} : { unfinished }),
  };
}
