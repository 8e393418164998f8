// Reads a report in its order: its statements, those that assert or quote something, its sections and its evidence.
import { memberOf } from "../../kernel/member.ts";
import type { Block, Claim, Draft, Heading, Quoting, Statement } from "./report.ts";
import type { Quote } from "./source.ts";

/** The ids that a block shows, in reading order. */
export function idsIn(block: Block): string[] {
  switch (block.kind) {
    case "heading":
      return [];
    case "paragraph":
      return block.statements;
    case "list":
      return block.items.flatMap(({ statements }) => statements);
    case "code":
    case "excerpt":
      return [block.statement];
    case "table":
      return block.rows.flat().flatMap((cell) => (typeof cell === "string" ? [] : cell));
  }
}

/** Each statement once, where it is first read. */
export function statementsOf({ blocks, statements }: Pick<Draft, "blocks" | "statements">): Statement[] {
  const ids = new Set(blocks.flatMap(idsIn));
  return [...ids].flatMap((id) => memberOf(statements, id) ?? []);
}

export function gapsNamedBy(statement: Statement): string[] {
  if (statement.basis === "gap") return [statement.gap_id, ...(statement.further_gap_ids ?? [])];
  return "gap_ids" in statement ? (statement.gap_ids ?? []) : [];
}

export function isClaim(statement: Statement): statement is Claim {
  return isQuoting(statement) && statement.basis !== "nearest" && statement.basis !== "suggested";
}

/** The ids of the statements that it follows from. */
export function premisesIn(statement: Statement): readonly string[] {
  return statement.basis === "derived" || statement.basis === "suggested" ? statement.from : [];
}

export function isQuoting(statement: Statement): statement is Quoting {
  return statement.basis !== "gap" && statement.basis !== "framing";
}

/** What the report asserts, in reading order. */
export function claimsOf(draft: Pick<Draft, "blocks" | "statements">): Claim[] {
  return statementsOf(draft).filter(isClaim);
}

/** What rests on quotes, in reading order: its claims, the passages that came near, and our suggestions. */
export function quotingOf(draft: Pick<Draft, "blocks" | "statements">): Quoting[] {
  return statementsOf(draft).filter(isQuoting);
}

/** A heading with the blocks below it. `heading` is null for the blocks above the first one. */
export interface Section {
  heading: Heading | null;
  blocks: Block[];
}

/** The page cut at the headings of level 2. */
export function sectionsOf({ blocks }: Pick<Draft, "blocks">): Section[] {
  const sections: Section[] = [{ heading: null, blocks: [] }];
  for (const block of blocks) {
    if (block.kind === "heading" && block.level === 2) sections.push({ heading: block, blocks: [] });
    else sections.at(-1)?.blocks.push(block);
  }
  return sections.filter(({ heading, blocks: own }) => heading !== null || own.length > 0);
}

/** The distinct spans that a report rests on, in a fixed order. `evidence_digest` covers them. */
export function evidenceOf(
  draft: Pick<Draft, "blocks" | "statements">,
): Pick<Quote, "source_digest" | "start" | "end">[] {
  const spans = new Map<string, Pick<Quote, "source_digest" | "start" | "end">>();
  for (const { quotes } of quotingOf(draft)) {
    for (const { source_digest, start, end } of quotes) {
      spans.set(`${source_digest} ${String(start).padStart(12, "0")} ${end}`, { source_digest, start, end });
    }
  }
  return [...spans.entries()].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, span]) => span);
}
