// `report generate`: a further report version from what the run has found so far.
import { RunError } from "../../kernel/errors.ts";
import type { Ownership } from "../../orchestrator/ownership.ts";
import { publishReport } from "../../orchestrator/report-publishing.ts";
import { toolsFor } from "../../orchestrator/step-tools.ts";
import { reportPlace } from "../../conversations/open-conversations.ts";
import { AnswerMissing, type TaskTools } from "../../ports/driver.ts";
import type { Observer } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { given } from "../../kernel/given.ts";
import { saidState } from "../../run/log/lifecycle.ts";
import { draftFaults } from "../../run/report/draft-faults.ts";
import type { Draft } from "../../run/report/report.ts";
import { quotingOf } from "../../run/report/statements.ts";
import type { ReportVersion } from "../../run/report/report-version.ts";
import { FULL, type NamedTemplate, templated, templateMark } from "../../run/report/report-template.ts";
import { publicationOf } from "../../stages/publication.ts";
import { refusalOf } from "../../stages/review.ts";
import { draftByInstruction, withoutLeastUse } from "../../stages/synthesis.ts";
import type { StageContext } from "../../stages/stage-definition.ts";
import { composeDraft } from "../../stages/partial-draft.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import type { Outcome } from "../outcome.ts";
import { work } from "../work.ts";
import { refuseInterrupted, refuseUnlessAtRest, refuseUnlessStill } from "./at-rest.ts";

export interface GenerateResult extends ReportVersion {
  /** Absolute. */
  report_md_path: string;
  report_json_path: string;
}

const MADE = "reports are made";

export interface WantedVersion {
  template?: NamedTemplate;
  /** What the asker wishes of it: "shorter, for the board". The page is written anew from the same evidence. */
  instruction?: string;
}

/**
 * Errors: `INVALID_STATE` while idle or running, and for an instruction that no writer can follow; `NO_EVIDENCE` when nothing was
 * found, `LOCK_HELD`.
 */
export async function generateReport(
  ports: Ports,
  runRoot: string,
  observer: Observer,
  { template = FULL, instruction }: WantedVersion = {},
): Promise<Outcome<GenerateResult>> {
  const run = await ports.store.look(runRoot);
  refuseUnlessAtRest(run.state, run.manifest.halt, runRoot, MADE);
  if (instruction !== undefined) refuseUnlessWritten(run);
  // Without a source there is no quote, and a refusal needs no lease.
  if (run.manifest.counters.sources === 0) throw nothingToReport(runRoot, run.manifest);
  return await work(ports, run, {
    reason: "report generate",
    purpose: "report",
    observer,
    performs: true,
    act: (ownership) => publish(ownership, { template, ...given({ instruction }) }),
  });
}

/** Errors: `INVALID_STATE` for a run that is not completed, and for a driver without a writer. */
function refuseUnlessWritten({ state, manifest, runRoot }: RunLook): void {
  const { driver } = manifest.settings;
  const why =
    state !== "completed"
      ? "only the report of a completed run is written anew by an instruction: resume the run first"
      : driver === "local"
        ? "a page of quotes has no writer who could follow an instruction: --template brief shows less of it"
        : driver === "fixture"
          ? "a replay has no model to write: use the run that was recorded"
          : null;
  if (why !== null)
    throw new RunError("INVALID_STATE", { reason: why, state: saidState(state, manifest.halt), run_root: runRoot });
}

async function publish(
  ownership: Ownership,
  { template, instruction }: WantedVersion & { template: NamedTemplate },
): Promise<GenerateResult> {
  const { writer } = ownership;
  await refuseUnlessStill(ownership, MADE);
  const { context } = ownership;
  ownership.conversations.ledger.openForReport();
  const tools = toolsFor(ownership, reportPlace(writer.manifest), ownership.signal);
  const { draft, isPartial } = await draftOf(context, tools, instruction)
    .catch(async (error: unknown) => {
      // Such a report is not requested of agents outside: the local driver makes it.
      if (!(error instanceof AnswerMissing)) throw error;
      if (instruction !== undefined) {
        const reason = "the role writer is played outside, and outside of the stages nothing waits for an answer";
        throw new RunError("INVALID_STATE", { reason, run_root: writer.runRoot });
      }
      return await draftOf({ ...context, driver: await ownership.ports.loadDriver("local") }, tools);
    })
    .catch((error: unknown) => refuseInterrupted(error, ownership));
  if (quotingOf(draft).length === 0) throw nothingToReport(writer.runRoot, writer.manifest);
  if (instruction !== undefined) {
    const refusal = await refusalOf(draft, context, withoutLeastUse(writer.manifest.limits));
    if (refusal !== null)
      throw new RunError("INVALID_STATE", {
        reason: `the page that was written does not hold: ${refusal}`,
        run_root: writer.runRoot,
      });
  }
  return await publishManually(ownership, laidOut(draft, template, writer.runRoot), isPartial, {
    template,
    ...given({ instruction }),
  });
}

function nothingToReport(
  run_root: string,
  { execution_state, halt }: Pick<Manifest, "execution_state" | "halt">,
): RunError {
  const state = saidState(execution_state, halt);
  return new RunError("NO_EVIDENCE.no_report", { reason: "the run has found nothing to report", run_root, state });
}

/** Errors: `INVALID_STATE` where the part that the template shows is no sound report. */
function laidOut(draft: Draft, { name, template }: NamedTemplate, run_root: string): Draft {
  const shown = templated(draft, template);
  const before = new Set(draftFaults(draft).map(({ text }) => text));
  const fault = draftFaults(shown).find(({ text }) => !before.has(text));
  if (quotingOf(shown).length > 0 && fault === undefined) return shown;
  const why = fault?.text ?? "it shows no statement of this report";
  throw new RunError("INVALID_STATE", { reason: `the template ${name} does not fit: ${why}`, run_root });
}

/** Publishes a draft as a version that a person requested. */
export async function publishManually(
  ownership: Ownership,
  draft: Draft,
  partial: boolean,
  { template = FULL, instruction }: WantedVersion = {},
): Promise<GenerateResult> {
  const { ports, writer } = ownership;
  const mark = {
    ...given({ instruction }),
    ...(template.name === FULL.name ? {} : { template: templateMark(template) }),
  };
  const publication = publicationOf(draft, writer.manifest, { trigger: "manual", partial, ...mark });
  const report = await publishReport(ownership, publication);
  const [markdown, json] = publication.files;
  return {
    ...report,
    report_md_path: ports.runs.placeOf(writer.runRoot, markdown.path),
    report_json_path: ports.runs.placeOf(writer.runRoot, json.path),
  };
}

/** The accepted draft where the run has one, or another one as it is wished; otherwise a draft from what was found so far. */
async function draftOf(
  context: StageContext,
  tools: TaskTools,
  instruction?: string,
): Promise<{ draft: Draft; isPartial: boolean }> {
  if (instruction !== undefined)
    return { draft: await draftByInstruction(context, tools, instruction), isPartial: false };
  const { stage, execution_state } = context.manifest;
  if (stage.current === "finalize")
    return { draft: await context.evidence.lastDraft(), isPartial: execution_state !== "completed" };
  return { draft: await composeDraft(context, tools), isPartial: true };
}
