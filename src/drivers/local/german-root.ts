// A light German stemmer: takes the endings of nouns, adjectives and verbs off, so that "kostet" and "Kosten" are one.
// After L. Weißweiler and A. Fraser, Developing a stemmer for German (CISTEM), 2017; it keeps more of short words.

const PARTICIPLE = /^ge(\p{L}{4,}t)$/u;
const MIN_LENGTH = 4;

/** Expects a word in lower case and without diacritics. */
export function germanRoot(word: string): string {
  if (!/^[a-zß]+$/.test(word)) return word;
  let root = withPlainUmlauts(word.replaceAll("ß", "ss")).replace(PARTICIPLE, "$1");
  for (;;) {
    const shorter = withoutEnding(root);
    if (shorter === root) return root;
    root = shorter;
  }
}

function withoutEnding(word: string): string {
  if (word.length > MIN_LENGTH + 1 && /(?:em|er|nd)$/.test(word)) return word.slice(0, -2);
  if (word.length > MIN_LENGTH && /[tsn]$/.test(word)) return word.slice(0, -1);
  return word.length >= MIN_LENGTH && word.endsWith("e") ? word.slice(0, -1) : word;
}

/** Forms that begin otherwise: "reinigt" and "gereinigt". */
export function verbForms(word: string): string[] {
  if (PARTICIPLE.test(word)) return [`${germanRoot(word)}en`];
  return /(?:t|en)$/.test(word) ? [`ge${germanRoot(word)}t`] : [];
}

/** "Waermepumpe" as "Wärmepumpe" reads without its marks. */
export function withPlainUmlauts(text: string): string {
  return text.replace(/(?<![aeouqAEOUQ])([aouAOU])e(?=[^aeiou\s])/g, "$1");
}
