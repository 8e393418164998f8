// deep-research report generate
import { generateReport } from "../../operations/generate-report.ts";
import { stepsOn } from "../../run/next-step.ts";
import { runCommand } from "../command.ts";
import { CHANGE_EXITS } from "../exits.ts";
import { EVENTS } from "../options/options.ts";
import { doNext } from "../../surface/advice.ts";
import { nextText } from "../text/next-text.ts";
import { count } from "../../surface/words.ts";
import { pairs } from "../terminal/layout.ts";

export const command = runCommand({
  description:
    "Writes a report from what a run has found so far and marks it as partial where the run was not completed. Not possible while a run is idle or running.",
  seeAlso: ["report show", "report select", "fork"],
  options: { ...EVENTS },
  examples: [
    ["report generate", "the newest run"],
    ["report generate dr_2026", "also of a run that is halted, paused, interrupted, aborted or failed"],
  ],
  exits: [
    ...CHANGE_EXITS,
    [3, "the run has found no evidence, or its budget is spent"],
    [4, "a provider answers no more for now"],
  ],
  async run(context, values, operands) {
    const runRoot = await context.locate(values, operands);
    const outcome = await generateReport(context.ports, runRoot, await context.observe());
    const { version_index, partial, claims, sources, report_md_path } = outcome.result;
    const step = stepsOn(runRoot);
    return {
      outcome,
      text: (style) =>
        `${style.bold(`report version ${version_index}`)}${partial ? ", partial" : ""}\n${pairs(
          [
            ["holds", `${count(claims, "claim")} from ${count(sources, "source")}`],
            ["report", report_md_path],
          ],
          style.width,
        )}${nextText(doNext(step("report show", "read it"), step("verify", "check it down to the sources")), style)}`,
    };
  },
});
