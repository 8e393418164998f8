// The number with which a list of steps goes on counting behind code or whatever else stands between them.
import type { Block } from "../../run/report.ts";

/** As it is written where a list of the same section ends one before; any other number would be asserted by nobody. */
export function goingOn(blocks: readonly Block[], written: number): { start?: number } {
  const since = blocks.slice(blocks.findLastIndex(({ kind }) => kind === "heading") + 1);
  const goesOn = since.some(
    (block) => block.kind === "list" && block.ordered && (block.start ?? 1) + block.items.length === written,
  );
  return goesOn ? { start: written } : {};
}
