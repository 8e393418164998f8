// Writes the blocks of a PDF as Markdown, with a form feed between two pages.
import { MarkdownWriter } from "./markdown-writer.ts";
import { pagesOf, type PdfBlock } from "./pdf-blocks.ts";
import type { Line } from "./pdf-lines.ts";
import { PAGE_END } from "../blocks/anchors.ts";
import { LineJoiner } from "./pdf-words.ts";

/** Each page ends with one, but for the last: pages without text at the ends of the document count, too. */
export function markdownOfBlocks(blocks: readonly PdfBlock[], pages: number): string {
  const joiner = new LineJoiner(blocks.flatMap((block) => block.lines.map((line) => line.text)));
  const parts: string[] = [];
  let page = 0;
  for (const block of blocks) {
    const { first, last } = pagesOf(block);
    if (first > page) parts.push(PAGE_END.repeat(first - page));
    page = Math.max(page, last);
    parts.push(markdownOf(block, joiner));
  }
  if (page < pages - 1) parts.push(PAGE_END.repeat(pages - 1 - page));
  return parts.join("\n\n");
}

function markdownOf(block: PdfBlock, joiner: LineJoiner): string {
  switch (block.kind) {
    case "heading":
      return `${"#".repeat(block.level)} ${joiner.joined(block.lines)}`;
    case "code":
      return written((writer) => writer.code(codeOf(block.lines)));
    case "table":
      return written((writer) => writer.table(block.rows ?? []));
    case "item":
      return joiner.joined(block.lines).replace(/^[•◦▪■●○‣∙·*–—-]\s+/, "- ");
    case "paragraph":
      return joiner.joined(block.lines).replace(/^(?=#{1,6}\s|`{3}|~{3})/, "    ");
  }
}

function codeOf(lines: readonly Line[]): string {
  const left = Math.min(...lines.map((line) => line.x));
  return lines.map((line) => " ".repeat(Math.round((line.x - left) / (0.6 * line.size))) + line.text).join("\n");
}

function written(write: (writer: MarkdownWriter) => void): string {
  const writer = new MarkdownWriter();
  write(writer);
  return writer.finish();
}
