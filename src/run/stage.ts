// The ten stages of a run, their order and their default time limits.
import { z } from "../kernel/zod.ts";

/** The stages in their order. A stage is late after so many seconds without progress. */
export const DEFAULT_TIMEOUTS_S = {
  init: 120,
  perspectives: 600,
  wave1: 1800,
  pivot: 600,
  wave2: 1800,
  citations: 1200,
  summaries: 1200,
  synthesis: 1200,
  review: 1200,
  finalize: 600,
};
export type Stage = keyof typeof DEFAULT_TIMEOUTS_S;
export const STAGES = Object.keys(DEFAULT_TIMEOUTS_S) as Stage[];
export const stageSchema = z.enum(STAGES);

export const MAX_STAGE_TIMEOUT_S = 7 * 86_400;

/** The stages that may follow. After `pivot` there are two, since it decides about wave 2. */
export function stagesAfter(stage: Stage): readonly Stage[] {
  if (stage === "pivot") return ["wave2", "citations"];
  const next = STAGES[STAGES.indexOf(stage) + 1];
  return next === undefined ? [] : [next];
}

export function isStageBefore(stage: Stage, other: Stage): boolean {
  return STAGES.indexOf(stage) < STAGES.indexOf(other);
}

/** True for stages that gather evidence. From the citations on, stages work on what is stored. */
export function readsCorpora(stage: Stage): boolean {
  return isStageBefore(stage, "citations");
}

/** The most drafts that a run may write. */
export const MAX_ROUNDS = 10;
