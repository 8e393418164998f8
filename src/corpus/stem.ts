// The Porter stemmer: brings "parsers", "parsing" and "parsed" to one stem, as FTS5's porter tokenizer does, but for a plural s.
// Source: M. F. Porter, An algorithm for suffix stripping, Program 14(3), 1980, with his later rules for -bli and -logi.

const CONSONANTS = "[^aeiou][^aeiouy]*";
const VOWELS = "[aeiouy][aeiou]*";
/** m counts the runs of vowels that consonants follow. */
const M_OVER_0 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}`);
const M_IS_1 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}(${VOWELS})?$`);
const M_OVER_1 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`);
const HAS_VOWEL = new RegExp(`^(${CONSONANTS})?[aeiouy]`);
const ENDS_SHORT = new RegExp(`^${CONSONANTS}[aeiouy][^aeiouwxy]$`);

const STEP_2: readonly (readonly [string, string])[] = [
  ["ational", "ate"],
  ["ization", "ize"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["entli", "ent"],
  ["ousli", "ous"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["alli", "al"],
  ["ator", "ate"],
  ["logi", "log"],
  ["bli", "ble"],
  ["eli", "e"],
];
const STEP_3: readonly (readonly [string, string])[] = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];
const STEP_4 = /(ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic|ou)$/;

/** Expects a lower-case word; words of other letters than a to z, and those of one or two, come back as they are. */
export function stem(word: string): string {
  if (!/^[a-z]{3,40}$/.test(word)) return word;
  // A leading y is a consonant; upper case hides it from the vowels.
  const held = word.startsWith("y") ? `Y${word.slice(1)}` : word;
  const withoutForms = withoutPastAndGerund(withoutPlural(held));
  const withI =
    withoutForms.endsWith("y") && HAS_VOWEL.test(withoutForms.slice(0, -1))
      ? `${withoutForms.slice(0, -1)}i`
      : withoutForms;
  const shortened = withoutNounEnding(withSuffix(withSuffix(withI, STEP_2), STEP_3));
  return tidied(shortened).toLowerCase();
}

/** Letters without a vowel are no word in the plural: https, dns, tls. The later English stemmer of Snowball keeps them, too. */
function withoutPlural(word: string): string {
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  const base = word.slice(0, -1);
  return /[^s]s$/.test(word) && HAS_VOWEL.test(base) ? base : word;
}

function withoutPastAndGerund(word: string): string {
  if (word.endsWith("eed")) return M_OVER_0.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const base = word.replace(/(ed|ing)$/, "");
  if (base === word || !HAS_VOWEL.test(base)) return word;
  if (/(at|bl|iz)$/.test(base)) return `${base}e`;
  if (/([^aeiouylsz])\1$/.test(base)) return base.slice(0, -1);
  return ENDS_SHORT.test(base) ? `${base}e` : base;
}

function withSuffix(word: string, table: readonly (readonly [string, string])[]): string {
  const found = table.find(([suffix]) => word.endsWith(suffix));
  if (found === undefined) return word;
  const base = word.slice(0, word.length - found[0].length);
  return M_OVER_0.test(base) ? base + found[1] : word;
}

function withoutNounEnding(word: string): string {
  const ending = STEP_4.exec(word)?.[0];
  if (ending !== undefined) {
    const base = word.slice(0, -ending.length);
    return M_OVER_1.test(base) ? base : word;
  }
  return /[st]ion$/.test(word) && M_OVER_1.test(word.slice(0, -3)) ? word.slice(0, -3) : word;
}

function tidied(word: string): string {
  let result = word;
  if (result.endsWith("e")) {
    const base = result.slice(0, -1);
    if (M_OVER_1.test(base) || (M_IS_1.test(base) && !ENDS_SHORT.test(base))) result = base;
  }
  return result.endsWith("ll") && M_OVER_1.test(result) ? result.slice(0, -1) : result;
}
