// Spells words as a question does. Words are compared without capitals and diacritics, but a reader sees them as written.
import { shortened } from "../../kernel/shortened.ts";
import { spacedText, wordsOf } from "../../corpus/words/terms.ts";

const SPELLED = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** Longer words are data, and are cut. */
const MAX_SHOWN_LENGTH = 60;

/** Each word as the text first spells it. Expects words as `wordsOf` cuts them. */
export function asSpelled(words: readonly string[], text: string): string[] {
  const spelled = new Map<string, string>();
  for (const written of spacedText(text.normalize("NFC")).match(SPELLED) ?? []) {
    const [word = "", ...others] = wordsOf(written);
    if (others.length === 0 && !spelled.has(word)) spelled.set(word, written);
  }
  return words.map((word) => spelled.get(word) ?? word);
}

/** As `asSpelled`, with long words cut for a reader. */
export function asShown(words: readonly string[], text: string): string[] {
  return asSpelled(words, text).map((word) =>
    word.length > MAX_SHOWN_LENGTH ? `${shortened(word, MAX_SHOWN_LENGTH)}…` : word,
  );
}
