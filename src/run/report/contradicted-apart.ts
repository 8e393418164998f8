// Moves the claims that their quotes contradict into a section of their own at the end of the page.
import { blocksWith } from "./changed-blocks.ts";
import type { Block, Draft } from "./report.ts";
import { isClaim, sectionsOf, statementsOf } from "./statements.ts";

const TITLE = "What its quotes contradict";

type Page = Pick<Draft, "blocks" | "statements">;

/** Keeps all statements. A block that loses all of its statements goes, and so does a heading with nothing below it. */
export function contradictedApart({ blocks, statements }: Page): Page {
  const apart = statementsOf({ blocks, statements }).filter(
    (statement) => isClaim(statement) && statement.verdict === "contradicted",
  );
  if (apart.length === 0) return { blocks, statements };
  const ids = new Set(apart.map(({ statement_id }) => statement_id));
  const others = blocks.filter((block) => !(block.kind === "heading" && block.role === "contradicted"));
  const kept = blocksWith(others, { ids: (id) => (ids.has(id) ? [] : [id]) });
  const items = [...ids].map((id) => ({ statements: [id] }));
  return {
    statements,
    blocks: [
      ...withoutEmptyHeadings(kept),
      { kind: "heading", level: 2, text: TITLE, role: "contradicted" },
      { kind: "list", ordered: false, items },
    ],
  };
}

/** True when claims are apart and no other section answers the question. */
export function isAnswerContradicted(page: Pick<Draft, "blocks">): boolean {
  const sections = sectionsOf(page);
  const answers = sections.some(({ heading }) => heading === null || heading.role === "answer");
  return sections.some(({ heading }) => heading?.role === "contradicted") && !answers;
}

/** Removes each heading that has no block below it, not even below a smaller heading. */
export function withoutEmptyHeadings(blocks: readonly Block[]): Block[] {
  return blocks.filter((block, at) => {
    if (block.kind !== "heading") return true;
    const next = blocks.slice(at + 1).find((other) => other.kind !== "heading" || other.level <= block.level);
    return next !== undefined && next.kind !== "heading";
  });
}
