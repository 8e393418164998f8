// Plans the research: the parts of the question, the weight of each of their words, and one search for each part.
import { rarity } from "../../corpus/search/scores.ts";
import { termOf } from "../../corpus/words/term-cutter.ts";
import { wordsOf } from "../../corpus/words/terms.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { WordCounts } from "../../ports/provider.ts";
import { followingNote } from "../../run/report/earlier-evidence.ts";
import type { Plan, QuestionPart } from "../../run/report/research.ts";
import { partsOf, queryOf, questionSentences, ALSO, MIN_OWN_WORDS } from "./question.ts";
import { isSigned, questionWords } from "./signed-words.ts";
import { asShown } from "./spelling.ts";
import { PartWords } from "./part-words.ts";
import { coverageOfPassage } from "./coverage.ts";

/** A part keeps its rarest words. */
const MAX_TERMS = 16;
/** A word in more than this share of the passages has no weight, such as the name of what the corpus is about. */
const SHARED_FROM = 0.8;
/** With fewer passages every word has a weight, since most of them may hold what is wanted. */
const MIN_SHARING = 20;
/** Few passages do not show which words are rare, so words are weighed over at least so many. */
const LEAST_PASSAGES = 10;
/** A word that no passage holds is named, and does not outvote one that is there. */
const ABSENT_WEIGHT = 0.5;
const DECIMALS = 4;

export async function plan({ question, earlier }: Tasks["plan"]["input"], tools: TaskTools): Promise<Plan> {
  const found = partsOf(await textsOf(question, tools));
  const parts = await weighed(found.parts, tools);
  const perspective = {
    id: "overview",
    title: "Overview",
    kind: "overview" as const,
    questions: parts.map(({ text }) => text),
    queries: [...new Set(parts.map(queryOf))],
    part_ids: parts.map(({ id }) => id),
  };
  const notes = [
    ...(earlier === undefined ? [] : [followingNote(earlier, 0, 1)]),
    ...(found.leftOut === 0 ? [] : [`Only the first ${parts.length} parts of the question were looked for.`]),
  ];
  return { parts, perspectives: [perspective], notes };
}

/** The sentences of the question. A sentence that asks for several things is cut into clauses, if the provider counts words. */
async function textsOf(question: string, tools: TaskTools): Promise<string[]> {
  const texts: string[] = [];
  for (const sentence of questionSentences(question)) {
    const clauses = clausesOf(sentence);
    texts.push(...((await areFoundAlone(clauses, sentence, tools)) ? clauses : [sentence]));
  }
  return texts;
}

async function areFoundAlone(clauses: readonly string[], sentence: string, tools: TaskTools): Promise<boolean> {
  if (clauses.length === 1 || ((await tools.countWords?.(sentence)) ?? null) === null) return false;
  const foundFor = async (texts: readonly string[]): Promise<number> =>
    await coverageFound(await weighed(partsOf(texts).parts, tools), tools);
  return (await foundFor(clauses)) >= (await foundFor([sentence])) + GAIN;
}

/** The parts with the weights of their words, and with the words that no passage has. */
export async function weighed(parts: readonly QuestionPart[], tools: TaskTools): Promise<QuestionPart[]> {
  const result: QuestionPart[] = [];
  for (const part of parts) {
    const counts = (await tools.countWords?.(queryOf(part))) ?? null;
    result.push(counts === null ? { ...part, terms: part.terms.slice(0, MAX_TERMS) } : withWeights(part, counts));
  }
  return result;
}

function withWeights(part: QuestionPart, counts: WordCounts): QuestionPart {
  // A word with signs is counted by its letters. Signs alone are not counted.
  const lettersOf = (word: string): string => (isSigned(word) ? (wordsOf(word)[0] ?? word) : word);
  const holding = (word: string): number => counts.holding.get(termOf(lettersOf(word))) ?? 0;
  const rarest = new Set(part.terms.toSorted((left, right) => holding(left) - holding(right)).slice(0, MAX_TERMS));
  const terms = part.terms.filter((word) => rarest.has(word));
  return {
    ...part,
    terms,
    weights: terms.map((word) => weightOf(holding(word), counts.passages)),
    absent: asShown(
      terms.filter((word) => holding(word) === 0 && !isSigned(lettersOf(word))),
      queryOf(part),
    ),
  };
}

/** 0 to 1, where 1 is for a word of one passage. */
function weightOf(holding: number, passages: number): number {
  if (holding === 0) return ABSENT_WEIGHT;
  if (passages >= MIN_SHARING && holding > passages * SHARED_FROM) return 0;
  const all = Math.max(passages, LEAST_PASSAGES);
  return Number((rarity(holding, all) / rarity(1, all)).toFixed(DECIMALS));
}

// --- clauses ------------------------------------------------------------------------------------------------------

/** The comma in "2,700 GB" ends no clause. */
const CLAUSE_END = /(?!(?<=\d),\d)[,;，、；]\s*/u;
const MAX_CLAUSES = 4;
/** Passages of a search that are compared. */
const LOOKED_AT = 3;
/** The clauses are separate parts when their passages have a coverage that is larger by this much. */
const GAIN = 0.15;

/** The clauses of a sentence that could be separate parts, or the sentence. Each ends in the sign that ends the sentence. */
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
  return questionWords(clause).length >= MIN_OWN_WORDS;
}

/** The mean of the best coverage that a search for each part finds. */
async function coverageFound(parts: readonly QuestionPart[], tools: TaskTools): Promise<number> {
  let sum = 0;
  for (const part of parts) {
    const sought = new PartWords(part);
    const passages = await tools.search(part.text, LOOKED_AT);
    sum += Math.max(0, ...passages.map((passage) => coverageOfPassage(passage, sought)));
  }
  return sum / parts.length;
}
