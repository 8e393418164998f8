// Help on the program, on a group of commands and on one command; and the answer to words that are no command.
import packageJson from "../../../package.json" with { type: "json" };
import { RunError } from "../../kernel/errors.ts";
import { given } from "../../kernel/given.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import type { AnyCommand } from "../command.ts";
import {
  helpOfCommand,
  invocations,
  NAMING_A_RUN,
  NEWEST_RUN,
  optionLines,
  PROGRAM,
  sections,
  shortHelpOfCommand,
} from "./command-help.ts";
import { asksForJson, requestedHelp } from "../options/arguments.ts";
import { COMMAND_GROUPS, COMMAND_NAMES, findCommand, GROUP_PURPOSES } from "../command-table.ts";
import { commandLines } from "./layout.ts";
import { COMMON } from "../options/options.ts";
import { MAX_WIDTH, meanings, paragraph } from "../terminal/layout.ts";

export interface HelpAnswer {
  /** For the envelope of --json. */
  command: string;
  result: { version: string } | { help: string };
  text: string;
}

const HELP_WORDS = new Set(["", "help", "--help", "-h"]);
const VERSION_WORDS = new Set(["version", "--version", "-V"]);

/** What is printed for words that name no command. Errors: `INVALID_ARGS` with the nearest names. */
export async function answerWithoutCommand(
  name: string,
  rest: readonly string[],
  columns: number,
): Promise<HelpAnswer> {
  const { version } = packageJson;
  if (VERSION_WORDS.has(name) || (name === "" && rest.some((word) => word.startsWith("-") && VERSION_WORDS.has(word))))
    return { command: "version", result: { version }, text: `${version}\n` };
  const form = name === "-h" ? "short" : (requestedHelp(rest) ?? "whole");
  const width = Math.min(columns, MAX_WIDTH);
  if (!HELP_WORDS.has(name)) {
    if (isGroup(name) && (rest.every((word) => word.startsWith("-")) || requestedHelp(rest) !== null))
      return helpAnswer(helpOfGroup(name, width));
    throw unknownCommand(name, rest[0]);
  }
  const wanted = rest.filter((word) => !word.startsWith("-")).join(" ");
  if (wanted === "") {
    if (name === "" && asksForJson(rest) && requestedHelp(rest) === null)
      throw new RunError("INVALID_ARGS", { reason: "no command was given" });
    return helpAnswer(form === "short" ? shortProgramHelp(width) : programHelp(width));
  }
  if (isGroup(wanted)) return helpAnswer(helpOfGroup(wanted, width));
  const entry = findCommand(wanted);
  if (entry === undefined) throw unknownCommand(wanted);
  return commandHelp(wanted, (await entry.load()).command, form, columns);
}

export function commandHelp(name: string, command: AnyCommand, form: "short" | "whole", columns: number): HelpAnswer {
  const width = Math.min(columns, MAX_WIDTH);
  return helpAnswer(form === "short" ? shortHelpOfCommand(name, command, width) : helpOfCommand(name, command, width));
}

function helpAnswer(help: string): HelpAnswer {
  return { command: "help", result: { help }, text: help };
}

function isGroup(name: string): boolean {
  return Object.hasOwn(GROUP_PURPOSES, name);
}

/** `next` is the word behind it, since `repot show` may mean a command of two words. */
function unknownCommand(name: string, next = ""): RunError {
  const groups = Object.keys(GROUP_PURPOSES);
  const inGroups = COMMAND_NAMES.filter((one) => groups.some((group) => one.startsWith(`${group} `)));
  const ofTwoWords = nearestNames(`${name} ${next}`.slice(0, 80), inGroups);
  const found = ofTwoWords.length > 0 ? ofTwoWords : nearestNames(name.slice(0, 80), [...groups, ...COMMAND_NAMES]);
  const nearest = found.map((one) => `"${PROGRAM} ${one}"`).join(" or ");
  const group = groups.find((one) => name.startsWith(`${one} `));
  return new RunError("INVALID_ARGS", {
    reason: `there is no command "${name.slice(0, 80)}"`,
    ...given({ did_you_mean: nearest || undefined, command: group }),
  });
}

const TITLE = `${PROGRAM} ${packageJson.version} - research runs that survive anything and can be checked by anyone`;
const FIRST_STEPS: readonly (readonly [string, string])[] = [
  ['start "How are command-line options parsed?" --corpus ./docs', ""],
  ["status", "its state, also from another terminal"],
  ["report show", "the report of the newest run"],
  ["verify", "checks it, from its sentences down to the stored bytes"],
];
const NEXT_STEPS: readonly (readonly [string, string])[] = [
  ["help <command>", "its manual page, with examples and exit statuses"],
  ["doctor", "every setting with its origin, and what is wrong with the set-up"],
  ["triage", "what is the matter with a run, and what to do"],
  ["completion bash", "completions for bash, zsh or fish"],
];
const EXITS: readonly (readonly [string, string])[] = [
  ["0", "success; read-only commands succeed in any run state"],
  ["1", "failed, or not possible in this state"],
  ["2", "bad usage or input"],
  ["3, 4", "halted: it needs attention, or time"],
  ["10", "no such run"],
  ["11", "another process works on it"],
  ["12", "something does not verify"],
  ["13", "the lease was lost"],
  ["70", "a bug"],
  ["130, 143", "stopped by SIGINT, SIGTERM"],
];

function programHelp(width: number): string {
  const names = Math.max(...COMMAND_NAMES.map((name) => name.length));
  const groups = COMMAND_GROUPS.map(({ title, commands }) => {
    const rows = Object.entries(commands).map(([name, { summary }]): [string, string] => [name.padEnd(names), summary]);
    return `${title}\n${meanings(rows, width)}`;
  });
  return sections([
    paragraph(TITLE, width, "", "  "),
    `Usage\n  ${PROGRAM} <command> [options]`,
    `First steps\n${commandLines(invocations(FIRST_STEPS), width)}`,
    ...groups,
    paragraph(`${NAMING_A_RUN} ${NEWEST_RUN}`, width),
    `Options of every command\n${optionLines(COMMON, width)}`,
    `Exit status\n${meanings(EXITS, width)}`,
    `Where to go next\n${commandLines(invocations(NEXT_STEPS), width)}`,
  ]);
}

function shortProgramHelp(width: number): string {
  const groups = COMMAND_GROUPS.map(({ title, commands }): [string, string] => [
    title,
    Object.keys(commands).join(", "),
  ]);
  return sections([
    paragraph(TITLE, width, "", "  "),
    `First steps\n${commandLines(invocations(FIRST_STEPS), width)}`,
    `Commands\n${meanings(groups, width)}`,
    paragraph(`One command in short: ${PROGRAM} <command> -h. What each command does: ${PROGRAM} --help`, width),
  ]);
}

function helpOfGroup(group: string, width: number): string {
  const members = COMMAND_NAMES.filter((name) => name.startsWith(`${group} `));
  const rows = members.map((name): [string, string] => [name, findCommand(name)?.summary ?? ""]);
  return sections([
    paragraph(`${PROGRAM} ${group} - ${GROUP_PURPOSES[group]}`, width),
    `Usage\n  ${PROGRAM} ${group} <command> [options]`,
    `Commands\n${meanings(rows, width)}`,
    `  $ ${PROGRAM} help ${members[0]}`,
  ]);
}
