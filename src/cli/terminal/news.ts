// The lines about what a run has decided and not found: its plan, what it assumes, gaps, and what a review wants.
import { isObject } from "../../kernel/json-object.ts";
import { pivotSchema, planSchema, reviewSchema } from "../../run/report/research.ts";
import type { AnyRecord } from "../../run/log/record.ts";
import { oneLine } from "./layout.ts";

/** A line that is not cut to a terminal. */
const MAX_WIDTH = 200;

/** None for most records, and where a result is too large to be in its record. */
export function newsIn(record: AnyRecord, width = MAX_WIDTH): string[] {
  return wordsIn(record).map((words) => `  ${oneLine(words, width - 2)}`);
}

function wordsIn(record: AnyRecord): string[] {
  if (record.kind === "tool.completed") {
    const { outcome, state } = record.data;
    const gap = isObject(state) ? state["gap"] : undefined;
    return outcome === "done" && isObject(gap) ? [`not found: ${String(gap["text"])}`] : [];
  }
  if (record.kind !== "step.completed") return [];
  const { key, value } = record.data;
  if (key === "perspectives:plan") {
    const { perspectives = [], assumptions = [] } = planSchema.safeParse(value).data ?? {};
    return [...perspectives.map(({ title }) => `planned: ${title}`), ...assumptions.map((one) => `assumed: ${one}`)];
  }
  if (key.startsWith("pivot:"))
    return (pivotSchema.safeParse(value).data?.gaps ?? []).map(({ title }) => `missing: ${title}`);
  if (!key.startsWith("review:draft-")) return [];
  return (reviewSchema.safeParse(value).data?.directives ?? []).map(({ detail }) => `review: ${detail}`);
}
