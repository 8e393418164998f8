// orchestrator_tick_live: one tick of a run that language models research.
import { tickTool } from "./orchestrator_tick.ts";

export const orchestrator_tick_live = tickTool(
  "orchestrator_tick_live",
  "Makes one bounded piece of progress of a run of language models, as its stage stands.",
);

export default orchestrator_tick_live;
