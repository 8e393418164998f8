// Words as a question spells them: they are compared without capitals and diacritics, but a reader sees them as written.
import { shortened } from "../../kernel/shortened.ts";
import { spacedText, wordsOf } from "../../corpus/terms.ts";

const SPELLED = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** What is longer is data, not a word. */
const MAX_SHOWN_LENGTH = 60;

/** The words in their order, as the text first has them. Expects words as `wordsOf` cuts them. */
export function asSpelled(words: readonly string[], text: string): string[] {
  const spelled = new Map<string, string>();
  for (const written of spacedText(text.normalize("NFC")).match(SPELLED) ?? []) {
    const [word = "", ...others] = wordsOf(written);
    if (others.length === 0 && !spelled.has(word)) spelled.set(word, written);
  }
  return words.map((word) => spelled.get(word) ?? word);
}

/** As a reader sees them. */
export function asShown(words: readonly string[], text: string): string[] {
  return asSpelled(words, text).map((word) =>
    word.length > MAX_SHOWN_LENGTH ? `${shortened(word, MAX_SHOWN_LENGTH)}…` : word,
  );
}
