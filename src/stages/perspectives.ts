// Stage perspectives: the parts of the question and the angles it is researched from. Gate A judges the plan.
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
  const reasons: string[] = [];
  if (perspectives.length === 0) reasons.push("the plan has no perspective");
  if (perspectives.length > limits.max_perspectives)
    reasons.push(`${perspectives.length} perspectives, at most ${limits.max_perspectives} are allowed`);
  const ids = perspectives.map(({ id }) => id);
  for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index)))
    reasons.push(`perspective ${id} stands twice`);
  const titles = perspectives.map(({ title }) => title.toLowerCase());
  if (new Set(titles).size !== titles.length) reasons.push("two perspectives have the same title");
  const partIds = new Set(parts.map(({ id }) => id));
  if (partIds.size === 0) reasons.push("the question has no part");
  for (const { id, questions, queries, part_ids } of perspectives) {
    if (questions.length === 0) reasons.push(`perspective ${id} asks no question`);
    if (queries.length === 0) reasons.push(`perspective ${id} has no query`);
    for (const part of part_ids)
      if (!partIds.has(part)) reasons.push(`perspective ${id} names the unknown part ${part}`);
  }
  if (perspectives.length > 1 && !perspectives.some(({ kind }) => kind === "contrarian"))
    reasons.push("no perspective is contrarian");
  return verdict("A", { perspectives: perspectives.length, parts: parts.length }, reasons);
}
