// The help of one command: a whole manual page, or in short the usage, the options that are used most, and one example.
import { type AnyCommand, flagsOf } from "../command.ts";
import { findCommand } from "../command-table.ts";
import { SIGNAL_EXITS } from "../exits.ts";
import { commandLines, rewrapped } from "./layout.ts";
import { flagName, helpOf, type Field, type FieldTable } from "../../kernel/field.ts";
import { COMMON, SELECTOR } from "../options/options.ts";
import { meanings, paragraph } from "../terminal/layout.ts";

export const PROGRAM = "deep-research";

export function helpOfCommand(name: string, command: AnyCommand, width: number): string {
  const { description, seeAlso, examples, exits, notes, configuration } = command;
  const own = new Set(exits.map(([status]) => status));
  const all = [...exits, ...SIGNAL_EXITS.filter(([status]) => !own.has(status))];
  const sorted = all.toSorted(([a], [b]) => a - b);
  return sections([
    ...opening(name, command, width),
    section("Description", [description, ...wordsOnOperand(command)], width),
    `Examples\n${commandLines(invocations(examples), width)}`,
    ...(notes ?? []).map((note) => rewrapped(note, width)),
    ...optionSections(flagsOf(command), width),
    `Exit status\n${meanings(
      sorted.map(([status, meaning]) => [String(status).padEnd(2), meaning]),
      width,
    )}`,
    section("Configuration", [configuration ?? CONFIGURATION], width),
    section("See also", [seeAlso.map((other) => `${PROGRAM} ${other}`).join(", ")], width),
  ]);
}

const MOST_OPTIONS = 7;

export function shortHelpOfCommand(name: string, command: AnyCommand, width: number): string {
  const { examples, mainOptions } = command;
  const options = flagsOf(command);
  const own = Object.keys(options).filter((key) => !(key in SELECTOR));
  const named = mainOptions ?? own.slice(0, MOST_OPTIONS);
  const shown = Object.fromEntries(named.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]])));
  const others = Object.keys({ ...options, ...COMMON }).length - named.length - 1;
  return sections([
    ...opening(name, command, width),
    `Options\n${optionLines({ ...shown, json: COMMON.json }, width)}`,
    `Example\n${commandLines(invocations(examples.slice(0, 1)), width)}`,
    paragraph(`${others} more options, examples and exit statuses: ${PROGRAM} ${name} --help`, width),
  ]);
}

export function sections(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== "")
    .map((part) => `${part}\n`)
    .join("\n");
}

function opening(name: string, { operand }: AnyCommand, width: number): string[] {
  const words = operand === undefined ? "" : ` ${operand.usage}`;
  return [
    paragraph(`${PROGRAM} ${name} - ${findCommand(name)?.summary}`, width, "", "  "),
    `Usage\n  ${PROGRAM} ${name}${words} [options]`,
  ];
}

export function invocations(examples: AnyCommand["examples"]): [string, string][] {
  return examples.map(([line, about]) => [`${PROGRAM} ${line}`, about]);
}

const CONFIGURATION = `The runs root and other settings can be configured: ${PROGRAM} doctor shows each with its origin.`;

export const NAMING_A_RUN = "RUN is an id, a unique prefix of one, or a path.";
export const NEWEST_RUN = "Where none is named, it is the newest run.";

function wordsOnOperand({ operand, unnamedRun }: AnyCommand): string[] {
  const { usage = "" } = operand ?? {};
  if (!usage.includes("<run>")) return [];
  if (!usage.startsWith("[")) return [NAMING_A_RUN];
  return [`${NAMING_A_RUN} ${unnamedRun === undefined ? NEWEST_RUN : `Where none is named, it is ${unnamedRun}.`}`];
}

function section(title: string, paragraphs: readonly string[], width: number): string {
  const text = paragraphs.filter((one) => one !== "").map((one) => paragraph(one, width, "  "));
  return text.length === 0 ? "" : `${title}\n${text.join("\n\n")}`;
}

function optionSections(table: FieldTable, width: number): string[] {
  const isSelector = (spec: Field): boolean => Object.values<Field>(SELECTOR).includes(spec);
  const part = (title: string, test: (spec: Field) => boolean): string[] => {
    const own = Object.entries(table).filter(([, spec]) => test(spec));
    return own.length === 0 ? [] : [`${title}\n${optionLines(Object.fromEntries(own), width)}`];
  };
  return [
    ...part("Options", (spec) => !isSelector(spec)),
    ...part("Options that name the run", isSelector),
    `Options of every command\n${optionLines(COMMON, width)}`,
  ];
}

export function optionLines(table: FieldTable, width: number): string {
  return meanings(
    Object.entries(table).map(([key, spec]) => [`${flagName(key)}${valueName(spec)}`, helpOf(spec)]),
    width,
  );
}

function valueName(spec: Field): string {
  if (spec.kind === "flag") return "";
  return spec.kind === "list" ? ` ${spec.word}...` : ` ${spec.word}`;
}
