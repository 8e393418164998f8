// Refuses what stands on a command line and would not be heeded.
import { RunError } from "../../kernel/errors.ts";
import { flagName } from "./options.ts";

/** Errors: `INVALID_ARGS` when one of the options was given. */
export function refuseOptions(values: Readonly<Record<string, unknown>>, keys: readonly string[], why: string): void {
  const given = keys.find((key) => values[key] !== undefined && values[key] !== false);
  if (given === undefined) return;
  throw new RunError("INVALID_ARGS", { reason: `${flagName(given)} ${why}`, option: flagName(given) });
}

/** `--all` is about every run. Errors: `INVALID_ARGS` when one run is named, or an option of one run is given. */
export function refuseBesideAll(
  values: Readonly<Record<string, unknown>>,
  operands: readonly string[],
  keysOfOneRun: readonly string[],
): void {
  const [run] = operands;
  if (run !== undefined)
    throw new RunError("INVALID_ARGS", { reason: "--all means every run: name none beside it", option: "--all", run });
  refuseOptions(values, keysOfOneRun, "is about one run and cannot stand beside --all");
}
