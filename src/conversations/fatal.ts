// Which failures end a tick: those of the store, and bugs. Anything else is a failure of one attempt.
import { RunError, type ErrorCode } from "../kernel/errors.ts";

const FATAL: ReadonlySet<ErrorCode> = new Set([
  "WRITE_FAILED",
  "READ_FAILED",
  "LOCK_LOST",
  "LOCK_NOT_HELD",
  "LOCK_NOT_OWNED",
  "REVISION_MISMATCH",
  "INTEGRITY_ERROR",
  "MISSING_ARTIFACT",
  "INTERRUPTED_BY_SIGNAL",
]);

export function isFatal(error: unknown): boolean {
  return error instanceof RunError ? FATAL.has(error.code) : error instanceof Error && error.name === "AssertionError";
}
