// `approve`: a person continues with the plan that waits for approval, as it is or as they edited it.
import { assert } from "../../kernel/assert.ts";
import { digestOfJson } from "../../kernel/digest.ts";
import { parseStrictJson } from "../../kernel/strict-json.ts";
import { RunError } from "../../kernel/errors.ts";
import { lift } from "../../orchestrator/drive.ts";
import type { Ownership } from "../../orchestrator/ownership.ts";
import { runSteps } from "../../orchestrator/step-runner.ts";
import type { Observer } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { parseWith } from "../../run/common.ts";
import { haltKind } from "../../run/log/halt.ts";
import { isTerminal } from "../../run/log/lifecycle.ts";
import type { AnyRecord } from "../../run/log/record.ts";
import { planSchema, type Plan } from "../../run/report/research.ts";
import { PLAN_STEP } from "../../stages/evidence.ts";
import { givenPlanStep } from "../../stages/perspectives.ts";
import type { Outcome } from "../outcome.ts";
import { work } from "../work.ts";
import { refuseUnfit } from "./write-perspectives.ts";

export interface ApproveResult {
  step: string;
  parts: number;
  perspectives: number;
  /** Whether an edited plan took the place of the one that waited. */
  edited: boolean;
  /** A new plan waits for approval, made as a person wished. */
  waits?: true;
}

/**
 * `edited`: the bytes of a plan in JSON. Errors: `INVALID_STATE` when no plan waits, `SCHEMA_VALIDATION_FAILED`, `GATE_BLOCKED`
 * when gate A refuses the edited plan, `RUN_TERMINAL`, `PAUSED`, `LOCK_HELD`. A refused plan leaves no record.
 */
export async function approvePlan(
  ports: Ports,
  runRoot: string,
  edited: Uint8Array | null,
  observer: Observer,
): Promise<Outcome<ApproveResult>> {
  const plan = edited === null ? null : parseWith(planSchema, parseStrictJson(edited), { what: "plan" });
  return await work(ports, runRoot, {
    reason: "approve",
    observer,
    isQuiet: true,
    performs: true,
    async judge(run, records) {
      const { state, manifest } = run;
      // The same line given again, as after a kill behind its commit, has nothing left to do.
      if (isApproved(manifest, await records(), plan))
        return { result: { ...(await planOf(ports, run)), edited: plan !== null }, run, error: null };
      if (isTerminal(state)) throw new RunError("RUN_TERMINAL", { state, run_root: runRoot });
      refuseUnlessWaiting(manifest, runRoot);
      if (plan !== null) refuseUnfit(plan, manifest);
      return null;
    },
    async act(ownership) {
      await lift(ownership, { lifts: false, reason: "approve" });
      if (plan !== null) await replace(ownership, plan);
      return { ...(await approve(ownership)), edited: plan !== null };
    },
  });
}

/** True when this very plan was approved, and its stage has not been left. */
function isApproved({ steps, approved_plan }: RunLook["manifest"], records: readonly AnyRecord[], plan: Plan | null) {
  if (approved_plan === undefined || steps[PLAN_STEP]?.result?.digest !== approved_plan) return false;
  const wasEdited = records.some(({ kind, data }) => kind === "step.reopened" && data.reason === EDITED);
  return plan === null ? !wasEdited : digestOfJson(plan) === approved_plan;
}

/** The plan of the run as it is. */
export async function planOf(
  { store }: Pick<Ports, "store">,
  { runRoot, manifest }: RunLook,
): Promise<Pick<ApproveResult, "step" | "parts" | "perspectives">> {
  const result = manifest.steps[PLAN_STEP]?.result;
  assert(result !== undefined, "the run has a plan");
  const plan = parseWith(planSchema, await store.readResult(runRoot, result), { step: PLAN_STEP });
  return { step: PLAN_STEP, parts: plan.parts.length, perspectives: plan.perspectives.length };
}

const EDITED = "approve --input";

/** Errors: `INVALID_STATE`. */
export function refuseUnlessWaiting({ halt, steps }: RunLook["manifest"], run_root: string): void {
  const isReviewed = halt !== null && haltKind(halt) === "human_review";
  if (!isReviewed || steps[PLAN_STEP]?.result === undefined)
    throw new RunError("INVALID_STATE", { reason: "no plan waits for approval", run_root });
}

/** Does the step again: this time its work is to take the edited plan. */
async function replace(ownership: Ownership, plan: Plan): Promise<void> {
  const { writer, context } = ownership;
  const { current: stage } = writer.manifest.stage;
  await writer.commit([{ kind: "step.reopened", data: { key: PLAN_STEP, stage, reason: EDITED } }]);
  const { completed } = await runSteps(ownership, [await givenPlanStep(context, plan)], 1, { offers: new Map() });
  if (completed !== 1) throw new RunError("INVALID_STATE", { reason: "the plan could not be stored", step: PLAN_STEP });
}

async function approve({ writer, evidence }: Ownership): Promise<Omit<ApproveResult, "edited">> {
  const result = writer.manifest.steps[PLAN_STEP]?.result;
  if (result === undefined) throw new RunError("INVALID_STATE", { reason: "there is no plan", step: PLAN_STEP });
  const reason = "a person approved the plan";
  await writer.commit([
    { kind: "plan.approved", data: { result_digest: result.digest, reason } },
    { kind: "halt.cleared", data: { kind: "human_review", reason, by: "person" } },
  ]);
  const { parts, perspectives } = await evidence.plan();
  return { step: PLAN_STEP, parts: parts.length, perspectives: perspectives.length };
}
