// The type of a command: its help, its options, and how it asks an operation and shows the answer.
import type { Outcome } from "../operations/outcome.ts";
import type { Observer } from "../ports/observer.ts";
import type { StopSignals } from "../operations/options.ts";
import type { FoundRun, Preference } from "../operations/locate-run.ts";
import type { Ports } from "../ports/ports.ts";
import type { Halt } from "../run/halt.ts";
import type { Configuration } from "./configuration/configuration.ts";
import type { Environment } from "./configuration/environment.ts";
import type { Host } from "./host.ts";
import { type FieldTable, type InputOf } from "../kernel/field.ts";
import { type CommonValues, type Operands, SELECTOR, type SelectorValues } from "./options/options.ts";
import type { Style } from "./terminal/style.ts";

export interface Answer {
  outcome: Outcome<unknown>;
  /** What people read on stdout, without --json. */
  readonly text: (style: Style) => string | Promise<string>;
  /** The command printed all of it while it ran: nothing follows, not even with --json. */
  isTold?: true;
  /** What people should know besides, on stderr; null for nothing. */
  readonly note?: (style: Style) => string | null;
}

export interface CommandContext {
  host: Host;
  ports: Ports;
  environment: Environment;
  configuration: Configuration;
  /** Absolute. Errors: `INVALID_ARGS` when nothing says where runs are kept. */
  readonly runsRoot: () => string;
  /** Absolute, whatever the working folder. */
  readonly absolute: (path: string) => string;
  /** Finds the run that argv names, and notes it for the envelope. What was read of it on the way need not be read again. */
  readonly find: (values: SelectorValues, operands: readonly string[], prefer?: Preference) => Promise<FoundRun>;
  /** The absolute run root of that run. */
  readonly locate: (values: SelectorValues, operands: readonly string[], prefer?: Preference) => Promise<string>;
  /** Shows work while it happens: events with --jsonl, otherwise progress on stderr. */
  readonly observe: () => Promise<Observer>;
  /** How text looks on a stream. */
  readonly styleOn: (stream: "stdout" | "stderr") => Promise<Style>;
  /** Has `on_halt` told of a halt that this process raised and no observer saw. */
  readonly noteHalt: (runRoot: string, halt: Halt) => void;
  /** Takes over SIGINT and SIGTERM. */
  readonly takeSignals: () => Promise<StopSignals>;
}

export interface Command<Table extends FieldTable> {
  description: string;
  /** Names of commands to read on with. */
  seeAlso: readonly string[];
  /** The keys of the options that short help shows. */
  mainOptions?: readonly string[];
  /** Absent for a command that takes only options. */
  operands?: Operands;
  /** Which run it is where none is named; absent where it is the newest. */
  unnamedRun?: string;
  options: Table;
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
  run(context: CommandContext, values: InputOf<Table> & CommonValues, operands: readonly string[]): Promise<Answer>;
}

/** A command of whose options only their help is known. */
export type AnyCommand = Omit<Command<FieldTable>, "run" | "operands"> & {
  operands: Operands;
  run(context: CommandContext, values: Record<string, unknown>, operands: readonly string[]): Promise<Answer>;
};

export function defineCommand<const Table extends FieldTable>(command: Command<Table>): AnyCommand {
  // The values that arrive were read by this very table (arguments.ts).
  return {
    operands: { usage: "", least: 0, most: 0 },
    ...command,
    run: (context, values, operands) => command.run(context, values as InputOf<Table> & CommonValues, operands),
  };
}

export const ONE_RUN: Operands = { usage: "[<run>]", least: 0, most: 1 };

/** A command about one run, named by an operand, its id, its folder or its manifest. */
export function runCommand<const Table extends FieldTable>(
  command: Omit<Command<Table & typeof SELECTOR>, "operands" | "options"> & { options: Table },
): AnyCommand {
  return defineCommand({ ...command, operands: ONE_RUN, options: { ...SELECTOR, ...command.options } });
}
