// Lists the definition of each stage by its name.
import type { Stage } from "../run/stage.ts";
import { citationsStage } from "./citations.ts";
import { finalizeStage } from "./finalize.ts";
import { perspectivesStage } from "./perspectives.ts";
import { pivotStage } from "./pivot.ts";
import { reviewStage } from "./review.ts";
import type { StageDefinition } from "./stage-definition.ts";
import { summariesStage } from "./summaries.ts";
import { synthesisStage } from "./synthesis.ts";
import { wave1Stage, wave2Stage } from "./waves.ts";

/** `init` has no definition, because its work was to make the run. */
export const STAGE_DEFINITIONS: Record<Exclude<Stage, "init">, StageDefinition> = {
  perspectives: perspectivesStage,
  wave1: wave1Stage,
  pivot: pivotStage,
  wave2: wave2Stage,
  citations: citationsStage,
  summaries: summariesStage,
  synthesis: synthesisStage,
  review: reviewStage,
  finalize: finalizeStage,
};
