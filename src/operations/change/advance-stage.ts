// `stage_advance`: leaves the current stage by hand, by the same steps and gates that a tick leaves it by.
import type { Digest } from "../../kernel/digest.ts";
import { RunError, type Fault } from "../../kernel/errors.ts";
import { lift } from "../../orchestrator/drive.ts";
import type { Ownership } from "../../orchestrator/ownership.ts";
import { openSteps } from "../../orchestrator/step-runner.ts";
import { enter } from "../../orchestrator/stage-change.ts";
import { judgeExit } from "../../orchestrator/stage-exit.ts";
import type { Ports } from "../../ports/ports.ts";
import { HALTS } from "../../run/log/halt-kinds.ts";
import type { RecordDraft } from "../../run/log/record.ts";
import { stagesAfter, type Stage } from "../../run/stage.ts";
import { STAGE_DEFINITIONS } from "../../stages/stages.ts";
import type { Outcome } from "../outcome.ts";
import { work } from "../work.ts";
import { refuseStanding } from "../work-outcome.ts";

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
  const { to, records } = await judgedNext(ownership, from);
  if (requestedNext !== undefined && requestedNext !== to) {
    throw new RunError("REQUESTED_NEXT_NOT_ALLOWED", {
      reason: "the run decided on another stage",
      from,
      requested_next: requestedNext,
      allowed: [to],
    });
  }
  // A run that may not go is left as it was: only now it is set to work.
  await lift(ownership, { lifts: false, reason });
  if (records.length > 0) await writer.commit(records);
  const inputs_digest = await enter(ownership, to, reason);
  await writer.foldNow();
  return { from, to, revision: writer.manifest.revision, inputs_digest };
}

/** Where the run goes once its steps are done and its gates pass; a refusal leaves no record. */
async function judgedNext(ownership: Ownership, stage: Stage): Promise<{ to: Stage; records: RecordDraft[] }> {
  const open = stage === "init" ? [] : openSteps(ownership, await STAGE_DEFINITIONS[stage].plan(ownership.context));
  if (open.length > 0) {
    const reason = "steps of this stage are not done";
    throw new RunError("GATE_BLOCKED", { reason, stage, steps: open.map(({ key }) => key) });
  }
  const exit = await judgeExit(ownership);
  if (exit.kind === "halt") throw new RunError<Fault>(HALTS[exit.halt.kind].code, { stage, ...exit.halt.details });
  if (exit.kind === "blocked")
    throw new RunError("GATE_BLOCKED", { reason: "a gate did not pass", stage, gates: exit.gates });
  const { to, records } = exit;
  if (to === "completed") throw new RunError("REQUESTED_NEXT_NOT_ALLOWED", { from: stage, allowed: [] });
  return { to, records };
}
