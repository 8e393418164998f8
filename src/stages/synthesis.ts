// Stage synthesis: writes the first draft, in one step or section by section. Stage review makes later drafts with the same task.
import { given } from "../kernel/given.ts";
import type { WritersInput } from "../ports/driver.ts";
import type { Directive, Outline } from "../run/report/research.ts";
import type { Draft } from "../run/report/report.ts";
import type { TaskTools } from "../ports/driver.ts";
import { assignmentOf, type Limits } from "../run/settings/settings.ts";
import { stepPlan, type AnyStepPlan, type StageContext, type StageDefinition } from "./stage-definition.ts";

const WHOLE = "synthesis:draft-1";

export const synthesisStage: StageDefinition = {
  stage: "synthesis",
  gathers: false,
  async plan(context) {
    const { evidence } = context;
    if (isWrittenWhole(context)) return [await draftStep(context, WHOLE, { directives: [], previous: null })];
    const identity = await identityOf(context);
    const outlined = outlineStep(context, identity);
    const outline = await evidence.outline();
    if (outline === null) return [outlined];
    const digests = await evidence.digests("synthesis");
    const written = outline.sections.map((_, index) =>
      sectionStep(context, outline, index + 1, { ...identity, outline: digests["synthesis:outline"] }),
    );
    const sections = await evidence.sections(outline.sections.length);
    if (sections === null) return [outlined, ...written];
    const parts = [outlined, ...written].map(({ key }) => digests[key]);
    return [outlined, ...written, answerStep(context, outline, sections, { ...identity, parts })];
  },
  async next() {
    return { to: "review", reason: "a draft is there" };
  },
};

/** True also for a run in which an older version began the page in one step. */
function isWrittenWhole({ manifest, driver }: StageContext): boolean {
  return driver.writesSections !== true || manifest.mode === "quick" || manifest.steps[WHOLE] !== undefined;
}

function outlineStep(context: StageContext, identity: unknown): AnyStepPlan {
  return stepPlan({
    key: "synthesis:outline",
    task: "outline",
    identity,
    input: async () => await writersInput(context),
  });
}

function sectionStep(context: StageContext, outline: Outline, section: number, identity: object): AnyStepPlan {
  return stepPlan({
    key: `synthesis:section:${section}`,
    task: "section",
    identity: { ...identity, section },
    input: async () => ({ ...(await writersInput(context)), outline, section }),
  });
}

function answerStep(context: StageContext, outline: Outline, sections: Draft[], identity: unknown): AnyStepPlan {
  return stepPlan({
    key: "synthesis:answer",
    task: "answer",
    identity,
    input: async () => ({ ...(await writersInput(context)), outline, sections }),
  });
}

/** `researched` is left out when it has no citation. */
export async function draftStep(
  context: StageContext,
  key: string,
  { researched, ...request }: Pick<WritersInput, "researched"> & { directives: Directive[]; previous: Draft | null },
): Promise<AnyStepPlan> {
  const further = researched === undefined || researched.citations.length === 0 ? {} : { researched };
  return stepPlan({
    key,
    task: "draft",
    identity: { ...(await identityOf(context)), ...request, ...further },
    input: async () => ({ ...(await writersInput(context)), ...request, ...further }),
  });
}

/** The whole page written anew from the evidence of a finished run, as the asker wishes. It may use as little of it as that takes. */
export async function draftByInstruction(context: StageContext, tools: TaskTools, instruction: string): Promise<Draft> {
  const { citations, findings } = await context.evidence.researched(Number.POSITIVE_INFINITY);
  const input = await writersInput(context);
  const { title } = await context.evidence.lastDraft();
  const draft = await context.driver.perform(
    "draft",
    {
      ...input,
      researched: { citations, notes: findings.flatMap(({ notes }) => notes) },
      assignment: { ...input.assignment, instruction },
      limits: withoutLeastUse(input.limits),
      directives: [],
      previous: null,
    },
    tools,
  );
  const notes = [`Written anew as it was wished: “${instruction}”.`, ...draft.made.notes];
  // A page of a few lines often has no title of its own.
  return { ...draft, ...given({ title: draft.title ?? title }), made: { ...draft.made, notes } };
}

/** The limits for a page that needs no review, and that may leave out most of the quotes. */
export function withoutLeastUse(limits: Limits): Limits {
  return { ...limits, min_citation_use: 0, max_rounds: 1 };
}

/** What the result of every step of the page depends on. */
async function identityOf({ manifest, evidence }: StageContext) {
  const upstream = {
    ...(await evidence.digests("pivot")),
    ...(await evidence.digests("wave2")),
    ...(await evidence.digests("citations")),
    ...(await evidence.digests("summaries")),
  };
  const assignment = assignmentOf(manifest.settings);
  const isAssigned = Object.keys(assignment).length > 0;
  return { question: manifest.query.text, upstream, ...(isAssigned ? { assignment } : {}) };
}

async function writersInput({ manifest, evidence }: StageContext): Promise<WritersInput> {
  return {
    question: manifest.query.text,
    assignment: assignmentOf(manifest.settings),
    plan: await evidence.planNow(),
    pivot: await evidence.pivot(),
    summaries: await evidence.summaries(),
    citations: await evidence.citations(),
    sources: await evidence.sources(),
    limits: manifest.limits,
  };
}
