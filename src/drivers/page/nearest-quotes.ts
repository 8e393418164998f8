// Finds quotes for sentences without a mark and without marks beside them: those that share most words. The verifier still judges
// if they support the sentence.
import { contentWords } from "../../corpus/terms.ts";
import type { Named } from "./faults.ts";
import { neighboursOf, type WrittenPage } from "./written-page.ts";

/** With fewer shared words a quote is not taken. */
const LEAST_SHARED = 2;
const MOST_QUOTES = 3;

/** Sets `near` of the statements of the page. */
export function tieToQuotes(page: WrittenPage, { citations }: Named): void {
  let words: Map<string, ReadonlySet<string>> | null = null;
  for (const statement of page.statements.values()) {
    if (statement.kind !== "unmarked" || neighboursOf(statement.statement_id, page).length > 0) continue;
    // Read only when needed, since finding the language of a text loads the stop words of all languages.
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
