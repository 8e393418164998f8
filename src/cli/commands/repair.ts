// deep-research repair
import { foreseeCost } from "../../operations/repair-cost.ts";
import { repairRun } from "../../operations/repair-run.ts";
import { defineCommand, ONE_RUN } from "../command.ts";
import { asCommands, forPrograms } from "../../surface/advice.ts";
import { confirm, unconfirmed } from "../confirmation.ts";
import { CHANGE_EXITS } from "../exits.ts";
import { flag, SELECTOR } from "../options/options.ts";
import { costLines, repairText } from "../text/repair-text.ts";

export const command = defineCommand({
  name: "repair",
  purpose: "rebuild what can be rebuilt from the journal, and set damage aside",
  operands: ONE_RUN,
  options: {
    ...SELECTOR,
    dryRun: flag("only say what is wrong, and what a repair would cost"),
    yes: flag("do not ask, also where records of the journal are lost"),
  },
  examples: [
    ["repair dr_2026 --dry-run", "what is wrong"],
    ["repair dr_2026", "repair it; nothing is deleted, damage goes to quarantine/"],
  ],
  notes: [
    "What it asks\n  Where a repair of the journal loses records, and reports with them, it says which and asks first. Where nobody can be\n  asked, it wants --yes.",
  ],
  exits: [...CHANGE_EXITS.slice(0, -1), [12, "something is missing that no repair can bring back"]],
  async run({ host, ports, locate }, values, operands) {
    const runRoot = await locate(values, operands);
    const { dryRun, yes } = values;
    const cost = dryRun || yes ? null : await foreseeCost(ports, runRoot);
    if (cost !== null) {
      const text = `${runRoot}\n${costLines(cost).join("\n")}\nCopy the run first, or use a backup if there is one. Repair it?`;
      const { kept_records, lost_records, lost_reports } = cost;
      const facts = { run_root: runRoot, kept_records, lost_records, lost_reports };
      if (!(await confirm(host, values.json, { verb: "repair", text, facts })))
        return unconfirmed("nothing was changed");
    }
    const outcome = await repairRun(ports, runRoot, { dryRun });
    const { result } = outcome;
    return {
      outcome: { ...outcome, result: forPrograms(asCommands(host), result) },
      text: (style) => repairText({ ...outcome, dryRun }, style),
    };
  },
});
