// Plans the research that a review requests: a step for each wish, then one that checks its quotes, for the writer of the next
// draft. A step that fails for good is left out, and the report says so.
import type { Findings, Gap, Plan, Review } from "../run/report/research.ts";
import type { Limits } from "../run/settings/settings.ts";
import { checkKey, researchKey } from "./evidence.ts";
import { isLeftOut } from "./inputs-digest.ts";
import { gapStep, judgedLater, stepPlan, type AnyStepPlan, type StageContext } from "./stage-definition.ts";

/** How many wishes the review of this draft may have. It is 0 for the last draft. */
export function wishesLeft(draftNumber: number, reviews: readonly Review[], { max_rounds, max_gaps }: Limits): number {
  if (draftNumber >= max_rounds) return 0;
  const wished = reviews.filter(({ draft }) => draft < draftNumber).flatMap(({ directives }) => directives);
  return Math.max(0, max_gaps - wished.filter(({ kind }) => kind === "research").length);
}

interface Research {
  steps: AnyStepPlan[];
  /** True when no step is open. */
  isDone: boolean;
}

export const NO_RESEARCH: Research = { steps: [], isDone: true };

/** `reviews`: all reviews so far. */
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
    const wish = { draft: review.draft, wish: index + 1 };
    const research = gapStep(context.manifest, {
      key: researchKey(wish),
      mayFail: true,
      gap,
      parts,
      found: known,
      ...judgedLater(context.driver),
    });
    if (isLeftOut(context, research)) continue;
    steps.push(research);
    const found = findings.find(({ subject }) => subject === gap.id);
    const check = found === undefined ? null : checkStep(context, checkKey(wish), found, parts);
    if (check !== null && isLeftOut(context, check)) continue;
    if (check !== null) steps.push(check);
    isDone &&= check !== null && citations.some(({ subject }) => subject === gap.id);
  }
  return { steps, isDone };
}

function checkStep(
  { manifest, driver }: StageContext,
  key: string,
  findings: Findings,
  parts: Plan["parts"],
): AnyStepPlan {
  const input = { question: manifest.query.text, parts, subject: findings.subject, findings, ...judgedLater(driver) };
  return stepPlan({ key, task: "check_citations", mayFail: true, identity: input, input: async () => input });
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
            reason: "the review of the draft requested it",
            queries,
          },
        ],
  );
}
