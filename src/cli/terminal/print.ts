// Prints on the streams of the process, and says so where that fails.
import { errnoOf, RunError } from "../../kernel/errors.ts";
import { shownText } from "../../kernel/shown-text.ts";
import type { Host } from "../host.ts";

/** Errors: `WRITE_FAILED`. */
export function print(host: Host, words: string | Uint8Array): void {
  try {
    host.write("stdout", words);
  } catch (cause) {
    throw lostOutput("the output could not be written", cause);
  }
}

/** Prints words for people, which may hold names and paths that others chose. Errors: `WRITE_FAILED`. */
export function printText(host: Host, words: string): void {
  print(host, withoutControls(words));
}

const COLOURS = /(\u001b\[[0-9;]*m)/;

/** The words with their colours. Nothing else in them controls a terminal. */
export function withoutControls(words: string): string {
  return words
    .split(COLOURS)
    .map((part, at) => (at % 2 === 1 ? part : shownText(part)))
    .join("");
}

export function lostOutput(reason: string, cause: unknown): RunError {
  return new RunError("WRITE_FAILED", { reason, stream: "stdout", errno: errnoOf(cause) }, { cause });
}

/** False where nothing reads the stream any more: the exit status still reports it. */
export function tryToPrint(host: Host, stream: "stdout" | "stderr", words: string): boolean {
  try {
    host.write(stream, words);
    return true;
  } catch {
    return false;
  }
}
