// Research for one perspective and for one gap: the same search, with a gap judged more loosely.
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Findings, QuestionPart } from "../../run/research.ts";
import { findCandidates } from "./candidates.ts";
import { gather } from "./gather.ts";
import { RelevanceJudge } from "./relevance.ts";
import { stanceOf } from "./stance.ts";
import { weighTerms } from "./term-weights.ts";

const MIN_COVERAGE = 0.4;
/** Wave 2 takes what wave 1 found too thin, but still only what shares its words with the question. */
const MIN_COVERAGE_FOR_GAP = 0.3;

export async function research(
  { perspective, parts, limits }: Tasks["research"]["input"],
  tools: TaskTools,
): Promise<Findings> {
  const { id, title, questions, queries } = perspective;
  const own = parts.filter((part) => perspective.part_ids.includes(part.id));
  const judge = await judgeFor(own, parts, MIN_COVERAGE, tools);
  const stance = stanceOf(perspective.kind, limits.max_perspectives === 1);
  const candidates = await findCandidates({ queries, resultsPerQuery: limits.results_per_query, judge, stance }, tools);
  const gathered = await gather(
    { candidates, limits, known: [], wordsBefore: countWords([title, ...questions]) },
    tools,
  );
  return { schema_version: "findings.v1", subject: id, subject_kind: "perspective", title, questions, ...gathered };
}

export async function fillGap(
  { gap, parts, known, limits }: Tasks["fill_gap"]["input"],
  tools: TaskTools,
): Promise<Findings> {
  const { id, title, queries } = gap;
  const own = parts.filter((part) => part.id === gap.part_id);
  const questions = own.map((part) => part.text);
  const judge = await judgeFor(own, parts, MIN_COVERAGE_FOR_GAP, tools);
  const candidates = await findCandidates(
    { queries, resultsPerQuery: limits.results_per_query, judge, stance: "any" },
    tools,
  );
  const gathered = await gather({ candidates, limits, known, wordsBefore: countWords([title, ...questions]) }, tools);
  return { schema_version: "findings.v1", subject: id, subject_kind: "gap", title, questions, ...gathered };
}

async function judgeFor(
  parts: readonly QuestionPart[],
  allParts: readonly QuestionPart[],
  minCoverage: number,
  tools: TaskTools,
): Promise<RelevanceJudge> {
  const words = [...new Set([...parts, ...allParts].flatMap((part) => part.terms))];
  const weights = await weighTerms(words, (query, limit) => tools.search(query, limit));
  return new RelevanceJudge(parts, weights, minCoverage);
}

function countWords(texts: readonly string[]): number {
  return texts.join(" ").split(/\s+/).length;
}
