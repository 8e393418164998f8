// deep-research documents push
import { needed, text } from "../../kernel/field.ts";
import { pushDocuments } from "../../operations/store/documents.ts";
import { count, fileSize } from "../../surface/words.ts";
import { defineCommand } from "../command.ts";
import { BAD_USAGE, NOT_READ, STORE_AWAY } from "../exits.ts";

export const command = defineCommand({
  description:
    "Stores the files below a folder in the store of the runs. A run over documents:NAME reads exactly those that were pushed last when it was made, on every worker, whatever is pushed later.",
  seeAlso: ["documents list", "start", "worker"],
  operand: { name: "name", behind: "folder", usage: "<name> <folder>", least: 2, most: 2 },
  fields: {
    name: needed(text("NAME", "small letters, digits, dots and dashes"), "name the documents"),
    folder: needed(text("DIR", "the folder, with everything below it"), "name their folder"),
  },
  examples: [["documents push handbook ./handbook", 'then: start "…" --corpus documents:handbook --detach']],
  notes: ["Links are left out. Files that are there already are stored once."],
  exits: [[0, "pushed, or there already"], NOT_READ, BAD_USAGE, STORE_AWAY],
  async run({ ports, absolute }, { name, folder }) {
    const outcome = await pushDocuments(ports, name, absolute(folder));
    const { files, bytes, digest } = outcome.result;
    return {
      outcome,
      text: (style) => `${style.bold(`documents:${name}`)}: ${count(files, "file")}, ${fileSize(bytes)}, ${digest}\n`,
    };
  },
});
