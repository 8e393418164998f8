// deep-research documents list
import { timestamp } from "../../ports/clock.ts";
import { listDocuments } from "../../operations/store/documents.ts";
import { count, fileSize, moment } from "../../surface/words.ts";
import { defineCommand } from "../command.ts";
import { BAD_USAGE, STORE_AWAY } from "../exits.ts";
import { columns } from "../terminal/layout.ts";

export const command = defineCommand({
  description: "The documents in the store of the runs, as they were pushed last.",
  seeAlso: ["documents push", "start"],
  fields: {},
  examples: [["documents list", "what --corpus documents:NAME may name"]],
  exits: [[0, "listed"], BAD_USAGE, STORE_AWAY],
  async run({ ports }) {
    const outcome = await listDocuments(ports);
    const rows = outcome.result.documents.map(({ name, digest, files, bytes, pushed_ms }) => [
      `documents:${name}`,
      count(files, "file"),
      fileSize(bytes),
      digest,
      moment(timestamp(pushed_ms)),
    ]);
    return { outcome, text: () => (rows.length === 0 ? "no documents were pushed\n" : columns(rows)) };
  },
});
