// The parts of a question after the looks at the evidence: those of the plan, without those dropped, with those added.
import type { Gap, Pivot, Plan } from "./research.ts";

export function planAfter(plan: Plan, looks: readonly Pivot[]): Plan {
  const after = (parts: Plan["parts"], { added = [], dropped = [] }: Pivot): Plan["parts"] => {
    const gone = new Set<string>(dropped.map(({ part_id }) => part_id));
    return [...parts.filter(({ id }) => !gone.has(id)), ...added];
  };
  return { ...plan, parts: looks.reduce(after, plan.parts) };
}

/** The parts that a perspective or a gap was researched for. */
export function partsFor(subject: string, plan: Plan, looks: readonly Pivot[]): Plan["parts"] {
  const asked = looks.findIndex(({ gaps }) => gaps.some(({ id }) => id === subject));
  return planAfter(plan, looks.slice(0, asked + 1)).parts;
}

/** All looks in one: the counts of the last, with the gaps and notes of all. Null where nobody has looked yet. */
export function lookedTogether(looks: readonly Pivot[]): Pivot | null {
  const last = looks.at(-1);
  if (last === undefined || looks.length === 1) return last ?? null;
  const notes = looks.flatMap((look) => look.notes ?? []);
  const { notes: _ofLast, ...counted } = last;
  return { ...counted, gaps: gapsOf(looks), ...(notes.length === 0 ? {} : { notes }) };
}

export function gapsOf(looks: readonly Pivot[]): Gap[] {
  return looks.flatMap(({ decision, gaps }) => (decision === "wave2" ? gaps : []));
}
