// Inserts what a writer adds behind a statement of a page: sentences, items of a list, rows of a table, or blocks of their own.
import type { Block, Cell } from "../../../run/report/report.ts";
import { idsIn } from "../../../run/report/statements.ts";
import { readPage } from "./read-page.ts";
import {
  labelsOf,
  linkStatements,
  nextId,
  placeCells,
  type Titles,
  type WrittenPage,
  type WrittenStatement,
} from "./written-page.ts";

/** What is added: Markdown with marks, behind the statement with this id. */
export interface Insertion {
  after: string;
  text: string;
}

type Host = Exclude<Block, { kind: "heading" }>;

/** The page with what is added, or null when it has no such statement. `shown`: the statements that the writer saw. */
export function inserted(
  page: WrittenPage,
  { after, text }: Insertion,
  titles: Titles,
  shown: WrittenPage["statements"],
): WrittenPage | null {
  const at = page.blocks.findIndex((block) => idsIn(block).includes(after));
  const host = page.blocks[at];
  if (host === undefined || host.kind === "heading") return null;
  const isRow = host.kind === "table" && /^\s*\|/u.test(text);
  const read = readPage(isRow ? asTable(text, host.columns.length) : text, titles, {
    firstId: nextId(page),
    section: " ",
  });
  const own = read.blocks.filter((block): block is Host => block.kind !== "heading");
  const blocks = [...page.blocks.slice(0, at), ...joined(host, own, after), ...page.blocks.slice(at + 1)];
  const placed = new Set(blocks.flatMap(idsIn));
  const added = new Map<string, WrittenStatement>([...read.statements].filter(([id]) => placed.has(id)));
  const statements = new Map([...page.statements, ...added]);
  linkStatements(added.values(), statements, shown);
  placeCells(blocks, statements);
  return { ...page, blocks, statements, labels: labelsOf(blocks, page.title), taken: [...page.taken, ...read.taken] };
}

/** Rows are a table only below a head. */
function asTable(rows: string, columns: number): string {
  const line = (cell: string): string => `|${` ${cell} |`.repeat(columns)}`;
  return `${line("x")}\n${line("---")}\n${rows.trim()}`;
}

/** The block with what is added in it where that has its form, else what is added as blocks behind it. */
function joined(host: Host, own: readonly Host[], after: string): Block[] {
  const [first, ...others] = own;
  if (first === undefined) return [host];
  const isBehind = (ids: readonly string[]): boolean => ids.includes(after);
  const behind = (ids: readonly string[], more: readonly string[]): string[] =>
    ids.flatMap((id) => (id === after ? [id, ...more] : [id]));
  if (host.kind === "paragraph" && first.kind === "paragraph")
    return [{ ...host, statements: behind(host.statements, first.statements) }, ...others];
  if (host.kind === "list" && first.kind === "paragraph") {
    const items = host.items.map((item) => ({ ...item, statements: behind(item.statements, first.statements) }));
    return [{ ...host, items }, ...others];
  }
  if (host.kind === "list" && first.kind === "list") {
    const items = host.items.flatMap((item) => (isBehind(item.statements) ? [item, ...first.items] : [item]));
    return [{ ...host, items }, ...others];
  }
  if (host.kind === "table" && first.kind === "table") {
    const rows = first.rows.map((row) => host.columns.map((_, at): Cell => row[at] ?? ""));
    const hasIt = (row: readonly Cell[]): boolean => row.some((cell) => typeof cell !== "string" && isBehind(cell));
    return [{ ...host, rows: host.rows.flatMap((row) => (hasIt(row) ? [row, ...rows] : [row])) }, ...others];
  }
  return [host, ...own];
}
