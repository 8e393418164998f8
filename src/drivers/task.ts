// The task driver lets agents and people outside do the thinking. They get the brief of a model as one prompt, and submit one
// answer.
import { CODE_DIGESTS } from "./code-digests.ts";
import { driverOf } from "./driver-of.ts";
import { PERFORMERS } from "./performers.ts";

// Answers come one by one, over days: what a researcher recorded is judged as soon as it is there.
const { judge_findings: _ofWave, ...OWN } = PERFORMERS;

/** The tools of each step say who answers for a role. */
export const taskDriver = driverOf("task", `task-1+${CODE_DIGESTS.task}`, {
  ...OWN,
  plan: async (input, tools) =>
    input.drafts === undefined
      ? await PERFORMERS.plan(input, tools)
      : (await import("./planning/merged-plan.ts")).mergedPlan(input.drafts, input.limits),
  draft_plan: async (input, tools) => await (await import("./planning/planner.ts")).draftedPlan(input, tools),
});
