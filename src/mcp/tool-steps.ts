// The next steps of an answer as calls of tools, where a tool does the same as the command. What only a person does stays a command.
import { shellUnquoted } from "../kernel/shell.ts";
import { type Field, type FieldTable, flagName } from "../kernel/field.ts";
import { optionsIn } from "../surface/command-arguments.ts";
import type { Envelope } from "../surface/envelope.ts";
import { type Tool, TOOLS } from "./tools.ts";

/** Commands that a tool of another name does, with what the call says besides. */
const DONE_BY: Readonly<Record<string, { command: string; also?: object }>> = {
  run: { command: "resume" },
  watch: { command: "status", also: { wait: 30 } },
};
/** A word of a shell, up to the end of its command. */
const WORD = /\s*((?:[^\s;'"\\]|'[^']*'|\\.|"[^"]*")+)/y;

export type Tables = ReadonlyMap<string, FieldTable>;

/** The same answer, with calls in hints and among the next commands. `tables` are the options by command. */
export function withCalls(answer: Envelope, tables: Tables): Envelope {
  const { contract } = answer;
  const write = (text: string): string => textWithCalls(text, contract, tables);
  const walk = (value: unknown, key: string): unknown => {
    if (Array.isArray(value))
      return value.map((one: unknown) => (key === "next_commands" ? write(String(one)) : walk(one, "")));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, walk(member, name)]));
  };
  // Only words change.
  const told = walk(answer, "") as Envelope;
  return told.error === null ? told : { ...told, error: { ...told.error, hint: write(told.error.hint) } };
}

function textWithCalls(text: string, contract: Envelope["contract"], tables: Tables): string {
  const start = `${contract.cli_invocation} `;
  const [before = "", ...commands] = text.split(start);
  const told = commands.map((rest) => {
    const words: string[] = [];
    let end = 0;
    for (WORD.lastIndex = 0; ; end = WORD.lastIndex) {
      const [, word] = WORD.exec(rest) ?? [];
      if (word === undefined) break;
      words.push(word);
    }
    const call = callOf(words, contract, tables);
    return call === null ? start + rest : call + rest.slice(end);
  });
  return before + told.join("");
}

function callOf(words: readonly string[], contract: Envelope["contract"], tables: Tables): string | null {
  for (const length of [2, 1]) {
    const verb = words.slice(0, length).join(" ");
    const { command, also = {} } = DONE_BY[verb] ?? { command: verb };
    const tool = TOOLS.find((one) => one.command === command);
    const given = tool === undefined ? null : givenIn(tool, words.slice(length), contract, tables);
    if (tool !== undefined && given !== null) return `${tool.name} ${JSON.stringify({ ...given, ...also })}`;
  }
  return null;
}

/** Null where the tool has no such argument, or an agent may not say it. */
function givenIn(
  tool: Tool,
  words: readonly string[],
  { run_root, run_id }: Envelope["contract"],
  tables: Tables,
): Record<string, unknown> | null {
  const taken = optionsIn(tool, tables.get(tool.command) ?? {});
  const given: Record<string, unknown> = {};
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) {
      if (tool.operand === null || given[tool.operand.name] !== undefined) return null;
      const said = plain(word);
      given[tool.operand.name] = said === run_root && run_id !== null ? run_id : said;
    } else if (word === "--runs-root") {
      // All tools work on the runs of this server.
      at++;
    } else if (tool.input !== undefined && word === "--input") {
      given[tool.input.name] = "...";
      at++;
    } else {
      const [name, field] = Object.entries(taken).find(([one]) => flagName(one) === word) ?? [];
      if (name === undefined || field === undefined || isForPersons(field)) return null;
      const value = field.kind === "flag" ? true : plain(words[++at] ?? "");
      const one = field.kind === "value" && field.range !== undefined ? Number(value) : value;
      given[name] = field.kind === "list" ? [one] : one;
    }
  }
  return given;
}

/** What the user's configuration bounds is for the user to raise. */
function isForPersons(field: Field): boolean {
  const trust = field.kind === "flag" ? undefined : field.trust;
  return trust !== undefined && ["same", "less", "stricter"].includes(trust.may);
}

function plain(word: string): string {
  return /^".*"$/s.test(word) ? word.slice(1, -1) : shellUnquoted(word);
}
