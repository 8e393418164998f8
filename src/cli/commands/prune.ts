// deep-research prune
import { given } from "../../kernel/given.ts";
import { type PrunableRun, prunableRuns, type PruneResult, pruneRuns } from "../../operations/care/prune-runs.ts";
import { flag, integer } from "../../kernel/field.ts";
import { age, states } from "../options/options.ts";
import { defineCommand } from "../command.ts";
import { confirm, unconfirmed } from "../confirmation.ts";
import { BAD_USAGE } from "../exits.ts";
import { MAX_KEPT, retentionOf } from "../configuration/groups.ts";
import { removedText } from "./remove.ts";
import type { Style } from "../terminal/style.ts";
import { columns } from "../terminal/layout.ts";
import { count, fileSize, moment } from "../../surface/words.ts";

export const command = defineCommand({
  description:
    "Deletes the runs that match all conditions; what you leave out is taken from retention in your configuration file.",
  seeAlso: ["remove", "list"],
  fields: {
    older_than: age("AGE", "only runs that ended, or changed last, this long ago: 45m, 12h, 30d, 8w"),
    state: states("runs in these states, instead of completed, aborted and failed"),
    keep: integer("N", "keep the newest N of them", { least: 0, most: MAX_KEPT }),
    dry_run: flag("only say which"),
    yes: flag("do not ask for confirmation"),
  },
  examples: [
    ["prune --older-than 30d --dry-run", "what would go, with its size"],
    ["prune --older-than 8w --keep 20 --yes", "from cron: old runs, but never the newest twenty"],
    ["prune --state failed --older-than 1w", "failed runs only; asks for confirmation"],
  ],
  notes: [
    "Runs that a process works on, and runs that cannot be read, stay in any case. What a `start` or `fork` left that was killed before its run began goes after an hour.",
  ],
  exits: [[0, "done, or nothing to do"], [1, "something could not be deleted"], BAD_USAGE],
  configuration:
    "What no option says comes from retention {older_than, keep, states} in the user's config.json; a workspace cannot say it.",
  async run(context, input) {
    const { host, ports } = context;
    const { older_than: olderThan, keep, dry_run: dryRun, yes } = input;
    const wanted = input.state.flat();
    const runsRoot = context.runsRoot();
    const runs = await prunableRuns(ports, runsRoot, {
      ...retentionOf(context.configuration),
      ...given({ olderThanMs: olderThan, keep }),
      ...(wanted.length === 0 ? {} : { states: wanted }),
    });
    if (dryRun) {
      const result: PruneResult = { runs, removed: [], spared: [], bytes_freed: 0 };
      return { outcome: { result, run: null, error: null }, text: (style) => foreseenText(runs, style) };
    }
    if (
      !yes &&
      runs.length > 0 &&
      !(await confirm(host, context.common.json, { verb: "prune", text: questionOf(runs) }))
    )
      return unconfirmed("nothing was removed");
    const outcome = await pruneRuns(ports, runsRoot, runs);
    return { outcome, text: (style) => prunedText(outcome.result, style) };
  },
});

function rowsOf(runs: readonly PrunableRun[]): string[][] {
  return runs.map(({ run_id, execution_state, last_change, bytes }) => [
    run_id,
    execution_state === "never_begun" ? "never begun" : execution_state,
    last_change === null ? "" : moment(last_change),
    fileSize(bytes),
  ]);
}

function sizeOf(runs: readonly PrunableRun[]): string {
  return fileSize(runs.reduce((sum, { bytes }) => sum + bytes, 0));
}

function foreseenText(runs: readonly PrunableRun[], style: Style): string {
  if (runs.length === 0) return "nothing to prune\n";
  return `${columns(rowsOf(runs))}${style.dim(`${count(runs.length, "run")}, ${sizeOf(runs)}; nothing was changed`)}\n`;
}

function questionOf(runs: readonly PrunableRun[]): string {
  return `This deletes for good\n${columns(rowsOf(runs), "  ")}Delete ${count(runs.length, "run")}, ${sizeOf(runs)}?`;
}

function prunedText(result: PruneResult, style: Style): string {
  const isNothing = result.runs.length === 0 && result.bytes_freed === 0;
  return isNothing ? "nothing to prune\n" : removedText(result, style, result.spared);
}
