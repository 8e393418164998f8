// Finds the faults of a plan for gate A: perspectives have to be unique and within limits, and to be about known parts.
import { EARLIER } from "./earlier-evidence.ts";
import type { Plan } from "./research.ts";
import type { Limits } from "../settings/settings.ts";

export function planFaults(
  { perspectives, parts }: Pick<Plan, "perspectives"> & { parts: { id: string }[] },
  limits: Limits,
): string[] {
  const faults: string[] = [];
  // Nothing is searched for what was found before.
  const searched = perspectives.filter(({ id }) => id !== EARLIER);
  if (perspectives.length === 0) faults.push("the plan has no perspective");
  if (searched.length > limits.max_perspectives)
    faults.push(`${searched.length} perspectives, at most ${limits.max_perspectives} are allowed`);
  const ids = perspectives.map(({ id }) => id);
  for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index)))
    faults.push(`perspective ${id} occurs twice`);
  const titles = perspectives.map(({ title }) => title.toLowerCase());
  if (new Set(titles).size !== titles.length) faults.push("two perspectives have the same title");
  const partIds = new Set(parts.map(({ id }) => id));
  if (partIds.size === 0) faults.push("the question has no part");
  for (const { id, questions, queries, part_ids } of perspectives) {
    if (questions.length === 0) faults.push(`perspective ${id} has no question`);
    if (queries.length === 0) faults.push(`perspective ${id} has no query`);
    for (const part of part_ids)
      if (!partIds.has(part)) faults.push(`perspective ${id} names the unknown part ${part}`);
  }
  if (
    searched.length > 1 &&
    searched.length === perspectives.length &&
    !perspectives.some(({ kind }) => kind === "contrarian")
  )
    faults.push("no perspective is contrarian");
  return faults;
}
