// deep-research tick
import { given } from "../../kernel/given.ts";
import { tickRun } from "../../operations/tick-run.ts";
import { runCommand } from "../command.ts";
import { WORK_EXITS } from "../exits.ts";
import { flag, integer, text } from "../../kernel/field.ts";
import { EVENTS, refuseBesideAll, refuseOptions, SELECTOR } from "../options/options.ts";

const MAX_STEPS = 100_000;
const MAX_JOBS = 64;

export const command = runCommand({
  description:
    "Works on one stage of a run, or on fewer steps, and ends. It starts an idle run, continues an interrupted one, and lifts neither a pause nor a halt. With --all it does so for every run that waits for nobody. The exit status is the highest of all runs.",
  seeAlso: ["run", "watchdog", "triage"],
  options: {
    ...EVENTS,
    max_steps: integer("N", "at most this many steps", { least: 1, most: MAX_STEPS }),
    reason: text("TEXT", "why, for the journal"),
    all: flag("work on every run that can go on by itself; for cron"),
    jobs: integer("N", "with --all: runs worked on side by side", { least: 1, most: MAX_JOBS }, 1),
  },
  examples: [
    ["tick", "one tick of the newest run"],
    ["tick dr_2026 --max-steps 1", "one step"],
    ["tick --all --quiet", "from cron: every run that waits for nobody"],
  ],
  exits: WORK_EXITS,
  async run(context, values, operands) {
    const { ports } = context;
    if (values.all) {
      // Events do not name their run, so several runs cannot share a stream.
      refuseBesideAll(values, operands, ["max_steps", "reason", "jsonl"]);
      const { tickEvery } = await import("./tick-every.ts");
      return await tickEvery(context, values.jobs ?? 1);
    }
    refuseOptions(values, ["jobs"], "goes with --all");
    const runRoot = await context.locate(values, operands);
    const options = given({ maxSteps: values.max_steps, reason: values.reason });
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
