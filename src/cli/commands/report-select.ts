// deep-research report select
import { RunError } from "../../kernel/errors.ts";
import { selectReport } from "../../operations/select-report.ts";
import { stepsOn } from "../../run/next-step.ts";
import { defineCommand, ONE_RUN } from "../command.ts";
import { CHANGE_EXITS } from "../exits.ts";
import { SELECTOR, VERSION } from "../options/options.ts";
import { doNext } from "../../surface/advice.ts";
import { nextText } from "../text/next-text.ts";
import { count } from "../../surface/words.ts";

export const command = defineCommand({
  operands: ONE_RUN,
  options: { ...SELECTOR, version: { ...VERSION, text: "the version to select" } },
  examples: [
    ["report select --version 1", "of the newest run"],
    ["report select dr_2026 --version 2 --json", "for programs"],
  ],
  exits: [[0, "selected, or already so"], ...CHANGE_EXITS.slice(1)],
  async run(context, values, operands) {
    const { ports, locate } = context;
    const { version } = values;
    if (version === undefined)
      throw new RunError("INVALID_ARGS", { reason: "say which: --version N", option: "--version" });
    const runRoot = await locate(values, operands);
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
