// The help page of one command, in the order of a manual: what, how, examples, options, exit statuses, where to read on.
import type { AnyCommand } from "./command.ts";
import { MANUAL } from "./manual.ts";
import { COMMON, flagName, SELECTOR, type OptionSpec, type OptionTable } from "./options.ts";

export const PROGRAM = "deep-research";
const WIDTH = 118;

export function helpOfCommand(command: AnyCommand): string {
  const { name, purpose, operands, examples, exits, notes, configuration } = command;
  const { description = [], seeAlso = [] } = MANUAL[name] ?? {};
  const width = Math.max(...examples.map(([line]) => line.length));
  const shown = examples.map(([line, about]) => `  $ ${PROGRAM} ${line.padEnd(width)}  ${about}`.trimEnd());
  return [
    `${PROGRAM} ${name} - ${purpose}`,
    `Usage\n  ${PROGRAM} ${name}${operands.usage === "" ? "" : ` ${operands.usage}`} [options]`,
    section("Description", [...description, ...wordsOnOperand(operands.usage)]),
    `Examples\n${shown.join("\n")}`,
    ...(notes ?? []),
    ...optionSections(command.options),
    `Exit status\n${exits
      .toSorted(([a], [b]) => a - b)
      .map(([status, meaning]) => `  ${String(status).padEnd(4)}${meaning}`)
      .join("\n")}`,
    section("Configuration", [configuration ?? CONFIGURATION]),
    section("See also", [seeAlso.map((other) => `${PROGRAM} ${other}`).join(", ")]),
  ]
    .filter((part) => part !== "")
    .map((part) => `${part}\n`)
    .join("\n");
}

const CONFIGURATION = `The runs root and other settings can be configured: ${PROGRAM} doctor shows each with its origin.`;

function wordsOnOperand(usage: string): string[] {
  if (!usage.includes("<run>")) return [];
  const absent = usage.startsWith("[") ? " Without one it is the newest run." : "";
  return [`A run is named by its id, by the beginning of an id that no other has, or by a path.${absent}`];
}

function section(title: string, paragraphs: readonly string[]): string {
  const text = paragraphs.filter((paragraph) => paragraph !== "").map((paragraph) => wrapped(paragraph, "  "));
  return text.length === 0 ? "" : `${title}\n${text.join("\n\n")}`;
}

/** The options of the command itself, then those that name the run, then those that every command has. */
function optionSections(table: OptionTable): string[] {
  const isSelector = (spec: OptionSpec): boolean => Object.values<OptionSpec>(SELECTOR).includes(spec);
  const part = (title: string, test: (spec: OptionSpec) => boolean): string[] => {
    const own = Object.entries(table).filter(([, spec]) => test(spec));
    return own.length === 0 ? [] : [`${title}\n${optionLines(Object.fromEntries(own)).trimEnd()}`];
  };
  return [
    ...part("Options", (spec) => !isSelector(spec)),
    ...part("Options that name the run", isSelector),
    `Options of every command\n${optionLines(COMMON).trimEnd()}`,
  ];
}

export function optionLines(table: OptionTable): string {
  const rows = Object.entries(table).map(([key, spec]) => [`${flagName(key)}${valueName(spec)}`, spec.text] as const);
  const width = Math.max(...rows.map(([option]) => option.length));
  return rows
    .map(([option, about]) => `  ${option.padEnd(width)}  ${wrapped(about, " ".repeat(width + 4)).trimStart()}\n`)
    .join("");
}

function valueName(spec: OptionSpec): string {
  if (spec.kind === "flag") return "";
  return spec.kind === "list" ? ` ${spec.value}...` : ` ${spec.value}`;
}

/** Lines of at most the width of the page, each with the same indent. */
function wrapped(text: string, indent: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indent.length + line.length + 1 + word.length > WIDTH) {
      lines.push(indent + line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, indent + line].join("\n");
}
