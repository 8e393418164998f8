// `report generate`: a further report version from what the run has found so far.
import { RunError } from "../kernel/errors.ts";
import { isLeftOpen } from "../orchestrator/drive.ts";
import { withSession, type Session } from "../orchestrator/session.ts";
import { Workbench } from "../orchestrator/workbench.ts";
import { timestamp } from "../ports/clock.ts";
import type { TaskTools } from "../ports/driver.ts";
import type { Observer } from "../ports/observer.ts";
import type { Ports } from "../ports/ports.ts";
import { stateChange } from "../run/fold.ts";
import { mayReportManually } from "../run/lifecycle.ts";
import { claimsOf, type Draft, type ReportVersion } from "../run/report.ts";
import { publicationOf } from "../stages/publication.ts";
import type { StageContext } from "../stages/stage-definition.ts";
import { composeDraft } from "../stages/partial-draft.ts";
import type { Outcome } from "./outcome.ts";

export interface GenerateResult extends ReportVersion {
  /** Absolute. */
  report_md_path: string;
  report_json_path: string;
}

/** Errors: `INVALID_STATE` while idle or running, `NO_EVIDENCE` when nothing was found, `LOCK_HELD`. */
export async function generateReport(
  ports: Ports,
  runRoot: string,
  observer: Observer,
): Promise<Outcome<GenerateResult>> {
  const run = await ports.store.look(runRoot);
  if (!mayReportManually(run.state)) {
    throw new RunError("INVALID_STATE", {
      reason: "reports are made while a run is paused, interrupted or ended",
      state: run.state,
      run_root: runRoot,
    });
  }
  const bench = await Workbench.open(ports, runRoot, run.manifest);
  try {
    const result = await withSession(ports, runRoot, { reason: "report generate", observer }, (session) =>
      publish(session, bench),
    );
    return { result, run: await ports.store.look(runRoot), error: null };
  } finally {
    bench.close();
  }
}

async function publish(session: Session, bench: Workbench): Promise<GenerateResult> {
  const { writer, ports } = session;
  if (isLeftOpen(writer.manifest)) await writer.commit([stateChange("running", "interrupted", "its owner was gone")]);
  const { execution_state } = writer.manifest;
  if (!mayReportManually(execution_state))
    throw new RunError("INVALID_STATE", { state: execution_state, run_root: writer.runRoot });
  const context = await bench.contextFor(session);
  const { draft, isPartial } = await draftOf(context, bench.toolsFor(session)("report", session.signal));
  if (claimsOf(draft).length === 0)
    throw new RunError("NO_EVIDENCE", { reason: "the run has found nothing to report", run_root: writer.runRoot });
  const publication = publicationOf(draft, writer.manifest, { trigger: "manual", partial: isPartial });
  const report_files = [];
  for (const { path, bytes } of publication.files) report_files.push(await writer.storeContent(path, bytes));
  const report = { ...publication.version, created_at: timestamp(ports.clock.nowMs()) };
  await writer.commit([{ kind: "report.published", data: { report, count: report.version_index, report_files } }]);
  const [markdown, json] = publication.files;
  return {
    ...report,
    report_md_path: `${writer.runRoot}/${markdown.path}`,
    report_json_path: `${writer.runRoot}/${json.path}`,
  };
}

/** The accepted draft of a run that got so far, else one from what there is. */
async function draftOf(context: StageContext, tools: TaskTools): Promise<{ draft: Draft; isPartial: boolean }> {
  const accepted = context.manifest.stage.current === "finalize" ? (await context.evidence.drafts()).at(-1) : undefined;
  if (accepted !== undefined) return { draft: accepted, isPartial: context.manifest.execution_state !== "completed" };
  return { draft: await composeDraft(context, tools), isPartial: true };
}
