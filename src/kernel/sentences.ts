// Cuts text into sentences: the one place where prose that others wrote is cut.

/** Offsets in a string. The text between them neither begins nor ends with white space. */
export interface Span {
  start: number;
  end: number;
}

let segmenter: Intl.Segmenter | undefined;
/** No sentence ends behind an initial, an ordinal, two letters ("Dr."), letters with stops ("e.g.", "z. B.") or three stops. */
const GOES_ON =
  /(?:^|[\s(])(?:\p{L}|\p{Lu}\p{L}|\p{N}{1,2}|(?:\p{L}{1,2}\.\s?)+\p{L}{1,2}|vs|approx|incl|resp|[Nn]os?|Prof|Inc|bzw|ggf|vgl|inkl)\.$|\.\.\.$/u;
/** A name continues behind its stop: .NET, Node.js. */
const NAME_GOES_ON = /^[\p{L}\p{N}_]/u;
/** Characters at the end of a sentence that are examined. */
const END_LENGTH = 12;

/** When it is doubtful whether a sentence ends, it continues. A line end ends no sentence. */
export function sentencesOf(text: string, { start, end }: Span = { start: 0, end: text.length }): Span[] {
  const flat = withoutStopsInNames(text.slice(start, end).replace(/[\r\n\u2028\u2029]/g, " "));
  const spans: Span[] = [];
  let continues = false;
  for (const { segment, index } of sentenceSegments(flat)) {
    const last = spans.at(-1);
    const stop = start + index + segment.trimEnd().length;
    const isName = flat.charAt(index - 1) === "." && NAME_GOES_ON.test(segment);
    if (last !== undefined && (continues || isName || isQuoted(text.slice(last.start, last.end), segment)))
      last.end = Math.max(last.end, stop);
    else if (segment.trim() !== "") spans.push({ start: stop - segment.trim().length, end: stop });
    if (segment.trim() !== "") continues = GOES_ON.test(segment.trimEnd().slice(-END_LENGTH));
  }
  return spans;
}

/** The target of a link with its title, which may hold blanks: `](./file.md "The file. A copy")`, `](<./My file. 2.md>)`. */
const LINK_TARGET = /\]\((?:<[^<>\n]{1,500}>|[^()<>\s]{1,500})(?: {1,4}"[^"\n]{0,200}")?\)/g;
/** In a path or an address, a stop before another of its characters. */
const STOP_INSIDE = /[.?!](?=[^\s"'”’»)\]}>,;:.?!。、])/gu;

/** The same length, with other signs for the stops in the targets of links, paths and addresses, which end no sentence. */
function withoutStopsInNames(text: string): string {
  return text
    .replace(LINK_TARGET, (target) => target.replace(/[.?!]/g, "_"))
    .replace(/\S+/g, (word) => (word.includes("/") ? word.replace(STOP_INSIDE, "_") : word));
}

/** Where no blank stands between two sentences, the segmenter leaves "「" with the first one. */
function* sentenceSegments(text: string): Generator<{ segment: string; index: number }> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "sentence" });
  let index = 0;
  for (const found of segmenter.segment(text)) {
    const stop = found.index + found.segment.length;
    const opening = stop === text.length ? 0 : (OPENING.exec(found.segment)?.[0].length ?? 0);
    yield { segment: text.slice(index, stop - opening), index };
    index = stop - opening;
  }
}

const OPENING = /[\p{Ps}\p{Pi}]{1,4}$/u;

/** True when no sentence ended: the next text closes a quotation, or continues in small letters behind one. */
function isQuoted(before: string, next: string): boolean {
  if (/[!?…]["'”’»)]*$/u.test(before) && /^\p{Ll}/u.test(next)) return true;
  return QUOTATION_MARKS.some(
    ([open, close]) =>
      next.includes(close) &&
      (open === close ? before.split(open).length % 2 === 0 : before.lastIndexOf(open) > before.lastIndexOf(close)),
  );
}

const QUOTATION_MARKS = [
  ['"', '"'],
  ["“", "”"],
  ["„", "“"],
  ["«", "»"],
] as const;
