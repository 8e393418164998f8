// deep-research report open
import { dirname, join } from "node:path";
import { RunError } from "../../kernel/errors.ts";
import { given } from "../../kernel/given.ts";
import { shownLine } from "../../kernel/shown-text.ts";
import { exportReport } from "../../operations/report/export-report.ts";
import { usageText } from "../../surface/usage-words.ts";
import { runCommand } from "../command.ts";
import { BAD_USAGE, REPORT_EXITS } from "../exits.ts";
import { openFile } from "../opener.ts";
import { ALLOW_DAMAGED, VERSION } from "../options/options.ts";
import { damageNote } from "../text/evidence-text.ts";

/** One file, in the cache: each call replaces that of the call before. */
const FILE = "report.html";

export const command = runCommand({
  description: "Writes a report as HTML into the cache, for you alone, and opens it in your browser.",
  seeAlso: ["report show", "report export", "serve"],
  fields: { version: VERSION, allow_damaged: ALLOW_DAMAGED },
  examples: [["report open", "the report of the newest run"]],
  notes: ["Without a display the path is printed. The next call replaces the file; to keep or send it: report export."],
  exits: [[0, "opened, or the path was printed"], [1, "not written"], BAD_USAGE, ...REPORT_EXITS],
  async run({ ports, locate, host, environment, common }, input) {
    const { openFolder } = environment;
    if (openFolder === null)
      throw new RunError("INVALID_ARGS.variable", {
        reason: "no folder is set for the cache: HOME is not set; write the report with report export",
        variable: "HOME",
      });
    const { version, allow_damaged: allowDamaged } = input;
    const path = join(openFolder, FILE);
    if (await ports.outputs.isLinked(path, dirname(openFolder)))
      throw new RunError("INVALID_ARGS", { reason: "a link is in the way: nothing is written behind it", found: path });
    const { result, run, error } = await exportReport(ports, await locate(input.run), {
      format: "html",
      allowDamaged,
      spentText: usageText,
      ...given({ versionIndex: version }),
      output: { path, replace: true, makesFolders: true, isPrivate: true },
    });
    const is_open = !common.json && (await openFile(host, path));
    return {
      outcome: { result: { ...result, is_open }, run, error },
      note: (style) => damageNote(run, style),
      text: () => `${is_open ? "opened " : ""}${shownLine(path)}\n`,
    };
  },
});
