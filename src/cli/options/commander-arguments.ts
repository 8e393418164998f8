// Reads argv with commander: the whole grammar, and errors that suggest what was meant.
import { given } from "../../kernel/given.ts";
import { Argument, Command, CommanderError, Option } from "commander";
import { assert } from "../../kernel/assert.ts";
import { RunError } from "../../kernel/errors.ts";
import type { RawArguments } from "./arguments.ts";
import { flagName, type Operands, type OptionTable } from "./options.ts";

/** Errors: `INVALID_ARGS` with the reason and a suggestion. */
export function readArguments(
  name: string,
  table: OptionTable,
  operands: Operands,
  argv: readonly string[],
): RawArguments {
  const command = new Command(name)
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .helpOption(false)
    .allowExcessArguments(false);
  const known = Object.entries(table).map(([key, spec]) => ({ key, option: optionOf(key, spec) }));
  for (const { option } of known) command.addOption(option);
  for (let index = 0; index < operands.most; index++) {
    command.addArgument(
      new Argument(index < operands.least ? `<${operandName(operands)}>` : `[${operandName(operands)}${index}]`),
    );
  }
  try {
    command.parse([...argv], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) throw usageError(error, operands);
    throw error;
  }
  const found = command.opts<Record<string, unknown>>();
  const options: RawArguments["options"] = new Map();
  for (const { key, option } of known) {
    const kept = found[option.attributeName()];
    // commander keeps `--no-run` as `run: false`.
    const value = option.negate ? kept === false : kept;
    if (value === true || typeof value === "string" || Array.isArray(value)) options.set(key, value);
  }
  return { options, operands: command.args };
}

function optionOf(key: string, spec: OptionTable[string]): Option {
  const flags = flagName(key);
  if (spec.kind === "flag") return new Option(flags, spec.text);
  // commander takes nothing but letters and hyphens for the name of a value that repeats.
  assert(/^[A-Z]+$/.test(spec.value), `the value of ${flags} is called by capital letters`);
  return new Option(spec.kind === "list" ? `${flags} <${spec.value}...>` : `${flags} <${spec.value}>`, spec.text);
}

function operandName({ usage }: Operands): string {
  return usage.replace(/[^a-z]/g, "");
}

/** True where the shell took a question of several words apart. */
function isSplit({ code }: CommanderError, usage: string): boolean {
  return code === "commander.excessArguments" && (usage === "<question>" || usage === "<query>");
}

function usageError(error: CommanderError, { usage }: Operands): RunError {
  const [first = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const suggestion = /\(Did you mean (?:one of )?(.*?)\?\)/.exec(rest.join(" "))?.[1];
  const option = /unknown option '(--[^'=]+)/.exec(first)?.[1];
  return new RunError("INVALID_ARGS", {
    reason: `${first.slice(0, 500)}${isSplit(error, usage) ? " Put it in quotes." : ""}`,
    ...given({ option, did_you_mean: suggestion }),
  });
}
