// deep-research report show
import { showReport } from "../../operations/show-report.ts";
import { defineCommand, ONE_RUN } from "../command.ts";
import { LOOK_EXITS } from "../exits.ts";
import { clean } from "../fact-text.ts";
import { SELECTOR, VERSION } from "../options.ts";

export const command = defineCommand({
  name: "report show",
  purpose: "print a report",
  operands: ONE_RUN,
  options: { ...SELECTOR, version: VERSION },
  examples: [
    ["report show", "the current report of the newest run"],
    ["report show dr_2026 --version 1 > report.md", "one version, as Markdown"],
  ],
  exits: [
    ...LOOK_EXITS.slice(0, 2),
    [3, "the run found no evidence, so it has no report"],
    [10, "no such run, or no such version"],
    [12, "the report is missing or was altered"],
  ],
  async run({ ports, locate, host }, values, operands) {
    const outcome = await showReport(ports, await locate(values, operands), values.version);
    const { report_md } = outcome.result;
    // A file gets the report's own bytes; a terminal is not steered by quoted documents.
    return { outcome, text: () => (host.isTerminal("stdout") ? clean(report_md) : report_md) };
  },
});
