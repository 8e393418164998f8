// The command of a command line, and the values of its options.
import { flagName, type FieldTable, type InputOf, refuseMissing } from "../../kernel/field.ts";
import { REQUEST_ON_STDIN } from "../../surface/verb-request.ts";
import { assert } from "../../kernel/assert.ts";
import { isFault, RunError } from "../../kernel/errors.ts";

/** `-h` means short help, `--help` for all of it, null for none; what is behind `--` is never an option. */
export function requestedHelp(words: readonly string[]): "short" | "whole" | null {
  const end = words.indexOf("--");
  const options = end < 0 ? words : words.slice(0, end);
  if (options.includes("--help")) return "whole";
  return options.includes("-h") ? "short" : null;
}

/** True when a program reads the output. Read from argv alone, so that errors in argv are JSON, too. */
export function asksForJson(argv: readonly string[]): boolean {
  return argv.includes("--json") || argv.includes("--jsonl") || argv[0] === REQUEST_ON_STDIN;
}

/** The words of argv by the key of their option; true for a flag. */
export interface RawArguments {
  options: Map<string, true | string | string[]>;
  operands: string[];
}

/** Reads every value by its option; errors: `INVALID_ARGS` that names the option. */
export function valuesOf<Table extends FieldTable>(table: Table, raw: RawArguments): InputOf<Table> {
  const values: Record<string, unknown> = {};
  for (const [key, spec] of Object.entries(table)) {
    const found = raw.options.get(key);
    if (spec.kind === "flag") {
      assert(found === undefined || found === true, `${flagName(key)} takes no value`);
      values[key] = found === true;
    } else if (spec.kind === "list") {
      assert(found !== true, `${flagName(key)} takes values`);
      values[key] = [found ?? []].flat().map((one) => readValue(key, one, spec.read));
    } else {
      assert(found === undefined || typeof found === "string", `${flagName(key)} takes one value`);
      values[key] = found === undefined ? undefined : readValue(key, found, spec.read);
    }
  }
  // What is wrong is reported before what is missing.
  refuseMissing(table, values);
  return values as InputOf<Table>;
}

function readValue(key: string, raw: string, read: (raw: string) => unknown): unknown {
  try {
    return read(raw);
  } catch (cause) {
    if (!(cause instanceof RunError)) throw cause;
    const option = flagName(key);
    const said = cause.facts.reason ?? cause.code;
    throw cause.with({ reason: isFault(cause, "INVALID_ARGS.wrong_value") ? `${option} ${said}` : said, option });
  }
}
