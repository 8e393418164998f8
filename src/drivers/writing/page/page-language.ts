// Finds out whether a page is in another language than its question.
import { distinctWords, isInAnotherLanguage } from "../../../corpus/words/languages.ts";
import { WHOLE_PAGE, type Fault } from "./faults.ts";
import type { WrittenPage } from "./written-page.ts";

/** Shorter pages, and shorter questions, may be in any language. */
const [LEAST_WORDS, LEAST_ASKED] = [40, 4];

/** Null for a page in the language of its question, and where that cannot be told. Quotes and code do not count. */
export function languageFault(page: WrittenPage, question: string): Fault | null {
  const said = [...page.statements.values()]
    .filter(({ kind, place }) => kind !== "excerpt" && place.kind === "sentence")
    .map(({ text }) => text.replace(/[“«„"][^“”«»„"]*[”»"]/gu, " "))
    .join(" ");
  if (distinctWords(said).length < LEAST_WORDS || distinctWords(question).length < LEAST_ASKED) return null;
  if (!isInAnotherLanguage(said, question)) return null;
  return {
    id: WHOLE_PAGE,
    text: "is in another language than the question: write it in the language of the question, unless the question wants the other one",
  };
}
