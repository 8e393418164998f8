// What the journal calls by a fixed name, in words: changes of state, and why a report version was made.
import type { TriggerType } from "../../run/report.ts";
import { oneLine } from "../terminal/text.ts";

/** A run that ended because its work was done has no reason beyond that. */
const DONE = "natural_stop";

export function changeText({ from, to, reason }: { from: string; to: string; reason: string }, width: number): string {
  return `${from} -> ${to}${reason === DONE ? "" : `: ${oneLine(reason, width)}`}`;
}

export const TRIGGERS: Record<TriggerType, string> = {
  auto_natural_stop: "at the end",
  manual: "asked for",
  budget: "at the budget",
};
