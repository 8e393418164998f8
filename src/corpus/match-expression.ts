// Turns what a person asks into an FTS5 expression: content words joined by OR, every one quoted.
import { withoutStopWords } from "./stop-words.ts";
import { spacedText, wordsOf } from "./terms.ts";

const MAX_TERMS = 40;

export interface MatchExpression {
  /** Any of the words. */
  any: string;
  /** Each word alone, without the compounds. */
  each: string[];
}

/** Null when the query holds no word at all. */
export function matchExpression(query: string): MatchExpression | null {
  const tokens = spacedText(query).split(/\s+/);
  const words = [...new Set(tokens.flatMap(wordsOf))];
  const content = withoutStopWords(words);
  const terms = content.length > 0 ? content : words;
  // "command-line" and "v1.2.3" count once more when they stand together.
  const compounds = tokens.map(wordsOf).filter((parts) => parts.length > 1 && parts.length < 8);
  const phrases = [...terms, ...new Set(compounds.map((parts) => parts.join(" ")))].slice(0, MAX_TERMS);
  if (phrases.length === 0) return null;
  return { any: phrases.map(quoted).join(" OR "), each: terms.slice(0, MAX_TERMS).map(quoted) };
}

function quoted(phrase: string): string {
  return `"${phrase}"`;
}
