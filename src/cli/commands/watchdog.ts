// deep-research watchdog
import { stageName } from "../../surface/stage-words.ts";
import { watchAll, type WatchedRuns, watchRun } from "../../operations/change/watchdog.ts";
import type { Outcome } from "../../operations/outcome.ts";
import { runCommand } from "../command.ts";
import { BAD_USAGE, NO_SUCH_RUN } from "../exits.ts";
import { flag } from "../../kernel/field.ts";
import type { Style } from "../terminal/style.ts";
import { columns } from "../terminal/layout.ts";
import { count, duration } from "../../surface/words.ts";

export const command = runCommand({
  description:
    "Fails every run whose stage is past its time limit, and writes a checkpoint into logs/. A hung process can write nothing after that.",
  seeAlso: ["tick", "fork", "triage"],
  fields: { strict: flag("judge by the wall clock alone") },
  examples: [
    ["watchdog", "every run: for cron"],
    ["watchdog dr_2026", "one run"],
  ],
  notes: [
    "How it judges\n  Only time in which a process worked on the run counts; --strict counts every second since the last progress.",
  ],
  exits: [
    [0, "no run was late"],
    [1, "runs were late and are failed now; their finished steps stay"],
    BAD_USAGE,
    NO_SUCH_RUN,
  ],
  async run(context, input) {
    const { strict } = input;
    const outcome =
      input.run !== undefined
        ? await watchRun(context.ports, await context.locate(input.run), { strict })
        : await watchAll(context.ports, context.runsRoot(), { strict });
    for (const { timed_out, run_root } of outcome.result.runs) {
      const halt = timed_out ? (await context.ports.store.look(run_root)).manifest.halt : null;
      if (halt !== null) context.noteHalt(run_root, halt);
    }
    return { outcome: namingRunRoots(outcome), text: (style) => watchText(outcome.result, style) };
  },
});

/** A watchdog over many runs names those that it ended, so that the hint has a command for each of them. */
function namingRunRoots({ result, run, error }: Outcome<WatchedRuns>): Outcome<WatchedRuns> {
  if (error?.code !== "WATCHDOG_TIMEOUT" || run !== null) return { result, run, error };
  const run_roots = result.runs.flatMap(({ timed_out, run_root }) => (timed_out ? [run_root] : []));
  return { result, run, error: { code: error.code, facts: { ...error.facts, run_roots } } };
}

export function watchText({ runs, unreadable = 0 }: WatchedRuns, style: Style): string {
  const late = runs.filter(({ timed_out }) => timed_out);
  const rows = late.map(({ run_id, stage, elapsed_s, timeout_s, checkpoint_path }) => [
    style.bold(run_id),
    style.bad("timed out"),
    `${stageName(stage)}: ${duration(elapsed_s * 1000)} of ${duration(timeout_s * 1000)}`,
    checkpoint_path ?? "",
  ]);
  const others = unreadable === 0 ? "" : `; ${unreadable} could not be read: see triage --all`;
  return `${columns(rows)}${late.length} of ${count(runs.length, "run")} late${others}\n`;
}
