// Estimates how many calls of models a run still makes, from what capable models were seen to need. No limit depends on it.
import type { Mode } from "../settings/fields.ts";
import type { Limits } from "../settings/settings.ts";
import { STAGES, type Stage } from "../stage.ts";

/** Of one researcher: most search twice and record twice. */
const CALLS_OF_RESEARCHER = 3.5;
/** Of one who looks for a gap. */
const CALLS_OF_GAP = 2.5;
const LIKELY_GAPS = 2;
const SECTIONS: Record<Mode, number> = { quick: 0, standard: 3, deep: 5 };
/** Two reviews, the research that one of them requests, and a rewriting. */
const CALLS_OF_REVIEW = 6;

export interface Progress {
  mode: Mode;
  limits: Pick<Limits, "max_perspectives" | "max_depth" | "max_gaps" | "max_rounds">;
  stage: Stage;
  /** The steps of the stage that are planned, and those that are not done. 0 while none is planned. */
  steps: { planned: number; open: number };
}

/** The calls to come, rounded up: in the present stage by its open steps, and in all later ones. */
export function expectedCalls({ mode, limits, stage, steps }: Progress): number {
  const calls = callsByStage(mode, limits);
  const share = steps.planned === 0 ? 1 : steps.open / steps.planned;
  const later = STAGES.slice(STAGES.indexOf(stage) + 1).reduce((sum, one) => sum + (calls[one] ?? 0), 0);
  return Math.ceil(share * (calls[stage] ?? 0) + later);
}

function callsByStage(mode: Mode, limits: Progress["limits"]): Partial<Record<Stage, number>> {
  const { max_perspectives, max_depth, max_gaps, max_rounds } = limits;
  const waves = max_gaps === 0 ? 0 : max_depth - 1;
  return {
    perspectives: 1,
    // What a wave recorded is judged in one call.
    wave1: max_perspectives * CALLS_OF_RESEARCHER + 1,
    pivot: Math.min(1, waves),
    wave2: waves * (Math.min(max_gaps, LIKELY_GAPS) * CALLS_OF_GAP + 1),
    // A page, a section or an answer is written and judged.
    synthesis: mode === "quick" ? 3 : 1 + (SECTIONS[mode] + 1) * 2,
    review: max_rounds > 1 ? CALLS_OF_REVIEW : 0,
  };
}
