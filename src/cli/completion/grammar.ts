// What a shell can complete: every command, its options, and what stands behind each; made from the command table.
import { COMMAND_GROUPS } from "../command-table.ts";
import { COMMON, flagName, SELECTOR, type OptionSpec } from "../options/options.ts";

export type Completed =
  { kind: "nothing" } | { kind: "words"; words: readonly string[] } | { kind: "runs" | "folders" | "files" };

export interface CompletedOption {
  flag: string;
  about: string;
  /** What the value is called; null for a flag. */
  value: string | null;
  isList: boolean;
  completed: Completed;
}

export interface CompletedCommand {
  /** `status`, `report show`. */
  name: string;
  about: string;
  options: CompletedOption[];
  operand: Completed;
}

export async function completedCommands(): Promise<CompletedCommand[]> {
  const entries = COMMAND_GROUPS.flatMap(({ commands }) => Object.entries(commands));
  return await Promise.all(
    entries.map(async ([name, entry]) => {
      const { operands, options } = (await entry.load()).command;
      const table = { ...options, ...COMMON };
      return {
        name,
        about: entry.summary,
        options: Object.entries(table).map(([key, spec]) => optionOf(key, spec)),
        operand: operands.usage.includes("<run>") ? { kind: "runs" } : wordsOr(operands.choices, { kind: "nothing" }),
      };
    }),
  );
}

/** Commands of two words, by their first. */
export function groupsIn(commands: readonly CompletedCommand[]): Map<string, CompletedCommand[]> {
  const groups = new Map<string, CompletedCommand[]>();
  for (const command of commands) {
    const [first = "", second] = command.name.split(" ");
    if (second !== undefined) groups.set(first, [...(groups.get(first) ?? []), command]);
  }
  return groups;
}

/** The first words there are, each with what it does. */
export function firstWords(commands: readonly CompletedCommand[]): [string, string][] {
  const groups = groupsIn(commands);
  const single = commands
    .filter(({ name }) => !name.includes(" "))
    .map(({ name, about }): [string, string] => [name, about]);
  const grouped = [...groups].map(([first, members]): [string, string] => [
    first,
    members.map(({ name }) => name.slice(first.length + 1)).join(", "),
  ]);
  return [...single, ...grouped, ["help", "how to use a command"]];
}

function optionOf(key: string, spec: OptionSpec): CompletedOption {
  const named = { flag: flagName(key), about: spec.text };
  if (spec.kind === "flag") return { ...named, value: null, isList: false, completed: { kind: "nothing" } };
  const byValue: Completed = spec === SELECTOR.runId ? { kind: "runs" } : kindOfValue(spec.value);
  return { ...named, value: spec.value, isList: spec.kind === "list", completed: wordsOr(spec.choices, byValue) };
}

function wordsOr(words: readonly string[] | undefined, otherwise: Completed): Completed {
  return words === undefined ? otherwise : { kind: "words", words };
}

function kindOfValue(value: string): Completed {
  if (value === "DIR") return { kind: "folders" };
  return value === "PATH" || value === "FILE" ? { kind: "files" } : { kind: "nothing" };
}
