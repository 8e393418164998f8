// What was looked for and not found, in words for the reader of a report.
import { counted } from "../../kernel/counted.ts";
import type { Draft, PartStrength } from "../../run/report.ts";
import type { Pivot, Plan, Summary } from "../../run/research.ts";
import { absence } from "./strengths.ts";

export interface Found {
  plan: Plan;
  pivot: Pivot;
  summaries: readonly Summary[];
  /** In the order of the parts. */
  strengths: readonly PartStrength[];
}

export function reportGaps({ plan, pivot, summaries, strengths }: Found): Draft["gaps"] {
  const points = new Map(summaries.map((summary) => [summary.subject, summary.points.length]));
  const thinParts = plan.parts.flatMap((part, index) => {
    const strength = strengths[index]?.evidence ?? "none";
    const before = pivot.parts.find(({ part_id }) => part_id === part.id);
    if (before === undefined || strength === "strong" || strength === "moderate") return [];
    const gap = pivot.gaps.find((candidate) => candidate.part_id === part.id);
    // Null also when a report is made before the second search has come back.
    const added = gap !== undefined && pivot.decision === "wave2" ? (points.get(gap.id) ?? null) : null;
    const reason = `${reasonOf(before, added)}${absence(part)}`;
    return [{ text: part.text, reason, evidence: strength === "none" ? ("none" as const) : ("weak" as const) }];
  });
  // A facet is a part of the question and stands above, with what other perspectives found on it.
  const silent = plan.perspectives
    .filter(({ id, kind }) => kind !== "facet" && points.get(id) === 0)
    .map(({ title }) => ({ text: title, reason: SILENT, evidence: "none" as const }));
  return [...thinParts, ...silent];
}

const REPEATS = " Repeats are left out.";
const SILENT = "No sentence shares enough words with the question and this perspective.";

/** `added`: what the second wave found, or null when there was none for this part. */
function reasonOf({ evidence, quotes, sources }: Pivot["parts"][number], added: number | null): string {
  const isSilent = evidence === "none";
  const later = isSilent && added !== null ? " at first" : "";
  const first = isSilent
    ? `Nothing was found${later}`
    : `Found ${counted(quotes, "quote")} in ${counted(sources, "document")}`;
  const more = added === 0 ? "nothing new" : isSilent ? counted(added ?? 0, "quote") : `${added} more`;
  const second = added === null ? "" : `; a second search found ${more}`;
  const repeats = quotes + (added ?? 0) > 1 ? REPEATS : "";
  return `${first}${second}.${repeats}`;
}
