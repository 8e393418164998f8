// Writes the blocks of a PDF as Markdown, a form feed where a page ends; paragraphs go on over columns and pages.
import type { PdfBlock } from "./pdf-blocks.ts";
import type { Line } from "./pdf-lines.ts";
import { LineJoiner } from "./pdf-words.ts";

const PAGE_END = "\f";

export function markdownOfBlocks(blocks: readonly PdfBlock[]): string {
  const joiner = new LineJoiner(blocks.flatMap((block) => block.lines.map((line) => line.text)));
  const parts: string[] = [];
  let page = 0;
  for (const { block, rest } of inReadingOrder(blocks)) {
    const turns = PAGE_END.repeat(Math.max(0, block.page - page));
    if (turns !== "") parts.push(turns);
    page = Math.max(page, block.page);
    if (rest === null) {
      parts.push(markdownOf(block, joiner));
      continue;
    }
    parts.push(joined(block, rest, joiner));
    page = rest.page;
  }
  return parts.join("\n\n");
}

interface Placed {
  block: PdfBlock;
  /** Where the paragraph goes on. */
  rest: PdfBlock | null;
}

/**
 * A paragraph that is cut off and the one that goes on with it become one. Notes below it come before it, and what
 * stands above its second half, behind it: each stays on its page.
 */
function inReadingOrder(blocks: readonly PdfBlock[]): Placed[] {
  const placed: Placed[] = [];
  const taken = new Set<PdfBlock>();
  blocks.forEach((block, at) => {
    if (taken.has(block)) return;
    const rest = block.isCutOff && !block.isSmall ? restOf(blocks, at) : null;
    if (rest === null) {
      placed.push({ block, rest });
      return;
    }
    for (const between of blocks.slice(at + 1, blocks.indexOf(rest))) {
      if (between.page !== block.page) break;
      placed.push({ block: between, rest: null });
      taken.add(between);
    }
    taken.add(rest);
    placed.push({ block, rest });
  });
  return placed;
}

/** Only notes and captions may stand between, and nothing further than on the next page. */
function restOf(blocks: readonly PdfBlock[], at: number): PdfBlock | null {
  const block = blocks[at] as PdfBlock;
  for (const next of blocks.slice(at + 1, at + 8)) {
    if (next.page > block.page + 1) return null;
    if (next.mayGoOn && !next.isSmall && next.kind === "paragraph") return next;
    if (!next.isSmall && next.kind !== "table") return null;
  }
  return null;
}

function markdownOf(block: PdfBlock, joiner: LineJoiner): string {
  switch (block.kind) {
    case "heading":
      return `${"#".repeat(block.level)} ${joiner.joined(block.lines)}`;
    case "code":
      return codeOf(block.lines);
    case "table":
      return tableOf(block.rows ?? []);
    case "item":
      return joiner.joined(block.lines).replace(/^[•◦▪■●○‣∙·*–—-]\s+/, "- ");
    case "paragraph":
      return joiner.joined(block.lines).replace(/^(?=#{1,6}\s|`{3}|~{3})/, "    ");
  }
}

/** A word that is cut by the end of a page stands whole on the page where it begins. */
function joined(block: PdfBlock, rest: PdfBlock, joiner: LineJoiner): string {
  const whole = joiner.joined([...block.lines, ...rest.lines]);
  if (block.page === rest.page) return itemOrText(block, whole);
  const first = joiner.joined(block.lines);
  const common = commonLength(first, whole);
  const end = whole.indexOf(" ", common);
  const cut = end === -1 ? common : whole[common] === " " ? common : end;
  return itemOrText(block, `${whole.slice(0, cut).trimEnd()}${PAGE_END}${whole.slice(cut).trimStart()}`);
}

function itemOrText(block: PdfBlock, text: string): string {
  return block.kind === "item" ? text.replace(/^[•◦▪■●○‣∙·*–—-]\s+/, "- ") : text;
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

function codeOf(lines: readonly Line[]): string {
  const left = Math.min(...lines.map((line) => line.x));
  const written = lines.map((line) => " ".repeat(Math.round((line.x - left) / (0.6 * line.size))) + line.text);
  return `\`\`\`\n${written.join("\n")}\n\`\`\``;
}

function tableOf(rows: readonly string[][]): string {
  const lines = rows.map((row) => `| ${row.join(" | ")} |`);
  lines.splice(1, 0, `| ${(rows[0] ?? []).map(() => "---").join(" | ")} |`);
  return lines.join("\n");
}
