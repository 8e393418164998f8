// The partial report that a spent budget leaves: what was found so far, as a report version of its own.
import { RunError } from "../kernel/errors.ts";
import { timestamp } from "../ports/clock.ts";
import { claimsOf, type Draft } from "../run/report.ts";
import { composeDraft } from "../stages/partial-draft.ts";
import { publicationOf } from "../stages/publication.ts";
import type { StageContext } from "../stages/stage-definition.ts";
import { isFatal } from "./fatal.ts";
import { HaltWanted } from "./halt-wanted.ts";
import { reportPlace } from "./model-desk.ts";
import type { Session } from "./session.ts";
import { StopWanted } from "./stop-wanted.ts";
import type { Workbench } from "./workbench.ts";

/** Publishes nothing when there is no evidence, when nothing is new, or when what is held back does not suffice. */
export async function publishPartial(session: Session, bench: Workbench, context: StageContext): Promise<void> {
  const { writer, ports } = session;
  const draft = await draftOrNull(session, bench, context);
  if (draft === null || claimsOf(draft).length === 0) return;
  const { files, version } = publicationOf(draft, writer.manifest, { trigger: "budget", partial: true });
  const known = writer.manifest.report_versions.find(
    ({ evidence_digest }) => evidence_digest === version.evidence_digest,
  );
  if (known !== undefined) return;
  const report_files = [];
  for (const { path, bytes } of files) report_files.push(await writer.storeContent(path, bytes));
  const report = { ...version, created_at: timestamp(ports.clock.nowMs()) };
  await writer.commit([{ kind: "report.published", data: { report, count: report.version_index, report_files } }]);
}

/** With what was held back of the budget, else by the local driver, which costs nothing; null when neither can. */
async function draftOrNull(session: Session, bench: Workbench, context: StageContext): Promise<Draft | null> {
  bench.deskOf(session).ledger.openForReport();
  for (const driver of [context.driver, await session.ports.loadDriver("local")]) {
    try {
      const place = reportPlace(session.writer.manifest);
      return await composeDraft({ ...context, driver }, bench.toolsFor(session)(place, session.signal));
    } catch (error) {
      if (session.stop !== null && session.signal.aborted) return null;
      if (isFatal(error)) throw error;
      if (error instanceof RunError && error.code === "NO_EVIDENCE") return null;
      const isExpected = error instanceof RunError || error instanceof HaltWanted || error instanceof StopWanted;
      if (!isExpected) throw error;
    }
  }
  return null;
}
