// Tells whether one sentence asks for several things: then its clauses are found better alone than together.
import type { TaskTools } from "../../ports/driver.ts";
import type { QuestionPart } from "../../run/research.ts";
import { AskedWords } from "./asked-words.ts";
import { coverageOfPassage } from "./coverage.ts";
import { wordsAsked } from "./signed-words.ts";

/** The comma of "2,700 GB" ends none. */
const CLAUSE_END = /(?!(?<=\d),\d)[,;，、；]\s*/u;
/** A clause with fewer words of its own goes with the one before: "In PostgreSQL, what is …". */
const MIN_OWN_WORDS = 2;
const MAX_CLAUSES = 4;
/** What the search ranks first is enough to tell. */
const LOOKED_AT = 3;
/** So much more of them the passages hold when the clauses are looked for alone. */
const GAIN = 0.15;

/** The clauses of a sentence that could be asked alone, each with the sign that ends it; one when there are no more. */
export function clausesOf(sentence: string): string[] {
  const clauses: string[] = [];
  for (const piece of sentence.split(CLAUSE_END)) {
    const before = clauses.at(-1);
    if (before !== undefined && !(isWhole(piece) && isWhole(before)))
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

/** Whether the passages hold more of the clauses, each looked for alone, than of the whole sentence. */
export async function gainsByClauses(
  clauses: readonly QuestionPart[],
  sentence: readonly QuestionPart[],
  tools: TaskTools,
): Promise<boolean> {
  return (await meanFound(clauses, tools)) >= (await meanFound(sentence, tools)) + GAIN;
}

async function meanFound(parts: readonly QuestionPart[], tools: TaskTools): Promise<number> {
  let sum = 0;
  for (const part of parts) sum += await foundOf(part, tools);
  return sum / parts.length;
}

async function foundOf(part: QuestionPart, tools: TaskTools): Promise<number> {
  const asked = new AskedWords(part);
  const passages = await tools.search(part.text, LOOKED_AT);
  return Math.max(0, ...passages.map((passage) => coverageOfPassage(passage, asked)));
}
