// Whether a sentence holds what a question asks for at all: "when" is answered by a time, "who" by a name.
import {
  CONDITIONS,
  DATE,
  HOW_MANY,
  PERSON,
  PROPER_NAME,
  REASON,
  RECURS,
  WANTS_DATE,
  WANTS_NAME,
  WANTS_PROPER_NAME,
  WANTS_TIME,
} from "./cues/kind-cues.ts";
import { ASKS_FOR_ADVICE, ASKS_WHY, GIVES_ADVICE } from "./cues/answer-cues.ts";
import type { Lexicon } from "./lexicon.ts";
import { numbersOf, quantitiesOf } from "./quantities.ts";
import { unitAt } from "./units.ts";

/** True also for a question that asks for no such thing; `asked`: one part of the question. */
export function holdsAskedKind(text: string, asked: string, lexicon: Lexicon): boolean {
  if (WANTS_TIME.test(asked) && !holdsTime(text, asked, lexicon)) return false;
  if (WANTS_NAME.test(asked) && !holdsName(text, asked, lexicon)) return false;
  if (ASKS_WHY.test(asked) && !REASON.test(text)) return false;
  return !HOW_MANY.test(asked) || holdsCount(text, asked, lexicon);
}

function holdsTime(text: string, asked: string, lexicon: Lexicon): boolean {
  if (DATE.test(text)) return true;
  if (WANTS_DATE.test(asked)) return false;
  if (ASKS_FOR_ADVICE.test(asked) && GIVES_ADVICE.test(text)) return true;
  if (RECURS.test(text) || quantitiesOf(text, lexicon).some(({ dimension }) => dimension === "time")) return true;
  return (text.match(CONDITIONS) ?? []).some((condition) => saysMore(condition, asked, lexicon));
}

/** "When the mill is open" tells nothing of when the mill is open. */
function saysMore(words: string, asked: string, lexicon: Lexicon): boolean {
  const known = new Set(lexicon.termsOf(asked));
  return lexicon.termsOf(words).some((term) => !lexicon.holds(known, term));
}

/** A name that the question holds itself tells nobody new. */
function holdsName(text: string, asked: string, lexicon: Lexicon): boolean {
  const names = [...text.matchAll(PROPER_NAME)].map(
    ({ 0: name, index }) => name + wordBehind(text, index + name.length),
  );
  if (names.some((name) => saysMore(name, asked, lexicon))) return true;
  return !WANTS_PROPER_NAME.test(asked) && namesPerson(text, asked, lexicon);
}

/** "Anyone" holds no word that tells, and answers all the same. */
function namesPerson(text: string, asked: string, lexicon: Lexicon): boolean {
  const persons = [...text.matchAll(new RegExp(PERSON, "giu"))].map(([person]) => person);
  return persons.some((person) => lexicon.termsOf(person).length === 0 || saysMore(person, asked, lexicon));
}

/** A match may end with the first letter of a name. */
function wordBehind(text: string, at: number): string {
  return /^\p{L}*/u.exec(text.slice(at))?.[0] ?? "";
}

export function asksHowMany(asked: string): boolean {
  return HOW_MANY.test(asked);
}

/** A number of the thing: right before it, or said of it. */
function holdsCount(text: string, asked: string, lexicon: Lexicon): boolean {
  const noun = HOW_MANY.exec(asked)?.[1] ?? "";
  const unit = unitAt(noun)?.unit.dimension;
  if (unit !== undefined) return quantitiesOf(text, lexicon).some(({ dimension }) => dimension === unit);
  const things = lexicon.termsOf(noun);
  return numbersOf(text).some(({ digits, start, isYear }) => {
    const [before, behind] = [text.slice(0, start), text.slice(start + digits.length)];
    const counted = isYear ? [] : lexicon.termsOf(WORDS_BEHIND.exec(behind)?.[0] ?? "");
    const isSaid = /^\p{L}|^\p{N}/u.test(digits) && SAYS_NUMBER.test(before) && !COUNTS_OTHER.test(behind);
    const said = isSaid ? lexicon.termsOf(before) : [];
    return things.some((term) => counted.includes(term) || said.includes(term));
  });
}

const WORDS_BEHIND = /^(?:[\s-]+[\p{L}'’-]+){1,4}/u;
const SAYS_NUMBER =
  /(?:(?<!\p{L})(?:is|are|was|were|to|of|most|least|than|be|about|typically|exactly|ist|sind|von|auf|etwa)|[:(=])\s*$/iu;
const COUNTS_OTHER = /^[\s-]?(?:\p{L}{3,}|[%°€$])/u;
