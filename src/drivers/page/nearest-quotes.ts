// Helps a writer that marks too little: a sentence without a mark, and with none beside it, is judged with the quotes that
// share most words with it. Nothing is trusted by that: the verifier says whether they support it.
import { contentWords } from "../../corpus/terms.ts";
import type { Named } from "./faults.ts";
import { neighboursOf, type WrittenPage } from "./written-page.ts";

/** Fewer shared words tie nothing. */
const LEAST_SHARED = 2;
const MOST_QUOTES = 3;

/** Writes them into the statements of the page. */
export function tieToQuotes(page: WrittenPage, { citations }: Named): void {
  let words: Map<string, ReadonlySet<string>> | null = null;
  for (const statement of page.statements.values()) {
    if (statement.kind !== "unmarked" || neighboursOf(statement.statement_id, page).length > 0) continue;
    // Most pages need none: telling the language of a text reads the stop words of all of them.
    words ??= new Map([...citations].map(([id, text]) => [id, new Set(contentWords(text))]));
    const own = contentWords(statement.text);
    const shared = [...words].map(([id, quoted]) => ({ id, count: own.filter((word) => quoted.has(word)).length }));
    const most = Math.max(...shared.map(({ count }) => count));
    if (most < LEAST_SHARED) continue;
    const near = shared.filter(({ count }) => count * 2 > most && count >= LEAST_SHARED);
    statement.near = near
      .toSorted((a, b) => b.count - a.count)
      .slice(0, MOST_QUOTES)
      .map(({ id }) => id);
  }
}
