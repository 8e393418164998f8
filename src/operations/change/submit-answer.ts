// `agent-result`: takes the answer of an agent or a person outside for a step that waits, and judges it by the rules of the step.
import { digestOfBytes, type Digest } from "../../kernel/digest.ts";
import { RunError } from "../../kernel/errors.ts";
import type { Submission } from "../../orchestrator/answers.ts";
import { lift } from "../../orchestrator/drive.ts";
import { answerText, judgeSubmission, refuseDrifted, takeSubmission } from "../../orchestrator/submission.ts";
import type { Ownership } from "../../orchestrator/ownership.ts";
import { endFor, haltDrafts } from "../../orchestrator/stopping.ts";
import { agentRequired, waitingOf } from "../../orchestrator/waiting-steps.ts";
import { timestamp } from "../../ports/clock.ts";
import { Interrupted } from "../../ports/interruption.ts";
import type { Observer } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import type { AttachedSource } from "../../ports/provider.ts";
import type { RunLook } from "../../ports/run-log.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import { newRequestId, type ResultRequest } from "../../run/log/request.ts";
import type { AnsweredBy } from "../../run/log/step.ts";
import { refuseInterrupted } from "../report/generate-report.ts";
import type { Outcome } from "../outcome.ts";
import { work } from "../work.ts";

export interface SubmitOptions {
  step: string;
  /** The name of the prompt within the step; without it, the one that waits. */
  prompt?: string;
  answer: Uint8Array;
  by: AnsweredBy;
  /** Answers the first prompt of the step anew, also of one that is finished. */
  replace: boolean;
  /** Documents that come along. Quotes name them by `name`. */
  sources: AttachedSource[];
  /** Addresses of pages that come along. They are read now. */
  pages?: string[];
  /** How long to wait while another process works on the run. */
  waitSeconds: number;
}

export interface SubmitResult {
  step: string;
  answer_digest: Digest;
  /** The same answer was taken before. */
  already: boolean;
  /** The answer is on disk. The process that works on the run judges it between two steps. */
  handed_over: boolean;
  state: string;
  /** The next prompt of the same step, where it has one; a path in the run. */
  next_prompt: string | null;
  /** All steps that wait now. */
  waiting: { key: string; name: string; prompt: string }[];
}

/** From this size on, nothing is taken. */
export const MAX_ANSWER_BYTES = 10 * 1024 * 1024;
const LOOK_MS = 100;

interface Given extends Omit<SubmitOptions, "answer" | "pages" | "waitSeconds" | "replace"> {
  answer: Uint8Array;
  submission: Submission;
  digest: Digest;
}

/**
 * While another process works on the run, the answer is handed to it as a durable request. Errors: `AGENT_RESULT_INVALID` with all that
 * is wrong with it, `INPUT_TOO_LARGE`, those of `judgeSubmission` and of `readAttachedPage`. An answer that is refused here leaves no record.
 */
export async function submitAnswer(
  ports: Ports,
  runRoot: string,
  { waitSeconds, replace, pages = [], ...options }: SubmitOptions,
  observer: Observer,
): Promise<Outcome<SubmitResult>> {
  const { step, answer, by } = options;
  const { byteLength: bytes } = answer;
  if (bytes >= MAX_ANSWER_BYTES)
    throw new RunError("INPUT_TOO_LARGE", { reason: "the answer is too large", bytes, max_bytes: MAX_ANSWER_BYTES });
  const submission: Submission = { key: step, text: answerText(answer), by, replaces: replace };
  const sources = [...options.sources, ...(await readPages(ports, runRoot, pages))];
  const given: Given = { ...options, sources, submission, digest: digestOfBytes(answer) };
  const until = ports.clock.uptimeMs() + waitSeconds * 1000;
  for (let request: ResultRequest | null = null; ;) {
    try {
      return await handIn(ports, runRoot, given, request, observer);
    } catch (error) {
      const isHeld = error instanceof RunError && error.code === "LOCK_HELD";
      if (request === null && !isHeld) throw error;
      // The request is void now: it is taken back, unless the owner was quicker.
      if (request !== null && !isHeld) await ports.store.withdraw(runRoot, request.request_id);
      const run = await ports.store.look(runRoot);
      const done = request === null ? null : await answered(ports, run, given, request);
      if (done !== null) return done;
      if (!isHeld) throw error;
      request ??= await handOver(ports, run, given);
      if (ports.clock.uptimeMs() >= until) {
        // It was taken in the meantime.
        if (request === null) throw error;
        return { result: { ...resultOf(run.manifest, given, false), handed_over: true }, run, error: null };
      }
      await whileItWaits(ports, runRoot, request, until);
    }
  }
}

/** Waits until the lease is free or the owner has taken the request up: before that there is nothing new to read. */
async function whileItWaits(
  ports: Ports,
  runRoot: string,
  request: ResultRequest | null,
  untilMs: number,
): Promise<void> {
  const tail = ports.store.follow(runRoot, 0);
  for (;;) {
    await tail.wait(LOOK_MS);
    if (request === null || ports.clock.uptimeMs() >= untilMs) return;
    const { lease, requests } = await ports.store.look(runRoot);
    if (lease.held === null || !requests.some(({ request_id }) => request_id === request.request_id)) return;
  }
}

async function readPages(ports: Ports, runRoot: string, pages: readonly string[]): Promise<AttachedSource[]> {
  if (pages.length === 0) return [];
  const { sensitivity } = (await ports.store.look(runRoot)).manifest.query;
  const { signal } = new AbortController();
  return await Promise.all(pages.map((url) => ports.readAttachedPage(url, sensitivity, signal)));
}

async function handIn(
  ports: Ports,
  runRoot: string,
  given: Given,
  request: ResultRequest | null,
  observer: Observer,
): Promise<Outcome<SubmitResult>> {
  const { step, prompt, digest, submission, sources } = given;
  return await work(ports, runRoot, {
    reason: "agent-result",
    observer,
    isQuiet: true,
    performs: true,
    async judge(run, recordsOf) {
      const judged = judgeSubmission(run, await recordsOf(), { step, prompt, replaces: submission.replaces, digest });
      if (judged === "new") return null;
      return { result: resultOf(run.manifest, given, request === null), run, error: null };
    },
    async act(ownership) {
      const { writer, performer } = ownership;
      refuseDrifted(writer.manifest, writer.runRoot, performer.driver);
      await lift(ownership, { lifts: false, reason: "agent-result" });
      try {
        await perform(ownership, request === null ? submission : { ...submission, request }, sources);
      } catch (error) {
        await refuseInterrupted(error, ownership);
      }
      if (request !== null) await writer.dropRequest(request.request_id);
      return resultOf(writer.manifest, given, false);
    },
  });
}

// --- while another process works on the run -------------------------------------------------------------------------

/** The request with which the answer is handed to the owner; null where it has taken the very same one meanwhile. */
async function handOver(ports: Ports, run: RunLook, given: Given): Promise<ResultRequest | null> {
  const { step, prompt, digest, submission, sources, answer, by } = given;
  const { replaces } = submission;
  const records = await ports.store.records(run.runRoot, run.manifest.journal);
  // The next look finds that.
  if (judgeSubmission(run, records, { step, prompt, replaces, digest }) === "already") return null;
  const name = prompt ?? (replaces ? undefined : run.manifest.steps[step]?.waits_for?.name);
  const partOf = (bytes: Uint8Array) => ({ sha256: digestOfBytes(bytes), bytes: bytes.byteLength });
  const request: ResultRequest = {
    schema_version: "request.result.v1",
    request_id: newRequestId("result", ports.random.bytes(6)),
    kind: "result",
    reason: `an answer to ${step}`,
    requested_at: timestamp(ports.clock.nowMs()),
    step,
    ...(name === undefined ? {} : { prompt: name }),
    by,
    replaces,
    answer: partOf(answer),
    sources: sources.map(({ bytes, ...said }) => ({ ...said, ...partOf(bytes) })),
  };
  await ports.store.request(run.runRoot, request, [answer, ...sources.map(({ bytes }) => bytes)]);
  return request;
}

/** How the owner judged the answer; null where it has not looked yet. Errors: `AGENT_RESULT_INVALID` where it refused the answer. */
async function answered(
  ports: Ports,
  run: RunLook,
  given: Given,
  { request_id }: ResultRequest,
): Promise<Outcome<SubmitResult> | null> {
  const done = (await ports.store.records(run.runRoot, run.manifest.journal)).find(
    (record) => record.kind === "request.result" && record.data.request_id === request_id,
  );
  if (done?.kind !== "request.result") return null;
  const { outcome, problems } = done.data;
  if (outcome === "refused")
    throw new RunError("AGENT_RESULT_INVALID", {
      reason: "the process that works on the run has refused the answer",
      step: given.step,
      problems,
    });
  return { result: resultOf(run.manifest, given, false), run, error: null };
}

// --- under the lease ------------------------------------------------------------------------------------------------

/** The step goes on with the answer, up to its end or its next prompt; then the halt names what still waits. */
async function perform(
  ownership: Ownership,
  submission: Submission,
  sources: readonly AttachedSource[],
): Promise<void> {
  const { writer } = ownership;
  const { isTaken, interruption } = await takeSubmission(ownership, submission, sources);
  if (!isTaken) {
    if (interruption !== null) throw new Interrupted(interruption);
    throw new RunError("INVALID_STATE", { reason: "the step waits for no answer any more", step: submission.key });
  }
  // The answer is taken. A halt that the step met behind it is told as in a tick.
  if (interruption?.kind === "halt") await endFor(ownership, interruption);
  // Without a halt the next tick would only find out that others wait.
  if (writer.manifest.halt === null && waitingOf(writer.manifest).length > 0)
    await writer.commit(haltDrafts(ownership, agentRequired(writer.manifest)));
  await writer.foldNow();
}

function resultOf(manifest: Readonly<Manifest>, { step, digest }: Given, already: boolean): SubmitResult {
  // A taken step that is not there any more belongs to a stage that was left, and a stage is left only when its steps are done.
  const { state = already ? "completed" : "planned", waits_for } = manifest.steps[step] ?? {};
  return {
    step,
    answer_digest: digest,
    already,
    handed_over: false,
    state,
    next_prompt: waits_for?.prompt.path ?? null,
    waiting: waitingOf(manifest),
  };
}
