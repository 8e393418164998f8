// One tick: a bounded piece of progress under the lease. Steps of the current stage, its gates, and on to the next.
import { counted } from "../kernel/counted.ts";
import { isDamage } from "../kernel/damage.ts";
import { RunError } from "../kernel/errors.ts";
import { z } from "../kernel/zod.ts";
import { digestSchema, relativePathSchema } from "../run/common.ts";
import type { Stage } from "../run/stage.ts";
import { STAGE_DEFINITIONS } from "../stages/stages.ts";
import type { Ownership } from "./ownership.ts";
import { complete, enter } from "./stage-change.ts";
import { judgeExit } from "./stage-exit.ts";
import { unavailable } from "./rejoining.ts";
import { takeSubmissions } from "./submissions.ts";
import { isWaiting, openSteps, runSteps } from "./step-runner.ts";
import { confirmLease, endFor, endTick, heedStop, raiseHalt, refuseAfterLoss, type StoppedBy } from "./stopping.ts";
import { openTick } from "./tick-bounds.ts";
import { agentRequired } from "./waiting-steps.ts";

export interface TickResult {
  stopped_by: StoppedBy;
  steps_completed: number;
  steps_adopted: number;
}

export interface TickLimits {
  maxSteps: number;
  reason?: string;
}

/** The run has to be running when this is called. Errors: those of the store; `LOCK_LOST` when the lease is gone. */
export async function tick(ownership: Ownership, limits: TickLimits): Promise<TickResult> {
  await openTick(ownership, limits.reason);
  const done = { steps_completed: 0, steps_adopted: 0 };
  try {
    const stoppedBy = await workOnStage(ownership, limits.maxSteps, done);
    return { stopped_by: stoppedBy, ...done };
  } catch (error) {
    const { interruption } = ownership;
    // What failed while the store did not answer may have failed of that.
    if (interruption?.kind === "unreachable") throw unavailable(ownership, interruption.reason, { cause: error });
    await refuseAfterLoss(ownership);
    await noteDamage(ownership, error);
    throw error;
  }
}

/** Notes in the journal which content could not be read, so that every command reports it until it is there again. */
async function noteDamage({ writer }: Ownership, error: unknown): Promise<void> {
  if (!isDamage(error)) return;
  const missing = damagedFilesSchema.parse(error.facts.files ?? []);
  if (missing.length === 0) return;
  try {
    await writer.commit([{ kind: "damage.met", data: { missing } }]);
  } catch (failure) {
    // The damage is what happened; that it could not be written down as well changes nothing about it.
    if (!(failure instanceof RunError)) throw failure;
  }
}

/** The content files among those that an error names; a file of another kind has no digest. */
const damagedFilesSchema = z.array(z.unknown()).transform((files) =>
  files.flatMap((file) => {
    const { data } = z.object({ path: relativePathSchema, expected: digestSchema }).safeParse(file);
    return data === undefined ? [] : [{ path: data.path, sha256: data.expected }];
  }),
);

async function workOnStage(
  ownership: Ownership,
  maxSteps: number,
  done: { steps_completed: number; steps_adopted: number },
): Promise<StoppedBy> {
  const { writer } = ownership;
  const stage = writer.manifest.stage.current;
  const { context } = ownership;
  let budget = maxSteps;
  for (;;) {
    const stopped = await heedStop(ownership);
    if (stopped !== null) return stopped;
    const hindered = await takeSubmissions(ownership, done);
    if (hindered?.kind === "halt") return await endFor(ownership, hindered);
    if (ownership.interruption !== null) continue;
    // No submission ends it.
    if (writer.manifest.halt !== null) return await endTick(ownership, "halted");
    const plans = stage === "init" ? [] : await STAGE_DEFINITIONS[stage].plan(context);
    await notePlan(
      ownership,
      stage,
      plans.map(({ key }) => key),
    );
    const open = openSteps(ownership, plans);
    if (open.length === 0) break;
    const ready = open.filter((plan) => !isWaiting(ownership, plan));
    if (ready.length === 0) return await raiseHalt(ownership, agentRequired(writer.manifest));
    if (budget <= 0) return await endTick(ownership, "max_steps");
    const outcome = await runSteps(ownership, ready, budget);
    done.steps_completed += outcome.completed;
    done.steps_adopted += outcome.adopted;
    budget -= outcome.completed + outcome.adopted;
    // Any other reason to stop is heeded before the next steps begin.
    if (outcome.interruption?.kind === "halt") return await endFor(ownership, outcome.interruption);
    if (outcome.exhausted.length > 0)
      return await raiseHalt(ownership, { kind: "gate_blocked", details: exhaustion(ownership, outcome.exhausted) });
  }
  return (await leaveStage(ownership)) ?? (await endTick(ownership, "stage_done"));
}

async function notePlan(ownership: Ownership, stage: Stage, keys: string[]): Promise<void> {
  const fresh = keys.filter((key) => ownership.writer.manifest.steps[key] === undefined);
  if (fresh.length > 0) await ownership.writer.commit([{ kind: "stage.planned", data: { stage, keys: fresh } }]);
}

function exhaustion(ownership: Ownership, keys: string[]): Record<string, unknown> {
  const { steps, settings } = ownership.writer.manifest;
  const failed = keys.map((key) => ({ key, error: steps[key]?.error ?? null }));
  if (failed.every(({ error }) => error?.retryable === false))
    return { reason: "a step failed, and trying again would not help", steps: failed };
  const [first, ...others] = failed;
  const attempts = counted(settings.steps.max_attempts, "time");
  const why = first?.error === null || first === undefined ? "" : `: ${first.error.message}`;
  return {
    reason:
      others.length === 0
        ? `step ${first?.key ?? ""} failed ${attempts}${why}`
        : `${failed.length} steps failed ${attempts}`,
    max_attempts: settings.steps.max_attempts,
    steps: failed,
  };
}

// --- leaving a stage ----------------------------------------------------------------------------------------------

/** Judges the gates and continues; null when the run entered the next stage. */
async function leaveStage(ownership: Ownership): Promise<StoppedBy | null> {
  const exit = await judgeExit(ownership);
  if (exit.kind === "halt") return await raiseHalt(ownership, exit.halt);
  if (exit.records.length > 0) await ownership.writer.commit(exit.records);
  if (exit.kind === "blocked")
    return await raiseHalt(ownership, { kind: "gate_blocked", details: { gates: exit.gates } });
  await confirmLease(ownership);
  if (exit.to === "completed") return await complete(ownership, exit.reason);
  await enter(ownership, exit.to, exit.reason);
  return null;
}
