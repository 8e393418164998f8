// deep-research list
import { listRuns } from "../../operations/list-runs.ts";
import { defineCommand } from "../command.ts";
import { BAD_USAGE, NOT_READ } from "../exits.ts";
import { listText } from "../text/list-text.ts";
import { flag, integer } from "../options/options.ts";
import { states } from "../options/states.ts";

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
  notes: [
    "What --state running leaves out\n  Runs that a halt stopped. --halted lists those; with --state it lists those of them that are in these states.",
  ],
  exits: [[0, "listed; runs that cannot be read are listed with their error"], NOT_READ, BAD_USAGE],
  async run({ ports, runsRoot, host }, { state, halted, limit, size }) {
    const wanted = state.flat();
    const outcome = await listRuns(ports, runsRoot(), {
      halted,
      size,
      ...(wanted.length === 0 ? {} : { states: wanted }),
      ...(limit === undefined ? {} : { limit }),
    });
    const isFiltered = halted || wanted.length > 0;
    // A file or a pipe has no width.
    const width = host.isTerminal("stdout") ? host.columns("stdout") : null;
    return { outcome, text: (style) => listText(outcome.result, isFiltered, width, style) };
  },
});
