// Research that a review asks for: a step for each wish, then one that checks its quotes; the next draft sees what they bring.
import type { Gap, Review } from "../run/research.ts";
import type { Limits } from "../run/settings.ts";
import { CHECK_PREFIX, RESEARCH_PREFIX } from "./evidence.ts";
import { gapStep, stepPlan, type AnyStepPlan, type StageContext } from "./stage-definition.ts";

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
  const known = [...(await context.evidence.findings()), ...before.findings];
  const { parts } = await context.evidence.planNow();
  const { findings, citations } = await context.evidence.researched(review.draft + 1);
  const steps: AnyStepPlan[] = [];
  let isDone = true;
  for (const [index, gap] of gaps.entries()) {
    const name = `${review.draft}-${index + 1}`;
    const found = findings.find(({ subject }) => subject === gap.id);
    steps.push(gapStep(context.manifest, { key: `${RESEARCH_PREFIX}${name}`, gap, parts, found: known }));
    if (found !== undefined) {
      const input = { question: context.manifest.query.text, parts, subject: gap.id, findings: found };
      const key = `${CHECK_PREFIX}${name}`;
      steps.push(stepPlan({ key, task: "check_citations", identity: input, input: async () => input }));
    }
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
