// Everything about one step: its attempts, its result, and the sources stored while it worked.
import { decodeUtf8 } from "../../kernel/decoded-text.ts";
import { RunError } from "../../kernel/errors.ts";
import { given } from "../../kernel/given.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import type { ContentRef } from "../../run/common.ts";
import { isTerminal } from "../../run/log/lifecycle.ts";
import type { AnyRecord, JournalRecord } from "../../run/log/record.ts";
import { isResult as isResultRequest, type ResultOutcome } from "../../run/log/request.ts";
import type { Stage } from "../../run/stage.ts";
import type { StepState } from "../../run/log/step.ts";
import { NO_USAGE } from "../../run/money/usage.ts";
import { conversationsOf } from "./conversations.ts";
import type { Outcome } from "../outcome.ts";
import { modelCallsOf, spendingOf } from "./spending.ts";

export interface Attempt {
  attempt: number;
  started_at: string;
  /** Null while the attempt works, and when it was cut off. */
  ended_at: string | null;
  /** `cut_off`: its owner ended without saying how it went. */
  outcome: "completed" | "failed" | "waiting" | "working" | "cut_off";
  inputs_digest: string;
  error?: NonNullable<StepState["error"]>;
}

export type StepView = Awaited<ReturnType<typeof inspectedStep>>;

/**
 * Reads one step, of a run just `seen` where there is one; writes nothing. Errors: `NOT_FOUND` with the nearest keys
 * when the run has no such step.
 */
export async function inspectStep(
  ports: Ports,
  runRoot: string,
  key: string,
  seen: RunLook | null = null,
): Promise<Outcome<StepView>> {
  const run = seen ?? (await ports.store.look(runRoot));
  return { result: await inspectedStep(ports, run, key), run, error: null };
}

async function inspectedStep(ports: Ports, run: RunLook, key: string) {
  const records = await ports.store.records(run.runRoot);
  const own = records.filter((record): record is StepRecord => isOfStep(record) && record.data.key === key);
  const stage = own[0]?.data.stage ?? plannedIn(records, key);
  if (stage === null) throw unknownStep(run, records, key);
  const finished = own.findLast(isResult);
  const adopted = own.findLast((record) => record.kind === "step.adopted");
  const last = own.at(-1);
  const attempts = attemptsOf(own, run.lease.held?.epoch ?? null);
  return {
    key,
    stage,
    state: last === undefined ? "planned" : STATE_AFTER[last.kind],
    attempts,
    /** The prompt that waits for an answer from outside, with its text; null while none does. */
    waits_for: await promptOf(ports, run.runRoot, last),
    /** Answers that were submitted to the owner while it worked: what it made of each, then those that it has not read. */
    handed_over: handedOver(run, records, key),
    /** Set when the step was taken over from the run that this one was forked from. */
    adopted_from:
      adopted === undefined ? null : { run_id: adopted.data.from_run, seq: adopted.data.from_seq, ts: adopted.ts },
    /** `value`: what the finished step left; null while there is nothing. */
    ...(await resultOf(ports, run.runRoot, finished)),
    /** Sources stored while an attempt worked; steps that worked at the same time share them. */
    sources: sourcesDuring(records, attempts),
    /** The providers of the evidence that the step gathered. */
    provenance: finished?.data.provenance ?? [],
    /** Conversations with models, those of earlier attempts too. */
    conversations: await conversationsOf(ports, run, key),
    /** Calls of models, one by one. */
    calls: modelCallsOf(records, key),
    /** Calls, tokens, money and cache hits. */
    usage: (await spendingOf(ports, run)).steps[key] ?? NO_USAGE,
  };
}

type StepRecord = Extract<
  JournalRecord,
  { kind: "step.started" | "step.waiting" | "step.answered" | "step.completed" | "step.failed" | "step.adopted" }
>;
type ResultRecord = Extract<StepRecord, { kind: "step.completed" | "step.adopted" }>;

/** The state of a step behind each of its records. */
const STATE_AFTER: Record<StepRecord["kind"], StepState["state"]> = {
  "step.started": "started",
  "step.waiting": "waiting",
  "step.answered": "started",
  "step.completed": "completed",
  "step.failed": "failed",
  "step.adopted": "completed",
};

function isOfStep(record: AnyRecord): record is StepRecord {
  return Object.hasOwn(STATE_AFTER, record.kind);
}

function isResult(record: AnyRecord): record is ResultRecord {
  return record.kind === "step.completed" || record.kind === "step.adopted";
}

function plannedIn(records: readonly AnyRecord[], key: string): Stage | null {
  const plan = records.find((record) => record.kind === "stage.planned" && record.data.keys.includes(key));
  return plan?.kind === "stage.planned" ? plan.data.stage : null;
}

function attemptsOf(own: readonly StepRecord[], liveEpoch: number | null): Attempt[] {
  const attempts: Attempt[] = [];
  for (const record of own) {
    if (record.kind === "step.started") {
      const { attempt, inputs_digest } = record.data;
      const outcome = record.epoch === liveEpoch ? "working" : "cut_off";
      attempts.push({ attempt, started_at: record.ts, ended_at: null, outcome, inputs_digest });
    } else if (record.kind === "step.waiting" || record.kind === "step.answered") {
      const last = attempts.at(-1);
      if (last !== undefined) last.outcome = record.kind === "step.waiting" ? "waiting" : "working";
    } else if (record.kind !== "step.adopted") {
      const last = attempts.at(-1);
      if (last === undefined) continue;
      last.ended_at = record.ts;
      last.outcome = record.kind === "step.completed" ? "completed" : "failed";
      if (record.kind === "step.failed") last.error = record.data.error;
    }
  }
  // Only the last attempt can still be at work.
  for (const attempt of attempts.slice(0, -1)) if (attempt.outcome === "working") attempt.outcome = "cut_off";
  return attempts;
}

async function promptOf({ store }: Ports, runRoot: string, last: StepRecord | undefined) {
  if (last?.kind !== "step.waiting") return null;
  const { name, prompt } = last.data;
  return { name, since: last.ts, path: prompt.path, text: decodeUtf8(await store.readContent(runRoot, prompt)) };
}

interface HandedOver {
  request_id: string;
  requested_at: string;
  /** `unread`: no owner has read it yet. `too_late`: the run has ended, so none will. */
  outcome: ResultOutcome["outcome"] | "unread" | "too_late";
  /** Why it is refused, or too late. */
  problems: readonly string[];
}

/** No record says that an answer came too late, since it may come after the owner has last read the requests. */
function handedOver({ requests, state }: RunLook, records: readonly AnyRecord[], key: string): HandedOver[] {
  const judged = records.flatMap((record) => {
    if (record.kind !== "request.result" || record.data.step !== key) return [];
    const { request_id, requested_at, outcome, problems = [] } = record.data;
    return [{ request_id, requested_at, outcome, problems }];
  });
  const left = isTerminal(state)
    ? { outcome: "too_late" as const, problems: [`the run ended (${state}) before it was read`] }
    : { outcome: "unread" as const, problems: [] };
  const known = new Set(judged.map(({ request_id }) => request_id));
  const unread = requests.flatMap((request) => {
    if (!isResultRequest(request) || request.step !== key || known.has(request.request_id)) return [];
    const { request_id, requested_at } = request;
    return [{ request_id, requested_at, ...left }];
  });
  return [...judged, ...unread];
}

async function resultOf(
  ports: Ports,
  runRoot: string,
  finished: ResultRecord | undefined,
): Promise<{ result: { digest: string; content: ContentRef | null; files: ContentRef[] } | null; value: unknown }> {
  if (finished === undefined) return { result: null, value: null };
  const { result_digest: digest, content, files, value: inline } = finished.data;
  const value = content === undefined ? inline : await ports.store.readResult(runRoot, { digest, content });
  return { result: { digest, content: content ?? null, files }, value };
}

function sourcesDuring(records: readonly AnyRecord[], attempts: readonly Attempt[]) {
  const worked = (ts: string): boolean =>
    attempts.some(({ started_at, ended_at }) => started_at <= ts && ts <= (ended_at ?? ts));
  return records.flatMap((record) => {
    if (record.kind !== "source.stored" || !worked(record.ts)) return [];
    const { source_digest, origin, title, bytes, provider_id, fallback_from_provider_id } = record.data.source;
    return [{ source_digest, origin, title, bytes, provider_id, ...given({ fallback_from_provider_id }) }];
  });
}

const MAX_NEAREST = 5;

function unknownStep({ runRoot, manifest }: RunLook, records: readonly AnyRecord[], key: string): RunError {
  const known = new Set(records.flatMap(keysIn));
  const [stage] = key.split(":");
  const alike = nearestNames(key, [...known], MAX_NEAREST);
  const ofStage = [...known].filter((one) => one.startsWith(`${stage}:`)).slice(0, MAX_NEAREST);
  const nearest =
    alike.length > 0 ? alike : ofStage.length > 0 ? ofStage : Object.keys(manifest.steps).slice(0, MAX_NEAREST);
  return new RunError("NOT_FOUND.step", { reason: "the run has no such step", step: key, run_root: runRoot, nearest });
}

function keysIn(record: AnyRecord): readonly string[] {
  if (record.kind === "stage.planned") return record.data.keys;
  return isOfStep(record) ? [record.data.key] : [];
}
