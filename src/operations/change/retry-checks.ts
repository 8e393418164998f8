// `verify --retry`: judges again what could not be checked. In the stage citations these are citations; later they are claims
// of the report, and a further version with the verdicts is published.
import { RunError } from "../../kernel/errors.ts";
import { lift } from "../../orchestrator/drive.ts";
import { reportPlace } from "../../conversations/open-conversations.ts";
import type { Ownership } from "../../orchestrator/ownership.ts";
import { owning } from "../../orchestrator/owning.ts";
import { toolsFor } from "../../orchestrator/step-tools.ts";
import { AnswerMissing } from "../../ports/driver.ts";
import type { Observer, StopSignals } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { parseWith } from "../../run/common.ts";
import { haltKind } from "../../run/log/halt.ts";
import { isTerminal } from "../../run/log/lifecycle.ts";
import type { RecordDraft } from "../../run/log/record.ts";
import type { Claim, Draft, Report } from "../../run/report/report.ts";
import { claimsOf, isClaim } from "../../run/report/statements.ts";
import { citationsSchema } from "../../run/report/research.ts";
import type { ResultRef, Steps } from "../../run/log/step.ts";
import { refusalOf } from "../../stages/review.ts";
import { drivenWork } from "./driven-work.ts";
import { refuseInterrupted, refuseUnlessAtRest, refuseUnlessStill } from "../report/at-rest.ts";
import { publishManually, type GenerateResult } from "../report/generate-report.ts";
import type { Outcome, RunResult } from "../outcome.ts";
import { readReport } from "../report/read-report.ts";
import { withVerdicts } from "../report/with-verdicts.ts";
import { work as workOn } from "../work.ts";

export interface RetryResult {
  /** What was not checked: citations of a run at work, or claims of its report. */
  retried: number;
  /** Of them, how many still are not. */
  still_not_checked: number;
  /** The version that holds the new verdicts; null when no report was made. */
  report: GenerateResult | null;
  /** Why no further version was made; null where one was made, or where there is no report. */
  why_no_report: string | null;
  /** How the run continued; null when it did not. */
  work: RunResult | null;
}

const NOTHING: RetryResult = { retried: 0, still_not_checked: 0, report: null, why_no_report: null, work: null };

/**
 * Errors: `LOCK_HELD`; `PAUSED` where the run would have to continue; `INVALID_STATE` while there is neither a citation nor a
 * report to judge; those of the driver.
 */
export async function retryChecks(
  ports: Ports,
  runRoot: string,
  observer: Observer,
  signals?: StopSignals,
): Promise<Outcome<RetryResult>> {
  const run = await ports.store.look(runRoot);
  const isAtCitations = run.manifest.stage.current === "citations" && !isTerminal(run.state);
  const read = (ref: ResultRef): Promise<unknown> => ports.store.readResult(runRoot, ref);
  if (isAtCitations && (await uncheckedCitations(run.manifest.steps, read)).length > 0)
    return await retryCitations(ports, run, observer, signals);
  const hasReport = run.manifest.report_versions.length > 0;
  if (hasReport) return await retryClaims(ports, run, observer, signals);
  if (isAtCitations) return { result: NOTHING, run, error: null };
  throw new RunError("INVALID_STATE", {
    reason: "there is nothing to judge again: the run is not at its citations, and has no report yet",
    stage: run.manifest.stage.current,
    run_root: runRoot,
  });
}

// --- while citations are checked ----------------------------------------------------------------------------------

const REASON = "verify --retry";

async function retryCitations(
  ports: Ports,
  { runRoot, state, manifest }: RunLook,
  observer: Observer,
  signals?: StopSignals,
): Promise<Outcome<RetryResult>> {
  if (state === "paused") throw new RunError("PAUSED", { state, run_root: runRoot, run_id: manifest.run_id });
  const open = await owning(ports, runRoot, { reason: REASON, observer, signals }, reopen);
  if (open.length === 0) return { result: NOTHING, run: await ports.store.look(runRoot), error: null };
  const options = { lifts: false, untilStage: "summaries", reason: REASON } as const;
  const work = await workOn(ports, runRoot, drivenWork(ports, options, observer, signals));
  const after = await ports.store.look(runRoot);
  const steps = await ports.store.readSteps(after, "citations");
  const left = new Set(await uncheckedCitations(steps, (ref) => ports.store.readResult(runRoot, ref)));
  const still_not_checked = open.filter((id) => left.has(id)).length;
  return { ...work, result: { ...NOTHING, retried: open.length, still_not_checked, work: work.result } };
}

/** Reopens the steps that left citations unchecked, and returns those citations. */
async function reopen(ownership: Ownership): Promise<string[]> {
  const { writer } = ownership;
  const { steps } = writer.manifest;
  const read = (ref: ResultRef): Promise<unknown> => writer.readResult(ref);
  const open = await uncheckedCitations(steps, read);
  if (open.length === 0) return [];
  await lift(ownership, { lifts: false, reason: REASON });
  const drafts: RecordDraft[] = [];
  for (const [key, step] of Object.entries(steps))
    if (step.state === "completed" && (await uncheckedCitations({ [key]: step }, read)).length > 0)
      drafts.push({ kind: "step.reopened", data: { key, stage: "citations", reason: REASON } });
  const { halt } = writer.manifest;
  if (halt !== null) drafts.push({ kind: "halt.cleared", data: { kind: haltKind(halt), reason: REASON } });
  if (drafts.length > 0) await writer.commit(drafts);
  return open;
}

/** Ids of the citations that were found in their source but could not be judged, also those that are being judged again. */
async function uncheckedCitations(steps: Steps, read: (ref: ResultRef) => Promise<unknown>): Promise<string[]> {
  const unchecked: string[] = [];
  for (const [key, { stage, result }] of Object.entries(steps)) {
    if (stage !== "citations" || result === undefined) continue;
    const { citations } = parseWith(citationsSchema, await read(result), { step: key });
    for (const { citation_id, found, verdict } of citations)
      if (found && verdict === "not_checked") unchecked.push(citation_id);
  }
  return unchecked;
}

// --- claims of a report -------------------------------------------------------------------------------------------

const JUDGED_AGAIN = "claims of a report are judged again";

async function retryClaims(
  ports: Ports,
  run: RunLook,
  observer: Observer,
  signals?: StopSignals,
): Promise<Outcome<RetryResult>> {
  if (uncheckedClaims(await readReport(ports, run)).length === 0) return { result: NOTHING, run, error: null };
  refuseUnlessAtRest(run.state, run.manifest.halt, run.runRoot, JUDGED_AGAIN);
  return await workOn(ports, run, { reason: REASON, observer, signals, performs: true, act: judgeAgain });
}

function uncheckedClaims(report: Report): Claim[] {
  return claimsOf(report).filter(({ verdict }) => verdict === "not_checked");
}

async function judgeAgain(ownership: Ownership): Promise<RetryResult> {
  const { writer, ports } = ownership;
  await refuseUnlessStill(ownership, JUDGED_AGAIN);
  // Another version may have become the current one before the lease was taken.
  const report = await readReport(ports, await ports.store.look(writer.runRoot));
  const unchecked = uncheckedClaims(report);
  if (unchecked.length === 0) return NOTHING;
  const { context } = ownership;
  ownership.conversations.ledger.openForReport();
  const tools = toolsFor(ownership, reportPlace(writer.manifest), ownership.signal);
  const judged = await context.driver
    .perform("judge_claims", { claims: unchecked, report }, tools)
    .catch((error: unknown) => {
      if (!(error instanceof AnswerMissing)) throw error;
      const reason = "the role verifier is played outside, and outside of the stages nothing waits for an answer";
      throw new RunError("INVALID_STATE", { reason, run_root: writer.runRoot });
    })
    .catch((error: unknown) => refuseInterrupted(error, ownership));
  const given = judged.filter(({ verdict }) => verdict !== "not_checked");
  const draft = withVerdicts(report, judged);
  const counts = { ...NOTHING, retried: unchecked.length, still_not_checked: stillUnchecked(draft, unchecked) };
  const why_no_report =
    given.length === 0
      ? "it would say the same as the one before"
      : report.partial
        ? null // No gate judges a partial report.
        : await refusalOf(draft, context, context.manifest.limits);
  if (why_no_report !== null) return { ...counts, why_no_report };
  return { ...counts, report: await publishManually(ownership, draft, report.partial) };
}

function stillUnchecked({ statements }: Draft, before: readonly Claim[]): number {
  return before.filter(({ statement_id }) => {
    const statement = statements[statement_id];
    return statement !== undefined && isClaim(statement) && statement.verdict === "not_checked";
  }).length;
}
