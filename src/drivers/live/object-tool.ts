// Tools whose arguments are one JSON object with a schema: what does not fit is told to the model, never thrown.
import type { Awaitable } from "../../kernel/awaitable.ts";
import { describeCause, RunError } from "../../kernel/errors.ts";
import { builtSchema, z } from "../../kernel/schema.ts";
import { parseStrictJsonText } from "../../kernel/strict-json.ts";
import type { Tool, ToolAnswer } from "../../ports/driver.ts";

export interface ObjectTool<T> {
  name: string;
  description: string;
  schema: z.ZodType<T>;
  isSafe: (value: T) => Awaitable<boolean>;
  run: (value: T) => Promise<ToolAnswer>;
}

export type ReadArguments<T> = { kind: "fit"; value: T } | { kind: "unfit"; problem: string };

const MAX_PROBLEMS = 5;

export function objectTool<T>({ name, description, schema, isSafe, run }: ObjectTool<T>): Tool {
  return {
    description: { name, description, input_schema: jsonSchemaOf(schema) },
    isSafe(args) {
      const read = readArguments(schema, args);
      // Arguments that do not fit run nothing.
      return read.kind === "unfit" || isSafe(read.value);
    },
    async run(args) {
      const read = readArguments(schema, args);
      if (read.kind === "fit") return await run(read.value);
      return { content: `The arguments do not fit: ${read.problem}`, is_error: true };
    },
  };
}

export function readArguments<T>(schema: z.ZodType<T>, args: string): ReadArguments<T> {
  let value: unknown;
  try {
    value = args.trim() === "" ? {} : parseStrictJsonText(args);
  } catch (error) {
    return { kind: "unfit", problem: jsonProblem(error) };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { kind: "fit", value: parsed.data };
  const problems = parsed.error.issues
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) => `${path.join(".") || "the object"}: ${message}`);
  return { kind: "unfit", problem: problems.join("; ") };
}

function jsonProblem(error: unknown): string {
  if (!(error instanceof RunError)) return describeCause(error);
  const { reason, line, column } = error.facts;
  return line === undefined ? String(reason) : `${String(reason)}, at line ${Number(line)}, column ${Number(column)}`;
}

function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(builtSchema(schema), { io: "input" }) as Record<
    string,
    unknown
  >;
  return rest;
}
