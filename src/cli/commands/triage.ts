// deep-research triage
import { triageAll } from "../../operations/triage-all.ts";
import { triageRun, type Finding } from "../../operations/triage-run.ts";
import { defineCommand, ONE_RUN } from "../command.ts";
import { asCommands, forPrograms } from "../../surface/advice.ts";
import { LOOK_EXITS } from "../exits.ts";
import { refuseBesideAll } from "../options/combinations.ts";
import { flag, SELECTOR } from "../options/options.ts";
import { triageAllText, triageText } from "../text/triage-text.ts";

export const command = defineCommand({
  name: "triage",
  purpose: "say what is wrong with a run, why, and what to do",
  operands: ONE_RUN,
  options: { ...SELECTOR, all: flag("every run that needs somebody, the worst first") },
  examples: [
    ["triage", "the newest run"],
    ["triage dr_2026", "one run"],
    ["triage --all", "every run that needs somebody, the worst first, and how many are well"],
  ],
  exits: LOOK_EXITS,
  async run(context, values, operands) {
    const inFull = (finding: Finding) => forPrograms(asCommands(context.host), finding);
    if (values.all) {
      refuseBesideAll(values, operands, Object.keys(SELECTOR));
      const outcome = await triageAll(context.ports, context.runsRoot());
      const { runs, counts } = outcome.result;
      const told = runs.map((run) => ({ ...run, findings: run.findings.map(inFull) }));
      return {
        outcome: { ...outcome, result: { runs: told, counts } },
        text: (style) => triageAllText(outcome.result, style),
      };
    }
    const outcome = await triageRun(context.ports, await context.locate(values, operands));
    const findings = outcome.result.findings.map(inFull);
    return { outcome: { ...outcome, result: { findings } }, text: (style) => triageText(outcome.result, style) };
  },
});
