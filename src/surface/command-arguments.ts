// The arguments of an asked command: a schema made from its options, and the words of the command line that they become.
import { RunError } from "../kernel/errors.ts";
import { z } from "../kernel/schema.ts";
import { type AskedCommand, MAX_WAIT_S } from "./asked-command.ts";

/** The part of an option that a call needs. */
interface OptionSpec {
  kind: "flag" | "value" | "list";
  text: string;
  choices?: readonly string[];
  range?: { isWhole: boolean; above?: number; least?: number; most: number };
  trust?: { may: string };
}
/** By its key in camelCase. */
export type OptionTable = Readonly<Record<string, OptionSpec>>;

type CommandArgument = string | number | boolean | string[];
export type CommandArguments = Readonly<Record<string, CommandArgument | undefined>>;

/** Of all arguments together: a question and options are short. */
const MAX_BYTES = 96 * 1024;
const MAX_LISTED = 200;
const MAX_REASON = 1000;

/** Strict: an argument that the command does not know is refused. */
export function argumentsSchema(asked: AskedCommand, options: OptionTable): z.ZodType<CommandArguments> {
  const { operand, waitS, input, needs = [] } = asked;
  const members: Record<string, z.ZodType<CommandArgument | undefined>> = {};
  if (operand !== null) {
    const isNeeded = operand.isNeeded && operand.alias === undefined;
    members[operand.name] = isNeeded ? line(operand.about) : line(operand.about).optional();
    if (operand.alias !== undefined) members[operand.alias] = line(`the same as ${operand.name}`).optional();
  }
  if (input !== undefined) members[input.name] = z.string().describe(input.about);
  for (const { key, name, spec } of argumentsOf(asked, options))
    members[name] = needs.includes(key) ? member(spec) : member(spec, asked.standard?.[name]).optional();
  const about = `seconds to wait until it stops, at most; 0 answers at once (default: ${waitS})`;
  if (waitS !== undefined) members["wait"] = z.number().int().min(0).max(MAX_WAIT_S).describe(about).optional();
  return z.strictObject(members);
}

/** JSON Schema, draft 2020-12, for clients. */
export function jsonSchemaOfArguments(
  asked: AskedCommand,
  options: OptionTable,
): Record<string, unknown> & { type: "object" } {
  return { ...z.toJSONSchema(argumentsSchema(asked, options), { io: "input" }), type: "object" };
}

/** Errors: `INPUT_TOO_LARGE`, `INVALID_ARGS` that names each argument that is wrong. */
export function readArguments(asked: AskedCommand, options: OptionTable, given: unknown): CommandArguments {
  const onLine: unknown = { ...(given as object), ...(asked.input === undefined ? {} : { [asked.input.name]: "" }) };
  const bytes = Buffer.byteLength(JSON.stringify(onLine));
  if (bytes > MAX_BYTES)
    throw new RunError("INPUT_TOO_LARGE", { reason: "the arguments are too long", bytes, max_bytes: MAX_BYTES });
  const parsed = argumentsSchema(asked, options).safeParse(given ?? {});
  const refuse = (faults: string): RunError => {
    const takes = Object.keys(jsonSchemaOfArguments(asked, options)["properties"] ?? {});
    return new RunError("INVALID_ARGS", {
      reason: `${asked.name}: ${faults.slice(0, MAX_REASON)}`,
      asked: asked.name,
      takes,
    });
  };
  if (parsed.success) return { ...asked.standard, ...withOperand(asked, parsed.data, refuse) };
  const faults = parsed.error.issues.slice(0, 10).map(({ path, message }) => [...path.map(String), message].join(": "));
  throw refuse(faults.join("; "));
}

/** The operand under its own name, whichever of its names was used. */
function withOperand(
  { operand }: AskedCommand,
  said: CommandArguments,
  refuse: (fault: string) => RunError,
): CommandArguments {
  if (operand?.alias === undefined) return said;
  const { name, alias, isNeeded } = operand;
  const { [alias]: other, ...rest } = said;
  const named = rest[name] ?? other;
  if (named === undefined && isNeeded) throw refuse(`${name}: it has to be said which`);
  if (other !== undefined && named !== other) throw refuse(`${alias}: ${name} says another one`);
  return named === undefined ? rest : { ...rest, [name]: named };
}

/** The arguments as options of a command line, with the operand behind `--`. */
export function commandWords(asked: AskedCommand, options: OptionTable, given: CommandArguments): string[] {
  const words = argumentsOf(asked, options).flatMap(({ name, flag, spec }) => {
    const value = given[name];
    if (value === undefined || value === false) return [];
    return spec.kind === "flag" ? [flag] : [value].flat().map((one) => `${flag}=${String(one)}`);
  });
  if (asked.input !== undefined) words.push("--input=-");
  const operand = asked.operand === null ? undefined : given[asked.operand.name];
  return operand === undefined ? words : [...words, "--", String(operand)];
}

interface Argument {
  /** Of the option in its table: `maxSteps`. */
  key: string;
  /** `max_steps` */
  name: string;
  /** `--max-steps` */
  flag: string;
  spec: OptionSpec;
}

export function argumentsOf({ without }: AskedCommand, options: OptionTable): Argument[] {
  return Object.entries(options)
    .filter(([key]) => !without.includes(key))
    .map(([key, spec]) => {
      const words = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return { key, name: words.replaceAll("-", "_"), flag: `--${words}`, spec };
    });
}

/** `standard` is the default of the call. It takes the place of the default in the text of the option. */
function member(spec: OptionSpec, standard?: number): z.ZodType<CommandArgument> {
  const words = spec.text.replace(/--([a-z-]+)/g, (_option, name: string) => name.replaceAll("-", "_"));
  const about = standard === undefined ? words : words.replace(/ \(default: [^)]*\)$/, ` (default: ${standard})`);
  if (spec.kind === "flag") return z.boolean().describe(about);
  if (spec.range !== undefined) return within(spec.range).describe(about);
  const one = spec.choices === undefined ? line() : z.enum(spec.choices);
  return spec.kind === "list" ? z.array(one).max(MAX_LISTED).describe(about) : one.describe(about);
}

function within({ isWhole, above, least, most }: NonNullable<OptionSpec["range"]>): z.ZodNumber {
  const number = (isWhole ? z.number().int() : z.number()).max(most);
  if (above !== undefined) return number.gt(above);
  return least === undefined ? number : number.min(least);
}

/** One word of a command line. */
function line(about?: string): z.ZodType<string> {
  const text = z
    .string()
    .min(1)
    .refine((value) => !value.includes("\0") && value.isWellFormed(), "holds a NUL or broken Unicode");
  return about === undefined ? text : text.describe(about);
}
