// Stage perspectives: the parts of the question and the angles it is researched from. Gate A judges the plan.
import { planFaults } from "../run/plan-faults.ts";
import type { Plan } from "../run/research.ts";
import { verdict, type GateVerdict } from "../run/gate.ts";
import type { Limits } from "../run/settings.ts";
import { searchStep, type StageDefinition } from "./stage-definition.ts";

export const perspectivesStage: StageDefinition = {
  stage: "perspectives",
  gathers: true,
  async plan({ manifest }) {
    const input = { question: manifest.query.text, mode: manifest.mode, limits: manifest.limits };
    // The plan is made of the question and of what the corpora say about it.
    return [searchStep(manifest, { key: "perspectives:plan", task: "plan", input })];
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
