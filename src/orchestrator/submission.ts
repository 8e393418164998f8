// Takes a submitted answer under the lease of its run: checks that its step waits for it, and continues the step.
import { digestOfBytes, type Digest } from "../kernel/digest.ts";
import { memberOf } from "../kernel/member.ts";
import { RunError } from "../kernel/errors.ts";
import type { Driver } from "../ports/driver.ts";
import type { Interruption } from "../ports/interruption.ts";
import { isPageName, type AttachedSource } from "../ports/provider.ts";
import { plainUrl } from "../ports/provider-failure.ts";
import { digestSchema } from "../run/common.ts";
import { isTerminal } from "../run/log/lifecycle.ts";
import type { Manifest } from "../run/log/manifest.ts";
import type { RunLook } from "../ports/run-log.ts";
import type { AnyRecord } from "../run/log/record.ts";
import { STAGE_DEFINITIONS } from "../stages/stages.ts";
import type { AnyStepPlan, StageContext } from "../stages/stage-definition.ts";
import type { Submission } from "./answers.ts";
import { driverDrift } from "./drift.ts";
import type { Ownership } from "./ownership.ts";
import { runSteps } from "./step-runner.ts";
import { waitingOf } from "./waiting-steps.ts";

export interface SubmissionClaim {
  step: string;
  /** The name of the prompt within the step; by default the one that waits. */
  prompt?: string | undefined;
  replaces: boolean;
  digest: Digest;
}

// --- whether it may be taken ----------------------------------------------------------------------------------------

/**
 * `already`: the very same answer was taken before, whatever has become of the run since. Errors: `NOT_FOUND` for a step that
 * the stage does not have, `INVALID_STATE` for one that waits for nothing or for another prompt, `RUN_TERMINAL`, `PAUSED`.
 */
export function judgeSubmission(
  { manifest, runRoot, state }: Pick<RunLook, "manifest" | "runRoot" | "state">,
  records: readonly AnyRecord[],
  { step, prompt, replaces, digest }: SubmissionClaim,
): "already" | "new" {
  const known = memberOf(manifest.steps, step);
  // The next prompt of a step may get the same answer as the one before. Only a named prompt says which one is meant.
  const isNamed = prompt !== undefined && known?.waits_for?.name === prompt;
  if (!isNamed && wasTaken(records, { step, prompt }, digest)) return "already";
  if (isTerminal(state)) throw new RunError("RUN_TERMINAL", { state, run_root: runRoot });
  if (state === "paused") throw new RunError("PAUSED", { state, run_root: runRoot });
  if (known === undefined) throw unknownStep(manifest, runRoot, step);
  if (prompt !== undefined && !isNamed && !replaces)
    throw new RunError("INVALID_STATE", {
      reason: "the step does not wait for an answer to this prompt",
      step,
      prompt,
      waits_for: known.waits_for?.name ?? null,
    });
  if (known.state === "waiting" || (replaces && hasPrompts(records, step))) return "new";
  throw new RunError("INVALID_STATE", { reason: whyNot(known.state), step, state: known.state, run_root: runRoot });
}

function unknownStep(manifest: Readonly<Manifest>, runRoot: string, step: string): RunError {
  const waiting = waitingOf(manifest).map(({ key }) => key);
  const reason = `the stage ${manifest.stage.current} has no such step`;
  return new RunError("NOT_FOUND.waiting", { reason, step, waiting, run_root: runRoot });
}

function whyNot(state: string): string {
  return state === "completed"
    ? "the step is finished: --replace takes another answer"
    : "the step waits for no answer yet: tick the run first";
}

function hasPrompts(records: readonly AnyRecord[], step: string): boolean {
  return records.some((record) => record.kind === "step.waiting" && record.data.key === step);
}

/** True when this is the last answer to a prompt of the step, and neither was the prompt written anew since, nor another result wished for. */
function wasTaken(
  records: readonly AnyRecord[],
  { step, prompt }: { step: string; prompt: string | undefined },
  digest: Digest,
): boolean {
  const taken = new Map<string, Digest>();
  for (const record of records) {
    if (record.kind === "step.answered" && record.data.key === step)
      taken.set(record.data.name, record.data.answer.sha256);
    if (record.kind === "step.waiting" && record.data.key === step) taken.delete(record.data.name);
    if (record.kind === "step.reopened" && record.data.key === step && record.data.instruction !== undefined)
      taken.clear();
  }
  return prompt === undefined ? [...taken.values()].includes(digest) : taken.get(prompt) === digest;
}

/** Another version of the driver may ask something else, so the drift is settled first. Errors: `SETTINGS_DRIFT`. */
export function refuseDrifted({ settings }: Pick<Manifest, "settings">, runRoot: string, driver: Driver): void {
  const differences = driverDrift(settings, driver);
  if (differences.length > 0)
    throw new RunError("SETTINGS_DRIFT", {
      reason: "the run was made with another version of its driver",
      policy: settings.policies.on_drift,
      differences,
      run_root: runRoot,
    });
}

/** Errors: `AGENT_RESULT_INVALID`. */
export function answerText(answer: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(answer);
  } catch (cause) {
    throw new RunError("AGENT_RESULT_INVALID", { reason: "the answer is not UTF-8 text" }, { cause });
  }
}

// --- taking it ------------------------------------------------------------------------------------------------------

/**
 * Stores the documents that came along, then continues the step, up to its end or its next prompt. Errors:
 * `AGENT_RESULT_INVALID`; `INVALID_STATE` when the stage does not ask for the step any more.
 */
export async function takeSubmission(
  ownership: Ownership,
  submission: Submission,
  sources: readonly AttachedSource[],
): Promise<{ isTaken: boolean; completed: number; interruption: Interruption | null }> {
  const { writer, context, answers } = ownership;
  for (const source of sources) await takeSource(ownership, source);
  const plan = await planOf(writer.manifest, context, submission.key);
  answers.submit(submission);
  try {
    const { completed, interruption } = await runSteps(ownership, [plan], 1);
    return { isTaken: !answers.isPending, completed, interruption: interruption ?? ownership.interruption };
  } finally {
    answers.submit(null);
  }
}

/** Errors: `INVALID_STATE`. */
async function planOf(
  { stage: { current } }: Readonly<Manifest>,
  context: StageContext,
  step: string,
): Promise<AnyStepPlan> {
  if (current === "init") throw new RunError("INVALID_STATE", { reason: "the run has not begun", stage: "init" });
  const plans = await STAGE_DEFINITIONS[current].plan(context);
  const wanted = plans.find(({ key }) => key === step);
  if (wanted === undefined)
    throw new RunError("INVALID_STATE", { reason: "the stage does not ask for this step any more", step });
  return wanted;
}

/**
 * Quotes name a document by its name, also quotes of other agents. So a name that another document has is refused, and a
 * second name for a document that the run has.
 */
async function takeSource({ sources, corpora, writer, signal }: Ownership, source: AttachedSource): Promise<void> {
  // A page may be different each time it is read. The run keeps the one that it read first.
  if (isPageName(source.name) && (await sources.stored(plainUrl(source.name))) !== null) return;
  const names = namesOf(writer.manifest, source);
  for (const name of isPageName(source.name) ? [] : names) {
    const namesake =
      (await sources.stored(name)) ?? (await corpora.ask((provider) => sources.open(provider, name, signal)));
    if (namesake.kind === "kept" && namesake.source.source_digest !== digestOfBytes(source.bytes))
      throw notTaken(source, "another document has this name; give it another one, in its quotes too");
  }
  const taken = await sources.take(source, signal);
  if (taken.kind !== "kept") throw notTaken(source, taken.kind === "gone" ? taken.reason : taken.kind);
  const { origin } = taken.source;
  if (!names.includes(origin))
    throw notTaken(source, `the run has it already as ${origin}: quotes have to use that name`);
}

/** Errors: `AGENT_RESULT_INVALID` for a document whose name no document may have. */
export function refuseNames(manifest: Readonly<Manifest>, sources: readonly Pick<AttachedSource, "name">[]): void {
  for (const source of sources) namesOf(manifest, source);
}

/** The names by which quotes may name the document. Errors: `AGENT_RESULT_INVALID` for a name that no document may have. */
function namesOf({ settings }: Readonly<Manifest>, source: Pick<AttachedSource, "name">): string[] {
  if (digestSchema.safeParse(source.name).success)
    throw notTaken(source, "a digest names what is stored; give the document another name");
  if (isPageName(source.name)) return [plainUrl(source.name)];
  // This is checked before it is stored, since a source stays also when the answer is refused.
  if (!PLAIN_NAME.test(source.name)) throw notTaken(source, "give it a plain file name");
  return [source.name, ...settings.corpora.map(({ name }) => `${name}/${source.name}`)];
}

/** The name of a file without folders. */
const PLAIN_NAME = /^(?!\.{0,2}$)[^/\\\p{Cc}]+$/u;

function notTaken({ name }: Pick<AttachedSource, "name">, why: string): RunError {
  return new RunError("AGENT_RESULT_INVALID", { reason: `the document ${name} cannot be taken: ${why}` });
}
