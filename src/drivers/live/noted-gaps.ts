// What was looked for and not found, as the researchers noted it, and the parts of the question without a quote.
import type { Draft } from "../../run/report.ts";
import type { Citation, Pivot, Plan, Summary } from "../../run/research.ts";

const NOT_FOUND = /^Not found: (.+?)(?: \((.+)\))?$/su;
const NO_QUOTE = "No quote was recorded for it.";

export interface Noted {
  gaps: Draft["gaps"];
  /** What else the researchers noted. */
  notes: string[];
}

export function notedBy(
  summaries: readonly Summary[],
  { parts }: Plan,
  { gaps: looked }: Pivot,
  citations: readonly Citation[],
): Noted {
  const all = [...new Set(summaries.flatMap(({ notes = [] }) => notes))];
  const noted = all.flatMap((note) => {
    const [, text = "", reason = ""] = NOT_FOUND.exec(note) ?? [];
    return text === "" ? [] : [{ text, reason: reason === "" ? "It was looked for and not found." : reason }];
  });
  const open = parts
    .filter(({ id }) => !citations.some(({ part_ids }) => part_ids?.includes(id) === true))
    .filter(({ text }) => !noted.some((gap) => gap.text === text))
    .map(({ id, text }) => ({ text, reason: looked.find(({ part_id }) => part_id === id)?.reason ?? NO_QUOTE }));
  const gaps = [...noted, ...open].map((gap, index) => ({
    gap_id: `g${index + 1}`,
    ...gap,
    evidence: "none" as const,
  }));
  return { gaps, notes: all.filter((note) => !NOT_FOUND.test(note)) };
}
