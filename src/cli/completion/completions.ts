// The words that may be where the cursor is: commands, options, and what an option or a command takes.
import { type Commands, flagsOf } from "../command.ts";
import { flagName, helpOf, type Field, type FieldTable } from "../../kernel/field.ts";
import { COMMON, SELECTOR } from "../options/options.ts";

export interface Completions {
  /** `about` explains a word, and may be empty. */
  words: (readonly [word: string, about: string])[];
  /** Which paths may be there, too; the shell completes them itself. */
  paths: "folders" | "files" | null;
}

const HELP: readonly [string, string] = ["help", "how to use a command"];
const NOTHING: Completions = { words: [], paths: null };

/** `line` is what is behind the program's name; its last word is under the cursor and may be empty. */
export async function completionsOf(
  commands: Commands,
  line: readonly string[],
  runIds: () => Promise<string[]>,
): Promise<Completions> {
  const current = (line.at(-1) ?? "").replace(/^=$/, "");
  const found = await offeredAt(commands, line.slice(0, -1), current, runIds);
  return { ...found, words: found.words.filter(([word]) => word.startsWith(current)) };
}

async function offeredAt(
  commands: Commands,
  before: readonly string[],
  current: string,
  runIds: () => Promise<string[]>,
): Promise<Completions> {
  const names: string[] = [];
  let table: FieldTable = COMMON;
  let open: Field | null = null;
  let command = commands.find("");
  // bash takes `--mode=deep` apart.
  for (const word of before.filter((one) => one !== "=")) {
    if (word.startsWith("-")) open = specOf(table, word);
    else if (open !== null && open.kind !== "flag") open = open.kind === "list" ? open : null;
    else if (command === undefined) {
      names.push(word);
      command = commands.find(wordsOfName(names).join(" "));
      if (command !== undefined && names[0] !== HELP[0])
        table = { ...flagsOf((await command.load()).command), ...COMMON };
    }
  }
  const [flag = "", value] = current.split("=", 2);
  if (value !== undefined) {
    const { words, paths } = await valuesOf(specOf(table, flag), runIds);
    return { words: words.map(([word, about]) => [`${flag}=${word}`, about] as const), paths };
  }
  if (current.startsWith("-"))
    return {
      words:
        command === undefined
          ? [
              ["--help", ""],
              ["--version", ""],
            ]
          : Object.entries(table).map(([key, field]) => [flagName(key), helpOf(field)] as const),
      paths: null,
    };
  if (open !== null && open.kind !== "flag") return await valuesOf(open, runIds);
  if (command === undefined) return { words: namesBehind(commands, wordsOfName(names)), paths: null };
  if (names[0] === HELP[0]) return NOTHING;
  const { operand, fields } = (await command.load()).command;
  if (operand?.usage.includes("<run>") === true) return { words: named(await runIds()), paths: "folders" };
  return await valuesOf(operand === undefined ? null : (fields[operand.name] ?? null), runIds);
}

/** The words of a command's name, without a `help` before them. */
function wordsOfName(names: readonly string[]): readonly string[] {
  return names[0] === HELP[0] ? names.slice(1) : names;
}

/** The words that follow the first ones of a command's name. */
function namesBehind(commands: Commands, first: readonly string[]): (readonly [string, string])[] {
  const start = first.map((word) => `${word} `).join("");
  const next = new Map<string, string>();
  for (const name of commands.names.filter((one) => one.startsWith(start))) {
    const [word = "", member] = name.slice(start.length).split(" ");
    const about = commands.find(name)?.summary ?? "";
    next.set(word, member === undefined ? about : [next.get(word) ?? [], member].flat().join(", "));
  }
  return start === "" ? [...next, HELP] : [...next];
}

function specOf(table: FieldTable, flag: string): Field | null {
  return Object.entries(table).find(([key]) => flagName(key) === flag)?.[1] ?? null;
}

async function valuesOf(spec: Field | null, runIds: () => Promise<string[]>): Promise<Completions> {
  if (spec === null || spec.kind === "flag") return NOTHING;
  if (spec.choices !== undefined) return { words: named(spec.choices), paths: null };
  if (spec === SELECTOR.run_id) return { words: named(await runIds()), paths: "folders" };
  if (spec.word === "DIR") return { words: [], paths: "folders" };
  return { words: [], paths: spec.word === "PATH" || spec.word === "FILE" ? "files" : null };
}

function named(words: readonly string[]): (readonly [string, string])[] {
  return words.map((word) => [word, ""] as const);
}
