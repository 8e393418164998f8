// Help: of the program, of a group, of one command; and what to say to words that are no command.
import { RunError } from "../kernel/errors.ts";
import { nearestNames } from "../kernel/nearest.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { AnyCommand } from "./command.ts";
import { asksForHelp, asksForJson } from "./command-line.ts";
import { COMMAND_GROUPS, COMMAND_NAMES, findCommand } from "./command-table.ts";
import { featureOfCommand } from "./later.ts";
import { COMMON, flagName, type OptionSpec, type OptionTable } from "./options.ts";

const PROGRAM = "deep-research";
const HELP_WORDS = new Set(["", "help", "--help", "-h"]);
const VERSION_WORDS = new Set(["--version", "-V"]);

/** What is printed for words that name no command. Errors: `INVALID_ARGS` with the nearest names. */
export async function answerWithoutCommand(name: string, rest: readonly string[]): Promise<string> {
  if (VERSION_WORDS.has(name)) return `${packageJson.version}\n`;
  if (name === "" && asksForJson(rest)) throw new RunError("INVALID_ARGS", { reason: "no command was given" });
  if (!HELP_WORDS.has(name)) {
    if (name === "report" && (rest.length === 0 || asksForHelp(rest))) return helpOfGroup("report");
    throw unknownCommand(name);
  }
  const wanted = rest.filter((word) => !word.startsWith("-")).join(" ");
  if (wanted === "") return programHelp();
  if (wanted === "report") return helpOfGroup("report");
  const entry = findCommand(wanted);
  if (entry === undefined) throw unknownCommand(wanted);
  return helpOfCommand((await entry.load()).command);
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

Examples
  $ ${PROGRAM} start "How are command-line options parsed?" --corpus ./docs
  $ ${PROGRAM} status
  $ ${PROGRAM} report show
  $ ${PROGRAM} verify

${groups.join("\n")}
A run is named by its id, a unique prefix of it, or a path; without any, it is the newest.

Options of every command
${optionLines(COMMON)}
Exit status
  0 done   1 failed, or not possible in this state   2 bad usage or input   3, 4 halted: somebody or time is needed
  10 no such run   11 another process works on it   12 something does not verify   13 the lease was lost
  70 a bug   130, 143 stopped by SIGINT, SIGTERM

  $ ${PROGRAM} <command> --help
`;
}

function helpOfGroup(group: string): string {
  const lines = COMMAND_NAMES.filter((name) => name.startsWith(`${group} `)).map(
    (name) => `  ${name.padEnd(18)}${findCommand(name)?.summary}\n`,
  );
  return `${PROGRAM} ${group} - report versions of a run\n\nExamples\n  $ ${PROGRAM} ${group} show\n\nCommands\n${lines.join("")}
Exit status\n  as of each command\n\n  $ ${PROGRAM} ${group} <command> --help\n`;
}

/** One line of purpose, examples, options, exit statuses. */
export function helpOfCommand(command: AnyCommand): string {
  const { name, purpose, operands, options, examples, exits, notes } = command;
  const width = Math.max(...examples.map(([line]) => line.length));
  const shown = examples.map(([line, about]) => `  $ ${PROGRAM} ${line.padEnd(width)}  ${about}`.trimEnd());
  return [
    `${PROGRAM} ${name} - ${purpose}`,
    `Usage\n  ${PROGRAM} ${name}${operands.usage === "" ? "" : ` ${operands.usage}`} [options]`,
    `Examples\n${shown.join("\n")}`,
    ...(notes ?? []),
    `Options\n${optionLines({ ...options, ...COMMON })}`.trimEnd(),
    `Exit status\n${exits.map(([status, meaning]) => `  ${String(status).padEnd(4)}${meaning}`).join("\n")}`,
  ]
    .map((part) => `${part}\n`)
    .join("\n");
}

function optionLines(table: OptionTable): string {
  const rows = Object.entries(table).map(([key, spec]) => [`${flagName(key)}${valueName(spec)}`, spec.text] as const);
  const width = Math.max(...rows.map(([option]) => option.length));
  return rows.map(([option, about]) => `  ${option.padEnd(width)}  ${about}\n`).join("");
}

function valueName(spec: OptionSpec): string {
  if (spec.kind === "flag") return "";
  return spec.kind === "list" ? ` ${spec.value}...` : ` ${spec.value}`;
}
