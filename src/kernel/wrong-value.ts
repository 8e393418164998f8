// The error of a value that does not fit: what was said, what to use, and the nearest name.
import { RunError } from "./errors.ts";
import { given } from "./given.ts";
import { nearestNames } from "./nearest.ts";
import { shortened } from "./shortened.ts";

const MAX_SHOWN = 200;

/** `names` lists the allowed values, so that the error can suggest the nearest. */
export function wrongValue(raw: string, expected: string, names: readonly string[] = []): RunError {
  const found = raw.slice(0, MAX_SHOWN);
  return refusedValue(`"${found}"`, found, expected, names);
}

/** The same for a value of JSON. */
export function wrongJson(value: unknown, expected: string, names: readonly string[] = []): RunError {
  const shown = shortened(JSON.stringify(value) ?? "nothing", MAX_SHOWN);
  return refusedValue(shown, typeof value === "string" ? value : shown, expected, names);
}

/** The caller puts the name of the option or variable in front of the reason. */
function refusedValue(shown: string, found: string, expected: string, names: readonly string[]): RunError {
  const [nearest] = nearestNames(found.slice(0, 80), names);
  const facts = given({ did_you_mean: nearest });
  const reason = `${printable(shown)}: use ${expected}`;
  return new RunError("INVALID_ARGS.wrong_value", { reason, found: printable(found), expected, ...facts });
}

/** What no strict reader of JSON refuses. */
function printable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}
