// The parts of a question after the assessments of the evidence: those of the plan, without those dropped, with those added.
import type { Gap, Pivot, Plan } from "./research.ts";

export function planAfter(plan: Plan, assessments: readonly Pivot[]): Plan {
  const after = (parts: Plan["parts"], { added = [], dropped = [] }: Pivot): Plan["parts"] => {
    const gone = new Set<string>(dropped.map(({ part_id }) => part_id));
    return [...parts.filter(({ id }) => !gone.has(id)), ...added];
  };
  return { ...plan, parts: assessments.reduce(after, plan.parts) };
}

/** The parts that a perspective or a gap was researched for. */
export function partsFor(subject: string, plan: Plan, assessments: readonly Pivot[]): Plan["parts"] {
  const at = assessments.findIndex(({ gaps }) => gaps.some(({ id }) => id === subject));
  return planAfter(plan, assessments.slice(0, at + 1)).parts;
}

/** All assessments in one: the counts of the last, with the gaps and notes of all. Null before the first one. */
export function joinedAssessments(assessments: readonly Pivot[]): Pivot | null {
  const last = assessments.at(-1);
  if (last === undefined || assessments.length === 1) return last ?? null;
  const notes = assessments.flatMap((assessment) => assessment.notes ?? []);
  const { notes: _ofLast, ...counted } = last;
  return { ...counted, gaps: gapsOf(assessments), ...(notes.length === 0 ? {} : { notes }) };
}

export function gapsOf(assessments: readonly Pivot[]): Gap[] {
  return assessments.flatMap(({ decision, gaps }) => (decision === "wave2" ? gaps : []));
}
