// Turns any thrown value into a typed error.
import { describeCause, errnoOf, RunError } from "./errors.ts";

/** Failures of the operating system that are no bug of this program. */
const WORLD_FAILURES = new Set([
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "EIO",
  "EMFILE",
  "ENFILE",
  "EACCES",
  "EPERM",
  "EPIPE",
  "ENOMEM",
  "EBUSY",
  "ENOLCK",
]);

/** A failure of the operating system keeps its facts. All else is a bug. */
export function typedError(error: unknown): RunError {
  if (error instanceof RunError) return error;
  const errno = errnoOf(error);
  const cause = { cause: error };
  if (errno !== undefined && WORLD_FAILURES.has(errno)) {
    const { path, syscall } = error as { path?: string; syscall?: string };
    return new RunError(
      "WRITE_FAILED",
      { reason: `the operating system refused: ${describeCause(error)}`, errno, path, syscall },
      cause,
    );
  }
  return new RunError(
    "INTERNAL",
    {
      reason: `a bug in deep-research: ${describeCause(error)}`,
      name: error instanceof Error ? error.name : typeof error,
    },
    cause,
  );
}
