// Researches a perspective: makes excerpts of the passages that the search ranks best for each part of the question.
import { diverse } from "../../corpus/search/diverse.ts";
import { formatOf } from "../../corpus/formats/formats.ts";
import { isInAnotherLanguage } from "../../corpus/words/languages.ts";
import { spread } from "../../corpus/search/spread.ts";
import { wordsOf } from "../../corpus/words/terms.ts";
import { withoutTwins } from "../../corpus/search/twins.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Passage } from "../../ports/provider.ts";
import type { Findings, QuestionPart } from "../../run/report/research.ts";
import type { Limits } from "../../run/settings/settings.ts";
import { openRanker } from "../ranking/ranker.ts";
import { PartWords } from "./part-words.ts";
import { isBoilerplate } from "./boilerplate.ts";
import { ANSWERS_FROM, coverageOfPassage, headingOf } from "./coverage.ts";
import { Excerpts, inOrder, type Candidate, type Gathered } from "./excerpts.ts";
import { isOfHistory, namesVersion } from "./histories.ts";
import { weighed } from "./plan.ts";
import { queryOf } from "./question.ts";
import { rankedCandidates } from "./ranked.ts";

/** Asks for this many times the passages that a query may take, since near copies and boilerplate are left out. */
const SEARCH_FACTOR = 3;
/** In a question that names something of code, such as `parse_options`, parseOptions or parse(), programs keep a place behind prose. */
const NAMES_CODE = /`|\(\)|[\p{L}\p{N}]_\p{L}|\p{Ll}\p{Lu}/u;

export async function research(
  { perspective, parts, limits }: Tasks["research"]["input"],
  tools: TaskTools,
): Promise<Findings> {
  const { id, title, questions, part_ids } = perspective;
  const own = parts.filter((part) => part_ids.includes(part.id));
  const named = { subject: id, subject_kind: "perspective", title, questions } as const;
  return { schema_version: "findings.v1", ...named, ...(await gather(own, limits, tools)) };
}

/** This driver asks for no gap itself, but a run that another driver began may have some. */
export async function fillGap({ gap, parts, limits }: Tasks["fill_gap"]["input"], tools: TaskTools): Promise<Findings> {
  const { id, title, part_id } = gap;
  const own = parts.filter((part) => part.id === part_id);
  const named = { subject: id, subject_kind: "gap", title, questions: own.map(({ text }) => text) } as const;
  return { schema_version: "findings.v1", ...named, ...(await gather(own, limits, tools)) };
}

/** The parts take turns, so that each gets its best passage before any gets its second. */
async function gather(parts: readonly QuestionPart[], limits: Limits, tools: TaskTools): Promise<Gathered> {
  const excerpts = new Excerpts(limits, tools);
  const found: Candidate[][][] = [];
  // Documents may have been added to a run that halted without evidence.
  const isShort = parts.some(({ absent = [] }) => absent.length > 0);
  const ranker = await openRanker(tools);
  const about = ranker === null ? undefined : "kind" in ranker ? ranker.why : ranker.note;
  if (about !== undefined) excerpts.note(about);
  for (const part of isShort ? await weighed(parts, tools) : parts) {
    const ranked = ranker === null || "kind" in ranker ? null : await rankedCandidates(part, ranker, tools);
    if (typeof ranked === "string") excerpts.note(ranked);
    found.push(Array.isArray(ranked) ? ranked : await candidatesOf(part, limits, tools));
  }
  const turns = Math.max(0, ...found.map(({ length }) => length));
  for (let turn = 0; turn < turns; turn++)
    for (const candidates of found) {
      // The next near copy is tried when a document has changed, is gone or cannot be quoted.
      for (const candidate of candidates[turn] ?? []) if (await excerpts.add(candidate)) break;
    }
  return excerpts.gathered(parts);
}

/** Groups of near copies, the best first. */
async function candidatesOf(part: QuestionPart, limits: Limits, tools: TaskTools): Promise<Candidate[][]> {
  const query = queryOf(part);
  tools.say(`searching: ${query}`);
  const sought = new PartWords(part);
  const passages = await tools.search(query, limits.results_per_query * SEARCH_FACTOR);
  const touched = sought.touchedAmong(passages, (passage) => `${passage.text}\n${headingOf(passage)}`);
  const words = new Set(wordsOf(part.text));
  const content = touched.filter((passage) => !isBoilerplate(passage, words));
  const shown = withoutTwins(content.length > 0 ? content : touched);
  const behind = givingWay(shown, sought, part.text);
  const stays = (passage: Passage): boolean =>
    NAMES_CODE.test(part.text) || !behind.has(passage) || formatOf(passage.origin) !== "code";
  const best = inOrder(shown.filter(stays), (passage) => behind.has(passage));
  const few = spread(best, limits.results_per_query, ({ origin }) => origin);
  const chosen = await diverse(few, ({ text }) => text, tools.signal);
  const asCandidate = (passage: Passage): Candidate => ({
    part,
    sought,
    passage,
    query,
    isBehind: behind.has(passage),
  });
  const groups = chosen.map((copies) => copies.map(asCandidate));
  return inOrder(groups, ([first]) => first?.isBehind === true);
}

/**
 * The programs and histories, where prose answers the question, since most questions ask for an explanation of how things are now;
 * a question that names a version asks for histories, too. Of the rest the texts in another language than the question, where one
 * in its own answers it.
 */
function givingWay(passages: readonly Passage[], sought: PartWords, question: string): ReadonlySet<Passage> {
  const words = new Set(wordsOf(question));
  const isAside = (passage: Passage): boolean =>
    formatOf(passage.origin) === "code" || (!namesVersion(question) && isOfHistory(passage, words));
  const isForeign = ({ text }: Passage): boolean => isInAnotherLanguage(text, question);
  let first = passages;
  for (const givesWay of [isAside, isForeign]) {
    const others = first.filter((passage) => !givesWay(passage));
    if (others.some((passage) => coverageOfPassage(passage, sought) >= ANSWERS_FROM)) first = others;
  }
  return new Set(passages).difference(new Set(first));
}
