// orchestrator_tick_post_pivot: one tick of a run that has decided what a second wave is to find.
import { tickTool } from "./orchestrator_tick.ts";

export const orchestrator_tick_post_pivot = tickTool(
  "orchestrator_tick_post_pivot",
  "Makes one bounded piece of progress of a run behind its pivot: second wave, citations or summaries, as its stage stands.",
);

export default orchestrator_tick_post_pivot;
