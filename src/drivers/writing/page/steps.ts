// Finds the number at which a list of steps continues behind code or another block.
import type { Block } from "../../../run/report/report.ts";

/** The written number, if a list of the same section ends just before it. No statement would assert any other number. */
export function goingOn(blocks: readonly Block[], written: number): { start?: number } {
  const since = blocks.slice(blocks.findLastIndex(({ kind }) => kind === "heading") + 1);
  const continues = since.some(
    (block) => block.kind === "list" && block.ordered && (block.start ?? 1) + block.items.length === written,
  );
  return continues ? { start: written } : {};
}
