// deep-research remove
import { RunError } from "../../kernel/errors.ts";
import { findRun } from "../../operations/look/locate-run.ts";
import type { PruneResult } from "../../operations/care/prune-runs.ts";
import { type RemovableRun, removableRuns, type RemoveResult, removeRuns } from "../../operations/care/remove-runs.ts";
import { type CommandContext, defineCommand, RUN } from "../command.ts";
import { confirm, unconfirmed } from "../confirmation.ts";
import { CHANGE_EXITS } from "../exits.ts";
import { flag, listOf } from "../../kernel/field.ts";
import type { Style } from "../terminal/style.ts";
import { columns } from "../terminal/layout.ts";
import { count, fileSize } from "../../surface/words.ts";

const MAX_RUNS = 10_000;
const MAX_SHOWN = 20;

export const command = defineCommand({
  description: "Deletes folders of runs. They cannot be restored.",
  seeAlso: ["prune", "list", "abort"],
  operand: { name: "runs", usage: "<run>...", least: 1, most: MAX_RUNS },
  fields: { runs: listOf(RUN), yes: flag("do not ask for confirmation") },
  examples: [
    ["remove dr_2026", "asks for confirmation"],
    ["remove dr_20260131120304_abcdef ./copies/dr_old --yes", "several, from a script"],
  ],
  notes: ["With --yes an id has to be whole. A run that a process works on is never deleted: pause or abort it first."],
  exits: CHANGE_EXITS,
  async run(context, input) {
    const { host, ports } = context;
    const runRoots: string[] = [];
    for (const ref of input.runs) runRoots.push(await rootOf(context, ref));
    const isByPath = input.runs.every((ref) => ref.includes("/"));
    const runs = await removableRuns(ports, isByPath ? "" : context.runsRoot(), runRoots);
    if (input.yes) refuseBeginnings(input.runs, runs);
    else if (!(await confirm(host, context.common.json, { verb: "remove", text: questionOf(runs) })))
      return unconfirmed("nothing was removed");
    const outcome = await removeRuns(ports, runs);
    return { outcome, text: (style) => removedText(outcome.result, style) };
  },
});

/** With --yes there is no confirmation, and after a removal the same prefix could mean another run: so ids have to be whole. */
function refuseBeginnings(operands: readonly string[], runs: readonly RemovableRun[]): void {
  const ids = runs.map(({ run_id }) => run_id);
  const beginning = operands.find((ref) => !ref.includes("/") && !ids.includes(ref));
  if (beginning === undefined) return;
  const meant = ids.filter((id) => id.startsWith(beginning));
  const reason = "with --yes an id is written whole";
  throw new RunError("INVALID_ARGS.several_runs", { reason, found: beginning, run_ids: meant });
}

/** A path needs no runs root. */
async function rootOf({ ports, absolute, runsRoot }: CommandContext, ref: string): Promise<string> {
  const isByPath = ref.includes("/");
  const selector = isByPath ? { runsRoot: "", ref: absolute(ref) } : { runsRoot: runsRoot(), ref };
  return (await findRun(ports, selector, "newest")).runRoot;
}

function questionOf(runs: readonly RemovableRun[]): string {
  const rows = runs
    .slice(0, MAX_SHOWN)
    .map(({ run_root, execution_state, bytes }) => [run_root, execution_state ?? "unreadable", fileSize(bytes)]);
  const more = runs.length > MAX_SHOWN ? `  and ${runs.length - MAX_SHOWN} more\n` : "";
  const whole = fileSize(runs.reduce((sum, { bytes }) => sum + bytes, 0));
  return `This deletes for good\n${columns(rows, "  ")}${more}Delete ${count(runs.length, "run")}, ${whole}?`;
}

export function removedText(
  { removed, bytes_freed }: RemoveResult,
  style: Style,
  spared: PruneResult["spared"] = [],
): string {
  const rows = [
    ...removed.map((run) => [style.bold(run.run_id), "removed", fileSize(run.bytes_freed)]),
    ...spared.map((run) => [style.bold(run.run_id), style.warn("stays"), run.reason]),
  ];
  return `${columns(rows)}${style.dim(`${count(removed.length, "run")} removed, ${fileSize(bytes_freed)} freed`)}\n`;
}
