// What was looked for and not found, in words for the reader of a report.
import type { Draft } from "../../run/report.ts";
import type { Pivot, Plan, Summary } from "../../run/research.ts";

export function reportGaps(plan: Plan, pivot: Pivot, summaries: readonly Summary[]): Draft["gaps"] {
  const points = new Map(summaries.map((summary) => [summary.subject, summary.points.length]));
  const thinParts = pivot.parts.flatMap((part) => {
    const text = plan.parts.find((candidate) => candidate.id === part.part_id)?.text;
    if (text === undefined || part.evidence === "strong") return [];
    const gap = pivot.gaps.find((candidate) => candidate.part_id === part.part_id);
    // Null also when a report is made before the second search has come back.
    const added = gap !== undefined && pivot.decision === "wave2" ? (points.get(gap.id) ?? null) : null;
    const evidence = part.quotes + (added ?? 0) === 0 ? ("none" as const) : ("weak" as const);
    return [{ text, reason: reasonOf(part, added), evidence }];
  });
  // A facet is a part of the question and stands above, with what other perspectives found on it.
  const silent = plan.perspectives
    .filter(({ id, kind }) => kind !== "facet" && points.get(id) === 0)
    .map(({ title }) => ({ text: title, reason: SILENT, evidence: "none" as const }));
  return [...thinParts, ...silent];
}

const SILENT = "No sentence in the documents shares enough words with the question and this perspective.";

/** `added`: what the second wave found, or null when there was none for this part. */
function reasonOf({ evidence, quotes, sources }: Pivot["parts"][number], added: number | null): string {
  const first =
    evidence === "none"
      ? "Nothing was found"
      : `Only ${counted(quotes, "quote")} from ${counted(sources, "source")} found`;
  if (added === null) return `${first}.`;
  return `${first} at first; a second search added ${added === 0 ? "nothing" : counted(added, "quote")}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
