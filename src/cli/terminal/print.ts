// Prints on the streams of the process, and says so where that fails.
import { RunError } from "../../kernel/errors.ts";
import type { Host } from "../host.ts";

/** Errors: `WRITE_FAILED`. */
export function print(host: Host, words: string): void {
  try {
    host.write("stdout", words);
  } catch (cause) {
    throw lostOutput("the output could not be written", cause);
  }
}

export function lostOutput(reason: string, cause: unknown): RunError {
  const errno = (cause as { code?: unknown }).code;
  return new RunError("WRITE_FAILED", { reason, stream: "stdout", errno }, { cause });
}

/** False where nobody reads the stream any more: the exit status still tells. */
export function tryToPrint(host: Host, stream: "stdout" | "stderr", words: string): boolean {
  try {
    host.write(stream, words);
    return true;
  } catch {
    return false;
  }
}
