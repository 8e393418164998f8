// The draft: the answer up front, then one section per perspective and per gap, what to compare, and what is missing.
import { assert } from "../../kernel/assert.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import { claimsOf, type Claim, type Draft, type Section } from "../../run/report.ts";
import type { Perspective, Pivot, Plan, Summary } from "../../run/research.ts";
import { answerOf } from "./answer.ts";
import { comparisonsOf } from "./comparisons.ts";
import { coreClaimsOf } from "./core-claims.ts";
import { independentSources } from "./independent-sources.ts";
import { Lexicon } from "./lexicon.ts";
import { pointsOf, type Point } from "./points.ts";
import { reportGaps } from "./report-gaps.ts";
import { strengthsOf } from "./strengths.ts";

const ANSWER_TITLE = "Answer in quotes";
/** Sentences that share words with the question are called no answer. */
const NEAREST_TITLE = "Nothing answers this: the nearest sentences";

export async function draft(input: Tasks["draft"]["input"], tools: TaskTools): Promise<Draft> {
  const { question, plan, pivot, citations, directives } = input;
  const summaries = inReadingOrder(input.summaries, plan, pivot);
  const points = pointsOf(plan, summaries, citations, directives);
  const lexicon = new Lexicon(question);
  const core = coreClaimsOf(plan.parts, points, input.sources, lexicon);
  const answer = answerOf(points, plan, core, input.sources, lexicon);
  const isAnswered = [...core.values()].some((claims) => claims.length > 0);
  const sections = [sectionUpFront(answer, isAnswered), ...sectionsOf(summaries, plan, points, answer)].filter(
    (section) => section.claims.length > 0,
  );
  const claims = claimsOf({ question, sections, sources: [], gaps: [] });
  const digests = claims.flatMap(({ quotes }) => quotes.map((quote) => quote.source_digest));
  const groups = await independentSources(digests, tools);
  const strengths = strengthsOf(plan, points, core, groups);
  return {
    question,
    sections,
    sources: numberSources(claims, input.sources),
    gaps: reportGaps({ plan, pivot, summaries, strengths }),
    strengths,
    comparisons: comparisonsOf(claims, lexicon),
    notes: notesOf(plan, pivot, summaries),
  };
}

/** The perspectives in the order of the plan, then what the second wave found; in whatever order they came. */
function inReadingOrder(summaries: readonly Summary[], plan: Plan, pivot: Pivot): Summary[] {
  const subjects = [...plan.perspectives, ...pivot.gaps].map(({ id }) => id);
  return [...summaries].sort((left, right) => subjects.indexOf(left.subject) - subjects.indexOf(right.subject));
}

/** The most specific first: a sentence that several subjects found stands with the one that says most about it. */
const SPECIFICITY = ["contrarian", "facet", "practice", "gap", "overview"] as const;

function sectionUpFront(points: readonly Point[], isAnswered: boolean): Section {
  const claims = claimsOfPoints(points);
  return isAnswered ? { title: ANSWER_TITLE, role: "answer", claims } : { title: NEAREST_TITLE, claims };
}

/** What does not stand up front; the gaps name what was not found. */
function sectionsOf(
  summaries: readonly Summary[],
  { perspectives }: Plan,
  points: readonly Point[],
  answer: readonly Point[],
): Section[] {
  const rest = points.filter((point) => !answer.includes(point));
  const kinds = new Map<string, Perspective["kind"]>(perspectives.map(({ id, kind }) => [id, kind]));
  const rankOf = (subject: string): number => SPECIFICITY.indexOf(kinds.get(subject) ?? "gap");
  const homeOf = (point: Point): string | undefined =>
    [...point.subjects].sort((left, right) => rankOf(left) - rankOf(right))[0];
  const homes = new Map(rest.map((point) => [point, homeOf(point)]));
  foldSmallAspects(homes, perspectives);
  return summaries.map(({ subject, subject_kind, title }) => ({
    title,
    role: subject_kind,
    claims: claimsOfPoints(rest.filter((point) => homes.get(point) === subject)),
  }));
}

const MIN_CLAIMS_OF_ASPECT = 2;

/** An aspect with one sentence makes no section: the sentence goes to the part that it speaks about. */
function foldSmallAspects(homes: Map<Point, string | undefined>, perspectives: readonly Perspective[]): void {
  for (const { id, focus } of perspectives) {
    const own = [...homes].flatMap(([point, home]) => (home === id ? [point] : []));
    if (focus === undefined || own.length >= MIN_CLAIMS_OF_ASPECT) continue;
    for (const point of own) {
      const ofPart = perspectives.find(
        ({ kind, focus: other, part_ids }) =>
          kind === "facet" && other === undefined && part_ids.some((part) => point.part_ids.includes(part)),
      );
      homes.set(point, ofPart?.id ?? perspectives.find(({ kind }) => kind === "overview")?.id ?? id);
    }
  }
}

function claimsOfPoints(points: readonly Point[]): Claim[] {
  return points.map((point) => point.claim);
}

function numberSources(claims: readonly Claim[], sources: Tasks["draft"]["input"]["sources"]): Draft["sources"] {
  const known = new Map(sources.map((source) => [source.source_digest, source]));
  const used = new Set(claims.flatMap(({ quotes }) => quotes.map((quote) => quote.source_digest)));
  return [...used].map((source_digest, index) => {
    const source = known.get(source_digest);
    assert(source !== undefined, "every quoted source is among the sources of the run");
    return { number: index + 1, source_digest, title: source.title, origin: source.origin };
  });
}

/** What limits cut off and which documents were left out, each once; what only says that nothing was found is a gap. */
function notesOf(plan: Plan, pivot: Pivot, summaries: readonly Summary[]): string[] {
  const found = summaries.filter(({ points }) => points.length > 0).flatMap(({ notes = [] }) => notes);
  return [...new Set([...(plan.notes ?? []), ...(pivot.notes ?? []), ...found])];
}
