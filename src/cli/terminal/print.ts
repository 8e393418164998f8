// Prints on stdout; a failure names the stream and what the operating system said.
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
