// Runs the steps of a stage side by side. Each is recorded, tried again by policy, or adopted from the run before a fork.
import { canonicalJson } from "../kernel/canonical-json.ts";
import { unlessDamaged } from "../kernel/damage.ts";
import { digestOfBytes, type Digest } from "../kernel/digest.ts";
import { RunError, isFault } from "../kernel/errors.ts";
import { typedError } from "../kernel/typed-error.ts";
import { AnswerMissing } from "../ports/driver.ts";
import { endsTick, halting, Interrupted, type Interruption } from "../ports/interruption.ts";
import type { ContentRef } from "../run/common.ts";
import type { Clock } from "../ports/clock.ts";
import type { AnyRecord, RecordDraft } from "../run/log/record.ts";
import { contentNamedBy } from "../run/log/named-content.ts";
import type { Findings } from "../run/report/research.ts";
import { resultFile } from "../run/log/layout.ts";
import type { FoldFile } from "../run/log/stage-folds.ts";
import type { Stage } from "../run/stage.ts";
import { INLINE_LIMIT_BYTES, isGivenUp, type StepError, type StepOffer, type StepState } from "../run/log/step.ts";
import { inputsDigest } from "../stages/inputs-digest.ts";
import type { AnyStepPlan } from "../stages/stage-definition.ts";
import type { StepPlace } from "../conversations/open-conversations.ts";
import type { Ownership } from "./ownership.ts";
import { provenanceOfStep } from "./provenance.ts";
import { stepFailure } from "./step-failure.ts";
import { toolsFor } from "./step-tools.ts";

export interface StepOptions {
  /** Files to write with a finished step, before its stage is left. */
  foldsOf?: (value: unknown) => FoldFile[];
  /** Finished steps that may be taken over; by default those of the run that this one was forked from. */
  offers?: ReadonlyMap<string, StepOffer>;
}

export interface StepsOutcome {
  completed: number;
  adopted: number;
  /** Steps that the stage needs, and that failed too often or in a way that trying again cannot help. */
  exhausted: string[];
  /** Why a step could not continue although it has not failed. No further step began, and those under way have ended. */
  interruption: Interruption | null;
}

export function openSteps(
  { writer, performer }: Pick<Ownership, "performer" | "writer">,
  plans: readonly AnyStepPlan[],
): AnyStepPlan[] {
  const { steps, settings, accepted_drift } = writer.manifest;
  return plans.filter((plan) => {
    const step = steps[plan.key];
    if (step?.state !== "completed") return true;
    // Once drift was accepted, finished steps stay done, whatever they depended on.
    return accepted_drift === null && step.inputs_digest !== inputsDigest(performer.driver, plan, settings);
  });
}

/** True for a step that can only continue once an agent or a person outside has answered. */
export function isWaiting(
  { writer: { manifest }, performer }: Pick<Ownership, "performer" | "writer">,
  plan: AnyStepPlan,
): boolean {
  const step = manifest.steps[plan.key];
  return step?.state === "waiting" && step.inputs_digest === inputsDigest(performer.driver, plan, manifest.settings);
}

/** Runs up to `limit` of the plans. After a stop no further step begins. */
export async function runSteps(
  ownership: Ownership,
  plans: readonly AnyStepPlan[],
  limit: number,
  options: StepOptions = {},
): Promise<StepsOutcome> {
  const queue = plans.slice(0, limit);
  const outcome: StepsOutcome = { completed: 0, adopted: 0, exhausted: [], interruption: null };
  const failures: unknown[] = [];
  // When one step throws, nothing more can be stored, so the steps beside it are ended too.
  const failing = new AbortController();
  const signal = AbortSignal.any([ownership.signal, failing.signal]);
  const worker = async (): Promise<void> => {
    for (let plan = queue.shift(); plan !== undefined; plan = queue.shift()) {
      await ownership.ports.clock.turn();
      if (ownership.interruption !== null || signal.aborted || outcome.interruption !== null) return;
      try {
        const ended = await runStep(ownership, plan, signal, options);
        if (typeof ended === "object") outcome.interruption ??= ended;
        else if (ended === "exhausted") outcome.exhausted.push(plan.key);
        else if (ended !== "stopped" && ended !== "waiting" && ended !== "left_out") outcome[ended]++;
      } catch (error) {
        failures.push(error instanceof RunError ? error : bugIn(plan.key, error));
        failing.abort(error);
        return;
      }
    }
  };
  const { concurrency } = ownership.writer.manifest.settings.steps;
  await Promise.all(Array.from({ length: Math.min(concurrency, queue.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return outcome;
}

async function runStep(
  ownership: Ownership,
  plan: AnyStepPlan,
  signal: AbortSignal,
  { foldsOf, offers }: StepOptions,
): Promise<"completed" | "adopted" | "waiting" | "exhausted" | "left_out" | "stopped" | Interruption> {
  const { writer, performer, conversations, answers } = ownership;
  const { driver } = performer;
  const stage = writer.manifest.stage.current;
  const { max_attempts, backoff_ms } = writer.manifest.settings.steps;
  const { key } = plan;
  const inputs_digest = inputsDigest(driver, plan, writer.manifest.settings);
  const offer = (offers ?? performer.offers).get(key);
  const isOffered = offer?.inputs_digest === inputs_digest && offer.stage === stage;
  // A step that was opened again is not adopted, since that would bring back its old result.
  const isUntouched = isFresh(writer.manifest.steps[key]);
  if (isOffered && isUntouched && (await stands(ownership, offer))) {
    await adopt(ownership, offer);
    if (offer.opened_again !== true) return "adopted";
  }
  for (;;) {
    const before = writer.manifest.steps[key];
    // A step that gets another answer is done as if it had never failed.
    const replaces = answers.replaces(key);
    const failures = replaces ? 0 : (before?.failures_since_resume ?? 0);
    if (failures >= max_attempts || (!replaces && before !== undefined && isGivenUp(before))) return "exhausted";
    if (failures > 0 && !(await paused(ownership.ports.clock, signal, backoff_ms * 2 ** (failures - 1))))
      return "stopped";
    const isResumed = before !== undefined && isWaiting(ownership, plan) && !replaces;
    const attempt = isResumed ? before.attempts : (before?.attempts ?? 0) + 1;
    const keeps = before?.result === undefined || before.state === "completed" ? {} : { keeps_result: true as const };
    const started: RecordDraft = { kind: "step.started", data: { key, stage, attempt, inputs_digest, ...keeps } };
    const reopened: RecordDraft = { kind: "step.reopened", data: { key, stage, reason: "another answer" } };
    if (!isResumed && !replaces) await writer.commit([started]);
    const place = { key, stage, inputs_digest, ...lessonOf(before?.error) };
    try {
      // These records wait for the answer, so that a refused answer leaves a finished step as it was.
      const tools = toolsFor(ownership, place, signal, replaces ? [reopened, started] : []);
      const value = await plan.perform(driver, tools);
      signal.throwIfAborted();
      await complete(ownership, plan, { stage, attempt, inputs_digest, value }, foldsOf);
      conversations.forget(key);
      return "completed";
    } catch (error) {
      if (signal.aborted) return "stopped";
      if (error instanceof Interrupted) return error.interruption;
      if (error instanceof AnswerMissing) {
        await answers.waitFor(place, error.prompt);
        return "waiting";
      }
      if (endsTick(error)) throw error;
      const wait = waitFor(error);
      if (wait !== null) return wait.interruption;
      const isLast = failures + 1 >= max_attempts;
      const failure = stepFailure(error, { isLast, mayFail: plan.mayFail, hasActed: conversations.hasActed(key) });
      await writer.commit([{ kind: "step.failed", data: { key, stage, attempt, error: failure } }]);
      if (failure.goes_on !== true) conversations.forget(key);
      if (failure.left_out === true) return "left_out";
      if (!failure.retryable) return "exhausted";
    }
  }
}

/** Waits before the next attempt; false when the work was stopped meanwhile. */
async function paused(clock: Clock, signal: AbortSignal, ms: number): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

function bugIn(step: string, thrown: unknown): RunError {
  return new RunError("INTERNAL", { ...typedError(thrown).facts, step }, { cause: thrown });
}

/** What the model learns about the attempt before. */
function lessonOf({ lesson, goes_on }: Partial<StepError> = {}): Pick<StepPlace, "lesson" | "note"> {
  if (lesson === undefined) return {};
  return goes_on === true ? { note: lesson } : { lesson };
}

/** True for a step that this run has not begun. */
function isFresh(step: StepState | undefined): boolean {
  return step === undefined || (step.result === undefined && step.attempts === 0);
}

/** A halt, when a source of evidence says when it will answer again. The step has not failed. */
function waitFor(error: unknown): Interrupted | null {
  if (!isFault(error, "QUOTA_EXCEEDED")) return null;
  const { retry_at, ...facts } = error.facts;
  return retry_at === undefined ? null : halting("quota", facts, retry_at);
}

async function complete(
  { writer, evidence, view }: Ownership,
  plan: AnyStepPlan,
  done: { stage: Stage; attempt: number; inputs_digest: Digest; value: unknown },
  foldsOf: StepOptions["foldsOf"],
): Promise<void> {
  const { stage, attempt, inputs_digest, value } = done;
  const { key, product } = plan;
  const text = canonicalJson(value);
  const result_digest = digestOfBytes(text);
  const encoder = new TextEncoder();
  const files: ContentRef[] = [];
  let place: { value: unknown } | { content: ContentRef };
  if (product !== undefined) {
    const base = freeBase(await view.records(), product.base, attempt);
    place = { content: await writer.storeContent(`${base}.json`, encoder.encode(text)) };
    files.push(await writer.storeContent(`${base}.md`, encoder.encode(product.markdown(value))));
  } else if (Buffer.byteLength(text) <= INLINE_LIMIT_BYTES) {
    place = { value };
  } else {
    place = { content: await writer.storeContent(resultFile(result_digest), encoder.encode(text)) };
  }
  const came = isResearch(plan)
    ? { provenance: provenanceOfStep(writer.manifest.settings, value as Findings, await evidence.sources()) }
    : {};
  await writer.commit(
    [{ kind: "step.completed", data: { key, stage, attempt, inputs_digest, result_digest, ...place, files, ...came } }],
    foldsOf === undefined ? {} : { folds: foldsOf(value) },
  );
}

/**
 * A name for the files of a finished step that no earlier file has. The files of an adopted step keep their names, which
 * count the attempts of the other run.
 */
function freeBase(records: readonly AnyRecord[], base: string, attempt: number): string {
  const named = new Set(records.flatMap((record) => contentNamedBy(record).map(({ path }) => path)));
  let number = attempt;
  while (named.has(`${base}.${number}.json`)) number++;
  return `${base}.${number}`;
}

/** The results of these tasks are findings. */
function isResearch({ task }: AnyStepPlan): boolean {
  return task === "research" || task === "fill_gap";
}

/** True when the files of an offer are still what they were. Otherwise the step is done anew. */
async function stands({ writer }: Ownership, offer: StepOffer): Promise<boolean> {
  for (const ref of offer.content === undefined ? offer.files : [offer.content, ...offer.files])
    if ((await unlessDamaged(writer.readContent(ref))) === null) return false;
  return true;
}

/** Takes over a finished step of the run that was forked; its files came along when the fork was made. */
async function adopt({ writer }: Ownership, { opened_again, ...taken }: StepOffer): Promise<void> {
  const { key, stage, from_run } = taken;
  const drafts: RecordDraft[] = [{ kind: "step.adopted", data: taken }];
  if (opened_again === true) drafts.push({ kind: "step.reopened", data: { key, stage, reason: `as in ${from_run}` } });
  await writer.commit(drafts);
}
