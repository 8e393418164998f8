// Finds out whether a page is in another language than its question, by scripts and stop words.
import { languagesCovering } from "../../corpus/stop-lists.ts";
import { wordsOf } from "../../corpus/words.ts";
import { WHOLE_PAGE, type Fault } from "./faults.ts";
import type { WrittenPage } from "./written-page.ts";

/** Shorter pages, and shorter questions, may be in any language. */
const [LEAST_WORDS, LEAST_ASKED] = [40, 4];
/** So many words of a page are looked at. */
const MOST_WORDS = 300;
/** Stop words that tell the language of a question. */
const LEAST_TELLING = 2;
/** A language that covers less than this share of what another one covers is not the one of a text. */
const FAR = 0.6;
const SCRIPTS = ["Latin", "Cyrillic", "Greek", "Arabic", "Hebrew", "Thai", "Hangul", "Devanagari"] as const;
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

/** Null for a page in the language of its question, and where that cannot be told. Quotes and code do not count. */
export function languageFault(page: WrittenPage, question: string): Fault | null {
  const said = [...page.statements.values()]
    .filter(({ kind, place }) => kind !== "excerpt" && place.kind === "sentence")
    .map(({ text }) => text.replace(/`[^`]*`|[“«„"][^“”«»„"]*[”»"]/gu, " "))
    .join(" ");
  const [written, asked] = [distinct(said), distinct(question)];
  if (written.length < LEAST_WORDS || asked.length < LEAST_ASKED) return null;
  if (!differ(said, question, written, asked)) return null;
  return {
    id: WHOLE_PAGE,
    text: "is in another language than the question: write it in the language of the question, unless the question wants the other one",
  };
}

function differ(said: string, question: string, written: readonly string[], asked: readonly string[]): boolean {
  const [script, askedIn] = [scriptOf(said), scriptOf(question)];
  if (script !== null && askedIn !== null && script !== askedIn) return true;
  const [ofPage, ofQuestion] = [languagesCovering(written), languagesCovering(asked)];
  const [page] = [...ofPage].sort(([, a], [, b]) => b - a);
  const most = Math.max(0, ...ofQuestion.values());
  if (page === undefined || most < LEAST_TELLING) return false;
  const [language, covered] = page;
  if ((ofQuestion.get(language) ?? 0) > most * FAR) return false;
  // Each language that may be the one of the question has to be far from the page.
  return [...ofQuestion].every(([one, count]) => count < most || (ofPage.get(one) ?? 0) <= covered * FAR);
}

function distinct(text: string): string[] {
  return [...new Set(wordsOf(text.slice(0, 20_000)))].slice(0, MOST_WORDS);
}

/** The script of most letters; null without letters, or when no script has most of them. */
function scriptOf(text: string): string | null {
  const letters = text.slice(0, 20_000).match(/\p{L}/gu)?.length ?? 0;
  const shareOf = (expression: RegExp): number => (text.slice(0, 20_000).match(expression)?.length ?? 0) / letters;
  if (letters === 0) return null;
  if (shareOf(EAST_ASIAN) > 0.5) return "East Asian";
  return SCRIPTS.find((script) => shareOf(new RegExp(`\\p{Script=${script}}`, "gu")) > 0.7) ?? null;
}
