// Judges a failed call of a model: all calls wait, or the attempt fails, or the run halts.
import { given } from "../kernel/given.ts";
import { RunError } from "../kernel/errors.ts";
import { timestamp } from "../ports/clock.ts";
import { halting, type Interrupted } from "../ports/interruption.ts";
import { ModelFailure } from "../ports/model.ts";
import { modelName } from "../run/settings/model-names.ts";
import type { Model } from "../run/model/model.ts";
import type { CallSettings } from "../run/settings/settings.ts";
import type { CallRole } from "../run/role.ts";
import type { Lesson } from "../run/log/step.ts";
import type { CallThrottle } from "./call-throttle.ts";
import { helpFor } from "./model-help.ts";
import type { OwnedRun } from "./owned-run.ts";

/** For a longer wait the run halts, so that no tick stays open for nothing. */
const LONGEST_WAIT_MS = 120_000;
/** How many waits without an answer the run takes before it halts. */
const MAX_WAITS_IN_A_ROW = 6;
/** A server that is started again, or loads its model, may take some minutes. */
const AWAY_MS = 300_000;
/** What gateways answer for a server that is away or takes no requests now. Other 5xx may be about the request. */
const AWAY_STATUS: ReadonlySet<number | undefined> = new Set([502, 503, 521, 522, 523, 529]);
/** A reply that was cut off before it used this share of its tokens met another limit. */
const NEARLY = 0.9;

export interface FailedCall {
  run: Pick<OwnedRun, "observer"> & { ports: Pick<OwnedRun["ports"], "clock"> };
  throttle: CallThrottle;
  model: Model;
  role: CallRole;
  settings: CallSettings;
  /** Whether its server has answered this run before. */
  hasAnswered: boolean;
  /** How often the same request was sent before, without an answer. */
  sentBefore: number;
  /** What the next attempt says to the model about this one. */
  lesson?: Lesson;
}

/** Returns when the same request may be sent again, once the throttle lets it pass. Errors: `MODEL_FAILED`; a halt. */
export function judgeFailure(failure: ModelFailure, call: FailedCall): void {
  const { throttle, role } = call;
  const { kind, facts } = failure;
  const wait = facts.retry_after_ms;
  const isPassing = kind === "rate_limited" || kind === "transient";
  if (kind === "auth") throw closed(call, "gate_blocked", failure);
  if (kind === "quota") throw closed(call, "quota", failure, facts.retry_at);
  // A run does without its ranker rather than wait for long.
  const mayDoWithout = role === "ranker";
  if (isPassing && wait !== undefined && wait > LONGEST_WAIT_MS)
    throw mayDoWithout ? failedAttempt(failure, call) : closed(call, "quota", failure, later(call, wait));
  if (kind === "rate_limited") {
    if (throttle.waitsInARow < MAX_WAITS_IN_A_ROW) return slowDown(call, failure);
    // For the verifier the attempt fails instead: the run continues with claims that are not checked.
    if (role !== "verifier" && !mayDoWithout)
      throw closed(call, "quota", failure, later(call, throttle.nextWaitMs(wait)));
  }
  if (isAway(failure) && call.hasAnswered && !mayDoWithout) {
    if (throttle.waitsInARow >= MAX_WAITS_IN_A_ROW) throw away(failure, call);
    // If other requests are answered meanwhile, this one may be what makes the server fail.
    if (call.sentBefore < MAX_WAITS_IN_A_ROW) return slowDown(call, failure);
  }
  if (!isPassing && facts.unsent !== true) throttle.answered();
  if (kind === "reply_too_long" && role !== "verifier") throw tooLong(failure, call);
  // The next attempt, of this step or another, waits a little longer each time.
  if (kind === "transient") slowDown(call, failure);
  throw failedAttempt(failure, call);
}

/** True when the server is away, so that no model saw the request. */
function isAway({ kind, facts: { unreachable, status, begun } }: ModelFailure): boolean {
  return kind === "transient" && begun !== true && (unreachable === true || AWAY_STATUS.has(status));
}

/** Makes all calls wait. The wait is reported once. */
function slowDown({ run, throttle, model }: FailedCall, { kind, facts }: ModelFailure): void {
  const { reason, status, retry_after_ms: asked_ms } = facts;
  const { observer, ports } = run;
  throttle.slowDown(asked_ms, (wait_ms) =>
    observer.onWait?.({
      model: modelName(model),
      kind,
      reason,
      ...given({ status, asked_ms }),
      wait_ms: Math.ceil(wait_ms),
      until: timestamp(ports.clock.nowMs() + wait_ms),
    }),
  );
}

function away(failure: ModelFailure, call: FailedCall): Interrupted {
  const reason = `the server of the model, which answered before, cannot be reached now: ${failure.facts.reason}`;
  return closed(call, "quota", new ModelFailure(failure.kind, { ...failure.facts, reason }), later(call, AWAY_MS));
}

/** Halts the run: no further call begins. */
function closed(
  call: FailedCall,
  kind: "quota" | "gate_blocked",
  failure: ModelFailure,
  retry_at?: string,
): Interrupted {
  const { waitsInARow } = call.throttle;
  const details = { ...factsOf(failure, call), ...(waitsInARow === 0 ? {} : { waits_in_a_row: waitsInARow }) };
  const halt = halting(kind, details, retry_at);
  call.throttle.close(halt);
  return halt;
}

/** Halts the run. The step has not failed, and continues from here once replies may be longer. */
function tooLong({ facts }: ModelFailure, { role, settings }: FailedCall): Interrupted {
  const { max_output_tokens: most } = settings;
  const used = facts.usage?.output_tokens ?? most;
  if (used < most * NEARLY) {
    const reason = `a reply of the ${role} was cut off twice after ${used} tokens, though it may have ${most}`;
    const help = "let the server of the model hold longer conversations (Ollama: OLLAMA_CONTEXT_LENGTH)";
    return halting("gate_blocked", { reason, help });
  }
  const reason = `a reply of the ${role} was cut off twice at the ${most} tokens that it may have`;
  return halting("gate_blocked", { reason, resume_input: { max_output_tokens: most * 2 } });
}

function failedAttempt(failure: ModelFailure, call: FailedCall): RunError {
  const { kind, isRetryable } = failure;
  const help = helpFor(failure, call.model, call.settings);
  return new RunError("MODEL_FAILED", {
    ...factsOf(failure, call),
    kind,
    ...(help === null ? {} : { help }),
    retryable: isRetryable,
    ...(isRetryable ? { goes_on: true } : {}),
    ...(call.lesson === undefined ? {} : { lesson: call.lesson }),
  });
}

function factsOf(
  { facts: { reason, status, unreachable } }: ModelFailure,
  { model }: FailedCall,
): Record<string, unknown> {
  return {
    reason,
    model: modelName(model),
    ...(status === undefined ? {} : { status }),
    ...(unreachable === true ? { unreachable } : {}),
  };
}

function later({ run }: FailedCall, ms: number): string {
  return timestamp(run.ports.clock.nowMs() + ms);
}
