// The marks of a written page. They are lifted out before the page is parsed, since every Markdown parser takes some of them for
// links, tables or emphasis.

export interface Mark {
  /** As the writer wrote it. */
  raw: string;
  /** `ours`: what it says is advice of the writer. */
  kind: "cited" | "derived" | "gap" | "ours";
  /** `c12` for a citation, `c12+` for one with its next sentence, `s4` for a statement, `g2` for a gap. */
  ids: string[];
  /** Those of the ids that say otherwise than the others. */
  against?: string[];
  expression?: string;
  /** True when the writer wrote no space before the mark, and one was added. */
  isSpaced?: boolean;
}

/** Enclose the number of what was lifted out. They are removed from pages before. */
export const [MARK_OPEN, MARK_CLOSE, CODE_OPEN, CODE_CLOSE] = ["\ue000", "\ue001", "\ue002", "\ue003"];
const OURS = /[\ue000-\ue003]/gu;
export const HAS_MARK = /\ue000\d+\ue001/u;
export const MARK_PLACE = / ?\ue000(\d+)\ue001/gu;

const INSIDE = String.raw`[^\[\]【】［］(){}<>（）\n]{1,300}`;
const BRACKET = new RegExp(
  [
    String.raw`\\?\[\s*(?<computed>=[^\[\]\n]{1,500})\\?\]`,
    String.raw`\[\[(?<double>${INSIDE})\]\](?:\([^()\s]{0,300}\))?`,
    String.raw`\[(?<label>${INSIDE})\]\(#?(?<target>[csg]\d{1,4}\+?)\)`,
    String.raw`\\?\[(?<square>${INSIDE})\\?\](?:\([^()\s]{0,300}\))?`,
    String.raw`[【［](?<wide>${INSIDE})[】］]`,
    String.raw`[(（{<](?<round>${INSIDE})[)）}>]`,
  ].join("|"),
  "gu",
);
const ID = /^\^?([csg])(\d{1,4})(⁺?)$/iu;
/** The plus of an id that ends there. Between two ids it joins them. */
const PLUS = /(?<=c\d{1,4})\+(?=[\s,;)\]]|$)/giu;
const OURS_LEAD = /^ours\b[\s;:,]*(?:from\s+)?/iu;
const AGAINST = /\s+(?:against|versus|vs\.?|gegen|contre)\s+/iu;
const RANGE = /^\^?([csg])(\d{1,4})\s*[-–—]\s*\^?[csg]?(\d{1,4})$/iu;
const BETWEEN = /\s*(?:[,;&+/|]|\s(?:and|und|et|y|or|oder|ou)\s|\s)\s*/u;
const LEAD = /^([\p{L}][\p{L} ]{0,30}?)\s*:?\s+(?=\^?[csg]\d)/iu;
/** Words before ids in a mark that only cites. Any other word says that something follows from the ids. */
const CITES =
  /^(?:see|see also|cf|source|sources|citations?|cites?|quotes?|refs?|ids?|notes?|siehe|vgl|quellen?|voir|ver)$/iu;
const MAX_RANGE = 20;

/** `text`: the page with a placeholder for each mark, `\ue0000\ue001` for the first. */
export function liftMarks(source: string): { text: string; marks: Mark[] } {
  const marks: Mark[] = [];
  const plain = source.replace(OURS, "");
  const holdsIds = /[[【［(]\s*\^?(?:\p{L}+\s+)?c\d/iu.test(plain);
  const text = plain.replace(BRACKET, (...match) => {
    const raw = match[0];
    const at = match.at(-3) as number;
    const groups = match.at(-1) as Partial<Record<string, string>>;
    const mark = markIn(raw, groups, holdsIds);
    if (mark === null) return raw;
    marks.push(mark);
    const before = plain[at - 1] ?? "\n";
    const behind = plain[at + raw.length] ?? "\n";
    const words = groups["target"] === undefined ? "" : (groups["label"] ?? "");
    const label = idsIn(words).length > 0 ? "" : words;
    mark.isSpaced = label !== "" || !/\s/u.test(before);
    const space = mark.isSpaced ? " " : "";
    return `${label}${space}${MARK_OPEN}${marks.length - 1}${MARK_CLOSE}${/[*_]/u.test(behind) ? " " : ""}`;
  });
  return { text, marks };
}

function markIn(raw: string, groups: Partial<Record<string, string>>, holdsIds: boolean): Mark | null {
  const { computed, double, target, square, wide, round } = groups;
  if (computed !== undefined) return computedMark(raw, computed.slice(1));
  if (target !== undefined) return { raw, kind: target.startsWith("g") ? "gap" : "cited", ids: [target] };
  if (round !== undefined) {
    // Round brackets are a mark only when they hold nothing but ids.
    return /^(?:ours; )?(?:from )?[csg]\d{1,4}\+?(?:\s*[,;]\s*[csg]\d{1,4}\+?)*$/u.test(round.trim())
      ? namingMark(raw, round)
      : null;
  }
  const content = double ?? square ?? wide ?? "";
  const bare = content.trim().replace(/^\^|\\$/gu, "");
  if (!holdsIds && /^\d{1,3}(?:\s*[,;]\s*\d{1,3})*$/u.test(bare))
    return { raw, kind: "cited", ids: bare.split(/\s*[,;]\s*/u).map((number) => `c${number}`) };
  return namingMark(raw, content.replace(/\\$/u, ""));
}

function computedMark(raw: string, content: string): Mark | null {
  const [expression = "", ...rest] = content.split(/\s*;\s*|\s+(?=from\s)/u);
  const ids = idsIn(rest.join(" ").replace(LEAD, ""));
  return expression.trim() === "" ? null : { raw, kind: "derived", ids, expression: expression.trim() };
}

function namingMark(raw: string, content: string): Mark | null {
  const inner = content.trim();
  const ours = OURS_LEAD.exec(inner)?.[0];
  if (ours !== undefined) return { raw, kind: "ours", ids: idsIn(inner.slice(ours.length)) };
  const sides = inner.split(AGAINST).map(idsIn);
  const [one = [], against = []] = sides;
  if (sides.length === 2 && [one, against].every((ids) => ids.length > 0 && ids.every((id) => id.startsWith("c"))))
    return { raw, kind: "cited", ids: [...new Set([...one, ...against])], against };
  const [lead = "", word = ""] = LEAD.exec(inner) ?? [];
  const ids = idsIn(inner.slice(lead.length));
  if (ids.length === 0) return null;
  if (ids.every((id) => id.startsWith("g"))) return { raw, kind: "gap", ids };
  const follows = (word !== "" && !CITES.test(word.trim())) || ids.some((id) => id.startsWith("s"));
  return { raw, kind: follows ? "derived" : "cited", ids };
}

function idsIn(list: string): string[] {
  const ids = list
    .replace(PLUS, "⁺")
    .replace(/\s*([-–—])\s*/gu, "$1")
    .split(BETWEEN)
    .flatMap((token) => {
      const [, kind = "", first = "", last = ""] = RANGE.exec(token) ?? [];
      if (kind !== "") return range(kind.toLowerCase(), Number(first), Number(last));
      const [, letter = "", number = "", plus = ""] = ID.exec(token) ?? [];
      return letter === "" ? [] : [`${letter.toLowerCase()}${Number(number)}${plus === "" ? "" : "+"}`];
    });
  return [...new Set(ids)];
}

function range(kind: string, first: number, last: number): string[] {
  const count = Math.min(Math.max(last - first, 0), MAX_RANGE) + 1;
  return Array.from({ length: count }, (_, index) => `${kind}${first + index}`);
}

/** Text with its marks put back as they were written. */
export function withMarks(text: string, marks: readonly Mark[]): string {
  return text.replace(MARK_PLACE, (place, index: string) => {
    const { raw = "", isSpaced = false } = marks[Number(index)] ?? {};
    return `${isSpaced || !place.startsWith(" ") ? "" : " "}${raw}`;
  });
}

/** What a statement rests on by its marks. `unmarked`: without a mark. */
export function namedBy(marks: readonly Mark[]) {
  const ids = new Set(marks.flatMap((mark) => mark.ids));
  const of = (letter: string): string[] => [...ids].filter((id) => id.startsWith(letter));
  const named = { citation_ids: of("c"), from: of("s"), gap_ids: of("g") };
  const isOurs = marks.some(({ kind }) => kind === "ours");
  const follows = marks.some(({ kind }) => kind === "derived");
  const holds = named.citation_ids.length + named.from.length > 0;
  const isGap = named.gap_ids.length > 0;
  const kind = isOurs
    ? ("suggested" as const)
    : follows
      ? ("derived" as const)
      : holds
        ? ("cited" as const)
        : isGap
          ? ("gap" as const)
          : ("unmarked" as const);
  const expression = marks.find((mark) => mark.expression !== undefined)?.expression;
  const against = kind === "cited" ? marks.flatMap((mark) => mark.against ?? []) : [];
  // The first expression counts, also when a further mark has none.
  return {
    kind,
    ...named,
    ...(expression === undefined || isOurs ? {} : { expression }),
    ...(against.length === 0 ? {} : { against }),
  };
}

/** A part of a sentence that ends with marks of its own. */
export interface Clause {
  /** The offset in the sentence of its end. */
  end: number;
  citation_ids: string[];
}

/**
 * Where the clauses of a sentence end that only cites. The last marks serve what is left of it, so they are put at its end, as
 * is what was not found. `at`: the offset of a mark in the sentence.
 */
export function clausesIn(sentence: string, marks: readonly (Mark & { at: number })[]): { clauses?: Clause[] } {
  if (marks.some(({ kind, against }) => (kind !== "cited" && kind !== "gap") || against !== undefined)) return {};
  const inside = marks.map((mark) => ({ ...mark, at: endOfClause(sentence, mark.at) }));
  const last = Math.max(...inside.map(({ at }) => at));
  const groups = Map.groupBy(inside, ({ at }) => (at === last ? sentence.length : at));
  const all = [...groups].map(([end, own]) => {
    const ids = own.flatMap((mark) => (mark.kind === "cited" ? mark.ids : []));
    return { end, citation_ids: [...new Set(ids)] };
  });
  const inner = all.filter(({ end, citation_ids }) => end < sentence.length && citation_ids.length > 0);
  if (inner.length === 0) return {};
  // A quote that is inside, too, would not be at the end by itself.
  const placed = new Set(inner.flatMap(({ citation_ids }) => citation_ids));
  const atEnd = all.filter(({ end }) => end === sentence.length);
  return { clauses: [...inner, ...atEnd.filter(({ citation_ids }) => citation_ids.some((id) => placed.has(id)))] };
}

/** Behind the sign that separates the clause, as marks are behind a stop; the end of the sentence where no words are around. */
function endOfClause(sentence: string, at: number): number {
  const [before, behind] = [sentence.slice(0, at), sentence.slice(at)];
  const isInside = [before, behind].every((part) => /[\p{L}\p{N}]/u.test(part));
  return isInside ? at + (/^[,;:，；：、]*/u.exec(behind)?.[0].length ?? 0) : sentence.length;
}
