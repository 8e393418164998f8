// Reads a value by a schema and refuses what the schema would only leave out: a key that is misspelt is no setting.
import { RunError } from "../../kernel/errors.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import type { z } from "../../kernel/schema.ts";

/** Errors: `INVALID_ARGS` whose `key` is the member that is wrong. */
export function strictlyParsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RunError("INVALID_ARGS", { reason: issue?.message ?? "", ...at(issue?.path.map(String) ?? []) });
  }
  refuseLeftOut(value, parsed.data, []);
  return parsed.data;
}

function refuseLeftOut(given: unknown, taken: unknown, path: readonly string[]): void {
  if (typeof given !== "object" || given === null || typeof taken !== "object" || taken === null) return;
  for (const [key, member] of Object.entries(given)) {
    if (!Object.hasOwn(taken, key)) {
      const [nearest] = nearestNames(key.slice(0, 80), Object.keys(taken));
      const did_you_mean = nearest === undefined ? {} : { did_you_mean: nearest };
      throw new RunError("INVALID_ARGS", { reason: "there is no such key", ...at([...path, key]), ...did_you_mean });
    }
    refuseLeftOut(member, (taken as Record<string, unknown>)[key], [...path, key]);
  }
}

function at(path: readonly string[]): { key?: string } {
  return path.length === 0 ? {} : { key: path.join(".") };
}
