// Reads plain argv by itself; whatever is unusual goes to commander, which knows the whole grammar and its errors.
// The two agree wherever this one answers (tests/cli/arguments.test.ts); it spares a look the loading of commander.
import { assert } from "../../kernel/assert.ts";
import { RunError } from "../../kernel/errors.ts";
import { flagName, type OptionTable, type ValuesOf } from "./options.ts";

/** What stood in argv, by the key of its option: true for a flag. */
export interface RawArguments {
  options: Map<string, true | string | string[]>;
  operands: string[];
}

export interface Operands {
  /** As help shows it, e.g. `[<run>]`. */
  usage: string;
  least: number;
  most: number;
  /** Every word there is, where they can be named. */
  choices?: readonly string[];
}

/** Null when argv holds anything but known flags, options with one plain value, and operands. */
export function readPlainArguments(
  table: OptionTable,
  operands: Operands,
  argv: readonly string[],
): RawArguments | null {
  const raw: RawArguments = { options: new Map(), operands: [] };
  const keys = new Map(Object.keys(table).map((key) => [flagName(key), key]));
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (!word.startsWith("-")) {
      raw.operands.push(word);
      continue;
    }
    const key = keys.get(word);
    const spec = key === undefined ? undefined : table[key];
    if (key === undefined || spec === undefined || spec.kind === "list") return null;
    if (spec.kind === "flag") {
      raw.options.set(key, true);
      continue;
    }
    const value = argv[++at];
    if (value === undefined || value.startsWith("-")) return null;
    raw.options.set(key, value);
  }
  return raw.operands.length >= operands.least && raw.operands.length <= operands.most ? raw : null;
}

/** Reads every value by its option; errors: `INVALID_ARGS` that names the option. */
export function valuesOf<Table extends OptionTable>(table: Table, raw: RawArguments): ValuesOf<Table> {
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
  return values as ValuesOf<Table>;
}

function readValue(key: string, raw: string, read: (raw: string) => unknown): unknown {
  try {
    return read(raw);
  } catch (cause) {
    if (!(cause instanceof RunError)) throw cause;
    const option = flagName(key);
    const { reason: said, expected } = cause.facts;
    const reason = expected === undefined ? said : `${option} ${String(said)}`;
    throw new RunError(cause.code, { ...cause.facts, reason, option }, { cause });
  }
}
