// deep-research list
import { listRuns, type ListedRun, type ListResult } from "../../operations/list-runs.ts";
import { executionStateSchema, type ExecutionState } from "../../run/lifecycle.ts";
import { defineCommand } from "../command.ts";
import { BAD_USAGE } from "../exits.ts";
import { flag, wrongValue, type ListSpec } from "../options.ts";
import { stateText } from "../status-text.ts";
import type { Style } from "../style.ts";
import { columns, count, moment, oneLine } from "../text.ts";

const STATES = executionStateSchema.options;
const QUESTION_WIDTH = 60;

const states: ListSpec<ExecutionState[]> = {
  kind: "list",
  value: "STATE",
  text: `only runs in these states (commas may join them): ${STATES.join(", ")}`,
  read: (raw) => raw.split(",").map(oneState),
};

function oneState(raw: string): ExecutionState {
  const state = STATES.find((one) => one === raw);
  if (state === undefined) throw wrongValue(raw, `one of ${STATES.join(", ")}`);
  return state;
}

export const command = defineCommand({
  name: "list",
  purpose: "list all runs, the newest first",
  operands: { usage: "", least: 0, most: 0 },
  options: { state: states, halted: flag("only runs that wait at a halt") },
  examples: [
    ["list", "every run under the runs root"],
    ["list --state paused,interrupted", "what could be resumed"],
    ["list --halted --json", "what waits for somebody, for programs"],
  ],
  exits: [[0, "listed; runs that cannot be read are listed with their error"], BAD_USAGE],
  async run({ ports, runsRoot }, { state, halted }) {
    const wanted = state.flat();
    const outcome = await listRuns(ports, runsRoot(), { halted, ...(wanted.length === 0 ? {} : { states: wanted }) });
    return { outcome, text: (style) => listText(outcome.result, halted || wanted.length > 0, style) };
  },
});

function listText({ runs, unreadable, runs_root }: ListResult, isFiltered: boolean, style: Style): string {
  if (runs.length + unreadable.length === 0) return `no runs ${isFiltered ? "like that " : ""}in ${runs_root}\n`;
  const rows = runs.map((run) => [
    style.bold(run.run_id),
    shownState(run, style),
    run.stage_current,
    moment(run.created_at),
    oneLine(run.question, QUESTION_WIDTH),
  ]);
  const broken = unreadable.map(({ run_id, error }) => [
    style.bold(run_id),
    style.bad(error.code),
    "",
    "",
    oneLine(error.reason, QUESTION_WIDTH),
  ]);
  return `${columns([...rows, ...broken])}${style.dim(`${count(rows.length + broken.length, "run")} in ${runs_root}`)}\n`;
}

function shownState(run: ListedRun, style: Style): string {
  return stateText({ execution_state: run.execution_state, halt: run.halt, tick_is_open: run.is_owned }, style);
}
