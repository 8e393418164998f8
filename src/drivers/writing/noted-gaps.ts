// Collects the gaps: what researchers noted as not found, and the parts of the question without a quote.
import { LOOKED_IN_VAIN, NOTED_REASON, type Draft } from "../../run/report/report.ts";
import { gapsNamedBy } from "../../run/report/statements.ts";
import type { Citation, Pivot, Plan, Summary } from "../../run/report/research.ts";

/** The reason is in the last brackets, and may hold brackets itself. */
const NOT_FOUND = /^Not found: (.+?)(?: \(((?:[^()]|\([^()]*\))+)\))?$/su;
const NO_QUOTE = "No quote was recorded for it.";

interface NotedGap {
  gap_id: string;
  text: string;
  /** In the words of a researcher, which are not judged. */
  reason: string;
  /** True for a part of the question without a quote. */
  isPart: boolean;
  /** The parts of the question that it was looked for. */
  part_ids: string[];
}

/** The text of a gap for a verifier. */
export function gapText({ text, reason }: Pick<NotedGap, "text" | "reason">): string {
  return `${text}: ${reason}`;
}

export interface Noted {
  gaps: NotedGap[];
  /** The other notes of the researchers. */
  notes: string[];
}

function notFoundIn(note: string): { text: string; reason: string }[] {
  const [, text = "", reason = LOOKED_IN_VAIN] = NOT_FOUND.exec(note) ?? [];
  return text === "" ? [] : [{ text, reason }];
}

/** The gaps and notes of the research before the first draft. `citations`: those that were found. */
export function notedBy(
  summaries: readonly Summary[],
  { parts, perspectives }: Plan,
  { gaps: looked }: Pivot,
  citations: readonly Citation[],
): Noted {
  const subjects = new Map<string, readonly string[]>([
    ...perspectives.map(({ id, part_ids }) => [id, part_ids] as const),
    ...looked.map(({ id, part_id }) => [id, [part_id]] as const),
  ]);
  const all = [...new Set(summaries.flatMap(({ notes = [] }) => notes))];
  const open = parts.filter(({ id }) => !citations.some(({ part_ids }) => part_ids?.includes(id) === true));
  const noted = all.flatMap(notFoundIn).map((gap) => ({
    ...gap,
    isPart: open.some((part) => part.text === gap.text),
    part_ids: partsOfGap(gap, summaries, subjects),
  }));
  const others = open
    .filter(({ text }) => !noted.some((gap) => gap.text === text))
    .map(({ id, text }) => ({
      text,
      part_ids: [id],
      reason: looked.find(({ part_id }) => part_id === id)?.reason ?? NO_QUOTE,
      isPart: true,
    }));
  const gaps = [...noted, ...others].map((gap, index) => ({ gap_id: `g${index + 1}`, ...gap }));
  return { gaps, notes: all.filter((note) => !NOT_FOUND.test(note)) };
}

/** The parts that the researchers named for it, or else those that they looked for. */
function partsOfGap(
  { text }: { text: string },
  summaries: readonly Summary[],
  subjects: ReadonlyMap<string, readonly string[]>,
): string[] {
  const own = summaries.filter(({ notes = [] }) => notes.some((note) => notFoundIn(note)[0]?.text === text));
  const ids = own.flatMap(({ subject, gaps = [] }) => {
    const named = gaps.flatMap((gap) => (gap.text === text ? gap.part_ids : []));
    return named.length > 0 ? named : (subjects.get(subject) ?? []);
  });
  return [...new Set(ids)];
}

/**
 * The gaps and notes after further research. Gaps keep their ids. Those of parts that were answered since are removed, and
 * further ones are added at the end.
 */
export function notedSince(
  { gaps, notes }: Noted,
  { parts }: Plan,
  since: { notes: readonly string[]; citations: readonly Citation[] },
): Noted {
  const answered = new Set(since.citations.flatMap(({ part_ids = [] }) => part_ids));
  const closed = new Set(parts.filter(({ id }) => answered.has(id)).map(({ text }) => text));
  const further = since.notes.flatMap((note, index) =>
    notFoundIn(note).map((gap) => ({ gap_id: `g${gaps.length + index + 1}`, ...gap, isPart: false, part_ids: [] })),
  );
  return {
    gaps: [...gaps.filter(({ text, isPart }) => !isPart || !closed.has(text)), ...further],
    notes: [...notes, ...since.notes.filter((note) => !NOT_FOUND.test(note))],
  };
}

/** The gaps that a report shows: all of them, each once. What no judged sentence names was noted and not followed up. */
export function shownGaps(gaps: readonly NotedGap[], statements: Draft["statements"]): Draft["gaps"] {
  const named = new Set(Object.values(statements).flatMap(gapsNamedBy));
  const first = new Map(gaps.toReversed().map(({ text, gap_id }) => [text, gap_id]));
  return gaps
    .filter(({ gap_id, text }) => named.has(gap_id) || first.get(text) === gap_id)
    .map(({ gap_id, text, reason, isPart }) => {
      const noted = `${named.has(gap_id) ? NOTED_REASON.named : NOTED_REASON.unnamed}${reason}`;
      return { gap_id, text, reason: isPart ? NO_QUOTE : noted, evidence: "none" };
    });
}
