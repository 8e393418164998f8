// The tasks that a model performs in one answer: the plan, the pivot, the outline and the review.
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Outline, Pivot, Plan, Review } from "../../run/research.ts";
import { materialOf } from "../briefs/material.ts";
import { outlineBrief } from "../briefs/outline.ts";
import { pivotBrief, pivotOf, pivotWithoutSearch } from "../briefs/pivot.ts";
import { planBrief } from "../briefs/plan.ts";
import { reviewBrief } from "../briefs/review.ts";
import { judgeSupport } from "./support.ts";
import { performBrief } from "./task-loop.ts";

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

export async function outline(input: Tasks["outline"]["input"], tools: TaskTools): Promise<Outline> {
  const brief = outlineBrief(input, await materialOf(input, tools), tools.resultLength);
  return await performBrief(brief, tools);
}

export async function review(input: Tasks["review"]["input"], tools: TaskTools): Promise<Review> {
  return await performBrief(reviewBrief(input), tools);
}
