// Stage perspectives: the parts of the question and the angles it is researched from. Gate A judges the plan.
import { planFaults } from "../run/plan-faults.ts";
import type { Plan } from "../run/research.ts";
import { verdict, type GateVerdict } from "../run/gate.ts";
import type { Limits } from "../run/settings.ts";
import type { Manifest } from "../run/manifest.ts";
import { planMarkdown } from "./plan-markdown.ts";
import { searchStep, type StageDefinition } from "./stage-definition.ts";

export const PLAN_STEP = "perspectives:plan";
/** Where a plan that is to be approved stands for people: `plan.1.md`, and `plan.1.json` to be copied and edited. */
const PLAN_DRAFT = "operator/drafts/plan";

function isToBeApproved({ settings }: Pick<Manifest, "settings">): boolean {
  return settings.policies.approve_plan === true;
}

export const perspectivesStage: StageDefinition = {
  stage: "perspectives",
  gathers: true,
  async plan({ manifest }) {
    const input = { question: manifest.query.text, mode: manifest.mode, limits: manifest.limits };
    const product = { base: PLAN_DRAFT, markdown: planMarkdown };
    // The plan is made of the question and of what the corpora say about it.
    return [
      searchStep(manifest, { key: PLAN_STEP, task: "plan", input, ...(isToBeApproved(manifest) ? { product } : {}) }),
    ];
  },
  async halt({ manifest }) {
    const result = manifest.steps[PLAN_STEP]?.result;
    if (!isToBeApproved(manifest) || result === undefined || result.digest === manifest.approved_plan) return null;
    const draft = result.content?.path ?? null;
    return { kind: "human_review", details: { reason: "the plan waits for approval", step: PLAN_STEP, draft } };
  },
  async judge({ manifest, evidence }) {
    return [judgePlan(await evidence.plan(), manifest.limits)];
  },
  async next() {
    return { to: "wave1", reason: "the plan stands" };
  },
};

/** Gate A: perspectives are valid, unique, within limits, and every one has questions. */
export function judgePlan(plan: Plan, limits: Limits): GateVerdict {
  const { perspectives, parts } = plan;
  return verdict("A", { perspectives: perspectives.length, parts: parts.length }, planFaults(plan, limits));
}
