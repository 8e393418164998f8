// Tells whether a sentence asks for several things: then a search finds more for each of its clauses than for the sentence.
import type { TaskTools } from "../../ports/driver.ts";
import type { QuestionPart } from "../../run/report/research.ts";
import { AskedWords } from "./asked-words.ts";
import { coverageOfPassage } from "./coverage.ts";
import { ALSO, MIN_OWN_WORDS } from "./question.ts";
import { wordsAsked } from "./signed-words.ts";

/** The comma in "2,700 GB" ends no clause. */
const CLAUSE_END = /(?!(?<=\d),\d)[,;，、；]\s*/u;
const MAX_CLAUSES = 4;
/** Passages of a search that are compared. */
const LOOKED_AT = 3;
/** The clauses are asked alone when their passages have a coverage that is larger by this much. */
export const GAIN = 0.15;

/** The clauses of a sentence that could be asked alone, or the sentence. Each ends in the sign that ends the sentence. */
export function clausesOf(sentence: string): string[] {
  const clauses: string[] = [];
  for (const piece of sentence.split(CLAUSE_END)) {
    const before = clauses.at(-1);
    // "In PostgreSQL, what is …" is one clause.
    if (before !== undefined && !(ALSO.test(piece) || (isWhole(piece) && isWhole(before))))
      clauses[clauses.length - 1] = `${before}, ${piece}`;
    else clauses.push(piece);
  }
  if (clauses.length === 1 || clauses.length > MAX_CLAUSES) return [sentence];
  const sign = /[?？]$/u.exec(sentence)?.[0] ?? "";
  return clauses.map((clause) => clause.charAt(0).toUpperCase() + clause.slice(1).replace(/[?？]$/u, "") + sign);
}

function isWhole(clause: string): boolean {
  return wordsAsked(clause).length >= MIN_OWN_WORDS;
}

/** The mean of the best coverage that a search for each part finds. */
export async function coverageFound(parts: readonly QuestionPart[], tools: TaskTools): Promise<number> {
  let sum = 0;
  for (const part of parts) {
    const asked = new AskedWords(part);
    const passages = await tools.search(part.text, LOOKED_AT);
    sum += Math.max(0, ...passages.map((passage) => coverageOfPassage(passage, asked)));
  }
  return sum / parts.length;
}
