// deep-research report diff
import { diffReports } from "../../operations/diff-reports.ts";
import { defineCommand, ONE_RUN } from "../command.ts";
import { reportDiffText } from "../text/report-diff-text.ts";
import { SELECTOR, VERSION } from "../options/options.ts";

export const command = defineCommand({
  name: "report diff",
  purpose: "what differs between two report versions",
  operands: ONE_RUN,
  options: {
    ...SELECTOR,
    from: { ...VERSION, text: "the older version (default: the one before)" },
    to: { ...VERSION, text: "the newer version (default: the newest)" },
  },
  examples: [
    ["report diff", "the two newest versions of the newest run"],
    ["report diff dr_2026 --from 1 --to 3 --json", "for programs"],
  ],
  exits: [
    [0, "compared, whatever differs"],
    [2, "bad usage or input"],
    [3, "the run found no evidence, so it has no report"],
    [10, "no such run, or no such version"],
    [12, "a report is missing or was altered"],
  ],
  async run({ ports, locate }, values, operands) {
    const { from, to } = values;
    const outcome = await diffReports(ports, await locate(values, operands), {
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    });
    return { outcome, text: (style) => reportDiffText(outcome.result, style) };
  },
});
