// deep-research store import
import { needed, text } from "../../kernel/field.ts";
import { importRun } from "../../operations/store/moved-run.ts";
import { defineCommand } from "../command.ts";
import { forPrograms } from "../../surface/advice.ts";
import { BAD_USAGE, LOCKED, STORE_AWAY } from "../exits.ts";
import { movedText } from "./store-export.ts";

export const command = defineCommand({
  description:
    "Takes a run from its folder into the store, where it continues. The folder has to verify, and no process may work on it; it stays as it is. The same run again is no error.",
  seeAlso: ["store export", "verify", "store status"],
  operand: { name: "folder", usage: "<folder>", least: 1, most: 1 },
  fields: { folder: needed(text("DIR", "the folder of the run"), "name the folder of a run") },
  examples: [["store import ~/.local/share/deep-research/runs/dr_2026", "into the runs root of the store"]],
  notes: ["It takes the role that ran store migrate. Afterwards work on the folder is work on another run."],
  exits: [
    [0, "imported, or there already"],
    BAD_USAGE,
    [10, "no run is in the folder"],
    LOCKED,
    STORE_AWAY,
    [12, "the folder does not verify"],
  ],
  async run({ ports, write, absolute, runsRoot }, { folder }) {
    const outcome = await importRun(ports, absolute(folder), runsRoot());
    const how = outcome.result.already === true ? "there already, as" : "imported as";
    return {
      outcome: { ...outcome, result: forPrograms(write, outcome.result) },
      text: (style) => movedText(outcome.result, how, outcome.result.run_root, style),
    };
  },
});
