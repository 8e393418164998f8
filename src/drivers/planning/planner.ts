// Performs the tasks of the planner: the plan, its drafts and the pivot.
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Pivot, Plan } from "../../run/report/research.ts";
import { performBrief } from "../asking/performer.ts";
import { judgeSupport } from "../verdicts/support.ts";
import { pivotBrief, pivotOf, pivotWithoutSearch } from "./pivot-brief.ts";
import { planBrief } from "./plan-brief.ts";

export async function plan(input: Tasks["plan"]["input"], tools: TaskTools): Promise<Plan> {
  return await performBrief(planBrief(input, await tools.collections?.()), tools);
}

export async function draftedPlan(input: Tasks["draft_plan"]["input"], tools: TaskTools): Promise<Plan> {
  return await performBrief(planBrief(input, await tools.collections?.(), input.stance), tools);
}

export async function pivot(input: Tasks["pivot"]["input"], tools: TaskTools): Promise<Pivot> {
  const brief = pivotBrief(input);
  if (brief === null) return pivotWithoutSearch(input);
  const look = await performBrief(brief, tools);
  const added = (look.add_parts ?? []).map(({ id, text }) => ({ id, text, asks: "unmarked", quotes: [] }) as const);
  const judged = await judgeSupport({ name: "verify-parts", question: input.question }, added, tools);
  return pivotOf(look, input, ({ id }) => judged.get(id)?.isFraming === true);
}
