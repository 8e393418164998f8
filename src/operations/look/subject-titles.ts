// The titles of the perspectives and gaps that the steps of a run work on, for people who watch.
import { RunError } from "../../kernel/errors.ts";
import type { z } from "../../kernel/zod.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { parseWith } from "../../run/common.ts";
import { pivotSchema, planSchema } from "../../run/report/research.ts";
import type { Stage } from "../../run/stage.ts";

/** Titles by id, as far as they are known and can be read. */
export async function subjectTitles({ store }: Pick<Ports, "store">, runRoot: string): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  try {
    const run = await store.look(runRoot);
    const plan = await resultOf({ store, run }, "perspectives", "perspectives:plan", planSchema);
    const pivot = await resultOf({ store, run }, "pivot", "pivot:decide", pivotSchema);
    for (const { id, title } of [...(plan?.perspectives ?? []), ...(pivot?.gaps ?? [])]) titles.set(id, title);
  } catch (error) {
    // The process that works on the run says what is wrong with it.
    if (!(error instanceof RunError)) throw error;
  }
  return titles;
}

async function resultOf<T>(
  { store, run }: Pick<Ports, "store"> & { run: RunLook },
  stage: Stage,
  key: string,
  schema: z.ZodType<T>,
): Promise<T | null> {
  const result = (await store.readSteps(run, stage))[key]?.result;
  return result === undefined ? null : parseWith(schema, await store.readResult(run.runRoot, result), { step: key });
}
