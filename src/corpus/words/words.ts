// Cuts texts into words.

/** Scripts without a space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

let segmenter: Intl.Segmenter | undefined;

/** The text with a space between any two words. Only texts in scripts without such spaces change. */
export function spacedText(text: string): string {
  if (!hasUnspacedScript(text)) return text;
  segmenter ??= new Intl.Segmenter("ja", { granularity: "word" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment).join(" ");
}

export function hasUnspacedScript(text: string): boolean {
  return UNSPACED.test(text);
}

const NOT_ASCII = /[^\u0000-\u007f]/;

export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

/**
 * What may as well be left out: diacritics of Latin and Greek letters, vowel marks of Arabic and Hebrew and the stroke that
 * stretches a word, the dots of the Russian yo, and stress marks. Elsewhere marks are vowels and distinguish words.
 */
const OPTIONAL =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+|(?<=[еЕ])\u0308|\u0301|\u0640/gu;

/** The words in lower case, compared without marks that may be left out. The Turkish i is one letter, with and without dot. */
export function wordsOf(text: string): string[] {
  // Most texts are ASCII, and this is faster.
  if (isAscii(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const plain = spacedText(text.normalize("NFKC")).normalize("NFD").replace(OPTIONAL, "").normalize("NFC");
  return plain.toLowerCase().replaceAll("ı", "i").match(WORD) ?? [];
}
