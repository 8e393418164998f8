// Reads argv with commander: the whole grammar, and errors that suggest what was meant.
import { given } from "../../kernel/given.ts";
import { Argument, Command, CommanderError, Option } from "commander";
import { assert } from "../../kernel/assert.ts";
import { shellQuote } from "../../kernel/shell.ts";
import { RunError } from "../../kernel/errors.ts";
import type { RawArguments } from "./arguments.ts";
import { flagName, helpOf, type FieldTable } from "../../kernel/field.ts";
import type { Operand } from "../command.ts";

/** Errors: `INVALID_ARGS` with the reason and a suggestion. */
export function readArguments(
  name: string,
  table: FieldTable,
  operand: Operand | undefined,
  argv: readonly string[],
): RawArguments {
  const command = new Command(name)
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .helpOption(false)
    .allowExcessArguments(false);
  const known = Object.entries(table).map(([key, spec]) => ({ key, option: optionOf(key, spec) }));
  for (const { option } of known) command.addOption(option);
  const { name: called = "", least = 0, most = 0 } = operand ?? {};
  for (let index = 0; index < most; index++)
    command.addArgument(new Argument(index < least ? `<${called}>` : `[${called}${index}]`));
  try {
    command.parse([...argv], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) throw usageError(error, table, operand, command.args);
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

function optionOf(key: string, spec: FieldTable[string]): Option {
  const flags = flagName(key);
  if (spec.kind === "flag") return new Option(flags, helpOf(spec));
  // commander takes nothing but letters and hyphens for the name of a value that repeats.
  assert(/^[A-Z]+$/.test(spec.word), `the value of ${flags} is called by capital letters`);
  return new Option(spec.kind === "list" ? `${flags} <${spec.word}...>` : `${flags} <${spec.word}>`, helpOf(spec));
}

function usageError(
  error: CommanderError,
  table: FieldTable,
  operand: Operand | undefined,
  words: readonly string[],
): RunError {
  const [first = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  if (error.code === "commander.excessArguments") {
    const isSplit = (operand?.name === "question" || operand?.name === "query") && !readsLikeQuestion(words[0]);
    const reason = `${first.slice(0, 500)}${isSplit ? " Put it in quotes." : ""}`;
    const did_you_mean = isSplit ? undefined : optionFor(words.slice(1), table);
    return new RunError("INVALID_ARGS", { reason, ...given({ did_you_mean }) });
  }
  const option = /unknown option '(--[^'=]+)/.exec(first)?.[1];
  const begun =
    option === undefined
      ? []
      : Object.keys(table)
          .map(flagName)
          .filter((name) => name.startsWith(option));
  const suggestion =
    begun.length > 0 ? begun.join(", ") : /\(Did you mean (?:one of )?(.*?)\?\)/.exec(rest.join(" "))?.[1];
  return new RunError("INVALID_ARGS", { reason: first.slice(0, 500), ...given({ option, did_you_mean: suggestion }) });
}

/** Several words, or a question mark: the shell has not taken it apart. */
function readsLikeQuestion(operand = ""): boolean {
  return /\S\s+\S|[?？؟]\s*$/u.test(operand);
}

/** The option that words behind the last operand were meant for, with these words. */
function optionFor(words: readonly string[], table: FieldTable): string | undefined {
  const fits = {
    question: readsLikeQuestion(words[0]),
    version: /^\d+$/.test(words.join("")),
    output: true,
    corpus: true,
  };
  const [key] = Object.entries(fits).flatMap(([key, does]) => (does && table[key] !== undefined ? [key] : []));
  return key === undefined ? undefined : [flagName(key), ...words.map(shellQuote)].join(" ").slice(0, 500);
}
