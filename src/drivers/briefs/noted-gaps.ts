// The gaps: what was looked for in vain, as the researchers noted it, and the parts of the question without a quote.
import { gapsNamedBy, LOOKED_IN_VAIN, type Draft } from "../../run/report.ts";
import type { Citation, Pivot, Plan, Summary } from "../../run/research.ts";

/** The reason is the last bracket; it may hold brackets itself. */
const NOT_FOUND = /^Not found: (.+?)(?: \(((?:[^()]|\([^()]*\))+)\))?$/su;
const NO_QUOTE = "No quote was recorded for it.";
/** Nobody judged it: the page says whose words it is. */
const BY_RESEARCHER = "Noted in research: ";

interface NotedGap {
  gap_id: string;
  text: string;
  /** Nobody judged it. */
  reason: string;
  /** A part of the question without a quote. */
  isPart: boolean;
}

/** As a verifier is shown it. */
export function gapText({ text, reason }: Pick<NotedGap, "text" | "reason">): string {
  return `${text}: ${reason}`;
}

export interface Noted {
  gaps: NotedGap[];
  /** What else the researchers noted. */
  notes: string[];
}

function notFoundIn(note: string): { text: string; reason: string }[] {
  const [, text = "", reason = LOOKED_IN_VAIN] = NOT_FOUND.exec(note) ?? [];
  return text === "" ? [] : [{ text, reason }];
}

export function notedBy(
  summaries: readonly Summary[],
  { parts }: Plan,
  { gaps: looked }: Pivot,
  citations: readonly Citation[],
): Noted {
  const all = [...new Set(summaries.flatMap(({ notes = [] }) => notes))];
  const open = parts.filter(({ id }) => !citations.some(({ part_ids }) => part_ids?.includes(id) === true));
  const noted = all.flatMap(notFoundIn).map((gap) => ({ ...gap, isPart: open.some((part) => part.text === gap.text) }));
  const others = open
    .filter(({ text }) => !noted.some((gap) => gap.text === text))
    .map(({ id, text }) => ({
      text,
      reason: looked.find(({ part_id }) => part_id === id)?.reason ?? NO_QUOTE,
      isPart: true,
    }));
  const gaps = [...noted, ...others].map((gap, index) => ({ gap_id: `g${index + 1}`, ...gap }));
  return { gaps, notes: all.filter((note) => !NOT_FOUND.test(note)) };
}

/** Gaps keep their ids: those of parts that were answered since are gone, and further ones come behind all others. */
export function notedSince(
  { gaps, notes }: Noted,
  { parts }: Plan,
  since: { notes: readonly string[]; citations: readonly Citation[] },
): Noted {
  const answered = new Set(since.citations.flatMap(({ part_ids = [] }) => part_ids));
  const closed = new Set(parts.filter(({ id }) => answered.has(id)).map(({ text }) => text));
  const further = since.notes.flatMap((note, index) =>
    notFoundIn(note).map((gap) => ({ gap_id: `g${gaps.length + index + 1}`, ...gap, isPart: false })),
  );
  return {
    gaps: [...gaps.filter(({ text, isPart }) => !isPart || !closed.has(text)), ...further],
    notes: [...notes, ...since.notes.filter((note) => !NOT_FOUND.test(note))],
  };
}

/** What a report tells of: parts without a quote, and what a judged sentence names. Others may have found the rest. */
export function toldGaps(gaps: readonly NotedGap[], statements: Draft["statements"]): Draft["gaps"] {
  const named = new Set(Object.values(statements).flatMap(gapsNamedBy));
  return gaps
    .filter(({ gap_id, isPart }) => isPart || named.has(gap_id))
    .map(({ gap_id, text, reason, isPart }) => {
      const told = reason === LOOKED_IN_VAIN ? reason : `${BY_RESEARCHER}${reason}`;
      return { gap_id, text, reason: isPart ? NO_QUOTE : told, evidence: "none" };
    });
}
