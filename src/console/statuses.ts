// The HTTP status of each error code.
import type { ErrorCode } from "../kernel/errors.ts";

const STATUS_OF = {
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
  // Halted: needs attention.
  RUN_AGENT_REQUIRED: 422,
  HUMAN_REVIEW_REQUIRED: 422,
  GATE_BLOCKED: 422,
  NO_EVIDENCE: 422,
  SETTINGS_DRIFT: 422,
  TOOL_OUTCOME_UNKNOWN: 422,
  BUDGET_EXCEEDED: 422,
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
} as const satisfies Record<ErrorCode, number>;

export function statusOfCode(code: ErrorCode): number {
  return STATUS_OF[code];
}

/** True for the codes of a run that needs attention, or waits for a time. */
export function isHaltCode(code: ErrorCode): boolean {
  return STATUS_OF[code] === 422 || code === "QUOTA_EXCEEDED";
}
