// Research that a review asks for: a step for each wish, then one that checks its quotes; the next draft sees what they bring.
import { citationsSchema, findingsSchema, type Findings, type Gap, type Review } from "../run/research.ts";
import { workLimits, type Limits } from "../run/settings.ts";
import { corpusDigests } from "./corpus-digests.ts";
import { CHECK_PREFIX, RESEARCH_PREFIX } from "./evidence.ts";
import { stepPlan, type AnyStepPlan, type StageContext } from "./stage-definition.ts";

/** How many more wishes the review of a draft may have; none where no draft comes after it. */
export function wishesLeft(draftNumber: number, reviews: readonly Review[], { max_rounds, max_gaps }: Limits): number {
  if (draftNumber >= max_rounds) return 0;
  const wished = reviews.filter(({ draft }) => draft < draftNumber).flatMap(({ directives }) => directives);
  return Math.max(0, max_gaps - wished.filter(({ kind }) => kind === "research").length);
}

interface Research {
  steps: AnyStepPlan[];
  /** None is open. */
  isDone: boolean;
}

export const NO_RESEARCH: Research = { steps: [], isDone: true };

/** The steps that a review asks for; `reviews`: all so far. */
export async function researchSteps(
  context: StageContext,
  review: Review,
  reviews: readonly Review[],
): Promise<Research> {
  const gaps = gapsOf(review, wishesLeft(review.draft, reviews, context.manifest.limits));
  if (gaps.length === 0) return NO_RESEARCH;
  const before = await context.evidence.researched(review.draft);
  const { findings, citations } = await context.evidence.researched(review.draft + 1);
  const steps: AnyStepPlan[] = [];
  let isDone = true;
  for (const [index, gap] of gaps.entries()) {
    const name = `${review.draft}-${index + 1}`;
    const found = findings.find(({ subject }) => subject === gap.id);
    steps.push(await researchStep(context, name, gap, before.findings));
    if (found !== undefined) steps.push(await checkStep(context, name, found));
    isDone &&= found !== undefined && citations.some(({ subject }) => subject === gap.id);
  }
  return { steps, isDone };
}

function gapsOf({ draft, decision, directives }: Review, most: number): Gap[] {
  if (decision !== "revise") return [];
  const wishes = directives.filter(({ kind }) => kind === "research").slice(0, most);
  return wishes.flatMap(({ part_id, queries = [], detail }, index): Gap[] =>
    part_id === undefined || queries.length === 0
      ? []
      : [
          {
            id: `review-${draft}-${index + 1}`,
            part_id,
            title: detail,
            evidence: "weak",
            reason: "the review of the draft asked for it",
            queries,
          },
        ],
  );
}

async function researchStep(
  { manifest, evidence }: StageContext,
  name: string,
  gap: Gap,
  earlier: readonly Findings[],
): Promise<AnyStepPlan> {
  const quotes = [...(await evidence.findings()), ...earlier].flatMap((findings) => findings.quotes);
  const known = quotes.map(({ source_digest, start, end, text }) => ({ source_digest, start, end, text }));
  const { parts } = await evidence.planNow();
  const input = { question: manifest.query.text, gap, parts, known, limits: manifest.limits };
  return stepPlan({
    key: `${RESEARCH_PREFIX}${name}`,
    task: "fill_gap",
    identity: { ...input, limits: workLimits(manifest.limits), corpora: corpusDigests({ manifest }) },
    input: async () => input,
    parse: (value) => findingsSchema.parse(value),
  });
}

async function checkStep({ manifest, evidence }: StageContext, name: string, findings: Findings): Promise<AnyStepPlan> {
  const { parts } = await evidence.planNow();
  const input = { question: manifest.query.text, parts, subject: findings.subject, findings };
  return stepPlan({
    key: `${CHECK_PREFIX}${name}`,
    task: "check_citations",
    identity: input,
    input: async () => input,
    parse: (value) => citationsSchema.parse(value),
  });
}
