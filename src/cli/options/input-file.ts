// Reads a file that is given with a command, or stdin: whole, up to a limit.
import { RunError } from "../../kernel/errors.ts";
import { MAX_QUESTION_BYTES } from "../../run/settings/settings.ts";
import type { CommandContext } from "../command.ts";

export interface FileLimits {
  /** The option that named the file. */
  option: string;
  /** In bytes. */
  most: number;
}

/** Errors: `INVALID_ARGS` for a file that cannot be read, `INPUT_TOO_LARGE`. */
export function inputFile(
  { host, absolute }: Pick<CommandContext, "host" | "absolute">,
  path: string,
  limits: FileLimits,
): Uint8Array {
  const file = host.readSmallFile(absolute(path), limits.most);
  if (file.kind === "read") return file.bytes;
  if (file.kind === "refused" && file.why.startsWith("it is larger")) throw tooLarge(limits);
  const reason = file.kind === "absent" ? "there is no such file" : `the file cannot be read: ${file.why}`;
  throw new RunError("INVALID_ARGS", { reason, path, option: limits.option });
}

export function tooLarge({ option, most }: FileLimits): RunError {
  return new RunError("INPUT_TOO_LARGE", { reason: "the file is too large", max_bytes: most, option });
}

/** A question or query; `-` reads it from stdin. Errors: `INPUT_TOO_LARGE`, `INVALID_ARGS` for what is not UTF-8. */
export async function questionOrInput<T extends string | undefined>(
  { host }: Pick<CommandContext, "host">,
  said: T,
): Promise<T | string> {
  if (said !== "-") return said;
  const bytes = await host.readInput(MAX_QUESTION_BYTES);
  if (bytes === null)
    throw new RunError("INPUT_TOO_LARGE", { reason: "the question is too long", max_bytes: MAX_QUESTION_BYTES });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).trim();
  } catch (cause) {
    throw new RunError("INVALID_ARGS", { reason: "the question on stdin is not UTF-8 text" }, { cause });
  }
}
