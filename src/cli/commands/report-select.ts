// deep-research report select
import { selectReport } from "../../operations/report/select-report.ts";
import { stepsOn } from "../../run/next-steps/next-step.ts";
import { runCommand } from "../command.ts";
import { CHANGE_EXITS } from "../exits.ts";
import { needed } from "../../kernel/field.ts";
import { version } from "../options/options.ts";
import { doNext } from "../../surface/advice.ts";
import { nextText } from "../text/next-text.ts";
import { count } from "../../surface/words.ts";

export const command = runCommand({
  description:
    "Chooses the version that is shown when none is named. The next one that is made becomes the current one.",
  seeAlso: ["report list", "report diff"],
  fields: { version: needed(version("the version to select"), "say which: --version N") },
  examples: [["report select --version 1", "of the newest run"]],
  exits: [[0, "selected, or already so"], ...CHANGE_EXITS.slice(1)],
  async run(context, input) {
    const { ports, locate } = context;
    const { version } = input;
    const runRoot = await locate(input.run);
    const outcome = await selectReport(ports, runRoot, version);
    const { already, version: selected } = outcome.result;
    const { version_index, claims, sources } = selected;
    return {
      outcome,
      text: (style) =>
        `${style.bold(`report version ${version_index}`)} is ${already === undefined ? "now the current one" : "the current one already"}: ${count(claims, "claim")} from ${count(sources, "source")}\n${nextText(doNext(stepsOn(runRoot)("report show", "read it")), style)}`,
    };
  },
});
