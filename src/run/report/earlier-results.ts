// Completes results that version 0.1.0 stored: what it wrote in the findings alone is taken from there, so that no part of the
// question loses its quotes and no gap its mention because a run was begun before an upgrade.
import { spanKey } from "./source.ts";
import type { Citations, Findings, Summary } from "./research.ts";

/** A citation belongs to the parts that its quote was recorded for. */
export function withParts(checked: readonly Citations[], findings: readonly Findings[]): Citations[] {
  return checked.map(({ subject, citations }) => {
    const recorded = findings.find((found) => found.subject === subject)?.quotes ?? [];
    const partsOf = (quote: Citations["citations"][number]["quote"]) =>
      recorded.filter((one) => spanKey(one) === spanKey(quote)).flatMap(({ part_ids }) => part_ids);
    return {
      subject,
      citations: citations.map((one) => ({ ...one, part_ids: one.part_ids ?? [...new Set(partsOf(one.quote))] })),
    };
  });
}

/** A summary has the notes of its researcher, which name the gaps. */
export function withNotes(summaries: readonly Summary[], findings: readonly Findings[]): Summary[] {
  const notesOf = (subject: string) => findings.find((found) => found.subject === subject)?.notes ?? [];
  return summaries.map((summary) => ({ ...summary, notes: summary.notes ?? notesOf(summary.subject) }));
}
