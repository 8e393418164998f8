// deep-research run
import { given } from "../../kernel/given.ts";
import { runRun } from "../../operations/change/run-run.ts";
import { STAGES } from "../../run/stage.ts";
import { runCommand } from "../command.ts";
import { WORK_EXITS } from "../exits.ts";
import { integer, oneOf } from "../../kernel/field.ts";
import { EVENTS } from "../options/options.ts";

export const MAX_TICKS = 1_000_000;

export const command = runCommand({
  description:
    "Ticks until the run is completed, halts, or is stopped. A paused run is refused: resume lifts the pause.",
  seeAlso: ["resume", "tick", "watch"],
  options: EVENTS,
  fields: {
    until: oneOf("STAGE", "stop when this stage is reached", STAGES),
    max_ticks: integer("N", "at most this many ticks", { least: 1, most: MAX_TICKS }),
  },
  examples: [
    ["run", "the newest run: starts it when idle, continues it when interrupted"],
    ["run dr_2026 --until citations", "stop in front of a stage"],
  ],
  exits: WORK_EXITS,
  async run(context, input) {
    const runRoot = await context.locate(input.run);
    const options = given({ untilStage: input.until, maxTicks: input.max_ticks });
    const outcome = await runRun(context.ports, runRoot, options, await context.observe(), await context.takeSignals());
    return {
      outcome,
      text: async (style) => (await import("../text/run-text.ts")).runText(context.ports, outcome, style),
    };
  },
});
