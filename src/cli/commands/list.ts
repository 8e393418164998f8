// deep-research list
import { listRuns, type ListedRun, type ListResult } from "../../operations/list-runs.ts";
import { defineCommand } from "../command.ts";
import { BAD_USAGE, NOT_READ } from "../exits.ts";
import { flag, integer } from "../options.ts";
import { states } from "../states.ts";
import { stateText } from "../status-text.ts";
import type { Style } from "../style.ts";
import { columns, count, fileSize, moment, oneLine } from "../text.ts";
import { reservedText, shortUsageText } from "../usage-text.ts";

const QUESTION_WIDTH = 60;
const MAX_LISTED = 1_000_000;

export const command = defineCommand({
  name: "list",
  purpose: "list all runs, the newest first",
  operands: { usage: "", least: 0, most: 0 },
  options: {
    state: states("only runs in these states"),
    halted: flag("only runs that wait at a halt"),
    limit: integer("N", "the newest N of them", { least: 1, most: MAX_LISTED }),
    size: flag("add the disk use of each run and of all: the bytes of its files"),
  },
  examples: [
    ["list", "every run under the runs root"],
    ["list --state paused,interrupted", "what could be resumed"],
    ["list --halted --json", "what waits for somebody, for programs"],
    ["list --limit 10 --size", "the newest ten, with what they take on the disk"],
  ],
  exits: [[0, "listed; runs that cannot be read are listed with their error"], NOT_READ, BAD_USAGE],
  async run({ ports, runsRoot }, { state, halted, limit, size }) {
    const wanted = state.flat();
    const outcome = await listRuns(ports, runsRoot(), {
      halted,
      size,
      ...(wanted.length === 0 ? {} : { states: wanted }),
      ...(limit === undefined ? {} : { limit }),
    });
    return { outcome, text: (style) => listText(outcome.result, halted || wanted.length > 0, style) };
  },
});

function listText(result: ListResult, isFiltered: boolean, style: Style): string {
  const { runs, unreadable, runs_root, matched, total_bytes } = result;
  if (!result.runs_root_exists) return `no runs yet: ${runs_root} is made by the first start\n`;
  if (runs.length + unreadable.length === 0) return `no runs ${isFiltered ? "like that " : ""}in ${runs_root}\n`;
  const hasSpent = runs.some(({ usage }) => usage.calls > 0);
  const rows = runs.map((run) => [
    style.bold(run.run_id),
    shownState(run, style),
    run.stage_current,
    ...(hasSpent ? [shortUsageText(run.usage), reservedText(run.usage)] : []),
    ...sizeCell(run.bytes),
    moment(run.created_at),
    oneLine(run.question, QUESTION_WIDTH),
  ]);
  const broken = unreadable.map(({ run_id, error, bytes }) => [
    style.bold(run_id),
    style.bad(error.code),
    "",
    ...(hasSpent ? ["", ""] : []),
    ...sizeCell(bytes),
    "",
    oneLine(error.reason, QUESTION_WIDTH),
  ]);
  const counted = count(matched + unreadable.length, "run");
  const shown = matched === runs.length ? counted : `the newest ${runs.length} of ${counted}`;
  const taken = total_bytes === undefined ? "" : `, ${fileSize(total_bytes)} in files`;
  return `${columns([...rows, ...broken])}${style.dim(`${shown} in ${runs_root}${taken}`)}\n`;
}

function sizeCell(bytes: number | null | undefined): string[] {
  if (bytes === undefined) return [];
  return [bytes === null ? "?" : fileSize(bytes)];
}

function shownState(run: ListedRun, style: Style): string {
  const state = stateText(run, style);
  return run.problems.length === 0 ? state : `${state}, ${style.bad("damaged")}`;
}
