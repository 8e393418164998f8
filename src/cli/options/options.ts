// The options of a command as data. Help, both readers of argv and the types of the values come from it.
import { anyOf } from "../../kernel/any-of.ts";
import { RunError } from "../../kernel/errors.ts";
import { given } from "../../kernel/given.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import { type ExecutionState, executionStateSchema } from "../../run/lifecycle.ts";
import type { Trust } from "../configuration/trust.ts";

export interface FlagSpec {
  kind: "flag";
  text: string;
}
export interface ValueSpec<T> {
  kind: "value";
  /** What is said where it was left out; absent for an option that may be left out. */
  needed?: string;
  /** What a workspace or an agent may say of it; absent where that is anything. */
  trust?: Trust;
  /** The name of the value in help: `N`, `DIR`. */
  value: string;
  text: string;
  /** All possible values, where they can be named. */
  choices?: readonly string[];
  /** Of an option that is a number, also where it stands in a file. */
  range?: { isWhole: boolean; above?: number; least?: number; most: number };
  readonly read: (raw: string) => T;
}
export interface NeededSpec<T> extends ValueSpec<T> {
  needed: string;
}

/** May be given several times, and takes several values in a row. */
export interface ListSpec<T> extends Omit<ValueSpec<T>, "kind" | "needed" | "range"> {
  kind: "list";
}
export type OptionSpec = FlagSpec | ValueSpec<unknown> | ListSpec<unknown>;
/** The words behind the options. */
export interface Operands {
  /** As help shows it, e.g. `[<run>]`. */
  usage: string;
  least: number;
  most: number;
  /** Every word there is, where they can be named. */
  choices?: readonly string[];
}

/** Keys are camelCase: `maxSteps` stands for `--max-steps`. */
export type OptionTable = Readonly<Record<string, OptionSpec>>;

export type ValuesOf<Table extends OptionTable> = {
  [Key in keyof Table]: Table[Key] extends FlagSpec
    ? boolean
    : Table[Key] extends ListSpec<infer T>
      ? T[]
      : Table[Key] extends NeededSpec<infer T>
        ? T
        : Table[Key] extends ValueSpec<infer T>
          ? T | undefined
          : never;
};

export const flag = (text: string): FlagSpec => ({ kind: "flag", text });
export const text = (value: string, about: string): ValueSpec<string> => ({
  kind: "value",
  value,
  text: about,
  read(raw) {
    if (raw === "" || raw.includes("\0")) throw wrongValue(raw, "a value");
    return raw;
  },
});
export const needed = <T>(spec: ValueSpec<T>, reason: string): NeededSpec<T> => ({ ...spec, needed: reason });

export const list = (value: string, about: string): ListSpec<string> => ({ ...text(value, about), kind: "list" });

type NumberRange = NonNullable<ValueSpec<number>["range"]>;

function numeric(value: string, about: string, range: NumberRange): ValueSpec<number> {
  const { isWhole, above, least = 0, most } = range;
  const bounds = above === undefined ? `from ${least} to ${most}` : `above ${above} and up to ${most}`;
  return {
    kind: "value",
    value,
    text: about,
    range,
    read(raw) {
      const number = (isWhole ? /^-?\d{1,15}$/ : /^\d{1,12}(\.\d{1,8})?$/).test(raw) ? Number(raw) : NaN;
      if (number >= least && number <= most && number !== above) return number;
      throw wrongValue(raw, `a ${isWhole ? "whole number" : "number"} ${bounds}`);
    },
  };
}

/** The same option, of which somebody who is not the user may say only so much. */
export function trusted<Spec extends ValueSpec<unknown> | ListSpec<unknown>>(
  spec: Spec,
  may: Trust["may"],
  why: string,
  free: readonly string[] = [],
): Spec {
  return { ...spec, trust: { may, why, free } };
}

export function integer(value: string, about: string, range: { least: number; most: number }): ValueSpec<number> {
  return numeric(value, about, { isWhole: true, ...range });
}

/** A number that may have a fraction. */
export function decimal(value: string, about: string, range: Omit<NumberRange, "isWhole">): ValueSpec<number> {
  return numeric(value, about, { isWhole: false, ...range });
}

export function share(of: string): ValueSpec<number> {
  return decimal("SHARE", `the share, 0 to 1, of ${of}`, { least: 0, most: 1 });
}

/** `standard` is the default, for help. */
export function oneOf<const T extends string>(
  value: string,
  about: string,
  choices: readonly T[],
  standard?: NoInfer<T>,
): ValueSpec<T> {
  const byDefault = standard === undefined ? "" : ` (default: ${standard})`;
  const words = `${about}: ${choices.join(", ")}${byDefault}`;
  return { kind: "value", value, text: words, choices, read: (raw) => choice(raw, choices) };
}

/** The same options for a command that leaves alone what is not given. */
export function withoutDefaults<Table extends OptionTable>(table: Table): Table {
  const specs = Object.entries(table).map(([key, spec]) => [
    key,
    { ...spec, text: spec.text.replace(/ \(default: [^)]*\)$/, "") },
  ]);
  // Only the words of help change.
  return Object.fromEntries(specs) as Table;
}

export function someOf<const T extends string>(
  value: string,
  about: string,
  choices: readonly T[],
  standard: NoInfer<T>,
): ListSpec<T> {
  return { ...oneOf(value, about, choices, standard), kind: "list" };
}

function choice<T extends string>(raw: string, choices: readonly T[]): T {
  const found = choices.find((one) => one === raw);
  if (found !== undefined) return found;
  throw wrongValue(raw, anyOf(choices), choices);
}

/** `names` lists the allowed values, so that the error can suggest the nearest. */
export function wrongValue(raw: string, expected: string, names: readonly string[] = []): RunError {
  const found = raw.slice(0, 200);
  return refusedValue(`"${found}"`, found, expected, names);
}

/** `shown` is the value as the user wrote it. The caller puts the name of the option or variable in front of the reason. */
export function refusedValue(shown: string, found: string, expected: string, names: readonly string[]): RunError {
  const [nearest] = nearestNames(found.slice(0, 80), names);
  return new RunError("INVALID_ARGS", {
    reason: `${shown}: use ${expected}`,
    found,
    expected,
    ...given({ did_you_mean: nearest }),
  });
}

/** `maxSteps` -> `--max-steps`. */
export function flagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** `maxSteps` -> `max_steps`: the key in a configuration file. */
export function settingName(key: string): string {
  return flagName(key).slice(2).replaceAll("-", "_");
}

/** `maxSteps` -> `DEEP_RESEARCH_MAX_STEPS`. */
export function variableName(key: string): string {
  return `DEEP_RESEARCH_${settingName(key).toUpperCase()}`;
}

// --- what many commands share -------------------------------------------------------------------------------------

export const COMMON = {
  json: flag("print one JSON object (dr.cli.v1) on stdout"),
  runsRoot: text("DIR", "where runs are kept"),
  quiet: flag("no progress on stderr"),
  noColor: flag("no colours (as NO_COLOR)"),
  config: text("FILE", "read this configuration file instead of the workspace's deep-research.json"),
  trustWorkspace: flag("let deep-research.json of the workspace start programs and name folders elsewhere"),
} satisfies OptionTable;
export type CommonValues = ValuesOf<typeof COMMON>;

export const SELECTOR = {
  manifest: text("PATH", "the run by its manifest.json"),
  runRoot: text("PATH", "the run by its folder"),
  runId: text("ID", "the run by its id"),
} satisfies OptionTable;
export type SelectorValues = ValuesOf<typeof SELECTOR>;

export const VERSION = integer("N", "this version (default: the current one)", { least: 1, most: 1_000_000 });

export const ALLOW_DAMAGED = flag("also where a source that it quotes is missing or was altered");

export const EVENTS = {
  jsonl: flag("print each event as one JSON line (dr.event.v1), the result last; instead of --json"),
} satisfies OptionTable;

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

export const AGE_PATTERN = /^(\d{1,6})([mhdw])$/;

/** In milliseconds. */
export function age(value: string, about: string): ValueSpec<number> {
  return {
    kind: "value",
    value,
    text: about,
    read(raw) {
      const [, number, unit = ""] = AGE_PATTERN.exec(raw) ?? [];
      const unitMs = UNIT_MS[unit];
      if (number === undefined || unitMs === undefined) throw wrongValue(raw, "an age as 45m, 12h, 30d or 8w");
      return Number(number) * unitMs;
    },
  };
}

export function states(about: string): ListSpec<ExecutionState[]> {
  const known = executionStateSchema.options;
  return {
    kind: "list",
    value: "STATE",
    text: `${about} (commas may join them): ${known.join(", ")}`,
    choices: known,
    read: (raw) => raw.split(",").map(oneState),
  };
}

function oneState(raw: string): ExecutionState {
  // A halt is no state of its own: beside it a run is running, paused or interrupted.
  if (raw === "stopped" || raw === "halted")
    throw new RunError("INVALID_ARGS", {
      reason: `"${raw}" is no state; --halted picks runs that a halt stopped`,
      did_you_mean: "--halted",
    });
  return choice(raw, executionStateSchema.options);
}

/** True when a run is named, by an operand or by an option. */
export function isRunNamed(values: SelectorValues, operands: readonly string[]): boolean {
  return operands.length > 0 || [values.manifest, values.runRoot, values.runId].some((name) => name !== undefined);
}

/** Errors: `INVALID_ARGS` when one of the options was given. */
export function refuseOptions(values: Readonly<Record<string, unknown>>, keys: readonly string[], why: string): void {
  const found = keys.find((key) => values[key] !== undefined && values[key] !== false);
  if (found === undefined) return;
  throw new RunError("INVALID_ARGS", { reason: `${flagName(found)} ${why}`, option: flagName(found) });
}

/** `--all` is about every run. Errors: `INVALID_ARGS` when one run is named, or an option of one run is given. */
export function refuseBesideAll(
  values: Readonly<Record<string, unknown>>,
  operands: readonly string[],
  keysOfOneRun: readonly string[],
): void {
  const [run] = operands;
  if (run !== undefined)
    throw new RunError("INVALID_ARGS", { reason: "--all means every run: name none beside it", option: "--all", run });
  refuseOptions(values, keysOfOneRun, "is about one run and cannot stand beside --all");
}
