// orchestrator_tick_fixture: one tick of a run that replays recorded results.
import { tickTool } from "./orchestrator_tick.ts";

export const orchestrator_tick_fixture = tickTool(
  "orchestrator_tick_fixture",
  "Makes one bounded piece of progress of a run that replays recorded results, as its stage stands.",
);

export default orchestrator_tick_fixture;
