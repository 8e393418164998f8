// deep-research repair
import { repairRun, type RepairResult } from "../../operations/repair-run.ts";
import { defineCommand, ONE_RUN } from "../command.ts";
import { CHANGE_EXITS } from "../exits.ts";
import { flag, SELECTOR } from "../options.ts";
import type { Style } from "../style.ts";

export const command = defineCommand({
  name: "repair",
  purpose: "rebuild what can be rebuilt from the journal, and set damage aside",
  operands: ONE_RUN,
  options: { ...SELECTOR, dryRun: flag("only say what is wrong") },
  examples: [
    ["repair dr_2026 --dry-run", "what is wrong"],
    ["repair dr_2026", "repair it; nothing is deleted, damage goes to quarantine/"],
  ],
  exits: [...CHANGE_EXITS.slice(0, -1), [12, "something is missing that no repair can bring back"]],
  async run(context, values, operands) {
    const outcome = await repairRun(context.ports, await context.locate(values, operands), { dryRun: values.dryRun });
    return { outcome, text: (style) => repairText(outcome.result, values.dryRun, style) };
  },
});

function repairText(
  { problems, notes, quarantined, rebuilt, dropped_records }: RepairResult,
  isDry: boolean,
  style: Style,
): string {
  if (problems.length + notes.length === 0) return `${style.good("nothing to repair")}\n`;
  return [
    ...problems.map(({ path, expected, found }) => `${style.bold(path)}\n  expected ${expected}\n  found    ${found}`),
    ...notes.map((note) => `note: ${note}`),
    ...(isDry ? ["nothing was changed"] : []),
    ...rebuilt.map((path) => `rebuilt      ${path}`),
    ...quarantined.map((path) => `quarantined  ${path}`),
    ...(dropped_records === 0 ? [] : [style.warn(`${dropped_records} records do not count any more`)]),
    "",
  ].join("\n");
}
