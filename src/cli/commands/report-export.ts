// deep-research report export
import { extname } from "node:path";
import { RunError } from "../../kernel/errors.ts";
import { given } from "../../kernel/given.ts";
import { decodeUtf8 } from "../../kernel/decoded-text.ts";
import { shownLine, shownText } from "../../kernel/shown-text.ts";
import {
  EXPORT_ENDINGS,
  EXPORT_FORMATS,
  type ExportFormat,
  exportReport,
} from "../../operations/report/export-report.ts";
import { runCommand } from "../command.ts";
import { REPORT_EXITS } from "../exits.ts";
import { damageNote } from "../text/evidence-text.ts";
import { flag, needed, oneOf, text, trusted } from "../../kernel/field.ts";
import { ALLOW_DAMAGED, VERSION } from "../options/options.ts";
import { TIMELINE_WORDS } from "../../surface/timeline-words.ts";
import { usageText } from "../../surface/usage-words.ts";
import { pairs } from "../terminal/layout.ts";

/** The name that means stdout. */
const STDOUT = "-";

export const command = runCommand({
  description: "Writes a report to a file that can be read without the run and this program, offline.",
  seeAlso: ["report show", "verify"],
  fields: {
    output: needed(
      trusted(text("FILE", "where to write; - is stdout"), "inside", "a file is written there"),
      "say where to write: --output FILE, or - for stdout",
    ),
    format: {
      ...oneOf("FORMAT", "the form", EXPORT_FORMATS),
      standard: "by the ending of FILE; md on stdout",
    },
    version: VERSION,
    allow_damaged: ALLOW_DAMAGED,
    timeline: flag("show how the run went, in html"),
    force: flag("replace a file that is there"),
  },
  examples: [
    ["report export --output report.html", "one file to send: no script, nothing to load"],
    ["report export --output report.docx", "for Word, with the quotes at the end"],
    ["report export --output sources.bib", "its sources for LaTeX; --format csl-json for other programs"],
    ["report export dr_2026 --format md --output - | less", "print it"],
  ],
  notes: [
    "md and json are the published bytes, checked against their digests; bibtex and csl-json hold the sources alone.",
  ],
  exits: [
    [0, "written"],
    [1, "not written"],
    [2, "bad usage, or the file is there already (--force replaces it)"],
    ...REPORT_EXITS,
  ],
  async run({ ports, locate, host, absolute, common }, input) {
    const { output, version, force, timeline, allow_damaged: allowDamaged } = input;
    if (output.endsWith("/"))
      throw new RunError("INVALID_ARGS", {
        reason: "this names a folder: name a file in it",
        option: "--output",
        found: output,
      });
    const isPrinted = output === STDOUT;
    if (isPrinted && common.json)
      throw new RunError("INVALID_ARGS", {
        reason: "--output - prints the report itself: leave --json out, or name a file",
        option: "--json",
      });
    const format = input.format ?? (isPrinted ? "md" : formatOf(output));
    if (isPrinted && format === "docx")
      throw new RunError("INVALID_ARGS", {
        reason: "a Word document is no text to print: name a file",
        option: "--output",
      });
    if (timeline && format !== "html")
      throw new RunError("INVALID_ARGS", { reason: "only the html form has pictures", option: "--timeline" });
    const outcome = await exportReport(ports, await locate(input.run), {
      format,
      allowDamaged,
      spentText: usageText,
      ...(timeline ? { timeline: TIMELINE_WORDS } : {}),
      ...given({ versionIndex: version }),
      ...(isPrinted ? {} : { output: { path: absolute(output), replace: force } }),
    });
    const { content, result } = outcome;
    return {
      outcome,
      note: (style) => damageNote(outcome.run, style),
      text(style) {
        // A file gets the report's own bytes; a terminal is not steered by quoted documents.
        if (isPrinted) return host.isTerminal("stdout") ? shownText(decodeUtf8(content)) : decodeUtf8(content);
        return `${style.bold(`report version ${result.version_index}`)}, ${result.format}\n${pairs(
          [
            ["file", result.output === null ? null : shownLine(result.output)],
            ["bytes", String(result.bytes)],
            ["digest", result.digest],
          ],
          style.width,
        )}`;
      },
    };
  },
});

/** Errors: `INVALID_ARGS` for an ending that names no form: the file would hold something else than its name says. */
function formatOf(output: string): ExportFormat {
  const ending = extname(output).slice(1).toLowerCase();
  const wanted = ending === "htm" ? "html" : ending;
  const format = EXPORT_FORMATS.find((one) => EXPORT_ENDINGS[one] === wanted);
  if (format !== undefined) return format;
  // CSL-JSON has no ending of its own.
  const endings = EXPORT_FORMATS.filter((one) => one !== "csl-json")
    .map((one) => `.${EXPORT_ENDINGS[one]}`)
    .join(", ");
  const named = ending === "" ? "a name without an ending says no form" : `.${ending} is no form of a report`;
  const reason = `${named}: name a file that ends with ${endings}, or say --format`;
  throw new RunError("INVALID_ARGS", { reason, option: "--output", found: output, formats: EXPORT_FORMATS });
}
