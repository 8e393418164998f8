// Reads what a person wishes of a plan or a page, in one sentence.
import { instructionSchema } from "../../run/settings/settings.ts";
import { wrongValue } from "../../kernel/wrong-value.ts";

/** Errors: `INVALID_ARGS`. */
export function instructionOf(said: string | undefined): string | undefined {
  if (said === undefined) return undefined;
  const read = instructionSchema.safeParse(said.trim());
  if (!read.success) throw wrongValue(said, "a wish in one to 500 characters");
  if (!/[\p{L}\p{N}]/u.test(read.data)) throw wrongValue(said, "a wish in words: put your own between the quotes");
  return read.data;
}
