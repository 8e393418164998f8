// Turns a question into the concepts that a search scores.
import type { Concept, Variant } from "./occurrences.ts";
import type { PostingReader } from "../index/posting-reader.ts";
import { isGerman, withoutStopWordsOfQuestion } from "../words/stop-words.ts";
import { termOf, camelParts } from "../words/term-cutter.ts";
import { hasUnspacedScript, wordsOf } from "../words/terms.ts";

const MAX_TERMS = 64;
/** How many forms and compounds of one word are looked up. */
const MAX_FORMS = 40;
const LEAST_STEM = 5;
const GERMAN_ENDING = /(?<=.{4})(en|ern|em|er|es|e|n|s)$/;
const COMPOUND_SHARE = 0.5;
/** Particles of Korean behind nouns, and endings of Hindi (Ramanathan and Rao, A Lightweight Stemmer for Hindi, 2003). */
const ENDINGS =
  /(?<=\p{Script=Hangul}{2})(?:에서|으로|까지|부터|에게|처럼|보다|이나|은|는|이|가|을|를|에|의|도|로|와|과|만)$|(?<=\p{Script=Devanagari}{2})(?:[ािीुूेैोौंँ]+|[तन][ािीे]+|कर|ियां|ियाँ|ाएं|ाओं)$/u;
const INFLECTED = /[\p{Script=Hangul}\p{Script=Devanagari}]/u;

/** Empty when the question has no word. A word that occurs twice weighs twice. */
export function conceptsOf(question: string, reader: PostingReader): Concept[] {
  const words = wordsOf(question);
  const content = withoutStopWordsOfQuestion(words);
  const significant = content.length > 0 ? content : words;
  const counts = new Map<string, { word: string; times: number }>();
  for (const word of [...significant, ...camelParts(question)]) {
    const term = termOf(word);
    counts.set(term, { word, times: (counts.get(term)?.times ?? 0) + 1 });
  }
  const inGerman = isGerman(words);
  return [...counts].slice(0, MAX_TERMS).map(([term, { word, times }]) => ({
    variants: variantsOf(term, word, inGerman || isInflected(word), reader),
    weight: times,
  }));
}

/** True for a word of a script whose words have endings that no stemmer takes off. */
export function isInflected(word: string): boolean {
  return INFLECTED.test(word);
}

/**
 * In German, Korean and Hindi, and for a word that the corpus does not hold, other words with the same beginning count too: inflected forms in
 * full ("Wärmepumpen"), compounds by half ("Wärmepumpenanlage").
 */
function variantsOf(term: string, word: string, hasForms: boolean, reader: PostingReader): Variant[] {
  const itself = { term, share: 1 };
  if (!hasForms && reader.most(term) > 0) return [itself];
  const root = rootOf(word);
  if (root === null) return [itself];
  const forms = reader.termsWith(root, MAX_FORMS).filter((form) => form !== term);
  return [itself, ...forms.map((form) => ({ term: form, share: shareOf(form, root) }))];
}

/** The beginning that the forms and compounds of a word share; null when the word is too short. */
export function rootOf(word: string): string | null {
  const root = withoutEnding(word);
  return root.length < LEAST_STEM && !hasUnspacedScript(word) && !isInflected(word) ? null : root;
}

/** The share of the meaning for a word that begins with `root`: 1 for a form, 0.5 for a compound. */
export function shareOf(word: string, root: string): number {
  return withoutEnding(word) === root ? 1 : COMPOUND_SHARE;
}

function withoutEnding(word: string): string {
  return word.replace(isInflected(word) ? ENDINGS : GERMAN_ENDING, "");
}
