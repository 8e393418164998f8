// The local driver with more to do: several perspectives, a second wave and a redraft, so that a run has every kind of step.
import { localDriver } from "../../src/drivers/local.ts";
import type { Driver, TaskKind, Tasks } from "../../src/ports/driver.ts";
import type { Perspective, Pivot, Plan, Review } from "../../src/run/research.ts";

export const thoroughDriver: Driver = {
  ...localDriver,
  async perform(kind, input, tools) {
    const result = await localDriver.perform(kind, input, tools);
    return changed(kind, input, result);
  },
};

function changed<K extends TaskKind>(
  kind: K,
  input: Tasks[K]["input"],
  result: Tasks[K]["result"],
): Tasks[K]["result"] {
  const changes: { [T in TaskKind]?: (input: Tasks[T]["input"], result: Tasks[T]["result"]) => Tasks[T]["result"] } = {
    plan: (_input, plan) => withMorePerspectives(plan),
    pivot: ({ plan }, pivot) => withGaps(plan, pivot),
    review: ({ draft_number, limits }, review) =>
      draft_number < Math.min(2, limits.max_rounds) ? askingForMore(review) : review,
  };
  return changes[kind]?.(input, result) ?? result;
}

function withMorePerspectives(plan: Plan): Plan {
  const [whole] = plan.perspectives;
  if (whole === undefined) return plan;
  const perspectives: Perspective[] = [
    { ...whole, id: "overview", title: "Overview" },
    ...plan.parts.map(({ id, text }): Perspective => ({
      ...whole,
      id: `facet-${id}`.slice(0, 60),
      title: `Facet: ${text}`,
      kind: "facet",
      questions: [text],
      queries: [text],
      part_ids: [id],
    })),
    { ...whole, id: "contrarian", title: "Limits", kind: "contrarian" },
  ];
  return { ...plan, perspectives };
}

function withGaps(plan: Plan, pivot: Pivot): Pivot {
  const gaps = plan.parts.map(({ id, text }) => ({
    id: `gap-${id}`.slice(0, 60),
    part_id: id,
    title: `More on: ${text}`,
    evidence: "weak" as const,
    reason: "one search is not enough",
    queries: [text],
  }));
  return { ...pivot, gaps, decision: "wave2", reason: "one search is not enough" };
}

function askingForMore(review: Review): Review {
  return { ...review, decision: "revise", directives: [{ kind: "other", target: "answer", detail: "write it again" }] };
}
