// Whether a sentence gives the kind of thing that a question asks for: a reason, a time, a number.
import { isAskingWord } from "../../corpus/stop-words.ts";
import {
  ASKS_FOR_ADVICE,
  ASKS_FOR_CONTRAST,
  ASKS_FOR_DEFINITION,
  ASKS_FOR_DRAWBACKS,
  ASKS_FOR_FREQUENCY,
  ASKS_FOR_LIST,
  ASKS_FOR_QUANTITY,
  ASKS_HOW_TO,
  ASKS_WHEN,
  ASKS_WHO,
  ASKS_WHY,
  GIVES_ADVICE,
  GIVES_CONTRAST,
  GIVES_FREQUENCY,
  GIVES_LIST,
  GIVES_NAME,
  GIVES_REASON,
  GIVES_STEP,
  GIVES_TIME,
  MEASURES,
  OPENING_CONDITION,
  QUALIFIERS,
} from "./cues/answer-cues.ts";
import { ASKED_MEASURE } from "./cues/question-cues.ts";
import { SPEAKS_AGAINST } from "./cues/sentence-cues.ts";
import { defines, type Said } from "./definitions.ts";
import type { Lexicon } from "./lexicon.ts";
import { quantitiesOf } from "./quantities.ts";

/** `asked`: one part of the question. */
export function givesWhatIsAsked(said: Said, asked: string, lexicon: Lexicon): boolean {
  const { text } = said;
  if (ASKS_FOR_DEFINITION.test(asked) && defines(said, asked, lexicon)) return true;
  if (ASKS_WHY.test(asked) && GIVES_REASON.test(text)) return true;
  if (ASKS_WHO.test(asked) && GIVES_NAME.test(text)) return true;
  if (asksForDrawbacks(asked)) return givesDrawback(text);
  if (ASKS_FOR_CONTRAST.test(asked) && GIVES_CONTRAST.test(text)) return holdsAll(text, asked, lexicon);
  if (ASKS_FOR_ADVICE.test(asked)) return GIVES_ADVICE.test(text);
  if (ASKS_WHEN.test(asked) && GIVES_TIME.test(text)) return !isOnlyCondition(text, asked, lexicon);
  if (ASKS_HOW_TO.test(asked) && GIVES_STEP.test(text)) return true;
  if (ASKS_FOR_LIST.test(asked) && GIVES_LIST.test(text)) return true;
  return givesQuantity(text, asked, lexicon);
}

function holdsAll(text: string, asked: string, lexicon: Lexicon): boolean {
  const terms = new Set(lexicon.termsOf(text));
  return tellingTerms(asked, lexicon).every((term) => lexicon.holds(terms, term));
}

function isOnlyCondition(text: string, asked: string, lexicon: Lexicon): boolean {
  const condition = new Set(lexicon.termsOf(OPENING_CONDITION.exec(text)?.[0] ?? ""));
  return tellingTerms(asked, lexicon).some((term) => lexicon.holds(condition, term));
}

function tellingTerms(asked: string, lexicon: Lexicon): string[] {
  const words = lexicon.contentWords(asked).filter((word) => !isAskingWord(word));
  return words.map((word) => lexicon.termOf(word)).filter((term) => !lexicon.isWeak(term));
}

/** The terms by which a sentence shows that it speaks of the measure that is asked for: "large", "size". */
export function measureTerms(asked: string, lexicon: Lexicon): string[] {
  return lexicon.termsOf([...(asked.match(ASKED_MEASURE) ?? []), ...measureWords(asked)].join(" "));
}

export function measureWords(asked: string): string[] {
  const adjectives = asked.match(ASKED_MEASURE) ?? [];
  return adjectives.flatMap((word) => MEASURES.find(([adjective]) => adjective.test(word))?.[1].split(" ") ?? []);
}

export function asksForDrawbacks(asked: string): boolean {
  return ASKS_FOR_DRAWBACKS.test(asked);
}

export function givesDrawback(text: string): boolean {
  return SPEAKS_AGAINST.test(text);
}

export function asksForQuantity(asked: string): boolean {
  return ASKS_FOR_QUANTITY.some(({ asks }) => asks.test(asked));
}

/** A number of the kind that is asked for; for "how often" also a word like "weekly". */
export function givesQuantity(text: string, asked: string, lexicon: Lexicon): boolean {
  if (ASKS_FOR_FREQUENCY.test(asked) && GIVES_FREQUENCY.test(text)) return true;
  const wanted = ASKS_FOR_QUANTITY.find(({ asks }) => asks.test(asked))?.dimensions ?? [];
  if (wanted.length === 0) return false;
  const counted = new Set(lexicon.termsOf(asked).map((term) => `number of ${term}`));
  return quantitiesOf(text, lexicon).some(
    ({ dimension }) => wanted.some((begins) => dimension.startsWith(begins)) || counted.has(dimension),
  );
}

/** The largest, the smallest, what holds by default: a sentence that does not say which is about another value. */
export function keepsQualifiers(text: string, asked: string): boolean {
  return QUALIFIERS.every(([asks, gives]) => !asks.test(asked) || gives.test(text));
}
