// How much each word of the question tells, asked of the corpus itself: rare words tell more than common ones.
import { Pacer } from "../../corpus/pacer.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { QuestionPart } from "../../run/research.ts";
import type { Lexicon } from "./lexicon.ts";

/** Passages that are counted for one word: a word that stands in more of them is a common one. */
const COUNTED = 400;
/** Of these so many are read: a search may bring passages that do not hold the word itself. */
const READ = 20;
/** Even a word that stands everywhere tells this much. */
const FLOOR = 0.1;
const WEAK_FACTOR = 0.4;

/** The parts with the weight of each of their terms, and with those that tell something and that the corpus lacks. */
export async function weighParts(
  parts: readonly QuestionPart[],
  lexicon: Lexicon,
  tools: TaskTools,
): Promise<QuestionPart[]> {
  const found = new Map<string, number>();
  for (const word of new Set(parts.flatMap((part) => part.terms)))
    found.set(word, await countPassages(lexicon.formsOf(word), [lexicon.termOf(word)], lexicon, tools));
  return parts.map((part) => ({
    ...part,
    weights: part.terms.map((word) => weightOf(word, found.get(word) ?? 0, lexicon)),
    absent: part.terms.filter((word) => (found.get(word) ?? 0) === 0 && lexicon.tells(word)),
  }));
}

/** How many passages hold all the terms that the words of a query stand for, up to `most`. */
export async function countPassages(
  query: string,
  terms: readonly string[],
  lexicon: Lexicon,
  tools: TaskTools,
  most = COUNTED,
): Promise<number> {
  const pacer = new Pacer(tools.signal);
  const passages = await tools.search(query, most);
  const read = passages.slice(0, READ);
  let holding = 0;
  for (const { title, text } of read) {
    await pacer.pause();
    const held = new Set(lexicon.termsOf(`${title}\n${text}`));
    if (terms.every((term) => lexicon.holds(held, term))) holding++;
  }
  // A search for several words brings first what holds them all.
  if (holding < read.length && terms.length > 1) return holding;
  return read.length === 0 ? 0 : (passages.length * holding) / read.length;
}

/** 0 to 1: 1 for what stands in one passage; `most` as it was counted. */
export function rarityOf(count: number, most = COUNTED): number {
  return count === 0 ? 1 : Math.min(1, Math.log(1 + most / count) / Math.log(1 + most));
}

function weightOf(word: string, count: number, lexicon: Lexicon): number {
  const isWeak = lexicon.isWeak(lexicon.termOf(word));
  const rarity = Math.max(FLOOR, rarityOf(count));
  return Math.round(rarity * (isWeak ? WEAK_FACTOR : 1) * 1e4) / 1e4;
}

/** A name or a number: documents do not use another word for it. */
export function isName(word: string, text: string, { language }: Lexicon): boolean {
  if (/\p{N}/u.test(word)) return word.length > 2;
  if (language === "german") return asWritten(word, text).some((written) => /\p{L}\p{Lu}/u.test(written));
  return asWritten(word, text.slice(1)).some((written) => /^\p{Lu}/u.test(written));
}

/** A word that is written like a name in English, as it is written. */
export function nameIn(text: string, word: string, { language }: Lexicon): string | null {
  if (language !== "english") return null;
  return asWritten(word, text.slice(1)).find((written) => /^\p{Lu}/u.test(written)) ?? null;
}

/** The forms in which a word, given in lower case and without marks, stands in a text. */
function asWritten(word: string, text: string): string[] {
  const plain = (token: string): string =>
    token
      .normalize("NFD")
      .replace(/\p{M}+/gu, "")
      .toLowerCase();
  return (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).filter((token) => plain(token) === word);
}
