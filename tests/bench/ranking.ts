// Compares the ranking with SQLite's own: on judged documents of ours, and on packages found by their own words.
import fs from "node:fs";
import path from "node:path";
import { openCorpus, type Corpus } from "../../src/corpus/corpus.ts";
import type { Figure } from "./bench.ts";
import { benchFolder } from "./fixtures.ts";
import { JUDGED_DOCUMENTS, JUDGED_QUESTIONS, type JudgedQuestion } from "./judged-documents.ts";
import { packageDescriptions, type Description } from "./package-descriptions.ts";
import { PlainFts, type PlainPassage } from "./plain-fts.ts";

const PLACES = 10;
/** To find one known text again, its section is no help; it must not cost more than this. */
const LEAST_RATIO = 0.98;

export async function ranking(): Promise<Figure[]> {
  const judged = Object.entries(JUDGED_DOCUMENTS).map(([name, body]) => ({ path: `${name}.txt`, title: "", body }));
  const figures = [await compare("judged documents", judged, (passage) => passage.body, JUDGED_QUESTIONS)];
  const descriptions = packageDescriptions();
  if (descriptions.length === 0) return figures;
  const questions = descriptions.filter((_, index) => index % 3 === 0).flatMap(questionFrom);
  for (const [kind, extension, textOf] of FORMS) {
    const passages = descriptions.map(({ name, title, body }) => ({
      path: `${name}.${extension}`,
      title: kind === "without titles" ? "" : title,
      body,
    }));
    figures.push(await compare(`${descriptions.length} packages, ${kind}`, passages, textOf, questions));
  }
  return figures;
}

type TextOf = (passage: PlainPassage) => string;

const FORMS: readonly (readonly [string, string, TextOf])[] = [
  ["titles as headings", "md", ({ title, body }) => `# ${title}\n\n${body}\n`],
  ["titles as first lines", "txt", ({ title, body }) => `${title}\n\n${body}\n`],
  ["without titles", "txt", ({ body }) => `${body}\n`],
  ["titles, all in one line", "txt", ({ title, body }) => `${title}. ${body.replace(/\s+/g, " ")}\n`],
];

/** Two words of three from the middle of a description, which is what has to be found. */
function questionFrom({ name, body }: Description): JudgedQuestion[] {
  const sentences = body.replace(/\s+/g, " ").split(/(?<=[.!?]) /);
  const words = (sentences[Math.floor(sentences.length / 2)] ?? "").split(" ");
  const question = words.filter((_, index) => index % 3 !== 1).slice(0, 14);
  return question.length < 4 ? [] : [{ question: question.join(" "), grades: { [name]: 1 } }];
}

async function compare(
  name: string,
  passages: readonly PlainPassage[],
  textOf: TextOf,
  questions: readonly JudgedQuestion[],
): Promise<Figure> {
  const folder = benchFolder();
  for (const passage of passages) fs.writeFileSync(path.join(folder, passage.path), textOf(passage));
  const { signal } = new AbortController();
  const corpus = await openCorpus({ name: "docs", path: folder, cacheFolder: null, signal });
  const ours = await ndcg(questions, (question) => found(corpus, question, signal));
  corpus.close();
  fs.rmSync(folder, { recursive: true });
  const [plain, weighted] = [await plainNdcg(passages, 1, questions), await plainNdcg(passages, 3, questions)];
  return {
    name: `nDCG@10, ${name}`,
    value: `${ours.toFixed(3)}, plain FTS5 ${plain.toFixed(3)}, with titles weighted ${weighted.toFixed(3)}`,
    target: `at least ${LEAST_RATIO} of plain FTS5`,
    holds: ours >= LEAST_RATIO * Math.max(plain, weighted),
  };
}

async function found(corpus: Corpus, question: string, signal: AbortSignal): Promise<string[]> {
  const passages = await corpus.search(question, { limit: PLACES, perDocument: 1 }, signal);
  return passages.map((passage) => passage.path);
}

async function plainNdcg(
  passages: readonly PlainPassage[],
  titleWeight: number,
  questions: readonly JudgedQuestion[],
): Promise<number> {
  const plain = new PlainFts(passages, { titleWeight, file: ":memory:" });
  const value = await ndcg(questions, async (question) => plain.find(question, PLACES));
  plain.close();
  return value;
}

/** The mean over the questions; a document's name is its path without the extension. */
async function ndcg(
  questions: readonly JudgedQuestion[],
  find: (question: string) => Promise<string[]>,
): Promise<number> {
  let sum = 0;
  for (const { question, grades } of questions) {
    const names = (await find(question)).map((file) => file.replace(/\.[a-z]+$/, ""));
    const best = Object.values(grades).sort((left, right) => right - left);
    sum += gain(names.map((name) => grades[name] ?? 0)) / gain(best);
  }
  return sum / questions.length;
}

function gain(grades: readonly number[]): number {
  return grades.slice(0, PLACES).reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
}
