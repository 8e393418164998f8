// Publishes what was found so far as a report version, when a budget is spent.
import { knownHalt } from "../run/log/halt-details.ts";
import { describeCause, RunError } from "../kernel/errors.ts";
import { endsTick, Interrupted } from "../ports/interruption.ts";
import { AnswerMissing } from "../ports/driver.ts";
import type { Manifest } from "../run/log/manifest.ts";
import type { AnyRecord } from "../run/log/record.ts";
import type { Draft } from "../run/report/report.ts";
import { quotingOf } from "../run/report/statements.ts";
import { composeDraft } from "../stages/partial-draft.ts";
import { publicationOf } from "../stages/publication.ts";
import { reportPlace } from "../conversations/open-conversations.ts";
import type { Ownership } from "./ownership.ts";
import { publishReport } from "./report-publishing.ts";
import { toolsFor } from "./step-tools.ts";

/** Says why there is no report of what was found; null when there is one now. */
export async function publishPartial(ownership: Ownership): Promise<string | null> {
  const { writer } = ownership;
  if (await isReported(ownership)) return null;
  const draft = await draftOrReason(ownership);
  if (typeof draft === "string") return draft;
  if (quotingOf(draft).length === 0) return nothingYet(writer.manifest);
  const publication = publicationOf(draft, writer.manifest, { trigger: "budget", partial: true });
  const isKnown = writer.manifest.report_versions.some(
    ({ evidence_digest }) => evidence_digest === publication.version.evidence_digest,
  );
  if (!isKnown) await publishReport(ownership, publication);
  return null;
}

/** True when no step has finished since a spent budget left a report: another one would cost money and say the same. */
async function isReported({ writer, view }: Ownership): Promise<boolean> {
  if (writer.manifest.report_versions.length === 0) return false;
  const last = (await view.records()).findLast((record) => finishesStep(record) || leavesReport(record));
  return last !== undefined && leavesReport(last);
}

function finishesStep({ kind }: AnyRecord): boolean {
  return kind === "step.completed" || kind === "step.adopted";
}

/** A halt counts, too: its report was made, and not published when an earlier version had the same evidence. */
function leavesReport({ kind, data }: AnyRecord): boolean {
  if (kind === "report.published") return data.report.trigger_type === "budget";
  if (kind !== "halt.raised" || data.halt.schema_version !== "halt.v1") return false;
  const halt = knownHalt(data.halt);
  return halt.kind === "budget" && halt.details.no_report === undefined;
}

function nothingYet({ counters: { sources } }: Readonly<Manifest>): string {
  const stored = sources === 0 ? "" : `; stored so far: ${sources === 1 ? "1 source" : `${sources} sources`}`;
  return `no step has finished with a quote yet, and a report needs quotes${stored}`;
}

/** Makes the draft with the held-back budget, or else with the local driver, which is free. A text says why neither could. */
async function draftOrReason(ownership: Ownership): Promise<Draft | string> {
  const { context, signal } = ownership;
  let reason = "";
  ownership.conversations.ledger.openForReport();
  for (const driver of [context.driver, await ownership.ports.loadDriver("local")]) {
    try {
      const place = reportPlace(ownership.writer.manifest);
      return await composeDraft({ ...context, driver }, toolsFor(ownership, place, signal));
    } catch (error) {
      const met = ownership.interruption?.kind;
      if (met === "lease_lost" || met === "unreachable" || endsTick(error)) throw error;
      if (signal.aborted) return "the run was stopped";
      if (error instanceof RunError && error.code === "NO_EVIDENCE") return nothingYet(ownership.writer.manifest);
      const isHindered = error instanceof RunError || error instanceof Interrupted || error instanceof AnswerMissing;
      if (!isHindered) throw error;
      reason = describeCause(error);
    }
  }
  return reason;
}
