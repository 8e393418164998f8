// deep-research watch
import { settledStanding } from "../../operations/look/triage-run.ts";
import { RunError } from "../../kernel/errors.ts";
import { followRun, type Watcher } from "../../operations/look/watch-run.ts";
import { followRuns } from "../../operations/look/watch-runs.ts";
import { count } from "../../surface/words.ts";
import { type Answer, type CommandContext, runCommand } from "../command.ts";
import { LOOK_EXITS } from "../exits.ts";
import { flag, integer } from "../../kernel/field.ts";
import { EVENTS } from "../options/options.ts";

export const command = runCommand({
  description:
    "Shows each record of a run's journal as it becomes durable, and ends when the run stops. Without a run it follows all that are at work, from now on, and ends when none is.",
  seeAlso: ["status", "run", "tick"],
  options: EVENTS,
  fields: {
    since: integer(
      "SEQ",
      "begin behind this record",
      {
        least: 0,
        most: Number.MAX_SAFE_INTEGER,
      },
      "the last lines; with --jsonl all records",
    ),
    follow: flag("continue past a pause or a halt; without a run, until Ctrl-C"),
  },
  examples: [
    ["watch", "every run at work, until none is"],
    ["watch --follow", "also those that begin later"],
    ["watch dr_2026", "one run, until it ends, pauses or halts"],
    ["watch dr_2026 --follow", "also through halts that are lifted"],
    ["watch dr_2026 --jsonl --since 120", "events for programs, from where a stream broke off"],
  ],
  notes: [
    "Leave it with Ctrl-C: the run continues. A run whose process dies is followed again once another process continues it.",
  ],
  exits: [...LOOK_EXITS, [130, "Ctrl-C: the run continues as it was"]],
  async run(context, input) {
    const { host, ports } = context;
    if (input.run === undefined) return await watchAll(context, input);
    const runRoot = await context.locate(input.run);
    const { interrupt, terminate } = await context.takeSignals();
    const { eventWatcher, lineWatcher } = await import("../terminal/watch-display.ts");
    const lines = lineWatcher(host, ports, await context.styleOn("stdout"), input.since !== undefined);
    const watcher: Watcher =
      context.common.jsonl === true ? eventWatcher(host, "one run") : context.common.json ? {} : lines.watcher;
    const options = { sinceSeq: input.since ?? 0, follow: input.follow };
    try {
      const signal = AbortSignal.any([interrupt, terminate]);
      const outcome = await followRun(ports, runRoot, options, watcher, signal);
      lines.end();
      return {
        outcome,
        text: async (style) => {
          const { run, result } = outcome;
          const { standingRows } = await import("../text/status-text.ts");
          // The last line already showed its name and its state.
          return standingRows(run, result.status, await settledStanding(ports, run), style);
        },
      };
    } finally {
      lines.end();
    }
  },
});

async function watchAll(
  { host, ports, runsRoot, styleOn, takeSignals, common }: CommandContext,
  { since, follow }: { since: number | undefined; follow: boolean },
): Promise<Answer> {
  if (since !== undefined)
    throw new RunError("INVALID_ARGS", {
      reason: "name a run: the records of several runs have no common number",
      option: "--since",
    });
  const { interrupt, terminate } = await takeSignals();
  const { eventWatcher, linesWatcher } = await import("../terminal/watch-display.ts");
  const lines = async (): Promise<Watcher> => linesWatcher(host, ports, await styleOn("stdout"));
  const { json, jsonl } = common;
  const watcher = jsonl === true ? eventWatcher(host, "several runs") : json ? {} : await lines();
  const outcome = await followRuns(ports, runsRoot(), { follow }, watcher, AbortSignal.any([interrupt, terminate]));
  const { runs } = outcome.result;
  const sentence =
    runs.length === 0 ? "no run is at work" : `${count(runs.length, "run")} followed; none is at work any more`;
  return { outcome, text: () => `${sentence}\n` };
}
