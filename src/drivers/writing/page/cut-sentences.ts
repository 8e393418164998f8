// Cuts running text into sentences, each with its marks. When it is doubtful whether a sentence ends, it continues.
import { CODE_CLOSE, CODE_OPEN, MARK_PLACE } from "./marks.ts";

export interface CutSentence {
  text: string;
  marks: PlacedMark[];
}

interface PlacedMark {
  index: number;
  /** The offset in the words before it. */
  at: number;
}

const ENDED = /[.!?…。！？]["'”’»)\]]*$/u;
/** The end of a sentence right behind a mark. */
const STOP = /^[.!?…。！？]+["'”’»)\]]*(?=\s|$)/u;
const CLOSING = /^[.,;:!?)\]”’»…%。，]/u;
const ABBREVIATION =
  /(?:^|[\s("'„“‚«[–-])(?:\p{L}|\p{L}\.\s?\p{L}|dr|mr|mrs|ms|prof|st|nr|no|abs|abb|art|bd|bsp|fig|figs|eq|sec|ch|vol|ed|eds|pp|vs|cf|etc|approx|ca|bzw|vgl|usw|inkl|ggf|evtl|resp|sog|max|min|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|okt|nov|dec|dez|inc|ltd|co|corp|jr|sr|al)\.$/iu;
const DATE_OR_PLACE = /(?:^|\s)\d{1,2}\.$/u;
/** Characters within which a bracket or a quotation may be closed. */
const REACH = 600;
const TAIL = 40;
const PAIRS: readonly (readonly [string, string])[] = [
  ["(", ")"],
  ["[", "]"],
  ["“", "”"],
  ["„", "“"],
  ["«", "»"],
];
/** In small letters: "Give the package a scope" begins a sentence of its own. */
const SAYS =
  /^\s*(?:says?|states?|shows?|notes?|recommends?|argues?|describes?|claims?|reports?|warns?|explains?|adds?|gives?|lists?|sagt|nennt|zeigt|beschreibt|empfiehlt|warnt|dit|indique|montre|dice|muestra)\b/u;
/** A mark behind one of these words is itself a word of the sentence: "according to [c1]". */
const ACCORDING =
  /(?:^|[\s(])(?:according to|as|in|from|by|of|per|see|like|unlike|than|both|laut|siehe|gemäß|nach|von|aus|selon|dans|d'après|según|en|de)$/iu;

/** `titleOf`: the title that is written for a mark that is a word of its sentence, or null. */
export function cutSentences(text: string, titleOf: (mark: number) => string | null): CutSentence[] {
  const { words, marks } = split(text, titleOf);
  const ends = bordersOf(words, marks);
  const sentences: CutSentence[] = [];
  let start = 0;
  let next = 0;
  for (const end of ends) {
    const whole = words.slice(start, end);
    const slice = whole.trim();
    const first = start + whole.length - whole.trimStart().length;
    const own: PlacedMark[] = [];
    for (let mark = marks[next]; mark !== undefined && mark.at <= end; mark = marks[++next])
      own.push({ ...mark, at: Math.min(slice.length, Math.max(0, mark.at - first)) });
    start = end;
    const last = sentences.at(-1);
    if (/[\p{L}\p{N}\ue002]/u.test(slice)) sentences.push({ text: slice, marks: own });
    else if (last === undefined) {
      if (slice !== "" || own.length > 0) sentences.push({ text: slice, marks: own });
    } else {
      last.text = `${last.text} ${slice}`.trim();
      last.marks.push(...own.map((mark) => ({ ...mark, at: last.text.length })));
    }
  }
  return sentences;
}

/** The words without marks, and the places of the marks. */
function split(text: string, titleOf: (mark: number) => string | null): { words: string; marks: PlacedMark[] } {
  const pieces = text.replace(/\s+/gu, " ").trim().split(MARK_PLACE);
  const parts: string[] = [];
  const marks: PlacedMark[] = [];
  let length = 0;
  let tail = "";
  const add = (piece: string): void => {
    parts.push(piece);
    length += piece.length;
    tail = (tail + piece).slice(-TAIL);
  };
  const trim = (): void => {
    while (tail.endsWith(" ")) {
      const last = parts.at(-1) ?? "";
      const cut = last.trimEnd();
      parts[parts.length - 1] = cut;
      length -= last.length - cut.length;
      tail = tail.slice(0, tail.length - (last.length - cut.length));
      if (cut === "") parts.pop();
    }
  };
  let isAfterMark = false;
  pieces.forEach((piece, index) => {
    if (index % 2 === 0) {
      const isApart = isAfterMark && length > 0 && piece !== "" && !/^\s/u.test(piece) && !CLOSING.test(piece);
      add(isApart ? ` ${piece}` : length === 0 ? piece.trimStart() : piece);
      isAfterMark = false;
      return;
    }
    trim();
    const mark = Number(piece);
    const behind = pieces[index + 1] ?? "";
    const isWord =
      (length === 0 && /^\s*\p{Ll}/u.test(behind)) ||
      ((length === 0 || ENDED.test(tail)) && SAYS.test(behind)) ||
      ACCORDING.test(tail);
    const title = isWord ? titleOf(mark) : null;
    if (title !== null) add(`${length === 0 ? "" : " "}“${title}”`);
    marks.push({ index: mark, at: length });
    isAfterMark = true;
  });
  trim();
  return { words: parts.join(""), marks };
}

/** The offsets at which sentences end. The last one is the end of the words. */
function bordersOf(words: string, marks: readonly PlacedMark[]): number[] {
  // Code counts as a word with a capital, so that a sentence may begin with it.
  const shadow = words.replace(/\ue002\d+\ue003/gu, (code) => "X".repeat(code.length));
  const borders = new Set<number>();
  let from = 0;
  for (const { segment, index } of new Intl.Segmenter("en", { granularity: "sentence" }).segment(shadow)) {
    const end = index + segment.length;
    // A question mark in an address ends no sentence.
    const isInWord = end < shadow.length && !/[\s。！？]$/u.test(segment);
    if (isInWord || isOpen(shadow, from, end)) continue;
    borders.add(end);
    from = end;
  }
  for (const { at } of marks) {
    const tail = shadow.slice(Math.max(0, at - TAIL), at);
    if (ENDED.test(tail)) {
      if (!ABBREVIATION.test(tail)) borders.add(at);
      continue;
    }
    const stop = STOP.exec(shadow.slice(at, at + TAIL))?.[0];
    if (stop !== undefined) borders.add(at + stop.length);
  }
  borders.delete(0);
  borders.add(words.length);
  return [...borders].sort((a, b) => a - b);
}

/** True when the sentence that seems to end here continues. */
function isOpen(words: string, from: number, end: number): boolean {
  const tail = words.slice(Math.max(from, end - TAIL), end).trimEnd();
  if (ABBREVIATION.test(tail) || DATE_OR_PLACE.test(tail)) return true;
  const own = words.slice(Math.max(from, end - REACH), end);
  const ahead = words.slice(end, end + REACH);
  if (PAIRS.some(([open, close]) => own.lastIndexOf(open) > own.lastIndexOf(close) && ahead.includes(close)))
    return true;
  return own.split('"').length % 2 === 0 && ahead.includes('"');
}

/** Puts code back where it was masked. */
export function withCode(text: string, codes: readonly string[]): string {
  return text.replace(
    new RegExp(`${CODE_OPEN}(\\d+)${CODE_CLOSE}`, "gu"),
    (_, index: string) => codes[Number(index)] ?? "",
  );
}
