// Makes tools whose arguments are one JSON object with a schema. When arguments do not fit, the model reads why.
import type { Awaitable } from "../../kernel/awaitable.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { z } from "../../kernel/zod.ts";
import type { Tool, ToolAnswer } from "../../ports/driver.ts";
import { jsonSchemaOf, readAnswer } from "./read-answer.ts";

const MAX_PROBLEMS = 5;
const MAX_LENGTH = 2_000;

export interface ObjectTool<T> {
  name: string;
  description: string;
  schema: z.ZodType<T>;
  /** True when the tool may be run twice with these arguments. By default it may. */
  isSafe?: (value: T) => Awaitable<boolean>;
  /** What is said beside the form of arguments that are too long: see `nearly` of `readAnswer`. */
  problemsOf?: (value: T) => Awaitable<string[]>;
  run: (value: T) => Awaitable<ToolAnswer>;
}

export function objectTool<T>({ name, description, schema, ...tool }: ObjectTool<T>): Tool {
  const { isSafe = () => true, problemsOf = () => [], run } = tool;
  return {
    description: { name, description, input_schema: jsonSchemaOf(schema) },
    isSafe(args) {
      const read = readAnswer(schema, args);
      // Arguments that do not fit run nothing.
      return read.kind === "unfit" || isSafe(read.value);
    },
    async run(args) {
      const read = readAnswer(schema, args);
      if (read.kind === "fit") return await run(read.value);
      const others = read.nearly === undefined ? [] : await problemsOf(read.nearly);
      const problems = [...read.problems.slice(0, MAX_PROBLEMS), ...others].join("; ");
      return { content: shortened(`The arguments do not fit: ${problems}`, MAX_LENGTH), is_error: true };
    },
  };
}
