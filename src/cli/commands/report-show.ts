// deep-research report show
import { given } from "../../kernel/given.ts";
import type { ReadOutcome } from "../../operations/outcome.ts";
import { type ShownReport, showReport } from "../../operations/report/read-report.ts";
import { fallbacksOf } from "../../run/log/provenance.ts";
import { SPENT } from "../../pages/report-words.ts";
import { runCommand } from "../command.ts";
import { damageNote, fallbackWarning } from "../text/evidence-text.ts";
import { BAD_USAGE, NOT_READ, REPORT_EXITS } from "../exits.ts";
import { ALLOW_DAMAGED, VERSION } from "../options/options.ts";
import type { Style } from "../terminal/style.ts";
import { usageText } from "../../surface/usage-words.ts";
import { paragraph, wrappedLines } from "../terminal/layout.ts";

export const command = runCommand({
  description:
    "Shows a report once it and the sources that it quotes are checked: rendered on a terminal, in a file or a pipe byte for byte as it was published.",
  seeAlso: ["report export", "report list", "verify"],
  fields: { version: VERSION, allow_damaged: ALLOW_DAMAGED },
  examples: [
    ["report show", "the current report of the newest run"],
    ["report show dr_2026 --version 1 > report.md", "one version, as Markdown"],
  ],
  exits: [[0, "shown"], NOT_READ, BAD_USAGE, ...REPORT_EXITS],
  async run({ ports, locate, host }, input) {
    const outcome = await showReport(ports, await locate(input.run), {
      allowDamaged: input.allow_damaged,
      ...given({ versionIndex: input.version }),
    });
    const { report_md, version } = outcome.result;
    // A file gets the report's own bytes; a terminal is not steered by quoted documents.
    const text = async (style: Style): Promise<string> =>
      host.isTerminal("stdout") ? await onTerminal(outcome, host.columns("stdout"), style) : report_md;
    // A report does not say who gave its evidence and what it cost, so that equal evidence gives equal reports.
    const fallbacks = fallbacksOf(outcome.run.manifest.provenance);
    const spent = usageText(version.usage);
    const note = (style: Style): string | null => {
      const cost = spent === null ? null : style.dim(`${SPENT}: ${spent}.`);
      const lines = [fallbackWarning(fallbacks, style), cost].flatMap((line) =>
        line === null ? [] : [paragraph(line, style.width)],
      );
      return [damageNote(outcome.run, style) ?? [], lines].flat().join("\n") || null;
    };
    return { outcome, text, note };
  },
});

/** The page does not name the run, so the first line does. */
async function onTerminal({ run, result }: ReadOutcome<ShownReport>, columns: number, style: Style): Promise<string> {
  const { renderedMarkdown } = await import("../terminal/rendered-markdown.ts");
  const { version_index } = result.version;
  const { run_id, report_versions, current_report_version_index } = run.manifest;
  const current = current_report_version_index === version_index ? ", the current one" : "";
  const which = `${run_id}, report version ${version_index} of ${report_versions.length}${current}`;
  return `${wrappedLines(which, columns).map(style.dim).join("\n")}\n\n${renderedMarkdown(result.report_md, { columns, hasColours: style.hasColours, inAscii: style.inAscii })}`;
}
