// `perspectives_write`: takes a plan from outside as the result of the plan step, so that the run continues with it.
import { digestOfJson, type Digest } from "../../kernel/digest.ts";
import { RunError } from "../../kernel/errors.ts";
import { lift } from "../../orchestrator/drive.ts";
import type { Ownership } from "../../orchestrator/ownership.ts";
import { runSteps } from "../../orchestrator/step-runner.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { parseWith } from "../../run/common.ts";
import { haltKind } from "../../run/log/halt.ts";
import { planSchema, type Plan } from "../../run/report/research.ts";
import { productOf } from "../../run/log/stage-folds.ts";
import { PLAN_STEP } from "../../stages/evidence.ts";
import { givenPlanStep, judgePlan } from "../../stages/perspectives.ts";
import type { Outcome } from "../outcome.ts";
import { work } from "../work.ts";
import { refuseStanding } from "../work-outcome.ts";

export interface WriteOptions {
  value: unknown;
  reason: string;
}

export interface WriteResult {
  step: string;
  attempt: number;
  revision: number;
  value_digest: Digest;
}

/**
 * Errors: `SCHEMA_VALIDATION_FAILED`, `GATE_BLOCKED` when gate A refuses the plan, `INVALID_STATE` when the plan stands
 * already or the run has left the stage, the code of a halt that stands, `PAUSED`, `RUN_TERMINAL`, `LOCK_HELD`.
 */
export async function writePerspectives(
  ports: Ports,
  runRoot: string,
  { value, reason }: WriteOptions,
): Promise<Outcome<WriteResult>> {
  const plan = readPlan(value);
  return await work(ports, runRoot, {
    reason,
    isQuiet: true,
    performs: true,
    judge(run) {
      if (!isPlanDue(run.manifest)) refuseStanding(run);
      refusePlanned(run.manifest);
      refuseUnfit(plan, run.manifest);
      return null;
    },
    async act(ownership) {
      await lift(ownership, { lifts: isPlanDue(ownership.writer.manifest), reason });
      return await write(ownership, plan);
    },
  });
}

/** Errors: `GATE_BLOCKED` with what gate A says. */
export function refuseUnfit(plan: Plan, { limits }: Readonly<RunLook["manifest"]>): void {
  const verdict = judgePlan(plan, limits);
  if (verdict.status === "fail")
    throw new RunError("GATE_BLOCKED", { reason: "gate A refuses this plan", gates: [verdict] });
}

/** True where the run waits for agents outside: the plan is their answer. */
function isPlanDue({ halt }: Readonly<RunLook["manifest"]>): boolean {
  return halt !== null && haltKind(halt) === "agent_required";
}

/** The journal holds what was submitted, so an unknown field is refused and not dropped. */
function readPlan(value: unknown): Plan {
  const plan = parseWith(planSchema, value, { what: "perspectives" });
  if (digestOfJson(plan) !== digestOfJson(value))
    throw new RunError("SCHEMA_VALIDATION_FAILED", { reason: "the value holds fields that a plan does not have" });
  return plan;
}

function refusePlanned({ stage, steps }: Readonly<RunLook["manifest"]>): void {
  if (stage.current !== "perspectives")
    throw new RunError("INVALID_STATE", { reason: "only the stage perspectives takes a plan", stage: stage.current });
  const { state, result } = steps[PLAN_STEP] ?? {};
  if (state === "completed")
    throw new RunError("INVALID_STATE", { reason: "the run has its plan", step: PLAN_STEP, result: result?.digest });
}

/** The step runs as every step, with the inputs digest of the run. Its work is only to take the plan. */
async function write(ownership: Ownership, plan: Plan): Promise<WriteResult> {
  const { writer, context } = ownership;
  const steps = [await givenPlanStep(context, plan)];
  const foldsOf = (value: unknown) => [productOf("perspectives", [value])].filter((fold) => fold !== null);
  const { completed } = await runSteps(ownership, steps, 1, { foldsOf, offers: new Map() });
  const step = writer.manifest.steps[PLAN_STEP];
  if (completed !== 1 || step === undefined)
    throw new RunError("INVALID_STATE", {
      reason: "the plan step was stopped, or has used up its attempts",
      step: PLAN_STEP,
      error: step?.error ?? null,
    });
  await writer.foldNow();
  return {
    step: PLAN_STEP,
    attempt: step.attempts,
    revision: writer.manifest.revision,
    value_digest: digestOfJson(plan),
  };
}
