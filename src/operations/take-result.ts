// `agent-result`: takes what an agent or a person outside hands in for a step that waits, judged at once by the step's own rules.
import { digestOfBytes, type Digest } from "../kernel/digest.ts";
import { RunError } from "../kernel/errors.ts";
import { lift } from "../orchestrator/drive.ts";
import { agentRequired } from "../orchestrator/agent-required.ts";
import type { Brought } from "../orchestrator/answers.ts";
import type { Ownership } from "../orchestrator/ownership.ts";
import { runSteps } from "../orchestrator/step-runner.ts";
import { driverDrift } from "../orchestrator/drift.ts";
import { endFor, haltDrafts } from "../orchestrator/stopping.ts";
import { Interrupted } from "../ports/interruption.ts";
import type { Observer } from "../ports/observer.ts";
import type { Ports } from "../ports/ports.ts";
import type { BroughtDocument } from "../ports/provider.ts";
import type { RunLook } from "../ports/run-log.ts";
import { digestSchema } from "../run/common.ts";
import { isTerminal } from "../run/lifecycle.ts";
import type { Manifest } from "../run/manifest.ts";
import type { AnyRecord } from "../run/record.ts";
import type { AnsweredBy } from "../run/step.ts";
import { STAGE_DEFINITIONS } from "../stages/stages.ts";
import { refuseInterrupted } from "./generate-report.ts";
import type { Outcome } from "./outcome.ts";
import { work } from "./work.ts";

export interface HandInOptions {
  step: string;
  /** The name of the prompt within the step; without it, the one that waits. */
  prompt?: string;
  answer: Uint8Array;
  by: AnsweredBy;
  /** Answers the first prompt of the step anew, also of one that is finished. */
  replace: boolean;
  /** Documents that come along: quotes name them by their names. */
  sources: BroughtDocument[];
  /** How long to wait while another process works on the run. */
  waitSeconds: number;
}

export interface HandInResult {
  step: string;
  answer_digest: Digest;
  /** The very answer was taken before. */
  already: boolean;
  state: string;
  /** The next prompt of the same step, where it has one; a path in the run. */
  next_prompt: string | null;
  /** All steps that wait now. */
  waiting: { key: string; name: string; prompt: string }[];
}

/** From this size on, nothing is taken. */
export const MAX_ANSWER_BYTES = 10 * 1024 * 1024;
const LOOK_MS = 100;

/**
 * Errors: `AGENT_RESULT_INVALID` with all that is wrong with it, `INPUT_TOO_LARGE`, `NOT_FOUND` for a step that the stage does
 * not have, `INVALID_STATE` for one that waits for nothing or for another prompt, `RUN_TERMINAL`, `PAUSED`, `LOCK_HELD`. A refused answer leaves no record.
 */
export async function takeResult(
  ports: Ports,
  runRoot: string,
  options: HandInOptions,
  observer: Observer,
): Promise<Outcome<HandInResult>> {
  const { step, answer, by, replace } = options;
  if (answer.byteLength >= MAX_ANSWER_BYTES)
    throw new RunError("INPUT_TOO_LARGE", {
      reason: "the answer is too large",
      bytes: answer.byteLength,
      max_bytes: MAX_ANSWER_BYTES,
    });
  const answer_digest = digestOfBytes(answer);
  const brought: Brought = { key: step, text: textOf(answer), by, replaces: replace };
  const until = ports.clock.uptimeMs() + options.waitSeconds * 1000;
  for (;;) {
    try {
      return await handIn(ports, runRoot, { ...options, brought, answer_digest }, observer);
    } catch (error) {
      const isHeld = error instanceof RunError && error.code === "LOCK_HELD";
      if (!isHeld || ports.clock.uptimeMs() >= until) throw error;
      await ports.clock.sleep(LOOK_MS);
    }
  }
}

async function handIn(
  ports: Ports,
  runRoot: string,
  {
    prompt,
    sources,
    brought,
    answer_digest,
  }: Pick<HandInOptions, "prompt" | "sources"> & { brought: Brought; answer_digest: Digest },
  observer: Observer,
): Promise<Outcome<HandInResult>> {
  const { key: step, replaces } = brought;
  return await work(ports, runRoot, {
    reason: "agent-result",
    observer,
    isQuiet: true,
    performs: true,
    async judge(run, recordsOf) {
      if (isTerminal(run.state)) throw new RunError("RUN_TERMINAL", { state: run.state, run_root: runRoot });
      if (run.state === "paused") throw new RunError("PAUSED", { state: run.state, run_root: runRoot });
      const known = Object.hasOwn(run.manifest.steps, step) ? run.manifest.steps[step] : undefined;
      if (known === undefined) throw unknownStep(run, step);
      // A prompt that is named is told from the next one of the step, whose answer may be the same.
      const isNamed = prompt !== undefined && known.waits_for?.name === prompt;
      const records = await recordsOf();
      if (!isNamed && wasTaken(records, { step, prompt }, answer_digest))
        return { result: resultOf(run.manifest, step, answer_digest, true), run, error: null };
      if (prompt !== undefined && !isNamed && !replaces)
        throw new RunError("INVALID_STATE", {
          reason: "the step does not wait for an answer to this prompt",
          step,
          prompt,
          waits_for: known.waits_for?.name ?? null,
        });
      if (known.state === "waiting" || (replaces && wasAsked(records, step))) return null;
      throw new RunError("INVALID_STATE", { reason: whyNot(known.state), step, state: known.state, run_root: runRoot });
    },
    async act(ownership) {
      refuseDrifted(ownership);
      await lift(ownership, { lifts: false, reason: "agent-result" });
      try {
        for (const source of sources) await takeSource(ownership, source);
        await perform(ownership, brought);
      } catch (error) {
        await refuseInterrupted(error, ownership);
      }
      return resultOf(ownership.writer.manifest, step, answer_digest, false);
    },
  });
}

function textOf(answer: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(answer);
  } catch (cause) {
    throw new RunError("AGENT_RESULT_INVALID", { reason: "the answer is not UTF-8 text" }, { cause });
  }
}

function unknownStep({ manifest, runRoot }: RunLook, step: string): RunError {
  const waiting = waitingOf(manifest).map(({ key }) => key);
  const reason = `the stage ${manifest.stage.current} has no such step`;
  return new RunError("NOT_FOUND", { reason, step, waiting, run_root: runRoot });
}

function whyNot(state: string): string {
  return state === "completed"
    ? "the step is finished: --replace takes another answer"
    : "the step waits for no answer yet: tick the run first";
}

/** Another driver asks otherwise: what was asked is to be settled before it is answered. Errors: `SETTINGS_DRIFT`. */
function refuseDrifted({ writer, performer }: Ownership): void {
  const { settings } = writer.manifest;
  const differences = driverDrift(settings, performer.driver);
  if (differences.length > 0)
    throw new RunError("SETTINGS_DRIFT", {
      reason: "the run was made with another version of its driver",
      policy: settings.policies.on_drift,
      differences,
      run_root: writer.runRoot,
    });
}

/**
 * Quotes name it by its name, also those of other agents: a name that another document has is refused, and so is another
 * name for one that the run has.
 */
async function takeSource({ sources, corpora, writer, signal }: Ownership, source: BroughtDocument): Promise<void> {
  const refuse = (why: string): never => {
    throw new RunError("AGENT_RESULT_INVALID", { reason: `the document ${source.name} cannot be taken: ${why}` });
  };
  if (digestSchema.safeParse(source.name).success) refuse("digests name what is stored; give it another name");
  const { corpora: folders } = writer.manifest.settings;
  const names = [source.name, ...folders.map(({ name }) => `${name}/${source.name}`)];
  for (const name of names) {
    const namesake =
      (await sources.stored(name)) ?? (await corpora.ask((provider) => sources.open(provider, name, signal)));
    if (namesake.kind === "kept" && namesake.source.source_digest !== digestOfBytes(source.bytes))
      refuse("another document has this name; give it another one, in its quotes too");
  }
  const taken = await sources.take(source, signal);
  if (taken.kind !== "kept") return refuse(taken.kind === "gone" ? taken.reason : taken.kind);
  const { origin } = taken.source;
  if (!names.includes(origin)) refuse(`the run has it already, as ${origin}: quotes name it so`);
}

/** Whether somebody outside was ever asked in this step. */
function wasAsked(records: readonly AnyRecord[], step: string): boolean {
  return records.some((record) => record.kind === "step.waiting" && record.data.key === step);
}

/** The last answer of the step, or to the prompt that is named, handed in once more, where that prompt was not asked anew. */
function wasTaken(
  records: readonly AnyRecord[],
  { step, prompt }: { step: string; prompt: string | undefined },
  digest: Digest,
): boolean {
  const at = records.findLastIndex(
    (record) =>
      record.kind === "step.answered" &&
      record.data.key === step &&
      (prompt === undefined || record.data.name === prompt),
  );
  const last = records[at];
  if (last?.kind !== "step.answered" || last.data.answer.sha256 !== digest) return false;
  const { name } = last.data;
  return !records
    .slice(at + 1)
    .some((record) => record.kind === "step.waiting" && record.data.key === step && record.data.name === name);
}

/** The step goes on with the answer, up to its end or its next prompt; then the halt names what still waits. */
async function perform(ownership: Ownership, brought: Brought): Promise<void> {
  const { writer, context, answers } = ownership;
  const plans = await STAGE_DEFINITIONS[stageOf(writer.manifest)].plan(context);
  const wanted = plans.filter(({ key }) => key === brought.key);
  if (wanted.length === 0)
    throw new RunError("INVALID_STATE", { reason: "the stage does not ask for this step any more", step: brought.key });
  answers.bring(brought);
  const { interruption } = await runSteps(ownership, wanted, 1);
  if (answers.isBrought) {
    const why = interruption ?? ownership.interruption;
    if (why !== null) throw new Interrupted(why);
    throw new RunError("INVALID_STATE", { reason: "the step asks nobody outside any more", step: brought.key });
  }
  // The answer is taken; what keeps the step from going on behind it is told as in a tick.
  if (interruption?.kind === "halt") await endFor(ownership, interruption);
  // Without a halt the next tick would only find out that others wait.
  if (writer.manifest.halt === null && waitingOf(writer.manifest).length > 0)
    await writer.commit(haltDrafts(ownership, agentRequired(writer.manifest)));
  await writer.foldNow();
}

function stageOf({ stage }: Readonly<Manifest>): keyof typeof STAGE_DEFINITIONS {
  if (stage.current === "init") throw new RunError("INVALID_STATE", { reason: "the run has not begun", stage: "init" });
  return stage.current;
}

function waitingOf({ steps }: Pick<Manifest, "steps">): HandInResult["waiting"] {
  return Object.entries(steps).flatMap(([key, { waits_for }]) =>
    waits_for === undefined ? [] : [{ key, name: waits_for.name, prompt: waits_for.prompt.path }],
  );
}

function resultOf(manifest: Readonly<Manifest>, step: string, answer_digest: Digest, already: boolean): HandInResult {
  const { state = "planned", waits_for } = manifest.steps[step] ?? {};
  return {
    step,
    answer_digest,
    already,
    state,
    next_prompt: waits_for?.prompt.path ?? null,
    waiting: waitingOf(manifest),
  };
}
