// The arguments of an asked command: what a client may say, read from JSON, and the words of the command line that they become.
import { RunError } from "../kernel/errors.ts";
import {
  type Field,
  type FieldTable,
  flagName,
  integer,
  type JsonSchema,
  jsonSchemaOf,
  judged,
  needed,
  text,
} from "../kernel/field.ts";
import { type AskedCommand, MAX_WAIT_S } from "./asked-command.ts";

type CommandArgument = string | number | boolean | string[];
export type CommandArguments = Readonly<Record<string, CommandArgument | undefined>>;

/** Of all arguments together: a question and options are short. */
const MAX_BYTES = 96 * 1024;
const MAX_FAULTS = 10;
const MAX_REASON = 1000;
const UNSAID = "it has to be said";

/** The options of the command that are arguments of the call. */
export function optionsIn({ without, needs = [] }: AskedCommand, options: FieldTable): FieldTable {
  const own = Object.entries(options).filter(([name]) => !without.includes(name));
  return Object.fromEntries(
    own.map(([name, field]) => [name, needs.includes(name) ? { ...field, needed: UNSAID } : field]),
  );
}

/** All that the call takes, by name. */
function argumentsOf(asked: AskedCommand, options: FieldTable): FieldTable {
  const { operand, input, waitS } = asked;
  const fields: Record<string, Field> = {};
  if (operand !== null) {
    const { name, alias, about, isNeeded } = operand;
    fields[name] = isNeeded && alias === undefined ? needed(text("", about), UNSAID) : text("", about);
    if (alias !== undefined) fields[alias] = text("", `the same as ${name}`);
  }
  if (input !== undefined)
    fields[input.name] = needed({ ...text("", input.about), read: (raw: string) => raw }, UNSAID);
  Object.assign(fields, optionsIn(asked, options));
  const about = "seconds to wait until it stops, at most; 0 answers at once";
  if (waitS !== undefined) fields["wait"] = integer("SECONDS", about, { most: MAX_WAIT_S }, waitS);
  return fields;
}

function neededOf(field: Field): string | undefined {
  return field.kind === "list" ? undefined : field.needed;
}

/** JSON Schema, draft 2020-12, for clients. */
export function jsonSchemaOfArguments(
  asked: AskedCommand,
  options: FieldTable,
): { type: "object"; properties: Record<string, JsonSchema>; required: string[]; additionalProperties: false } {
  const fields = Object.entries(argumentsOf(asked, options));
  return {
    type: "object",
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, jsonSchemaOf(field, asked.standard?.[name])] as const),
    ),
    required: fields.flatMap(([name, field]) => (neededOf(field) === undefined ? [] : [name])),
    additionalProperties: false,
  };
}

/** Errors: `INPUT_TOO_LARGE`, `INVALID_ARGS` that names each argument that is wrong. */
export function readArguments(asked: AskedCommand, options: FieldTable, given: unknown): CommandArguments {
  const said = (given ?? {}) as Record<string, CommandArgument | undefined>;
  const { [asked.input?.name ?? ""]: _text, ...onLine } = said;
  const bytes = Buffer.byteLength(JSON.stringify(onLine));
  if (bytes > MAX_BYTES)
    throw new RunError("INPUT_TOO_LARGE", { reason: "the arguments are too long", bytes, max_bytes: MAX_BYTES });
  const fields = argumentsOf(asked, options);
  const faults = [
    ...Object.entries(said).flatMap(([name, value]) => faultOf(fields, name, value) ?? []),
    ...Object.entries(fields).flatMap(([name, field]) => {
      const why = neededOf(field);
      return why !== undefined && said[name] === undefined ? [`${name}: ${why}`] : [];
    }),
  ];
  const refuse = (reason: string): RunError =>
    new RunError("INVALID_ARGS", {
      reason: `${asked.name}: ${reason.slice(0, MAX_REASON)}`,
      asked: asked.name,
      takes: Object.keys(fields),
    });
  if (faults.length > 0) throw refuse(faults.slice(0, MAX_FAULTS).join("; "));
  return { ...asked.standard, ...withOperand(asked, said, refuse) };
}

function faultOf(fields: FieldTable, name: string, value: unknown): string | null {
  if (value === undefined) return null;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined) return `${name}: there is no such argument`;
  try {
    judged(field, value);
    return null;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return `${name}: ${String(error.facts["reason"])}`;
  }
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
export function commandWords(asked: AskedCommand, options: FieldTable, given: CommandArguments): string[] {
  const words = Object.entries(optionsIn(asked, options)).flatMap(([name, { kind }]) => {
    const [flag, value] = [flagName(name), given[name]];
    if (value === undefined || value === false) return [];
    return kind === "flag" ? [flag] : [value].flat().map((one) => `${flag}=${String(one)}`);
  });
  if (asked.input !== undefined) words.push("--input=-");
  const operand = asked.operand === null ? undefined : given[asked.operand.name];
  return operand === undefined ? words : [...words, "--", String(operand)];
}
