// Stage review: reviews each draft and writes the next one by the directives, until a draft is accepted or the rounds are over.
// When only one draft is allowed it is not reviewed, since no other draft could follow the review.
import { lookedUp } from "./citations.ts";
import type { Evidence } from "./evidence.ts";
import { recordedKeys } from "./extended-quotes.ts";
import { NO_RESEARCH, researchSteps, wishesLeft } from "./review-research.ts";
import type { Citation, Citations, Review } from "../run/report/research.ts";
import type { Claim, Draft } from "../run/report/report.ts";
import { claimsOf, quotingOf, sectionsOf } from "../run/report/statements.ts";
import { verdict, type GateVerdict } from "../run/log/gate.ts";
import { assignmentOf, workLimits, type Limits } from "../run/settings/settings.ts";
import { isAnswerContradicted } from "../run/report/contradicted-apart.ts";
import { doubtsOf, tooManyDoubts } from "../run/report/doubts.ts";
import { spanKey, type Quote } from "../run/report/source.ts";
import { misplacedClaims, reportFaults } from "../run/report/draft-faults.ts";
import { addressFaults, numberFaults } from "../run/report/number-faults.ts";
import { draftStep } from "./synthesis.ts";
import { stepPlan, type AnyStepPlan, type StageContext, type StageDefinition } from "./stage-definition.ts";

export const reviewStage: StageDefinition = {
  stage: "review",
  gathers: false,
  async plan(context) {
    const [drafts, reviews] = [await context.evidence.drafts(), await context.evidence.reviews()];
    // Every draft is reviewed, also when a lower limit was set since it was written.
    const most = Math.max(context.manifest.limits.max_rounds, drafts.length);
    const isBegun = context.manifest.steps["review:draft-1"] !== undefined;
    if (most === 1 && !isBegun && context.driver.reviewsOnlyDraft !== true) return [];
    const steps: AnyStepPlan[] = [];
    for (let number = 1; ; number++) {
      const draft = drafts[number - 1];
      if (draft === undefined) return steps;
      steps.push(reviewStep(context, number, draft, reviews));
      const review = reviews.find((one) => one.draft === number);
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
    return [judgeDraft(draft, await evidence.reviews(), await citationsIn(evidence, draft), manifest.limits)];
  },
  async next({ evidence }) {
    const wasReviewed = (await evidence.reviews()).length > 0;
    return { to: "finalize", reason: wasReviewed ? "the draft was reviewed" : "only one draft is allowed" };
  },
};

interface Checked {
  /** The keys of recorded quotes by those of the same quotes with their next sentence. */
  extended?: ReadonlyMap<string, string>;
  /** From the waves. A draft has to use enough of them. */
  citations: readonly Citation[];
  /** From the research that reviews requested. A draft may use them. */
  researched?: readonly Citation[];
  /** Where the sources of the run come from. */
  origins?: readonly string[];
}

/** Gate C has looked up the citations of the waves. Those that reviews requested are looked up here, as are next sentences. */
async function citationsIn(evidence: Evidence, draft: Draft): Promise<Checked> {
  const of = (all: readonly Citations[]): Citation[] => all.flatMap(({ citations }) => citations);
  const requested = await evidence.researched(Number.POSITIVE_INFINITY);
  const citations = of(await evidence.citations());
  const researched = await lookedUp(of(holding(requested.citations)), evidence);
  const sources = await evidence.sources();
  const byDigest = new Map(sources.map((source) => [source.source_digest, source]));
  return {
    citations,
    researched,
    extended: await recordedKeys(draft, [...citations, ...researched], async (digest) => {
      const source = byDigest.get(digest);
      return source === undefined ? null : await evidence.sourceText(source);
    }),
    origins: sources.map(({ origin }) => origin),
  };
}

/** Why gate E would refuse a draft that is made outside of the stages; null when it would not. */
export async function refusalOf(
  draft: Draft,
  { evidence }: Pick<StageContext, "evidence">,
  limits: Limits,
): Promise<string | null> {
  const { status, reasons } = judgeDraft(draft, await evidence.reviews(), await citationsIn(evidence, draft), limits);
  return status === "fail" ? reasons.join("; ") : null;
}

/** Leaves out the quotes that do not hold. Research that a review requested never withholds a report. */
function holding(checked: readonly Citations[]): Citations[] {
  const holds = ({ found, verdict: given }: Citation): boolean => found && given === "supported";
  return checked.map(({ subject, citations }) => ({ subject, citations: citations.filter(holds) }));
}

function reviewStep(
  { manifest, evidence }: StageContext,
  number: number,
  draft: Draft,
  reviews: readonly Review[],
): AnyStepPlan {
  const earlier = reviews.find((review) => review.draft === number - 1)?.directives ?? [];
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
 * Gate E: the report claims something, or shows what came near and says so; every statement rests on something; each number is
 * in what its claim names; doubtful claims say so and are few enough; contradicted ones are apart; and enough of the verified
 * citations are used. What the last review still requests is printed with the report: a review never withholds what is supported.
 */
export function judgeDraft(
  draft: Draft,
  reviews: readonly Review[],
  { citations, researched = [], extended = new Map(), origins = [] }: Checked,
  limits: Limits,
): GateVerdict {
  const reasons = reportFaults(draft);
  const claims = claimsOf(draft);
  const numbered = new Set<string>(draft.sources.map(({ source_digest }) => source_digest));
  const foundIn = (all: readonly Citation[]) => all.filter((one) => one.found).map(({ quote }) => spanKey(quote));
  const found = new Set(foundIn([...citations, ...researched]));
  const quoting = quotingOf(draft);
  const recordedKey = (quote: Quote): string => extended.get(spanKey(quote)) ?? spanKey(quote);
  for (const { statement_id, quotes } of quoting) {
    if (quotes.some(({ source_digest }) => !numbered.has(source_digest)))
      reasons.push(`statement ${statement_id} cites a source that is not listed`);
    if (quotes.some((quote) => !found.has(recordedKey(quote))))
      reasons.push(`statement ${statement_id} uses a quote that was not verified`);
  }
  reasons.push(...[...numberFaults(draft), ...addressFaults(draft, origins)].map(({ text }) => text));
  const doubts = doubtsOf(claims);
  const tooMany = tooManyDoubts(doubts, limits);
  if (tooMany !== null) reasons.push(tooMany);
  const contradicted = new Set(
    claims.flatMap((claim) => (claim.verdict === "contradicted" ? [claim.statement_id] : [])),
  );
  const isSound = ({ statement_id, ...claim }: Claim): boolean =>
    !contradicted.has(statement_id) &&
    (claim.basis !== "derived" || claim.quotes.length > 0 || !claim.from.every((id) => contradicted.has(id)));
  if (claims.length > 0 && !claims.some(isSound))
    reasons.push("every claim of the report is contradicted by its quotes, or follows from such claims alone");
  if (isAnswerContradicted(draft))
    reasons.push("the answer is contradicted by its quotes, and no other section answers the question");
  for (const { statement_id } of misplacedClaims(draft))
    reasons.push(`claim ${statement_id} is contradicted and not apart from the others`);
  const used = new Set(quoting.flatMap(({ quotes }) => quotes.map(recordedKey)));
  const due = new Set([...foundIn(citations), ...used]);
  const use = due.size === 0 ? 1 : used.size / due.size;
  // A page of excerpts alone shows what comes first, and no writer has skipped the others.
  const isWritten = claims.some(({ basis }) => basis !== "quoted");
  if (isWritten && use < limits.min_citation_use)
    reasons.push(
      `${used.size} of ${due.size} verified citations are used; at least ${Math.round(limits.min_citation_use * 100)} % have to be`,
    );
  const last = reviews.at(-1);
  if (last === undefined && limits.max_rounds > 1) reasons.push("the draft was not reviewed");
  return verdict(
    "E",
    {
      sections: sectionsOf(draft).length,
      claims: claims.length,
      ...doubts.metrics,
      citations_used: used.size,
      citations_verified: due.size,
      // Rounded down, so that a draft passes with a limit of the printed size.
      citation_use: Math.floor(use * 100) / 100,
      rounds: reviews.length,
      ...(last === undefined ? {} : { accepted: last.decision === "accept" }),
    },
    reasons,
  );
}
