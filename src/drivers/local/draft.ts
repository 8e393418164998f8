// The draft: the best quoted sentences up front, then one section per perspective and per gap, then what is missing.
import { assert } from "../../kernel/assert.ts";
import type { Tasks } from "../../ports/driver.ts";
import type { Claim, Draft, Section } from "../../run/report.ts";
import type { Citation, Directive, Perspective, Pivot, Plan, Summary } from "../../run/research.ts";
import { reportGaps } from "./report-gaps.ts";
import { Novelty } from "./similarity.ts";

export const ANSWER_TITLE = "Answer in quotes";
const ANSWER_CLAIMS = 5;
const ANSWER_CLAIMS_PER_SOURCE = 2;

/** A claim that may stand in the report, with the subjects it was found for. */
interface Point {
  claim: Claim;
  subjects: string[];
  score: number;
}

export function draft(input: Tasks["draft"]["input"]): Draft {
  const { question, plan, pivot, citations, directives } = input;
  const summaries = inReadingOrder(input.summaries, plan, pivot);
  const points = withoutRepeats(pointsOf(summaries, citations), directives);
  const answer = answerOf(points, plan.perspectives);
  const rest = points.filter((point) => !answer.includes(point));
  const sections: Section[] = [
    { title: ANSWER_TITLE, claims: claimsOfPoints(answer) },
    ...sectionsOf(summaries, plan.perspectives, rest),
  ];
  const filled = sections.filter((section) => section.claims.length > 0);
  return {
    question,
    sections: filled,
    sources: numberSources(filled, input.sources),
    gaps: reportGaps(plan, pivot, summaries),
  };
}

/** The perspectives in the order of the plan, then what the second wave found; in whatever order they came. */
function inReadingOrder(summaries: readonly Summary[], plan: Plan, pivot: Pivot): Summary[] {
  const subjects = [...plan.perspectives, ...pivot.gaps].map(({ id }) => id);
  return [...summaries].sort((left, right) => subjects.indexOf(left.subject) - subjects.indexOf(right.subject));
}

// --- points -------------------------------------------------------------------------------------------------------

/** The claim id is the id of its first citation: the same in every draft of a run. */
function pointsOf(summaries: readonly Summary[], citations: Tasks["draft"]["input"]["citations"]): Point[] {
  const byId = new Map(
    citations.flatMap((checked) => checked.citations).map((citation) => [citation.citation_id, citation]),
  );
  return summaries.flatMap((summary) =>
    summary.points.flatMap((point) => {
      const cited = point.citation_ids.flatMap((id) => byId.get(id) ?? []);
      const [first] = cited;
      if (first === undefined) return [];
      return [{ claim: claimOf(point.text, first, cited), subjects: [summary.subject], score: point.score }];
    }),
  );
}

function claimOf(text: string, first: Citation, cited: readonly Citation[]): Claim {
  const { citation_id, verdict, method, reason } = first;
  return {
    claim_id: citation_id,
    text,
    verdict,
    method,
    ...(reason === undefined ? {} : { reason }),
    quotes: cited.map((citation) => citation.quote),
  };
}

/** Each sentence once, best first; what a review struck out stays out. */
function withoutRepeats(points: readonly Point[], directives: readonly Directive[]): Point[] {
  const struck = new Set(
    directives.filter(({ kind }) => kind === "remove_claim" || kind === "drop_duplicate").map(({ target }) => target),
  );
  const novelty = new Novelty();
  const kept: Point[] = [];
  for (const point of [...points].sort((left, right) => right.score - left.score)) {
    if (struck.has(point.claim.claim_id)) continue;
    const same = kept.find((other) => other.claim.text === point.claim.text);
    if (same !== undefined) same.subjects.push(...point.subjects);
    if (!novelty.isNew(point.claim.text)) continue;
    novelty.add(point.claim.text);
    kept.push({ ...point, subjects: [...point.subjects] });
  }
  return kept;
}

// --- sections -----------------------------------------------------------------------------------------------------

/** The best sentences over all, not all from one source. Objections stand in their own section, if there is more. */
function answerOf(points: readonly Point[], perspectives: readonly Perspective[]): Point[] {
  const isOnly = perspectives.length === 1;
  const opposing = new Set(perspectives.filter(({ kind }) => kind === "contrarian" && !isOnly).map(({ id }) => id));
  const agreeing = points.filter((point) => !point.subjects.some((subject) => opposing.has(subject)));
  const perSource = new Map<string, number>();
  const chosen: Point[] = [];
  for (const point of agreeing.length > 0 ? agreeing : points) {
    const source = point.claim.quotes[0]?.source_digest ?? "";
    const taken = perSource.get(source) ?? 0;
    if (chosen.length >= ANSWER_CLAIMS || taken >= ANSWER_CLAIMS_PER_SOURCE) continue;
    perSource.set(source, taken + 1);
    chosen.push(point);
  }
  return chosen;
}

/** The most specific first: a sentence that several subjects found stands with the one that says most about it. */
const SPECIFICITY = ["contrarian", "facet", "practice", "gap", "overview"] as const;

function sectionsOf(
  summaries: readonly Summary[],
  perspectives: readonly Perspective[],
  points: readonly Point[],
): Section[] {
  const kinds = new Map<string, Perspective["kind"]>(perspectives.map(({ id, kind }) => [id, kind]));
  const rankOf = (subject: string): number => SPECIFICITY.indexOf(kinds.get(subject) ?? "gap");
  const homeOf = (point: Point): string | undefined =>
    [...point.subjects].sort((left, right) => rankOf(left) - rankOf(right))[0];
  return summaries.map(({ subject, title }) => ({
    title,
    claims: claimsOfPoints(points.filter((point) => homeOf(point) === subject)),
  }));
}

function claimsOfPoints(points: readonly Point[]): Claim[] {
  return points.map((point) => point.claim);
}

// --- sources ------------------------------------------------------------------------------------------------------

function numberSources(sections: readonly Section[], sources: Tasks["draft"]["input"]["sources"]): Draft["sources"] {
  const known = new Map(sources.map((source) => [source.source_digest, source]));
  const used = new Set(
    sections.flatMap(({ claims }) => claims).flatMap(({ quotes }) => quotes.map((quote) => quote.source_digest)),
  );
  return [...used].map((source_digest, index) => {
    const source = known.get(source_digest);
    assert(source !== undefined, "every quoted source is among the sources of the run");
    return { number: index + 1, source_digest, title: source.title, origin: source.origin };
  });
}
