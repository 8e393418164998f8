// Stage perspectives: plans the parts of the question and the perspectives of its research. Gate A judges the plan.
import { percent } from "../kernel/percent.ts";
import { STANCES, type PlanRevision, type Stance, type Tasks } from "../ports/driver.ts";
import { planFaults } from "../run/report/plan-faults.ts";
import type { Plan } from "../run/report/research.ts";
import { verdict, type GateVerdict } from "../run/log/gate.ts";
import type { Limits } from "../run/settings/settings.ts";
import type { Manifest } from "../run/log/manifest.ts";
import { DRAFT_PREFIX, PLAN_STEP } from "./evidence.ts";
import { searchStep, type AnyStepPlan, type StageContext, type StageDefinition } from "./stage-definition.ts";
import { plainText } from "../pages/plain-markdown.ts";

/** A plan that a person is to approve is stored as `plan.1.md` to read, and `plan.1.json` to copy and edit. */
const PLAN_DRAFT = "operator/drafts/plan";

/** A person has to approve a plan whose drafts share less of the parts than this. */
const LEAST_AGREEMENT = 0.5;

export const perspectivesStage: StageDefinition = {
  stage: "perspectives",
  gathers: true,
  async plan(context) {
    const planned = await firstPlan(context);
    const revision = await context.evidence.planRevision();
    return revision === null
      ? planned
      : planned.map((step) => (step.key === PLAN_STEP ? revised(step, context, revision) : step));
  },
  async halt({ manifest, evidence }) {
    const result = manifest.steps[PLAN_STEP]?.result;
    if (result === undefined || result.digest === manifest.approved_plan) return null;
    const { agreement = 1, parts } = await evidence.plan();
    const disagrees = agreement < LEAST_AGREEMENT;
    const isWaitedFor =
      manifest.settings.policies.approve_plan === true || (await evidence.planInstructions()).length > 0;
    if (!isWaitedFor && !disagrees) return null;
    const reason = disagrees
      ? `two drafts of the plan agree on ${percent(agreement)} % of the question's parts: ${parts.map(({ id }) => id).join(", ")}`
      : "the plan waits for approval";
    return { kind: "human_review", details: { reason, step: PLAN_STEP, draft: result.content?.path ?? null } };
  },
  async judge({ manifest, evidence }) {
    return [judgePlan(await evidence.plan(), manifest.limits)];
  },
  async next() {
    return { to: "wave1", reason: "the plan is made" };
  },
};

async function firstPlan(context: StageContext): Promise<AnyStepPlan[]> {
  const { manifest, evidence, driver } = context;
  const earlier = await evidence.earlier();
  if (earlier !== null) return [planStep(context, { earlier })];
  if (driver.draftsPlans !== true || manifest.mode === "quick") return [planStep(context)];
  const drafts = await evidence.planDrafts();
  // A submitted plan has no drafts.
  if (drafts === null && manifest.steps[PLAN_STEP]?.result !== undefined) return [planStep(context)];
  const drafted = STANCES.map((stance) => draftStep(context, stance));
  return drafts === null ? drafted : [...drafted, planStep(context, { drafts })];
}

/** The same step, which the planner does once more. A fork takes its result over as that of any plan. */
function revised(step: AnyStepPlan, context: StageContext, revision: PlanRevision): AnyStepPlan {
  const again = async (): Promise<AnyStepPlan> => {
    const earlier = await context.evidence.earlier();
    return planStep(context, { revision, ...(earlier === null ? {} : { earlier }) });
  };
  return { ...step, perform: async (driver, tools) => await (await again()).perform(driver, tools) };
}

function planStep(
  { manifest, driver }: StageContext,
  further: Pick<Tasks["plan"]["input"], "drafts" | "earlier" | "revision"> = {},
): AnyStepPlan {
  const input = { ...inputOf(manifest), ...further };
  const mayWait = manifest.settings.policies.approve_plan === true || driver.draftsPlans === true;
  const product = { base: PLAN_DRAFT, markdown: planMarkdown };
  return searchStep(manifest, { key: PLAN_STEP, task: "plan", input, ...(mayWait ? { product } : {}) });
}

/** The plan for the person who approves it. */
function planMarkdown({ parts, perspectives, notes = [] }: Plan): string {
  const lines = [
    "# Plan",
    "",
    "## Parts of the question",
    "",
    ...parts.map(({ id, text }) => `- ${id}: ${plainText(text)}`),
    ...perspectives.flatMap(({ id, title, kind, questions, queries, part_ids }) => [
      "",
      `## ${plainText(title)}`,
      "",
      `${id}, ${kind}; searches for ${part_ids.join(", ")}`,
      "",
      ...questions.map((question) => `- asks: ${plainText(question)}`),
      ...queries.map((query) => `- searches: ${plainText(query)}`),
    ]),
    ...(notes.length === 0 ? [] : ["", "## Notes", "", ...notes.map((note) => `- ${plainText(note)}`)]),
  ];
  return `${lines.join("\n")}\n`;
}

function draftStep({ manifest }: StageContext, stance: Stance): AnyStepPlan {
  const key = `${DRAFT_PREFIX}${stance}`;
  return searchStep(manifest, { key, task: "draft_plan", input: { ...inputOf(manifest), stance } });
}

function inputOf({ query, mode, limits }: Readonly<Manifest>) {
  return { question: query.text, mode, limits };
}

/** The step that makes the plan, except that its result is the given plan. */
export async function givenPlanStep(context: StageContext, plan: Plan): Promise<AnyStepPlan> {
  const planned = (await perspectivesStage.plan(context)).find(({ key }) => key === PLAN_STEP) ?? planStep(context);
  return { ...planned, perform: async () => plan };
}

/** Gate A: the perspectives are valid, distinct and within the limits, and each has questions. */
export function judgePlan(plan: Plan, limits: Limits): GateVerdict {
  const { perspectives, parts } = plan;
  return verdict("A", { perspectives: perspectives.length, parts: parts.length }, planFaults(plan, limits));
}
