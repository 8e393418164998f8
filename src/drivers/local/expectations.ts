// Whether a sentence gives the kind of thing that a question asks for: a reason, a time, a number.
import { ASKS_FOR_QUANTITY, ASKS_WHY, GIVES_REASON } from "./cues/question-cues.ts";
import type { Lexicon } from "./lexicon.ts";
import { quantitiesOf } from "./quantities.ts";

export function givesWhatIsAsked(text: string, asked: string, lexicon: Lexicon): boolean {
  if (ASKS_WHY.test(asked) && GIVES_REASON.test(text)) return true;
  const wanted = ASKS_FOR_QUANTITY.filter(({ asks }) => asks.test(asked)).flatMap(({ dimensions }) => dimensions);
  if (wanted.length === 0) return false;
  return quantitiesOf(text, lexicon).some(({ dimension }) => wanted.some((begins) => dimension.startsWith(begins)));
}
