// deep-research show
import { decodedText, decodeUtf8 } from "../../kernel/decoded-text.ts";
import { text } from "../../kernel/field.ts";
import { shownText } from "../../kernel/shown-text.ts";
import { listFiles, showFile } from "../../operations/look/show-file.ts";
import { count, fileSize } from "../../surface/words.ts";
import { defineCommand, RUN } from "../command.ts";
import { BAD_USAGE, NO_SUCH_RUN, NOT_READ } from "../exits.ts";
import { columns } from "../terminal/layout.ts";

export const command = defineCommand({
  description:
    "The prompts, answers, sources, results and reports that a run's journal names, and each of them, checked against its digest. Into a file or a pipe a file goes byte for byte; on a terminal nothing in it controls the terminal.",
  seeAlso: ["inspect", "report show", "verify"],
  operand: { name: "run", behind: "path", usage: "<run> [<path>]", least: 1, most: 2 },
  fields: { run: RUN, path: text("PATH", "the file, as the list without it names it", "a list of all") },
  examples: [
    ["show dr_2026", "the files of a run"],
    ["show dr_2026 operator/prompts/perspectives/perspectives:plan.md", "a prompt that waits for an answer"],
    ["show dr_2026 reports/1/report.json > report.json", "byte for byte"],
  ],
  exits: [
    [0, "shown"],
    NOT_READ,
    BAD_USAGE,
    NO_SUCH_RUN,
    [12, "the file was altered or is gone, or the journal is damaged"],
  ],
  async run({ ports, locate, host }, { run, path }) {
    const runRoot = await locate(run);
    if (path === undefined) {
      const outcome = await listFiles(ports, runRoot);
      const { files } = outcome.result;
      const rows = files.map((file) => [file.path, fileSize(file.bytes)]);
      return { outcome, text: (style) => `${columns(rows)}${style.dim(count(files.length, "file"))}\n` };
    }
    const { result, ...outcome } = await showFile(ports, runRoot, path);
    const { content, ...file } = result;
    return {
      outcome: { ...outcome, result: { ...file, text: textIn(content) } },
      text: () => shownText(decodedText(content)),
      ...(host.isTerminal("stdout") ? {} : { bytes: content }),
    };
  },
});

/** Null for what is no text. */
function textIn(content: Uint8Array): string | null {
  try {
    return decodeUtf8(content);
  } catch {
    return null;
  }
}
