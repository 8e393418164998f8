// `agent-result`: takes the answer of an agent or a person outside for a step that waits, and judges it by the rules of the step.
import { digestOfBytes, type Digest } from "../../kernel/digest.ts";
import { RunError } from "../../kernel/errors.ts";
import { lift } from "../../orchestrator/drive.ts";
import {
  answerText,
  judgeSubmission,
  refuseDrifted,
  refuseNames,
  type SubmissionClaim,
} from "../../orchestrator/submission.ts";
import { takeSubmissions } from "../../orchestrator/submissions.ts";
import type { Ownership } from "../../orchestrator/ownership.ts";
import { endFor, haltDrafts } from "../../orchestrator/stopping.ts";
import { agentRequired, waitingOf } from "../../orchestrator/waiting-steps.ts";
import { timestamp } from "../../ports/clock.ts";
import { Interrupted, type Interruption } from "../../ports/interruption.ts";
import type { Observer } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import type { AttachedSource } from "../../ports/provider.ts";
import type { RunLook } from "../../ports/run-log.ts";
import type { AnyRecord } from "../../run/log/record.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import { newRequestId, type ResultRequest } from "../../run/log/request.ts";
import type { AnsweredBy } from "../../run/log/step.ts";
import { refuseInterrupted } from "../report/at-rest.ts";
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

interface Given extends Omit<SubmitOptions, "pages" | "waitSeconds"> {
  digest: Digest;
}

/**
 * Leaves the answer as a durable request. Where no process holds the run, this one takes it up at once; otherwise it waits for the
 * owner's record, and says that the answer is queued once the time is over. Errors: `AGENT_RESULT_INVALID` with all that is wrong
 * with it, `INPUT_TOO_LARGE`, those of `judgeSubmission` and of `readAttachedPage`.
 */
export async function submitAnswer(
  ports: Ports,
  runRoot: string,
  { waitSeconds, pages = [], ...options }: SubmitOptions,
  observer: Observer,
): Promise<Outcome<SubmitResult>> {
  const { answer } = options;
  const { byteLength: bytes } = answer;
  if (bytes >= MAX_ANSWER_BYTES)
    throw new RunError("INPUT_TOO_LARGE", { reason: "the answer is too large", bytes, max_bytes: MAX_ANSWER_BYTES });
  // Nothing is left that no owner could read.
  answerText(answer);
  const sources = [...options.sources, ...(await readPages(ports, runRoot, pages))];
  const given: Given = { ...options, sources, digest: digestOfBytes(answer) };
  const before = await ports.store.look(runRoot);
  const records = await ports.store.records(runRoot, before.manifest.journal);
  if (judgeSubmission(before, records, claimOf(given)) === "already")
    return { result: resultOf(before.manifest, given, true), run: before, error: null };
  refuseNames(before.manifest, sources);
  const request = await leave(ports, before, given);
  const untilMs = ports.clock.uptimeMs() + waitSeconds * 1000;
  for (;;) {
    const taken = await takeUp(ports, runRoot, given, request, observer);
    if (taken !== null) return taken;
    const run = await ports.store.look(runRoot);
    const isJudged =
      !isOpen(run, request) &&
      outcomeIn(await ports.store.records(runRoot, run.manifest.journal), request, given) !== null;
    if (isJudged) return { result: resultOf(run.manifest, given, false), run, error: null };
    if (ports.clock.uptimeMs() >= untilMs)
      return { result: { ...resultOf(run.manifest, given, false), handed_over: true }, run, error: null };
    await whileItWaits(ports, runRoot, request, untilMs);
  }
}

function claimOf({ step, prompt, replace, digest }: Given): SubmissionClaim {
  return { step, prompt, replaces: replace, digest };
}

async function readPages(ports: Ports, runRoot: string, pages: readonly string[]): Promise<AttachedSource[]> {
  if (pages.length === 0) return [];
  const { sensitivity } = (await ports.store.look(runRoot)).manifest.query;
  const { signal } = new AbortController();
  return await Promise.all(pages.map((url) => ports.readAttachedPage(url, sensitivity, signal)));
}

async function leave(ports: Ports, { runRoot, manifest }: RunLook, given: Given): Promise<ResultRequest> {
  const { step, prompt, replace, sources, answer, by } = given;
  const name = prompt ?? (replace ? undefined : manifest.steps[step]?.waits_for?.name);
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
    replaces: replace,
    answer: partOf(answer),
    sources: sources.map(({ bytes, ...said }) => ({ ...said, ...partOf(bytes) })),
  };
  await ports.store.request(runRoot, request, [answer, ...sources.map(({ bytes }) => bytes)]);
  return request;
}

/** Takes up all that waits, as a tick would; null while another process works on the run. */
async function takeUp(
  ports: Ports,
  runRoot: string,
  given: Given,
  request: ResultRequest,
  observer: Observer,
): Promise<Outcome<SubmitResult> | null> {
  try {
    return await work(ports, runRoot, {
      reason: "agent-result",
      observer,
      isQuiet: true,
      performs: true,
      async judge(run, recordsOf) {
        if (isOpen(run, request) || outcomeIn(await recordsOf(), request, given) === null) return null;
        return { result: resultOf(run.manifest, given, false), run, error: null };
      },
      act: (ownership) => takeAll(ownership, given, request),
    });
  } catch (error) {
    if (error instanceof RunError && error.code === "LOCK_HELD") return null;
    // The request is void now: it is taken back, unless an owner was quicker.
    await ports.store.withdraw(runRoot, request.request_id);
    throw error;
  }
}

async function takeAll(ownership: Ownership, given: Given, request: ResultRequest): Promise<SubmitResult> {
  const { writer, performer, view } = ownership;
  refuseDrifted(writer.manifest, writer.runRoot, performer.driver);
  await lift(ownership, { lifts: false, reason: "agent-result" });
  try {
    const interruption = await takeSubmissions(ownership, { steps_completed: 0 });
    if (interruption !== null) await settle(ownership, interruption);
  } catch (error) {
    await refuseInterrupted(error, ownership);
  }
  // Without a halt the next tick would only find out that others wait.
  if (writer.manifest.halt === null && waitingOf(writer.manifest).length > 0)
    await writer.commit(haltDrafts(ownership, agentRequired(writer.manifest)));
  await writer.foldNow();
  outcomeIn(await view.records(), request, given);
  return resultOf(writer.manifest, given, false);
}

/** The answer is taken. A halt that the step met behind it is raised as in a tick; anything else ends this command. */
async function settle(ownership: Ownership, interruption: Interruption): Promise<void> {
  if (interruption.kind !== "halt") throw new Interrupted(interruption);
  await endFor(ownership, interruption);
}

/** True for a request that no owner has judged, which is mostly known without the records. */
function isOpen({ manifest, requests }: RunLook, { request_id }: ResultRequest): boolean {
  return requests.some((one) => one.request_id === request_id) && !manifest.requests_done.includes(request_id);
}

/** What became of the request; null while no owner has judged it. Errors: `AGENT_RESULT_INVALID` where it was refused. */
function outcomeIn(records: readonly AnyRecord[], { request_id }: ResultRequest, { step, prompt }: Given) {
  const done = records.findLast((record) => record.kind === "request.result" && record.data.request_id === request_id);
  if (done?.kind !== "request.result") return null;
  const { outcome, problems } = done.data;
  if (outcome === "refused")
    throw new RunError("AGENT_RESULT_INVALID", {
      reason: problems?.length === 1 ? problems[0] : "the answer is not fit yet",
      step,
      ...(prompt === undefined ? {} : { prompt }),
      problems,
    });
  return outcome;
}

/** Waits until the lease is free or the owner has taken the request up: before that there is nothing new to read. */
async function whileItWaits(ports: Ports, runRoot: string, request: ResultRequest, untilMs: number): Promise<void> {
  const tail = ports.store.follow(runRoot, 0);
  while (ports.clock.uptimeMs() < untilMs) {
    await tail.wait(LOOK_MS);
    const run = await ports.store.look(runRoot);
    if (run.lease.held === null || !isOpen(run, request)) return;
  }
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
