// Finds words with signs, such as `$@`, C++ and .NET. A search cuts words at signs, so such words are looked for in excerpts.
import { contentWords, termsOf } from "../../corpus/words/terms.ts";

const BEGINS = String.raw`(?<![^\s"'“„«(\[\u0060])`;
/** Signs in code; letters with + or # behind them, a full stop before them, or $ or - before a single one; signs in a row. */
const SIGNED = new RegExp(
  [
    String.raw`(?<=\u0060)[^\p{L}\p{N}\s\u0060]+(?=\u0060)`,
    String.raw`${BEGINS}\p{L}[\p{L}\p{N}]*[+#]+(?![a-z0-9])`,
    String.raw`${BEGINS}\.\p{L}[\p{L}\p{N}]*(?![\p{N}.]?\p{L})`,
    String.raw`${BEGINS}(?:-\p{L}|\$[\p{L}\p{N}])(?![\p{L}\p{N}])`,
    String.raw`${BEGINS}[!#-&*+/:<=>@^|~-]{2,}(?=[\s?.,;)\]"'”»]|$)`,
  ].join("|"),
  "giu",
);
/** Dashes only join words. */
const DASHES = /^-+$/;

/** The distinct words that a question is about: those that a search finds, and behind them those with signs as written. */
export function questionWords(question: string): string[] {
  const signed = new Map<string, string>();
  const rest = question.replace(SIGNED, (word) => {
    if (DASHES.test(word)) return word;
    if (!signed.has(word.toLowerCase())) signed.set(word.toLowerCase(), word);
    return " ";
  });
  // Small words count only when there are no others, and words with signs are others.
  const words = signed.size > 0 && termsOf(rest).length === 0 ? [] : contentWords(rest);
  return [...words, ...signed.values()];
}

export function isSigned(word: string): boolean {
  return /[^\p{L}\p{N}\p{M}]/u.test(word);
}

/** True when a text has the word as written, and not within a longer one. */
export function hasSigned(text: string, word: string): boolean {
  const [lower, sought] = [text.toLowerCase(), word.toLowerCase()];
  for (let at = lower.indexOf(sought); at >= 0; at = lower.indexOf(sought, at + 1))
    if (
      !continues(lower.charAt(at - 1), sought.charAt(0)) &&
      !continues(lower.charAt(at + sought.length), sought.slice(-1))
    )
      return true;
  return false;
}

/** True when a letter follows a letter, or a sign the same sign. */
function continues(sign: string, end: string): boolean {
  const isLetter = /[\p{L}\p{N}]/u;
  return sign !== "" && (sign === end || (isLetter.test(sign) && isLetter.test(end)));
}
