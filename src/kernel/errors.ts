// The closed list of error codes, and the one exception that carries them.

export const ERROR_CODES = [
  // The run failed, or its state does not allow this.
  "INVALID_STATE",
  "RUN_TERMINAL",
  "PAUSED",
  "REVISION_MISMATCH",
  "WATCHDOG_TIMEOUT",
  "WRITE_FAILED",
  "READ_FAILED",
  "MODEL_FAILED",
  "PROVIDER_FAILED",
  // Bad usage or input.
  "INVALID_ARGS",
  "ALREADY_EXISTS",
  "SCHEMA_VALIDATION_FAILED",
  "AGENT_RESULT_INVALID",
  "PATH_TRAVERSAL",
  "INPUT_TOO_LARGE",
  "IMMUTABLE_FIELD",
  "REQUESTED_NEXT_NOT_ALLOWED",
  "SCHEMA_UNSUPPORTED",
  // Halted: a person, an agent or time has to do something.
  "RUN_AGENT_REQUIRED",
  "HUMAN_REVIEW_REQUIRED",
  "GATE_BLOCKED",
  "NO_EVIDENCE",
  "SETTINGS_DRIFT",
  "TOOL_OUTCOME_UNKNOWN",
  "BUDGET_EXCEEDED",
  "QUOTA_EXCEEDED",
  "REQUEST_PENDING",
  // The world.
  "NOT_FOUND",
  "LOCK_HELD",
  "INTEGRITY_ERROR",
  "MISSING_ARTIFACT",
  "UNAVAILABLE",
  "LOCK_LOST",
  "LOCK_NOT_HELD",
  "LOCK_NOT_OWNED",
  "INTERRUPTED_BY_SIGNAL",
  "WORKER_KILLED",
  "INTERNAL",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** What is known about a failure, as plain JSON values. Only `reason` is a sentence for people. */
export type ErrorFacts = Record<string, unknown>;

/** A failure of the world or of the input. It carries facts; surfaces choose the words. */
export class RunError extends Error {
  override readonly name = "RunError";
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;

  constructor(code: ErrorCode, facts: ErrorFacts = {}, options?: { cause?: unknown }) {
    super(typeof facts["reason"] === "string" ? `${code}: ${facts["reason"]}` : code, options);
    this.code = code;
    this.facts = facts;
  }
}

/** The errno name of a failed system call ("ENOSPC"), or undefined for any other error. */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}

/** True where the disk is full, or this user may put no more on it: to take something away may still be possible. */
export function isOutOfRoom(error: unknown): boolean {
  const errno = errnoOf(error);
  return errno === "ENOSPC" || errno === "EDQUOT";
}

/** The message of any thrown value, for the facts of a typed error. */
export function describeCause(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
