// Whether a sentence gives the kind of thing that a question asks for: a reason, a time, a number.
import {
  ASKS_FOR_ADVICE,
  ASKS_FOR_DRAWBACKS,
  ASKS_FOR_FREQUENCY,
  ASKS_FOR_LIST,
  ASKS_FOR_QUANTITY,
  ASKS_WHEN,
  ASKS_WHO,
  ASKS_WHY,
  GIVES_ADVICE,
  GIVES_FREQUENCY,
  GIVES_LIST,
  GIVES_NAME,
  GIVES_REASON,
  GIVES_TIME,
  QUALIFIERS,
} from "./cues/question-cues.ts";
import { SPEAKS_AGAINST, SPEAKS_SOFTLY_AGAINST } from "./cues/sentence-cues.ts";
import type { Lexicon } from "./lexicon.ts";
import { quantitiesOf } from "./quantities.ts";

/** `asked`: one part of the question. */
export function givesWhatIsAsked(text: string, asked: string, lexicon: Lexicon): boolean {
  if (ASKS_WHY.test(asked) && GIVES_REASON.test(text)) return true;
  if (ASKS_WHO.test(asked) && GIVES_NAME.test(text)) return true;
  if (asksForDrawbacks(asked)) return givesDrawback(text);
  if (ASKS_FOR_ADVICE.test(asked)) return GIVES_ADVICE.test(text);
  if (ASKS_WHEN.test(asked) && GIVES_TIME.test(text)) return true;
  if (ASKS_FOR_LIST.test(asked) && GIVES_LIST.test(text)) return true;
  return givesQuantity(text, asked, lexicon);
}

export function asksForDrawbacks(asked: string): boolean {
  return ASKS_FOR_DRAWBACKS.test(asked);
}

export function givesDrawback(text: string): boolean {
  return SPEAKS_AGAINST.test(text) || SPEAKS_SOFTLY_AGAINST.test(text);
}

export function asksForQuantity(asked: string): boolean {
  return ASKS_FOR_QUANTITY.some(({ asks }) => asks.test(asked));
}

/** A number of the kind that is asked for; for "how often" also a word like "weekly". */
export function givesQuantity(text: string, asked: string, lexicon: Lexicon): boolean {
  if (ASKS_FOR_FREQUENCY.test(asked) && GIVES_FREQUENCY.test(text)) return true;
  const wanted = ASKS_FOR_QUANTITY.find(({ asks }) => asks.test(asked))?.dimensions ?? [];
  if (wanted.length === 0) return false;
  return quantitiesOf(text, lexicon).some(({ dimension }) => wanted.some((begins) => dimension.startsWith(begins)));
}

/** The largest, the smallest, what holds by default: a sentence that does not say which is about another value. */
export function keepsQualifiers(text: string, asked: string): boolean {
  return QUALIFIERS.every(([asks, gives]) => !asks.test(asked) || gives.test(text));
}
