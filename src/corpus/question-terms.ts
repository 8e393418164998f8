// Turns what a person asks into the concepts to look for.
import type { Concept, Variant } from "./occurrences.ts";
import type { PostingReader } from "./posting-reader.ts";
import { isGerman, withoutStopWordsOfQuestion } from "./stop-words.ts";
import { termOf, camelParts } from "./term-cutter.ts";
import { hasUnspacedScript, wordsOf } from "./terms.ts";

const MAX_TERMS = 64;
/** Forms and compounds of one word that are looked at. */
const MAX_FORMS = 40;
const LEAST_STEM = 5;
const GERMAN_ENDING = /(?<=.{4})(en|ern|em|er|es|e|n|s)$/;
const COMPOUND_SHARE = 0.5;

/** Empty when the question holds no word at all. A word that is asked for twice weighs twice. */
export function conceptsOf(question: string, reader: PostingReader): Concept[] {
  const words = wordsOf(question);
  const content = withoutStopWordsOfQuestion(words);
  const asked = content.length > 0 ? content : words;
  const counts = new Map<string, { word: string; times: number }>();
  for (const word of [...asked, ...camelParts(question)]) {
    const term = termOf(word);
    counts.set(term, { word, times: (counts.get(term)?.times ?? 0) + 1 });
  }
  const inGerman = isGerman(words);
  return [...counts].slice(0, MAX_TERMS).map(([term, { word, times }]) => ({
    variants: variantsOf(term, word, inGerman, reader),
    weight: times,
  }));
}

/**
 * German inflects and compounds: a word stands for its forms, and for the words that begin with it by half. So does any
 * word that the corpus does not hold.
 */
function variantsOf(term: string, word: string, inGerman: boolean, reader: PostingReader): Variant[] {
  const itself = { term, share: 1 };
  if (!inGerman && reader.most(term) > 0) return [itself];
  const root = rootOf(word);
  if (root === null) return [itself];
  const forms = reader.termsWith(root, MAX_FORMS).filter((form) => form !== term);
  return [itself, ...forms.map((form) => ({ term: form, share: shareOf(form, root) }))];
}

/** What the forms and compounds of a word begin with; null for a word that is too short to tell. */
export function rootOf(word: string): string | null {
  const root = word.replace(GERMAN_ENDING, "");
  return root.length < LEAST_STEM && !hasUnspacedScript(word) ? null : root;
}

/** How much of the meaning of a root a word has that begins with it: all as a form of it, half as a compound. */
export function shareOf(word: string, root: string): number {
  return word.replace(GERMAN_ENDING, "") === root ? 1 : COMPOUND_SHARE;
}
