// `stage_advance`: leaves the current stage by hand, by the same steps and gates that a tick leaves it by.
import type { Digest } from "../kernel/digest.ts";
import { RunError } from "../kernel/errors.ts";
import { lift } from "../orchestrator/drive.ts";
import type { Ownership } from "../orchestrator/ownership.ts";
import { openSteps } from "../orchestrator/step-runner.ts";
import { stageEntry, stageProvenance } from "../orchestrator/stage-change.ts";
import type { Ports } from "../ports/ports.ts";
import { HALT_CODES } from "../run/halt.ts";
import type { RecordDraft } from "../run/record.ts";
import { stagesAfter, type Stage } from "../run/stage.ts";
import { STAGE_DEFINITIONS } from "../stages/stages.ts";
import type { Outcome } from "./outcome.ts";
import { work } from "./work.ts";
import { refuseStanding } from "./work-outcome.ts";

export interface AdvanceOptions {
  /** The stage to enter; missing is the one that the run itself would enter. */
  requestedNext?: string;
  reason: string;
}

export interface AdvanceResult {
  from: Stage;
  to: Stage;
  revision: number;
  /** Digest of what was decided on: results, gates and settings. */
  inputs_digest: Digest;
}

/**
 * Errors: `REQUESTED_NEXT_NOT_ALLOWED`, `GATE_BLOCKED` with the open steps or the failed gates, the code of a halt that
 * stands or would be raised, `PAUSED`, `RUN_TERMINAL`, `LOCK_HELD`.
 */
export async function advanceStage(
  ports: Ports,
  runRoot: string,
  options: AdvanceOptions,
): Promise<Outcome<AdvanceResult>> {
  const { requestedNext, reason } = options;
  return await work(ports, runRoot, {
    reason,
    isQuiet: true,
    performs: true,
    judge(run) {
      refuseStanding(run);
      refuseNext(run.manifest.stage.current, requestedNext);
      return null;
    },
    act: (ownership) => advance(ownership, options),
  });
}

function refuseNext(from: Stage, requestedNext: string | undefined): void {
  const allowed = stagesAfter(from);
  const isAllowed = requestedNext === undefined ? allowed.length > 0 : allowed.some((stage) => stage === requestedNext);
  if (isAllowed) return;
  const reason =
    allowed.length === 0
      ? "the last stage is left by a tick, which publishes the report"
      : "this stage cannot come next";
  throw new RunError("REQUESTED_NEXT_NOT_ALLOWED", { reason, from, requested_next: requestedNext ?? null, allowed });
}

async function advance(ownership: Ownership, { requestedNext, reason }: AdvanceOptions): Promise<AdvanceResult> {
  const { writer } = ownership;
  const from = writer.manifest.stage.current;
  const { to, records } = from === "init" ? FROM_INIT : await judgedNext(ownership, from);
  if (requestedNext !== undefined && requestedNext !== to) {
    throw new RunError("REQUESTED_NEXT_NOT_ALLOWED", {
      reason: "the run decided on another stage",
      from,
      requested_next: requestedNext,
      allowed: [to],
    });
  }
  // A run that may not go is left as it was: only now it is brought to work.
  await lift(ownership, { lifts: false, reason });
  if (records.length > 0) await writer.commit(records);
  const { record, folds, inputs_digest } = await stageEntry(ownership, to, reason);
  await writer.commit([record], { folds });
  await writer.foldNow();
  return { from, to, revision: writer.manifest.revision, inputs_digest };
}

interface JudgedNext {
  to: Stage;
  /** What the gates said, and who brought the evidence. */
  records: RecordDraft[];
}

const FROM_INIT: JudgedNext = { to: "perspectives", records: [] };

/** Where the run goes once its steps are done and its gates pass. Writes nothing: a refusal leaves no record. */
async function judgedNext(ownership: Ownership, from: Exclude<Stage, "init">): Promise<JudgedNext> {
  const definition = STAGE_DEFINITIONS[from];
  const { context } = ownership;
  const open = openSteps(ownership, await definition.plan(context));
  if (open.length > 0)
    throw new RunError("GATE_BLOCKED", {
      reason: "steps of this stage are not done",
      stage: from,
      steps: open.map(({ key }) => key),
    });
  const wanted = (await definition.halt?.(context)) ?? null;
  if (wanted !== null) throw new RunError(HALT_CODES[wanted.kind], { stage: from, ...wanted.details });
  const verdicts = (await definition.judge?.(context)) ?? [];
  const failed = verdicts.filter(({ status }) => status === "fail");
  if (failed.length > 0)
    throw new RunError("GATE_BLOCKED", { reason: "a gate did not pass", stage: from, gates: failed });
  const { to } = await definition.next(context);
  if (to === "completed") throw new RunError("REQUESTED_NEXT_NOT_ALLOWED", { from, allowed: [] });
  const answered = definition.gathers ? await stageProvenance(ownership) : [];
  return { to, records: [...verdicts.map((data): RecordDraft => ({ kind: "gate.judged", data })), ...answered] };
}
