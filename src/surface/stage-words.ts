// The names of stages for people, on the terminal as on the page. Records, files and flags keep the stored names.
import { STAGES, type Stage } from "../run/stage.ts";

export const STAGE_NAMES: Readonly<Record<Stage, string>> = {
  init: "Set-up",
  perspectives: "Plan",
  wave1: "First search",
  pivot: "Gaps",
  wave2: "Second search",
  citations: "Citations",
  summaries: "Summaries",
  synthesis: "Draft",
  review: "Review",
  finalize: "Report",
};

/** Within a sentence: `first search`; what is no stage stays as it is. */
export function stageName(stage: string): string {
  const known = STAGES.find((one) => one === stage);
  return known === undefined ? stage : STAGE_NAMES[known].toLowerCase();
}
