// deep-research cache clear
import type { ClearedCache } from "../../ports/index-cache.ts";
import { defineCommand } from "../command.ts";
import { BAD_USAGE } from "../exits.ts";
import { count, fileSize } from "../../surface/words.ts";

export const command = defineCommand({
  description: "The indexes can always be made again.",
  seeAlso: ["doctor", "prune"],
  fields: {},
  examples: [["cache clear", "frees the disk; no run loses anything"]],
  notes: ["An index that another process is writing stays, and is named."],
  exits: [[0, "cleared, or nothing was there"], [1, "something could not be deleted"], BAD_USAGE],
  async run({ ports }) {
    const result = await ports.indexCache.clear();
    return { outcome: { result, run: null, error: null }, text: () => clearedText(result) };
  },
});

function clearedText({ folder, removed_indexes, in_use, bytes_freed }: ClearedCache): string {
  if (folder === null) return "no folder is set for the cache: indexes are kept in memory\n";
  const busy = in_use.length === 0 ? "" : `, ${count(in_use.length, "index is", "indexes are")} in use and stayed`;
  return `${count(removed_indexes, "index", "indexes")} removed from ${folder}, ${fileSize(bytes_freed)} freed${busy}\n`;
}
