// Brings "parsers", "parsing" and "parsed" to one stem by Porter's rules, as FTS5's porter tokenizer does, but for a plural s.
import { stemmer } from "stemmer";

const WORD = /^[a-z]{3,40}$/;
/** Letters without a vowel are no word in the plural: https, dns, tls. */
const NO_PLURAL = /^y?[^aeiouy]*s$/;

/** Expects a lower-case word; words of other letters than a to z, and those of one or two, come back as they are. */
export function stem(word: string): string {
  return !WORD.test(word) || (NO_PLURAL.test(word) && !word.endsWith("ss")) ? word : stemmer(word);
}
