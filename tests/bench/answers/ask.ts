// Asks the local driver the questions of a collection: whole runs in this process, over a warm index, without a disk.
import { openCorpus, type Corpus } from "../../../src/corpus/corpus.ts";
import { openingOnce } from "../../../src/operations/make/open-once.ts";
import { readReport } from "../../../src/operations/report/read-report.ts";
import { startRun } from "../../../src/operations/change/start-run.ts";
import type { InitOptions } from "../../../src/operations/options.ts";
import type { Ports } from "../../../src/ports/ports.ts";
import type { Report } from "../../../src/run/report/report.ts";
import { memoryLog } from "../../conformance/memory-log.ts";
import { makePorts } from "../../../src/wiring.ts";
import type { Answerable, Collection } from "./collection.ts";
import { paragraphsOf, sentencesOf, wordCount } from "./sentences.ts";
import { shownUnder, type Shown } from "./shown.ts";

/** How one question fared. */
export interface Asked {
  language: Collection["language"];
  isAnswerable: boolean;
  /** The best of the parts; 0 when there is no report. */
  coverage: number;
  hasAnswer: boolean;
  /** Whether a right sentence stands in the answer, in the nearest passages, and anywhere on the page. */
  isRight: boolean;
  isRightNearest: boolean;
  isRightAnywhere: boolean;
  /** Of the answer. */
  markedSentences: number;
  rightSentences: number;
  answerWords: number;
  seconds: number;
  /** The place of the first right passage among the first five of `search`; null when none of them is right. */
  placeInSearch: number | null;
}

const PASSAGES = 5;

/** By whom passages are ranked, if not by the search alone. */
export interface How {
  options?: Partial<InitOptions>;
  ports?: Partial<Ports>;
}

export async function askAll(
  collection: Collection,
  folder: string,
  { options = {}, ports: own = {} }: How = {},
): Promise<Asked[]> {
  const given = { ...makePorts({ indexFolder: null, cliInvocation: "deep-research" }), ...own };
  using ports = openingOnce({ ...given, store: memoryLog(given) });
  const questions: Question[] = [...collection.answerable, ...collection.unanswerable.map((ask) => ({ ask }))];
  const { signal } = new AbortController();
  const corpus = await openCorpus({ name: "docs", path: folder, cacheFolder: null, signal });
  // The first run reads the documents into the index, which is none of a question's time.
  await reportOn(ports, folder, "What is this about?");
  const asked: Asked[] = [];
  for (const question of questions) {
    const begun = performance.now();
    const report = await reportOn(ports, folder, question.ask, options);
    const seconds = (performance.now() - begun) / 1000;
    const placeInSearch = await placeOf(corpus, collection, question);
    asked.push({ ...judge(collection, question, report), seconds, placeInSearch });
  }
  corpus.close();
  return asked;
}

type Question = Answerable | { ask: string };

async function placeOf(corpus: Corpus, { language }: Collection, question: Question): Promise<number | null> {
  const passages = await corpus.search(question.ask, { limit: PASSAGES }, new AbortController().signal);
  const place = passages.findIndex(({ text, path }) => holdsRight(question, language, text, path));
  return place === -1 ? null : place + 1;
}

/** Null when the run halted without evidence. */
export async function reportOn(
  ports: Ports,
  folder: string,
  question: string,
  options: Partial<InitOptions> = {},
): Promise<Report | null> {
  const { run, error } = await startRun(
    ports,
    {
      runsRoot: "/runs",
      question,
      driver: "local",
      mode: "standard",
      sensitivity: "normal",
      corpora: [folder],
      providers: [],
      limits: {},
      policies: {},
      ...options,
    },
    {},
  );
  if (error?.code === "NO_EVIDENCE") return null;
  if (error !== null || run === null) throw new Error(`${question}: ${error?.code ?? "no run"}`);
  return await readReport(ports, run);
}

function judge(
  { language }: Collection,
  question: Question,
  report: Report | null,
): Omit<Asked, "seconds" | "placeInSearch"> {
  const answer = report === null ? [] : shownUnder(report, "answer");
  const nearest = report === null ? [] : shownUnder(report, "nearest");
  const holds = ({ text, origin }: Shown): boolean => holdsRight(question, language, text, origin);
  const marked = answer.flatMap(({ marked: own, origin }) => own.map((text) => ({ text, origin })));
  return {
    language,
    isAnswerable: "right" in question,
    coverage: Math.max(0, ...(report?.parts ?? []).map((part) => part.coverage)),
    hasAnswer: answer.length > 0,
    isRight: answer.some(holds),
    isRightNearest: nearest.some(holds),
    isRightAnywhere: report !== null && shownUnder(report).some(holds),
    markedSentences: marked.length,
    rightSentences: marked.filter(holdsIn(question)).length,
    answerWords: answer.reduce((sum, { text }) => sum + wordCount(text, language), 0),
  };
}

function holdsIn(question: Question): (marked: { text: string; origin: string }) => boolean {
  return ({ text, origin }) => "right" in question && isRightIn(question, text.replace(/\s+/g, " ").trim(), origin);
}

/** Whether a paragraph or a sentence of the text is right. */
function holdsRight(question: Question, language: string, text: string, path: string): boolean {
  const pieces = [...paragraphsOf(text), ...sentencesOf(text, language)];
  return "right" in question && pieces.some((piece) => isRightIn(question, piece, path));
}

/** Whether a text of this document holds what a right sentence holds. */
export function isRightIn({ right, within }: Answerable, text: string, path: string): boolean {
  return right.test(text) && (within === undefined || path.includes(within));
}
