// The partial report that a spent budget leaves: what was found so far, as a report version of its own.
import { describeCause, RunError } from "../kernel/errors.ts";
import { endsTick, Interrupted } from "../ports/interruption.ts";
import { AnswerMissing } from "../ports/driver.ts";
import type { Manifest } from "../run/manifest.ts";
import type { AnyRecord } from "../run/record.ts";
import { claimsOf, type Draft } from "../run/report.ts";
import { composeDraft } from "../stages/partial-draft.ts";
import { publicationOf } from "../stages/publication.ts";
import { reportPlace } from "../conversations/open-conversations.ts";
import type { Ownership } from "./ownership.ts";
import { publishReport } from "./report-publishing.ts";
import { toolsFor } from "./step-tools.ts";

/** Why there is no report of what was found; null where there is one, made now or before of the same. */
export async function publishPartial(ownership: Ownership): Promise<string | null> {
  const { writer } = ownership;
  if (await isReported(ownership)) return null;
  const draft = await draftOrReason(ownership);
  if (typeof draft === "string") return draft;
  if (claimsOf(draft).length === 0) return nothingYet(writer.manifest);
  const publication = publicationOf(draft, writer.manifest, { trigger: "budget", partial: true });
  const isKnown = writer.manifest.report_versions.some(
    ({ evidence_digest }) => evidence_digest === publication.version.evidence_digest,
  );
  if (!isKnown) await publishReport(ownership, publication);
  return null;
}

/** Whether no step has finished since a spent budget left a report: another one would be paid for, and say the same. */
async function isReported({ writer, view }: Ownership): Promise<boolean> {
  if (writer.manifest.report_versions.length === 0) return false;
  const last = (await view.records()).findLast((record) => finishesStep(record) || leavesReport(record));
  return last !== undefined && leavesReport(last);
}

function finishesStep({ kind }: AnyRecord): boolean {
  return kind === "step.completed" || kind === "step.adopted";
}

/** The halt, too: a report that had the evidence of an earlier version was made, and not published. */
function leavesReport({ kind, data }: AnyRecord): boolean {
  if (kind === "report.published") return data.report.trigger_type === "budget";
  if (kind !== "halt.raised" || data.halt.schema_version !== "halt.v1") return false;
  return data.halt.kind === "budget" && data.halt.details["no_report"] === undefined;
}

function nothingYet({ counters: { sources } }: Readonly<Manifest>): string {
  const stored = sources === 0 ? "" : `; stored so far: ${sources === 1 ? "1 source" : `${sources} sources`}`;
  return `no step has finished with a quote yet, and a report is made of quotes${stored}`;
}

/** With what was held back of the budget, else by the local driver, which costs nothing; the reason when neither can. */
async function draftOrReason(ownership: Ownership): Promise<Draft | string> {
  const { context, signal } = ownership;
  let reason = "";
  ownership.conversations.ledger.openForReport();
  for (const driver of [context.driver, await ownership.ports.loadDriver("local")]) {
    try {
      const place = reportPlace(ownership.writer.manifest);
      return await composeDraft({ ...context, driver }, toolsFor(ownership, place, signal));
    } catch (error) {
      if (ownership.interruption?.kind === "lease_lost" || endsTick(error)) throw error;
      if (signal.aborted) return "the run was asked to stop";
      if (error instanceof RunError && error.code === "NO_EVIDENCE") return nothingYet(ownership.writer.manifest);
      const isHindered = error instanceof RunError || error instanceof Interrupted || error instanceof AnswerMissing;
      if (!isHindered) throw error;
      reason = describeCause(error);
    }
  }
  return reason;
}
