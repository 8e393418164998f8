// deep-research tick
import { given } from "../../kernel/given.ts";
import { tickRun } from "../../operations/change/tick-run.ts";
import { runCommand } from "../command.ts";
import { WORK_EXITS } from "../exits.ts";
import { RunError } from "../../kernel/errors.ts";
import { flag, integer, text } from "../../kernel/field.ts";
import { EVENTS, refuseBesideAll, refuseOptions } from "../options/options.ts";

const MAX_STEPS = 100_000;
const MAX_JOBS = 64;

export const command = runCommand({
  description:
    "Works on one stage of a run, or on fewer steps, and ends. It starts an idle run, continues an interrupted one, and lifts neither a pause nor a halt. With --all it does so for every run that can continue by itself. The exit status is the highest of all runs.",
  seeAlso: ["run", "watchdog", "triage"],
  options: EVENTS,
  fields: {
    max_steps: integer("N", "at most this many steps", { least: 1, most: MAX_STEPS }),
    reason: text("TEXT", "why, for the journal"),
    all: flag("work on every run that can continue by itself; for cron"),
    jobs: integer("N", "with --all: runs worked on side by side", { least: 1, most: MAX_JOBS }, 1),
  },
  examples: [
    ["tick", "one tick of the newest run"],
    ["tick dr_2026 --max-steps 1", "one step"],
    ["tick --all --quiet", "from cron: every run that can continue by itself"],
  ],
  exits: WORK_EXITS,
  async run(context, input) {
    const { ports } = context;
    if (input.all) {
      // Events do not name their run, so several runs cannot share a stream.
      refuseBesideAll(input, ["max_steps", "reason"]);
      if (context.common.jsonl === true)
        throw new RunError("INVALID_ARGS", {
          reason: "--jsonl is about one run and cannot be combined with --all",
          option: "--jsonl",
        });
      const { tickEvery } = await import("./tick-every.ts");
      return await tickEvery(context, input.jobs ?? 1);
    }
    refuseOptions(input, ["jobs"], "goes with --all");
    const runRoot = await context.locate(input.run);
    const options = given({ maxSteps: input.max_steps, reason: input.reason });
    const outcome = await tickRun(ports, runRoot, options, async () => ({
      observer: await context.observe(),
      signals: await context.takeSignals(),
    }));
    return {
      outcome,
      text: async (style) => (await import("../text/run-text.ts")).runText(ports, outcome, style),
    };
  },
});
