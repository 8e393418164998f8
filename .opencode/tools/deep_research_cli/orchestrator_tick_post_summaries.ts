// orchestrator_tick_post_summaries: one tick of a run whose findings are summarized.
import { tickTool } from "./orchestrator_tick.ts";

export const orchestrator_tick_post_summaries = tickTool(
  "orchestrator_tick_post_summaries",
  "Makes one bounded piece of progress of a run behind its summaries: draft, review or release, as its stage stands.",
);

export default orchestrator_tick_post_summaries;
