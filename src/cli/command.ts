// The type of a command: a verb with the fields of its input, its help, and how it calls an operation and shows the answer.
import { type FieldTable, type InputOf, text, type ValueField } from "../kernel/field.ts";
import type { Outcome } from "../operations/outcome.ts";
import type { Observer } from "../ports/observer.ts";
import type { StopSignals } from "../operations/options.ts";
import type { FoundRun, Preference } from "../operations/look/locate-run.ts";
import type { Ports } from "../ports/ports.ts";
import type { Halt } from "../run/log/halt.ts";
import type { WriteStep } from "../surface/advice.ts";
import type { Configuration } from "./configuration/configuration.ts";
import type { Environment } from "./configuration/environment.ts";
import type { Host } from "./host.ts";
import { type CommonValues, SELECTOR } from "./options/options.ts";
import type { Style } from "./terminal/style.ts";

export interface CommandEntry {
  /** One line, a sentence that continues from the name. */
  summary: string;
  load(): Promise<{ command: AnyCommand }>;
}

/** The commands of this program; a command gets them from its caller. */
export interface Commands {
  readonly names: readonly string[];
  find(name: string): CommandEntry | undefined;
}

export interface Answer {
  outcome: Outcome<unknown>;
  /** What people read on stdout, without --json. */
  readonly text: (style: Style) => string | Promise<string>;
  /** Printed as they are in place of the text. */
  bytes?: Uint8Array;
  /** The command printed all of it while it ran: nothing follows, not even with --json. */
  isPrinted?: true;
  /** What people should know besides, on stderr; null for nothing. */
  readonly note?: (style: Style) => string | null;
}

export interface CommandContext {
  host: Host;
  ports: Ports;
  environment: Environment;
  configuration: Configuration;
  /** The options of every command, with what is configured. */
  common: CommonValues & { jsonl?: boolean };
  commands: Commands;
  /** Absolute. Errors: `INVALID_ARGS` when nothing says where runs are kept. */
  readonly runsRoot: () => string;
  /** Absolute, whatever the working folder. */
  readonly absolute: (path: string) => string;
  /** Finds the run that the input names, and notes it for the envelope. What was read of it on the way need not be read again. */
  readonly find: (run: string | undefined, prefer?: Preference) => Promise<FoundRun>;
  /** The absolute run root of that run. */
  readonly locate: (run: string | undefined, prefer?: Preference) => Promise<string>;
  /** Shows work while it happens: events with --jsonl, otherwise progress on stderr. */
  readonly observe: () => Promise<Observer>;
  /** How text looks on a stream. */
  readonly styleOn: (stream: "stdout" | "stderr") => Promise<Style>;
  /** Writes a next step for the caller. */
  readonly write: WriteStep;
  /** Calls `on_halt` for a halt that this process raised and no observer saw. */
  readonly noteHalt: (runRoot: string, halt: Halt) => void;
  /** Takes over SIGINT and SIGTERM. */
  readonly takeSignals: () => Promise<StopSignals>;
}

/** The words behind the options of a command line, as a field of the input. */
export interface Operand {
  /** Of the field. */
  name: string;
  /** Of the field of the word behind it. */
  behind?: string;
  /** As help shows it, e.g. `[<run>]`. */
  usage: string;
  least: number;
  most: number;
}

export interface Command<Fields extends FieldTable, Options extends FieldTable = FieldTable> {
  description: string;
  /** Names of commands to read on with. */
  seeAlso: readonly string[];
  /** The names of the options that short help shows. */
  mainOptions?: readonly string[];
  /** Absent for a command that takes only options. */
  operand?: Operand;
  /** Which run it is where none is named; absent where it is the newest. */
  unnamedRun?: string;
  /** Of its input, for any caller. */
  fields: Fields;
  /** Options that only a command line has. */
  options?: Options;
  /** Command lines without the name of the program, each with its purpose. */
  examples: readonly (readonly [string, string])[];
  /** Exit statuses with their meaning here. */
  exits: readonly (readonly [number, string])[];
  /** Further paragraphs of help. */
  notes?: readonly string[];
  /** Which settings the command heeds, for help; absent where it heeds only those of every command. */
  configuration?: string;
  /** The configuration is not read, so the command works even where it is broken. */
  withoutConfiguration?: true;
  /** What only a command line can say, such as a file or stdin, as a part of the input. Errors: `INVALID_ARGS`. */
  readInput?(
    context: CommandContext,
    input: InputOf<Fields>,
    options: InputOf<Options>,
  ): InputOf<Fields> | Promise<InputOf<Fields>>;
  run(context: CommandContext, input: InputOf<Fields>): Promise<Answer>;
}

type Input = Readonly<Record<string, unknown>>;

/** A command of which only the data of its fields is known. */
export type AnyCommand = Omit<Command<FieldTable>, "readInput" | "run" | "options"> & {
  options: FieldTable;
  readInput(context: CommandContext, input: Input, options: Input): Input | Promise<Input>;
  run(context: CommandContext, input: Input): Promise<Answer>;
};

export function defineCommand<const Fields extends FieldTable, const Options extends FieldTable = FieldTable>(
  command: Command<Fields, Options>,
): AnyCommand {
  // What arrives was read by these very tables.
  return {
    ...command,
    options: command.options ?? {},
    readInput: (context, input, options) =>
      command.readInput?.(context, input as InputOf<Fields>, options as InputOf<Options>) ?? input,
    run: (context, input) => command.run(context, input as InputOf<Fields>),
  };
}

/** Which run is meant. */
export const RUN = text("RUN", "the run: its id, a unique prefix of it, or the path of its folder", "the newest run");
export const ONE_RUN: Operand = { name: "run", usage: "[<run>]", least: 0, most: 1 };
interface RunField {
  run: ValueField<string>;
}

/** A command about one run, named by an operand, its id, its folder or its manifest. */
export function runCommand<const Fields extends FieldTable, const Options extends FieldTable = FieldTable>(
  command: Omit<Command<Fields & RunField, Options>, "operand" | "fields"> & { fields: Fields },
): AnyCommand {
  return defineCommand({ ...command, operand: ONE_RUN, fields: { run: RUN, ...command.fields } });
}

/** What a command line can say of it, but for the operand and the options of every command. */
export function flagsOf({ operand, fields, options }: Pick<AnyCommand, "operand" | "fields" | "options">): FieldTable {
  const shown = Object.entries(fields).filter(
    ([name, field]) => name !== operand?.name && name !== operand?.behind && !isContent(field),
  );
  // With a word that has to be behind it, the run is the first one.
  const isSelected = operand?.name === "run" && (operand.behind === undefined || operand.least === 0);
  const selector = isSelected ? Object.entries(SELECTOR).filter(([name]) => !(name in fields)) : [];
  return Object.fromEntries([...selector, ...Object.entries(options), ...shown]);
}

function isContent(field: FieldTable[string]): boolean {
  return field.kind === "value" && field.isContent === true;
}
