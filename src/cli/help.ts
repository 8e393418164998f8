// Help: of the program, of a group, of a command by its name; and what to say to words that are no command.
import { RunError } from "../kernel/errors.ts";
import { nearestNames } from "../kernel/nearest.ts";
import packageJson from "../../package.json" with { type: "json" };
import { helpOfCommand, optionLines, PROGRAM } from "./command-help.ts";
import { asksForHelp, asksForJson } from "./command-line.ts";
import { COMMAND_GROUPS, COMMAND_NAMES, findCommand } from "./command-table.ts";
import { featureOfCommand } from "./later.ts";
import { COMMON } from "./options.ts";

/** Words that begin the names of several commands. */
const GROUP_PURPOSES: Readonly<Record<string, string>> = {
  cache: "the indexes of corpora",
  report: "the report versions of a run",
};
const HELP_WORDS = new Set(["", "help", "--help", "-h"]);
const VERSION_WORDS = new Set(["--version", "-V"]);

/** What is printed for words that name no command. Errors: `INVALID_ARGS` with the nearest names. */
export async function answerWithoutCommand(name: string, rest: readonly string[]): Promise<string> {
  if (VERSION_WORDS.has(name)) return `${packageJson.version}\n`;
  if (name === "" && asksForJson(rest)) throw new RunError("INVALID_ARGS", { reason: "no command was given" });
  if (!HELP_WORDS.has(name)) {
    if (isGroup(name) && (rest.length === 0 || asksForHelp(rest))) return helpOfGroup(name);
    throw unknownCommand(name);
  }
  const wanted = rest.filter((word) => !word.startsWith("-")).join(" ");
  if (wanted === "") return programHelp();
  if (isGroup(wanted)) return helpOfGroup(wanted);
  const entry = findCommand(wanted);
  if (entry === undefined) throw unknownCommand(wanted);
  return helpOfCommand((await entry.load()).command);
}

function isGroup(name: string): boolean {
  return Object.hasOwn(GROUP_PURPOSES, name);
}

function unknownCommand(name: string): RunError {
  const feature = featureOfCommand(name) ?? featureOfCommand(name.split(" ")[0] ?? "");
  if (feature !== undefined) {
    return new RunError("INVALID_ARGS", {
      reason: `there is no command "${name}" in this version`,
      not_in_this_version: feature,
    });
  }
  const nearest = nearestNames(name.slice(0, 80), COMMAND_NAMES).map((found) => `"${PROGRAM} ${found}"`);
  const did_you_mean = nearest.length === 0 ? {} : { did_you_mean: nearest.join(" or ") };
  return new RunError("INVALID_ARGS", { reason: `there is no command "${name.slice(0, 80)}"`, ...did_you_mean });
}

function programHelp(): string {
  const width = Math.max(...COMMAND_NAMES.map((name) => name.length));
  const groups = COMMAND_GROUPS.map(({ title, commands }) => {
    const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}\n`);
    return `${title}\n${lines.join("")}`;
  });
  return `${PROGRAM} ${packageJson.version} - research runs that survive anything and can be checked by anyone

Usage
  ${PROGRAM} <command> [options]

First steps
  $ ${PROGRAM} start "How are command-line options parsed?" --corpus ./docs
  $ ${PROGRAM} status         where it stands, also from another terminal
  $ ${PROGRAM} report show    the report of the newest run
  $ ${PROGRAM} verify         from its sentences down to the stored bytes

${groups.join("\n")}
A run is named by its id, by the beginning of an id that no other has, or by a path; without any, it is the newest.

Options of every command
${optionLines(COMMON)}
Exit status
  0 done   1 failed, or not possible in this state   2 bad usage or input   3, 4 halted: somebody or time is needed
  10 no such run   11 another process works on it   12 something does not verify   13 the lease was lost
  70 a bug   130, 143 stopped by SIGINT, SIGTERM

Where to go next
  $ ${PROGRAM} help <command>     its manual page, with examples and exit statuses
  $ ${PROGRAM} doctor             every setting with its origin, and what is wrong with the set-up
  $ ${PROGRAM} triage             what is the matter with a run, and what to do
  $ ${PROGRAM} completion bash    completions for bash, zsh or fish
`;
}

function helpOfGroup(group: string): string {
  const members = COMMAND_NAMES.filter((name) => name.startsWith(`${group} `));
  const width = Math.max(...members.map((name) => name.length));
  const lines = members.map((name) => `  ${name.padEnd(width)}  ${findCommand(name)?.summary}\n`);
  return `${PROGRAM} ${group} - ${GROUP_PURPOSES[group]}

Usage
  ${PROGRAM} ${group} <command> [options]

Commands
${lines.join("")}
  $ ${PROGRAM} help ${members[0]}
`;
}
