// Makes a draft from what a run has found so far. Finished results are taken as they are, and the driver makes the missing ones.
import { RunError } from "../kernel/errors.ts";
import type { TaskTools } from "../ports/driver.ts";
import type { Draft } from "../run/report/report.ts";
import type { Citations, Findings, Pivot, Plan, Summary } from "../run/report/research.ts";
import { assignmentOf, type Limits } from "../run/settings/settings.ts";
import type { StageContext } from "./stage-definition.ts";

const REVIEW = "a review that accepts the draft";
const WITHOUT_MODEL =
  "This version was made without a model: the local driver put it together from the quotes that the run had recorded.";

/** Stores nothing. Errors: `NO_EVIDENCE` when no quote was found yet, and those of the driver. */
export async function composeDraft(context: StageContext, tools: TaskTools): Promise<Draft> {
  const { manifest, evidence, driver } = context;
  const findings = await evidence.findings();
  if (!findings.some(({ quotes }) => quotes.length > 0)) {
    throw new RunError("NO_EVIDENCE", { reason: "the run has found nothing to report", stage: manifest.stage.current });
  }
  const isOwn = driver.id === manifest.settings.driver;
  if (isOwn && (await evidence.drafts()).length > 0) {
    const written = await evidence.lastDraft();
    return { ...written, made: { ...written.made, unfinished: reviewLeft(manifest.limits) } };
  }
  // No gate judges a partial report. Doubtful claims in it say that they are doubtful.
  const limits = { ...manifest.limits, max_unsupported_share: 1 };
  const question = manifest.query.text;
  const assignment = assignmentOf(manifest.settings);
  const plan = await evidence.planNow();
  const { citations, summaries } = await digested(context, { plan, findings, limits }, tools);
  const decided = await evidence.pivotSoFar();
  const pivot = decided ?? (await countedPivot(context, { plan, findings, limits }, tools));
  const sources = await evidence.sources();
  const draft = await driver.perform(
    "draft",
    { question, assignment, plan, pivot, summaries, citations, sources, directives: [], previous: null, limits },
    tools,
  );
  const notes = [...(isOwn ? [] : [WITHOUT_MODEL]), ...draft.made.notes];
  return { ...draft, made: { ...draft.made, notes, unfinished: unfinishedOf(plan, decided, findings, limits) } };
}

/** Takes the checks and summaries that this driver has made. Those of another driver are made again. */
async function digested(
  { manifest, evidence, driver }: StageContext,
  { plan, findings, limits }: { plan: Plan; findings: readonly Findings[]; limits: Limits },
  tools: TaskTools,
): Promise<{ citations: Citations[]; summaries: Summary[] }> {
  const isOwn = driver.id === manifest.settings.driver;
  const about = { question: manifest.query.text, parts: plan.parts };
  const checkedBefore = new Map((isOwn ? await evidence.citations() : []).map((one) => [one.subject, one]));
  const summarizedBefore = new Map((isOwn ? await evidence.summaries() : []).map((one) => [one.subject, one]));
  const citations: Citations[] = [];
  const summaries: Summary[] = [];
  for (const found of findings) {
    const { subject } = found;
    const checked =
      checkedBefore.get(subject) ??
      (await driver.perform("check_citations", { ...about, subject, findings: found }, tools));
    citations.push(checked);
    summaries.push(
      summarizedBefore.get(subject) ??
        (await driver.perform("summarize", { findings: found, citations: checked, limits }, tools)),
    );
  }
  return { citations, summaries };
}

/** The coverage of the parts. With one wave as the limit no model is called, since the rest will not be searched for. */
async function countedPivot(
  { manifest, driver }: StageContext,
  { plan, findings, limits }: { plan: Plan; findings: readonly Findings[]; limits: Limits },
  tools: TaskTools,
): Promise<Pivot> {
  const wave1 = findings.filter(({ subject_kind }) => subject_kind === "perspective");
  const question = manifest.query.text;
  const one = { ...limits, max_depth: 1 };
  // The notes would speak of that limit, which the run does not have.
  return {
    ...(await driver.perform("pivot", { question, plan, findings: wave1, wave: 2, gaps: [], limits: one }, tools)),
    notes: [],
  };
}

/** What the run has not done yet, in words for the reader. */
function unfinishedOf(plan: Plan, pivot: Pivot | null, findings: readonly Findings[], limits: Limits): string[] {
  const done = new Set<string>(findings.map(({ subject }) => subject));
  const angles = plan.perspectives.filter(({ id }) => !done.has(id)).map(({ title }) => `research on “${title}”`);
  return [...angles, ...unsearched(plan, pivot, done, limits.max_depth), ...reviewLeft(limits)];
}

function reviewLeft({ max_rounds }: Limits): string[] {
  return max_rounds > 1 ? [REVIEW] : [];
}

function unsearched({ parts }: Plan, pivot: Pivot | null, done: ReadonlySet<string>, maxDepth: number): string[] {
  if (pivot === null) return maxDepth < 2 ? [] : ["a second search for parts with little evidence"];
  if (pivot.decision === "skip") return [];
  const open = pivot.gaps.filter(({ id }) => !done.has(id));
  return open.map(
    ({ part_id, title }) => `a second search on “${parts.find(({ id }) => id === part_id)?.text ?? title}”`,
  );
}
