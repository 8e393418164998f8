// The local driver with more to do: several perspectives, a second wave and a redraft, so that a run has every kind of step.
import { localDriver } from "../../src/drivers/local.ts";
import type { Driver, TaskKind, Tasks } from "../../src/ports/driver.ts";
import type { Perspective, Pivot, Plan, Review } from "../../src/run/report/research.ts";

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
    plan: ({ limits }, plan) => (limits.max_perspectives > 1 ? withObjections(plan) : plan),
    pivot: ({ plan, limits }, pivot) => (limits.max_depth > 1 ? withGaps(plan, pivot, limits.max_gaps) : pivot),
    review: ({ draft_number, limits }, review) =>
      draft_number < Math.min(2, limits.max_rounds) ? askingForMore(review) : review,
  };
  return changes[kind]?.(input, result) ?? result;
}

function withObjections(plan: Plan): Plan {
  const perspectives = plan.perspectives.flatMap((perspective): Perspective[] => [
    { ...perspective, id: "overview", title: "Overview" },
    { ...perspective, id: "contrarian", title: "Objections", kind: "contrarian" },
  ]);
  return { ...plan, perspectives };
}

function withGaps(plan: Plan, pivot: Pivot, room: number): Pivot {
  const gaps = plan.parts.slice(0, room).map(({ id, text }) => ({
    id: `gap-${id}`.slice(0, 60),
    part_id: id,
    title: `More on: ${text}`,
    evidence: "weak" as const,
    reason: "one search is not enough",
    queries: [text],
  }));
  return gaps.length === 0 ? pivot : { ...pivot, gaps, decision: "wave2", reason: "one search is not enough" };
}

function askingForMore(review: Review): Review {
  return { ...review, decision: "revise", directives: [{ kind: "other", target: "answer", detail: "write it again" }] };
}
