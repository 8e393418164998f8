// Research for one perspective and for one gap: the same search; a gap asks in other words and looks elsewhere first.
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Findings, QuestionPart } from "../../run/research.ts";
import type { Limits } from "../../run/settings.ts";
import type { Quote } from "../../run/source.ts";
import { findCandidates } from "./candidates.ts";
import { gather } from "./gather.ts";
import { Lexicon } from "./lexicon.ts";
import { nearestTo } from "./nearest.ts";
import { findPassages } from "./passage-pool.ts";
import { RelevanceJudge } from "./relevance.ts";
import { stanceOf, type Stance } from "./stance.ts";
import { weighParts } from "./term-weights.ts";

export async function research(
  { question, perspective, parts, limits }: Tasks["research"]["input"],
  tools: TaskTools,
): Promise<Findings> {
  const { id, title, questions, queries, part_ids, kind, focus = [] } = perspective;
  const own = parts.filter((part) => part_ids.includes(part.id));
  const subject = { id, title, questions, queries, focus, parts: own };
  const stance = stanceOf(kind, limits.max_perspectives === 1);
  const gathered = await search({ question, subject, parts, limits, known: [], stance }, tools);
  return { schema_version: "findings.v1", subject: id, subject_kind: "perspective", title, questions, ...gathered };
}

export async function fillGap(
  { question, gap, parts, known, limits }: Tasks["fill_gap"]["input"],
  tools: TaskTools,
): Promise<Findings> {
  const { id, title, queries } = gap;
  const own = parts.filter((part) => part.id === gap.part_id);
  const questions = own.map((part) => part.text);
  const subject = { id, title, questions, queries, focus: [], parts: own };
  const gathered = await search({ question, subject, parts, limits, known, stance: "any" }, tools);
  return { schema_version: "findings.v1", subject: id, subject_kind: "gap", title, questions, ...gathered };
}

interface Search {
  question: string;
  subject: { title: string; questions: string[]; queries: string[]; focus: readonly string[]; parts: QuestionPart[] };
  parts: readonly QuestionPart[];
  limits: Limits;
  known: readonly Quote[];
  stance: Stance;
}

async function search(
  { question, subject, parts, limits, known, stance }: Search,
  tools: TaskTools,
): Promise<Pick<Findings, "quotes" | "sources" | "notes" | "nearest">> {
  const lexicon = new Lexicon(question);
  const all = await asTheCorpusIsNow(parts, lexicon, tools);
  const own = all.filter((part) => subject.parts.some(({ id }) => id === part.id));
  const judge = new RelevanceJudge(own, all, lexicon);
  const quoted = new Set<string>(known.map((quote) => quote.source_digest));
  const queries = subject.queries;
  const passages = await findPassages(
    { queries, resultsPerQuery: limits.results_per_query, quoted, lexicon, asked: own },
    tools,
  );
  const asked = new Map(own.map((part) => [part.id, part.text]));
  const focus = subject.focus.flatMap((words) => lexicon.termsOf(words));
  const candidates = await findCandidates(passages, { judge, stance, asked, focus }, tools);
  const wordsBefore = [subject.title, ...subject.questions].join(" ").split(/\s+/).length;
  const gathered = await gather({ candidates, limits, known, wordsBefore }, tools);
  if (gathered.quotes.length > 0 || focus.length > 0) return gathered;
  const nearest = await nearestTo(own, lexicon, tools);
  return nearest.length === 0 ? gathered : { ...gathered, nearest };
}

/** A run that halted for want of evidence goes on when documents were added: the words they lacked are looked up again. */
async function asTheCorpusIsNow(
  parts: readonly QuestionPart[],
  lexicon: Lexicon,
  tools: TaskTools,
): Promise<readonly QuestionPart[]> {
  const isComplete = parts.every(({ absent = [] }) => absent.length === 0);
  return isComplete ? parts : await weighParts(parts, lexicon, tools);
}
