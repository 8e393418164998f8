// Stage review: each draft is reviewed, its directives go to the next one, until it is accepted or the rounds are used up.
// Where only one draft is allowed nobody reviews it: no other could heed what the review says.
import { lookedUp } from "./citations.ts";
import type { Evidence } from "./evidence.ts";
import { NO_RESEARCH, researchSteps, wishesLeft } from "./review-research.ts";
import type { Citation, Citations, Review } from "../run/research.ts";
import { claimsOf, sectionsOf, type Claim, type Draft } from "../run/report.ts";
import { verdict, type GateVerdict } from "../run/gate.ts";
import { assignmentOf, workLimits, type Limits } from "../run/settings.ts";
import { doubtsOf, tooManyDoubts } from "../run/doubts.ts";
import { spanKey } from "../run/source.ts";
import { draftFaults, misplacedClaims } from "../run/draft-faults.ts";
import { numberFaults } from "../run/number-faults.ts";
import { draftStep } from "./synthesis.ts";
import { stepPlan, type AnyStepPlan, type StageContext, type StageDefinition } from "./stage-definition.ts";

export const reviewStage: StageDefinition = {
  stage: "review",
  gathers: false,
  async plan(context) {
    const [drafts, reviews] = [await context.evidence.drafts(), await context.evidence.reviews()];
    // Drafts that are there are reviewed, even if fewer of them are allowed by now.
    const most = Math.max(context.manifest.limits.max_rounds, drafts.length);
    const isBegun = context.manifest.steps["review:draft-1"] !== undefined;
    if (most === 1 && !isBegun && context.driver.reviewsOnlyDraft !== true) return [];
    const steps: AnyStepPlan[] = [];
    for (let number = 1; ; number++) {
      if (drafts[number - 1] === undefined) return steps;
      steps.push(await reviewStep(context, number, drafts, reviews));
      const review = reviews.find(({ draft }) => draft === number);
      const isLast = review?.decision !== "revise" || number >= most;
      if (isLast && number >= drafts.length) return steps;
      const research = review === undefined ? NO_RESEARCH : await researchSteps(context, review, reviews);
      steps.push(...research.steps);
      if (!research.isDone && number >= drafts.length) return steps;
      steps.push(await redraftStep(context, number + 1, drafts, reviews));
    }
  },
  async judge({ manifest, evidence }) {
    const draft = (await evidence.drafts()).at(-1);
    if (draft === undefined) return [verdict("E", {}, ["there is no draft"])];
    return [judgeDraft(draft, await evidence.reviews(), await citationsIn(evidence), manifest.limits)];
  },
  async next({ evidence }) {
    const wasReviewed = (await evidence.reviews()).length > 0;
    return { to: "finalize", reason: wasReviewed ? "the draft was reviewed" : "only one draft is allowed" };
  },
};

interface Checked {
  /** Those of the run. */
  citations: readonly Citation[];
  /** Those that reviews asked for: a draft may use them, and need not. */
  researched?: readonly Citation[];
}

/** No gate has looked up before what reviews asked for. */
export async function citationsIn(evidence: Evidence): Promise<Checked> {
  const of = (all: readonly Citations[]): Citation[] => all.flatMap(({ citations }) => citations);
  const researched = await evidence.researched(Number.POSITIVE_INFINITY);
  return {
    citations: of(await evidence.citations()),
    researched: await lookedUp(of(holding(researched.citations)), evidence),
  };
}

/** A wish of a review withholds no report: what does not hold of its quotes is left out. */
function holding(checked: readonly Citations[]): Citations[] {
  const holds = ({ found, verdict: given }: Citation): boolean => found && given === "supported";
  return checked.map(({ subject, citations }) => ({ subject, citations: citations.filter(holds) }));
}

async function reviewStep(
  { manifest, evidence }: StageContext,
  number: number,
  drafts: readonly Draft[],
  reviews: readonly Review[],
): Promise<AnyStepPlan> {
  const earlier = reviews.find(({ draft }) => draft === number - 1)?.directives ?? [];
  const draft = drafts[number - 1] as Draft;
  const { limits, query, settings } = manifest;
  const assignment = assignmentOf(settings);
  return stepPlan({
    key: `review:draft-${number}`,
    task: "review",
    identity: {
      draft,
      draft_number: number,
      limits: workLimits(limits),
      ...(Object.keys(assignment).length === 0 ? {} : { assignment }),
    },
    input: async () => ({
      question: query.text,
      assignment,
      plan: await evidence.planNow(),
      draft,
      draft_number: number,
      earlier,
      wishes: wishesLeft(number, reviews, limits),
      citations: await evidence.citations(),
      limits,
    }),
  });
}

async function redraftStep(
  context: StageContext,
  number: number,
  drafts: readonly Draft[],
  reviews: readonly Review[],
): Promise<AnyStepPlan> {
  const directives = reviews.find(({ draft }) => draft === number - 1)?.directives ?? [];
  const { findings, citations } = await context.evidence.researched(number);
  const researched = { citations: holding(citations), notes: findings.flatMap(({ notes }) => notes) };
  const previous = drafts[number - 2] ?? null;
  return await draftStep(context, `review:revise-${number}`, { directives, previous, researched });
}

/**
 * Gate E: every statement rests on something, no number is missing from what its claim names, a doubtful claim says so,
 * few enough are doubtful, none that is contradicted stands among the others, and the verified citations are used. What the
 * last review still asked for is printed with the report: a review never withholds what is supported.
 */
export function judgeDraft(
  draft: Draft,
  reviews: readonly Review[],
  { citations, researched = [] }: Checked,
  limits: Limits,
): GateVerdict {
  const reasons = draftFaults(draft).map(({ text }) => text);
  const claims = claimsOf(draft);
  if (claims.length === 0) reasons.push("the report has no claim");
  const numbered = new Set<string>(draft.sources.map(({ source_digest }) => source_digest));
  const foundIn = (all: readonly Citation[]) => all.filter((one) => one.found).map(({ quote }) => spanKey(quote));
  const found = new Set(foundIn([...citations, ...researched]));
  for (const { statement_id, quotes } of claims) {
    if (quotes.some(({ source_digest }) => !numbered.has(source_digest)))
      reasons.push(`claim ${statement_id} cites a source that is not listed`);
    if (quotes.some((quote) => !found.has(spanKey(quote))))
      reasons.push(`claim ${statement_id} uses a quote that was not verified`);
  }
  reasons.push(...numberFaults(draft).map(({ text }) => text));
  const doubts = doubtsOf(claims);
  const tooMany = tooManyDoubts(doubts, limits);
  if (tooMany !== null) reasons.push(tooMany);
  const contradicted = new Set(
    claims.flatMap((claim) => (claim.verdict === "contradicted" ? [claim.statement_id] : [])),
  );
  const stands = ({ statement_id, ...claim }: Claim): boolean =>
    !contradicted.has(statement_id) &&
    (claim.basis !== "derived" || claim.quotes.length > 0 || !claim.from.every((id) => contradicted.has(id)));
  if (claims.length > 0 && !claims.some(stands))
    reasons.push("nothing is left of the report but what its quotes contradict");
  const sections = sectionsOf(draft);
  const isContradicted = sections.some(({ heading }) => heading?.role === "contradicted");
  if (isContradicted && !sections.some(({ heading }) => heading === null || heading.role === "answer"))
    reasons.push("what answers the question is contradicted by its quotes, and nothing else answers it");
  for (const { statement_id } of misplacedClaims(draft))
    reasons.push(`claim ${statement_id} is contradicted and stands among those that are not`);
  const used = new Set(claims.flatMap(({ quotes }) => quotes.map(spanKey)));
  const due = new Set([...foundIn(citations), ...used]);
  const use = due.size === 0 ? 1 : used.size / due.size;
  if (use < limits.min_citation_use)
    reasons.push(
      `${used.size} of ${due.size} verified citations are used, at least ${Math.round(limits.min_citation_use * 100)} % have to be`,
    );
  const last = reviews.at(-1);
  if (last === undefined && limits.max_rounds > 1) reasons.push("nobody reviewed the draft");
  return verdict(
    "E",
    {
      sections: sections.length,
      claims: claims.length,
      ...doubts.metrics,
      citations_used: used.size,
      citations_verified: due.size,
      // Rounded down, so that a limit of this size has room for it.
      citation_use: Math.floor(use * 100) / 100,
      rounds: reviews.length,
      ...(last === undefined ? {} : { accepted: last.decision === "accept" }),
    },
    reasons,
  );
}
