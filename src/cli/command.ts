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
import {
  type CommonValues,
  type Operands,
  type OptionTable,
  SELECTOR,
  type SelectorValues,
  type ValuesOf,
} from "./options/options.ts";
import type { Style } from "./terminal/style.ts";

export interface Answer {
  outcome: Outcome<unknown>;
  /** What people read on stdout, without --json. */
  readonly text: (style: Style) => string | Promise<string>;
  /** Everything was said while it ran: nothing more is printed, with --json neither. */
  isTold?: true;
  /** What they should know beside it, on stderr; null for nothing. */
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
  /** Finds the run that argv names and remembers it for the envelope; what was read of it meanwhile saves a look. */
  readonly find: (values: SelectorValues, operands: readonly string[], prefer?: Preference) => Promise<FoundRun>;
  /** The absolute run root of that run. */
  readonly locate: (values: SelectorValues, operands: readonly string[], prefer?: Preference) => Promise<string>;
  /** Shows work as it happens: events with --jsonl, progress on stderr otherwise. */
  readonly observe: () => Promise<Observer>;
  /** How text looks on a stream. */
  readonly styleOn: (stream: "stdout" | "stderr") => Promise<Style>;
  /** A halt that this process raised without telling an observer: for `on_halt`. */
  readonly noteHalt: (runRoot: string, halt: Halt) => void;
  /** Takes over SIGINT and SIGTERM. */
  readonly takeSignals: () => Promise<StopSignals>;
}

export interface Command<Table extends OptionTable> {
  /** In a few plain sentences. */
  description: string;
  /** Names of commands to read on with. */
  seeAlso: readonly string[];
  /** What short help shows of many options, by their keys. */
  mainOptions?: readonly string[];
  /** Without them, no word stands behind the options. */
  operands?: Operands;
  options: Table;
  /** Command lines without the program's name, each with what it is for. */
  examples: readonly (readonly [string, string])[];
  /** Exit statuses with their meaning here. */
  exits: readonly (readonly [number, string])[];
  /** Further paragraphs of help. */
  notes?: readonly string[];
  /** The configured options that it heeds, for help; by default those that every command heeds. */
  configuration?: string;
  /** Answers also where the configuration is broken: it is not read for it. */
  withoutConfiguration?: true;
  run(context: CommandContext, values: ValuesOf<Table> & CommonValues, operands: readonly string[]): Promise<Answer>;
}

/** A command whose options nobody but itself needs to know. */
export type AnyCommand = Omit<Command<OptionTable>, "run" | "operands"> & {
  operands: Operands;
  run(context: CommandContext, values: Record<string, unknown>, operands: readonly string[]): Promise<Answer>;
};

export function defineCommand<const Table extends OptionTable>(command: Command<Table>): AnyCommand {
  // The values that arrive were read by this very table (arguments.ts).
  return {
    operands: { usage: "", least: 0, most: 0 },
    ...command,
    run: (context, values, operands) => command.run(context, values as ValuesOf<Table> & CommonValues, operands),
  };
}

export const ONE_RUN: Operands = { usage: "[<run>]", least: 0, most: 1 };

/** A command about one run, which may be named in four ways. */
export function runCommand<const Table extends OptionTable>(
  command: Omit<Command<Table & typeof SELECTOR>, "operands" | "options"> & { options: Table },
): AnyCommand {
  return defineCommand({ ...command, operands: ONE_RUN, options: { ...SELECTOR, ...command.options } });
}
