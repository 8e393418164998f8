// The parts of a question after the pivots of the evidence: those of the plan, without those dropped, with those added.
import type { Gap, Pivot, Plan } from "./research.ts";

export function planAfter(plan: Plan, pivots: readonly Pivot[]): Plan {
  const after = (parts: Plan["parts"], { added = [], dropped = [] }: Pivot): Plan["parts"] => {
    const gone = new Set<string>(dropped.map(({ part_id }) => part_id));
    return [...parts.filter(({ id }) => !gone.has(id)), ...added];
  };
  return { ...plan, parts: pivots.reduce(after, plan.parts) };
}

/** The parts that a perspective or a gap was researched for. */
export function partsFor(subject: string, plan: Plan, pivots: readonly Pivot[]): Plan["parts"] {
  const at = pivots.findIndex(({ gaps }) => gaps.some(({ id }) => id === subject));
  return planAfter(plan, pivots.slice(0, at + 1)).parts;
}

/** All pivots in one: the counts of the last, with the gaps and notes of all. Null before the first one. */
export function joinedPivot(pivots: readonly Pivot[]): Pivot | null {
  const last = pivots.at(-1);
  if (last === undefined || pivots.length === 1) return last ?? null;
  const notes = pivots.flatMap((pivot) => pivot.notes ?? []);
  const { notes: _ofLast, ...counted } = last;
  return { ...counted, gaps: gapsOf(pivots), ...(notes.length === 0 ? {} : { notes }) };
}

export function gapsOf(pivots: readonly Pivot[]): Gap[] {
  return pivots.flatMap(({ decision, gaps }) => (decision === "wave2" ? gaps : []));
}
