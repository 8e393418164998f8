// deep-research store export
import { needed, text } from "../../kernel/field.ts";
import { exportRun, type Moved } from "../../operations/store/moved-run.ts";
import { count, fileSize } from "../../surface/words.ts";
import { defineCommand, RUN } from "../command.ts";
import { forPrograms } from "../../surface/advice.ts";
import { BAD_USAGE, NO_SUCH_RUN, STORE_AWAY } from "../exits.ts";
import type { Style } from "../terminal/style.ts";

export const command = defineCommand({
  description:
    "Writes a run of the store as a folder, byte for byte as it would be without a store: verify, report show and every other command work on it, anywhere and offline. The run stays in the store.",
  seeAlso: ["store import", "verify", "capture"],
  operand: { name: "run", behind: "folder", usage: "<run> <folder>", least: 2, most: 2 },
  fields: { run: RUN, folder: needed(text("DIR", "a folder that is not there yet"), "name the folder to write") },
  examples: [["store export dr_2026 ./dr_2026", "then: verify ./dr_2026"]],
  notes: ["The lease stays in the store. Work on the copy is work on another run."],
  exits: [
    [0, "exported, and it verifies"],
    BAD_USAGE,
    NO_SUCH_RUN,
    STORE_AWAY,
    [12, "exported as it is stored, and it does not verify"],
  ],
  async run({ ports, write, locate, absolute }, { run, folder }) {
    const outcome = await exportRun(ports, await locate(run), absolute(folder));
    return {
      outcome: { ...outcome, result: forPrograms(write, outcome.result) },
      text: (style) => movedText(outcome.result, "exported to", outcome.result.folder, style),
    };
  },
});

export function movedText(moved: Moved, how: string, where: string, style: Style): string {
  const { records, files, bytes, next } = moved;
  const what = `${count(records, "record")} and ${count(files, "file")}, ${fileSize(bytes)}`;
  return `${how} ${style.bold(where)}: ${what}\n${next.map((step) => `next: ${style.command(step)}\n`).join("")}`;
}
