// Tells by name and heading how likely a place holds an answer.
import { formatOf } from "../../corpus/formats.ts";
import { IDLE_HEADING } from "./cues/sentence-cues.ts";
import type { Lexicon } from "./lexicon.ts";

const HEADING_SEPARATOR = " > ";
const UNLIKELY_NAME =
  /^(([^/]+[-_.])?licen[cs]es?|copying|copyright|third[-_]?party[-_]?notices?|notices?|authors|contributors|code_of_conduct|contributing)(?![a-z])/i;
const LESS_LIKELY_PLACES = /(^|\/)(changelog|changes|history|releases?|news)\b[^/]*$|(^|\/)(tests?|__tests__|spec)\//i;
const LESS_LIKELY_FACTOR = 0.6;
/** Comments in code say less to a stranger than the documents that were written for one. */
const CODE_FACTOR = 0.6;

/** `asked`: terms; what a question asks about is no furniture. */
export function isUnlikely(
  { origin, title }: { origin: string; title: string },
  asked: ReadonlySet<string>,
  lexicon: Lexicon,
): boolean {
  const isFurniture = (pattern: RegExp, name: string): boolean =>
    pattern.test(name) && !lexicon.termsOf(name).some((term) => asked.has(term));
  const name = origin.slice(origin.lastIndexOf("/") + 1);
  return isFurniture(UNLIKELY_NAME, name) || headingsOf(title).some((heading) => isFurniture(IDLE_HEADING, heading));
}

export function placeFactor({ origin }: { origin: string }): number {
  const likely = LESS_LIKELY_PLACES.test(origin) ? LESS_LIKELY_FACTOR : 1;
  return likely * (formatOf(origin) === "code" ? CODE_FACTOR : 1);
}

/** Null when none stands above: a document without one is called by its name. */
export function headingAbove({ title }: { title: string }): string | null {
  return headingsOf(title).at(-1) ?? null;
}

/** Outermost first. */
export function headingsOf(title: string): string[] {
  return title.split(HEADING_SEPARATOR).map((heading) => heading.trim());
}

/** Of headings and paths. A number there counts chapters, unless it stands behind the word that it has in the question. */
export function termsAbove(above: string, inQuestion: readonly string[], lexicon: Lexicon): string[] {
  const terms = lexicon.termsOf(above);
  const isNamed = (number: string, before: string | undefined): boolean =>
    inQuestion.some((term, index) => term === number && index > 0 && inQuestion[index - 1] === before);
  return terms.filter((term, index) => !/^\p{N}/u.test(term) || isNamed(term, terms[index - 1]));
}
