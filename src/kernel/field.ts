// A field of an input as data: its type, range, default and words are said once. Readers, schemas, flags and forms are made from it.
import { anyOf } from "./any-of.ts";
import { RunError } from "./errors.ts";
import { given } from "./given.ts";
import { wrongJson, wrongValue } from "./wrong-value.ts";

export interface NumberRange {
  isWhole: boolean;
  /** The number is larger. */
  above?: number;
  /** 0 where nothing is said. */
  least?: number;
  most: number;
}

/** How far another than the user (the file of a workspace, an agent) may set a field. */
export interface Trust {
  /**
   * `same`: what the user says of it. `fewer`: some of what the user names. `stricter`: nothing looser, and `less`: nothing more
   * than the user says. `inside`: paths in folders that are theirs to name, and pages where the user's providers have the web.
   * `nothing`: only the user says it.
   */
  may: "same" | "fewer" | "stricter" | "less" | "inside" | "nothing";
  /** What it decides or does, behind "for". */
  why: string;
  /** Values that do no harm from any caller. */
  free?: readonly string[];
}

export interface FlagField {
  kind: "flag";
  about: string;
  /** What is said where a call leaves it out; absent for one that may be left out. */
  needed?: string;
}
export interface ValueField<T> {
  kind: "value";
  about: string;
  /** The name of the value in help: `N`, `DIR`. */
  word: string;
  /** The default, in words where it depends on other fields. */
  standard?: string | number;
  /** What is said where it was left out; absent for a field that may be left out. */
  needed?: string;
  /** What a workspace or an agent may say of it; absent where that is anything. */
  trust?: Trust;
  /** A whole text, which a command line reads from a file. */
  isContent?: true;
  /** All possible values, where they can be named. */
  choices?: readonly string[];
  range?: NumberRange;
  /** Reads a word of a command line. Errors: `INVALID_ARGS` that says what is expected. */
  readonly read: (raw: string) => T;
}
export interface NeededField<T> extends ValueField<T> {
  needed: string;
}
/** May be given several times, and takes several values in a row. */
export interface ListField<T> extends Omit<ValueField<T>, "kind" | "needed" | "range" | "isContent"> {
  kind: "list";
}
export type Field = FlagField | ValueField<unknown> | ListField<unknown>;

/** By name, in snake_case: that of JSON and of files; the flag and the variable follow from it. */
export type FieldTable = Readonly<Record<string, Field>>;

/** What an input holds once it is read. */
export type InputOf<Table extends FieldTable> = {
  [Name in keyof Table]: Table[Name] extends FlagField
    ? boolean
    : Table[Name] extends ListField<infer T>
      ? T[]
      : Table[Name] extends NeededField<infer T>
        ? T
        : Table[Name] extends ValueField<infer T>
          ? T | undefined
          : never;
};

// --- builders -----------------------------------------------------------------------------------------------------

export const flag = (about: string): FlagField => ({ kind: "flag", about });

export const text = (word: string, about: string, standard?: string): ValueField<string> => ({
  kind: "value",
  word,
  about,
  ...given({ standard }),
  read(raw) {
    if (raw === "") throw wrongValue(raw, "a value");
    if (raw.includes("\0") || !raw.isWellFormed()) throw wrongValue(raw, "text without a NUL or broken Unicode");
    return raw;
  },
});

/** A whole text, such as an answer, of at most so many bytes. Errors of reading: `INPUT_TOO_LARGE`. */
export function content(about: string, max_bytes: number): ValueField<string> {
  const read = (raw: string): string => {
    if (Buffer.byteLength(raw) <= max_bytes) return raw;
    throw new RunError("INPUT_TOO_LARGE", { reason: "the text is too large", max_bytes });
  };
  return { ...text("", about), isContent: true, read };
}

export interface NumberField extends ValueField<number> {
  range: NumberRange;
}

function numeric(word: string, about: string, range: NumberRange, standard?: string | number): NumberField {
  return {
    kind: "value",
    word,
    about,
    range,
    ...given({ standard }),
    read(raw) {
      const number = (range.isWhole ? /^-?\d{1,15}$/ : /^\d{1,12}(\.\d{1,8})?$/).test(raw) ? Number(raw) : NaN;
      if (isWithin(range, number)) return number;
      throw wrongValue(raw, expectedNumber(range));
    },
  };
}

type Bounds = Omit<NumberRange, "isWhole">;

export const integer = (word: string, about: string, bounds: Bounds, standard?: string | number): NumberField =>
  numeric(word, about, { isWhole: true, ...bounds }, standard);
/** A number that may have a fraction. */
export const decimal = (word: string, about: string, bounds: Bounds, standard?: string | number): NumberField =>
  numeric(word, about, { isWhole: false, ...bounds }, standard);

export interface ChoiceField<T extends string> extends ValueField<T> {
  choices: readonly T[];
}

export function oneOf<const T extends string>(
  word: string,
  about: string,
  choices: readonly T[],
  standard?: NoInfer<T>,
): ChoiceField<T> {
  const read = (raw: string): T => {
    const found = choices.find((one) => one === raw);
    if (found !== undefined) return found;
    throw wrongValue(raw, anyOf(choices), choices);
  };
  return { kind: "value", word, about: `${about}: ${choices.join(", ")}`, choices, ...given({ standard }), read };
}

/** A list of values of this field. */
export function listOf<T>({
  needed: _needed,
  range: _range,
  isContent: _content,
  ...field
}: ValueField<T>): ListField<T> {
  return { ...field, kind: "list" };
}

export const needed = <T>(field: ValueField<T>, why: string): NeededField<T> => ({ ...field, needed: why });

/** The same field, of which another than the user may say only so much. */
export function trusted<F extends ValueField<unknown> | ListField<unknown>>(
  field: F,
  may: Trust["may"],
  why: string,
  free: readonly string[] = [],
): F {
  return { ...field, trust: { may, why, free } };
}

/** The fields that the other table has not. */
export function without<Table extends FieldTable, Other extends FieldTable>(
  table: Table,
  other: Other,
): Omit<Table, keyof Other> {
  const fields = Object.entries(table).filter(([name]) => !Object.hasOwn(other, name));
  return Object.fromEntries(fields) as Omit<Table, keyof Other>;
}

/** The same fields where what is not given stays as it is. */
export function withoutDefaults<Table extends FieldTable>(table: Table): Table {
  const fields = Object.entries(table).map(([name, field]) => {
    if (field.kind === "flag") return [name, field];
    const { standard: _standard, ...others } = field;
    return [name, others];
  });
  // Only the words of help change.
  return Object.fromEntries(fields) as Table;
}

// --- names and words ----------------------------------------------------------------------------------------------

/** `max_steps` -> `--max-steps`. */
export const flagName = (name: string): string => `--${name.replaceAll("_", "-")}`;
/** `max_steps` -> `DEEP_RESEARCH_MAX_STEPS`. */
export const variableName = (name: string): string => `DEEP_RESEARCH_${name.toUpperCase()}`;

/** `standard` replaces the field's own default. */
export function helpOf(field: Field, standard?: string | number): string {
  const byDefault = standard ?? (field.kind === "flag" ? undefined : field.standard);
  return byDefault === undefined ? field.about : `${field.about} (default: ${byDefault})`;
}

/** Options are called by the names of their fields. */
export function namesForFlags(words: string): string {
  return words.replace(/--([a-z][a-z-]+)/g, (_flag, name: string) => name.replaceAll("-", "_"));
}

function expectedNumber({ isWhole, above, least = 0, most }: NumberRange): string {
  const bounds = above === undefined ? `from ${least} to ${most}` : `above ${above} and up to ${most}`;
  return `a ${isWhole ? "whole number" : "number"} ${bounds}`;
}

// --- values -------------------------------------------------------------------------------------------------------

function isWithin({ isWhole, above, least = 0, most }: NumberRange, value: number): boolean {
  return value >= least && value <= most && value !== above && (!isWhole || Number.isInteger(value));
}

/** Of the values of a list. */
export const MAX_LISTED = 200;

/** A value of JSON, read as the word of a command line is. Errors: `INVALID_ARGS` that says what is expected. */
export function judged(field: Field, value: unknown): unknown {
  if (field.kind === "flag") {
    if (typeof value !== "boolean") throw wrongJson(value, "true or false");
    return value;
  }
  if (field.kind === "value") return judgedOne(field, value);
  if (!Array.isArray(value) || value.length > MAX_LISTED) throw wrongJson(value, `a list of at most ${MAX_LISTED}`);
  return value.map((one) => judgedOne(field, one));
}

export function judgedOne(field: ValueField<unknown> | ListField<unknown>, value: unknown): unknown {
  const range = field.kind === "value" ? field.range : undefined;
  if (range !== undefined) {
    if (typeof value !== "number") throw wrongJson(value, "a number");
    if (!isWithin(range, value)) throw wrongJson(value, expectedNumber(range));
    // With no more digits than an option may have, since a next step may name it as one.
    return field.read(String(value));
  }
  if (typeof value !== "string") throw wrongJson(value, "text in quotes");
  return field.read(value);
}

/** An absent flag is `false`, and an absent list is empty. */
export function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

/** What an input holds where nothing is said. */
export function completed<Table extends FieldTable>(
  table: Table,
  said: Readonly<Record<string, unknown>>,
): InputOf<Table> {
  const values = Object.entries(table).map(([name, field]) => {
    const nothing = field.kind === "flag" ? false : field.kind === "list" ? [] : undefined;
    return [name, said[name] ?? nothing];
  });
  return Object.fromEntries(values) as InputOf<Table>;
}

/** Errors: `INVALID_ARGS` for the first field that has to be said and is not. */
export function refuseMissing(table: FieldTable, said: Readonly<Record<string, unknown>>): void {
  for (const [name, field] of Object.entries(table))
    if (field.kind === "value" && field.needed !== undefined && said[name] === undefined)
      throw new RunError("INVALID_ARGS", { reason: field.needed, option: flagName(name) });
}
