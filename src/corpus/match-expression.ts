// Turns what a person asks into an FTS5 expression: content words joined by OR, every one quoted.
import { isStopWord } from "./stop-words.ts";
import { spacedText, wordsOf } from "./terms.ts";

const MAX_TERMS = 40;

/** Null when the query holds no word at all. */
export function matchExpression(query: string): string | null {
  const tokens = spacedText(query).split(/\s+/);
  const words = [...new Set(tokens.flatMap(wordsOf))];
  const content = words.filter((word) => !isStopWord(word));
  const terms = content.length > 0 ? content : words;
  // "command-line" and "v1.2.3" count once more when they stand together.
  const compounds = tokens.map(wordsOf).filter((parts) => parts.length > 1 && parts.length < 8);
  const phrases = [...terms, ...new Set(compounds.map((parts) => parts.join(" ")))].slice(0, MAX_TERMS);
  return phrases.length === 0 ? null : phrases.map((phrase) => `"${phrase}"`).join(" OR ");
}
