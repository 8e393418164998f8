// Tells by name and heading how likely a place holds an answer.
import { formatOf } from "../../corpus/formats.ts";
import { IDLE_HEADING, TELLING_HEADING } from "./cues/sentence-cues.ts";
import type { Lexicon } from "./lexicon.ts";

const HEADING_SEPARATOR = " > ";
const UNLIKELY_PLACES =
  /(^|\/)(([^/]+[-_.])?licen[cs]es?|copying|copyright|third[-_]?party[-_]?notices?|notices?|authors|contributors|code_of_conduct|contributing)(?![a-z])[^/]*$/i;
const LESS_LIKELY_PLACES = /(^|\/)(changelog|changes|history|releases?|news)\b[^/]*$|(^|\/)(tests?|__tests__|spec)\//i;
const LESS_LIKELY_FACTOR = 0.6;
/** Comments in code say less to a stranger than the documents that were written for one. */
const CODE_FACTOR = 0.6;
const TELLING_FACTOR = 1.12;

/** `asked`: terms; what a question asks about is no furniture. */
export function isUnlikely(
  { origin, title }: { origin: string; title: string },
  asked: ReadonlySet<string>,
  lexicon: Lexicon,
): boolean {
  const isIdle = (heading: string): boolean =>
    IDLE_HEADING.test(heading) && !lexicon.termsOf(heading).some((term) => asked.has(term));
  return UNLIKELY_PLACES.test(origin) || headingsOf(title).some(isIdle);
}

export function placeFactor({ origin, title }: { origin: string; title: string }): number {
  const telling = TELLING_HEADING.test(headingsOf(title).at(-1) ?? "") ? TELLING_FACTOR : 1;
  const likely = LESS_LIKELY_PLACES.test(origin) ? LESS_LIKELY_FACTOR : 1;
  return telling * likely * (formatOf(origin) === "code" ? CODE_FACTOR : 1);
}

/** Outermost first. */
export function headingsOf(title: string): string[] {
  return title.split(HEADING_SEPARATOR).map((heading) => heading.trim());
}
