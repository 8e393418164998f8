// Stems words by Porter's rules: "parsers", "parsing" and "parsed" are found as one. FTS5's porter tokenizer does the same.
import { stemmer } from "stemmer";

const WORD = /^[a-z]{3,40}$/;
/** Unlike FTS5: the s of https, dns and tls is no plural, since these have no vowel. */
const NO_PLURAL = /^y?[^aeiouy]*s$/;

/** Expects a word in lower case. Words of one or two letters, of over 40, or with other letters than a to z stay as they are. */
export function stem(word: string): string {
  return !WORD.test(word) || (NO_PLURAL.test(word) && !word.endsWith("ss")) ? word : stemmer(word);
}
