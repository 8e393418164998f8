// deep-research report list
import { listReports, type ReportList } from "../../operations/report/read-report.ts";
import { runCommand } from "../command.ts";
import { LOOK_EXITS } from "../exits.ts";
import { count, moment, TRIGGERS } from "../../surface/words.ts";
import type { Style } from "../terminal/style.ts";
import { columns } from "../terminal/layout.ts";
import { usageText } from "../../surface/usage-words.ts";

export const command = runCommand({
  description: "Every report of a run is a version of its own, numbered from 1, and never changes.",
  seeAlso: ["report show", "report diff", "report select"],
  fields: {},
  examples: [["report list", "the newest run; * marks the current version"]],
  exits: LOOK_EXITS,
  async run(context, input) {
    const outcome = await listReports(context.ports, await context.locate(input.run));
    return { outcome, text: (style) => listText(outcome.result, style) };
  },
});

function listText({ report_versions, current_report_version_index }: ReportList, style: Style): string {
  if (report_versions.length === 0) return "no report yet\n";
  return columns(
    report_versions.map(({ version_index, created_at, trigger_type, partial, claims, sources, ...version }) => [
      version_index === current_report_version_index ? style.bold(`${version_index} *`) : String(version_index),
      moment(created_at),
      [TRIGGERS[trigger_type], partial ? "partial" : "", version.template?.name ?? ""]
        .filter((word) => word !== "")
        .join(", "),
      `${count(claims, "claim")} from ${count(sources, "source")}`,
      version.report_file_path,
      usageText(version.usage) ?? "",
    ]),
  );
}
