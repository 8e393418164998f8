// The HTTP status of each error code.
import type { ErrorCode } from "../kernel/errors.ts";
import type { HaltCode } from "../run/log/halt-kinds.ts";

/** A halt needs attention, where its code has no other status here. */
const HALTED = 422;

const STATUS_OF: Record<Exclude<ErrorCode, HaltCode>, number> & Partial<Record<HaltCode, number>> = {
  // The state of the run does not allow it.
  INVALID_STATE: 409,
  RUN_TERMINAL: 409,
  PAUSED: 409,
  REVISION_MISMATCH: 409,
  LOCK_HELD: 409,
  LOCK_LOST: 409,
  LOCK_NOT_HELD: 409,
  LOCK_NOT_OWNED: 409,
  ALREADY_EXISTS: 409,
  WATCHDOG_TIMEOUT: 409,
  // The request is wrong.
  INVALID_ARGS: 400,
  SCHEMA_VALIDATION_FAILED: 400,
  AGENT_RESULT_INVALID: 400,
  PATH_TRAVERSAL: 400,
  IMMUTABLE_FIELD: 400,
  REQUESTED_NEXT_NOT_ALLOWED: 400,
  SCHEMA_UNSUPPORTED: 400,
  INPUT_TOO_LARGE: 413,
  NOT_FOUND: 404,
  // Later it may succeed.
  QUOTA_EXCEEDED: 429,
  REQUEST_PENDING: 503,
  UNAVAILABLE: 503,
  INTERRUPTED_BY_SIGNAL: 503,
  WORKER_KILLED: 503,
  // The world, and bugs.
  WRITE_FAILED: 500,
  READ_FAILED: 500,
  MODEL_FAILED: 500,
  PROVIDER_FAILED: 500,
  INTEGRITY_ERROR: 500,
  MISSING_ARTIFACT: 500,
  INTERNAL: 500,
};

export function statusOfCode(code: ErrorCode): number {
  return STATUS_OF[code] ?? HALTED;
}

/** True for the codes of a run that needs attention, or waits for a time. */
export function isOfHaltedRun(code: ErrorCode): boolean {
  return statusOfCode(code) === HALTED || code === "QUOTA_EXCEEDED";
}
