// The blocks of a report in HTML: sections under their headings, sentences with their marks, lists, tables, excerpts.
import {
  idsIn,
  isClaim,
  sectionsOf,
  type Block,
  type Cell,
  type Claim,
  type Report,
  type Section,
} from "../run/report.ts";
import { byHand, marksHtml, placeHtml, type ClaimNumbers } from "./html-card.ts";
import { quoteHtml } from "./html-quote.ts";
import { escaped, escapedLines, foreign, richText, withMarks } from "./html-text.ts";
import { doubtOf, excerptOf, sourceOf, statementsIn } from "./report-view.ts";
import { leadText } from "./report-words.ts";

/** A section of the page; `title` is null for what stands above all headings. */
export interface PageSection {
  title: string | null;
  role?: NonNullable<Section["heading"]>["role"];
  content: string;
}

export function blockSections(report: Report, numbers: ClaimNumbers): PageSection[] {
  return sectionsOf(report).map(({ heading, blocks }) => ({
    title: heading?.text ?? null,
    role: heading?.role,
    content: blocks.map((block) => blockHtml(block, report, numbers)).join("\n"),
  }));
}

function blockHtml(block: Block, report: Report, numbers: ClaimNumbers): string {
  switch (block.kind) {
    case "heading":
      return `<h${block.level}${foreign(block.text)}>${richText(block.text)}</h${block.level}>`;
    case "paragraph":
      return `<p dir="auto">${runningHtml(block, report, numbers)}</p>`;
    case "list": {
      const items = block.items.map((item) => `<li dir="auto">${runningHtml(item, report, numbers)}</li>`);
      const tag = block.ordered ? "ol" : "ul";
      return `<${tag}>\n${items.join("\n")}\n</${tag}>`;
    }
    case "code": {
      const tails = statementsIn(idsIn(block), report)
        .filter(isClaim)
        .map((one) => `${marksHtml(one, report, numbers)}${doubtHtml(one)}`);
      return `<div class="code"><pre tabindex="0"><code>${escapedLines(block.text)}</code></pre>${tails.join("")}</div>`;
    }
    case "table":
      return tableHtml(block, report, numbers);
    case "excerpt":
      return excerptHtml(block, report);
  }
}

// --- sentences ----------------------------------------------------------------------------------------------------

function runningHtml(
  { lead, statements }: { lead?: string | undefined; statements: string[] },
  report: Report,
  numbers: ClaimNumbers,
): string {
  const label = lead === undefined ? [] : [`<strong${foreign(lead)}>${richText(leadText(lead))}</strong>`];
  return [...label, sentencesHtml(statements, report, numbers)].join(" ");
}

function sentencesHtml(ids: readonly string[], report: Report, numbers: ClaimNumbers): string {
  return statementsIn(ids, report)
    .map((one) => {
      const text = one.basis === "quoted" ? `“${one.text}”` : one.text;
      const marks = isClaim(one) ? marksHtml(one, report, numbers) : "";
      return `<span${foreign(one.text)}>${withMarks(text, marks)}</span>${isClaim(one) ? doubtHtml(one) : ""}`;
    })
    .join(" ");
}

function doubtHtml(claim: Claim): string {
  const doubt = doubtOf(claim);
  return doubt === null ? "" : ` <span class="doubt">(${escaped(doubt)})</span>`;
}

// --- tables and excerpts ------------------------------------------------------------------------------------------

function tableHtml(
  { caption, columns, rows }: Extract<Block, { kind: "table" }>,
  report: Report,
  numbers: ClaimNumbers,
): string {
  const width = Math.max(columns.length, ...rows.map((row) => row.length));
  const filled = (row: readonly Cell[]): Cell[] => Array.from({ length: width }, (_, at) => row[at] ?? "");
  const cellHtml = (cell: Cell, at: number): string => {
    if (typeof cell !== "string") return `<td>${sentencesHtml(cell, report, numbers)}</td>`;
    const tag = at === 0 && cell !== "" ? `th scope="row"` : "td";
    return `<${tag}${foreign(cell)}>${richText(cell)}</${tag.slice(0, 2)}>`;
  };
  const title = caption === undefined ? "" : `<caption${foreign(caption)}>${richText(caption)}</caption>\n`;
  const header = filled(columns).map((column) => `<th scope="col">${richText(String(column))}</th>`);
  return `<div class="wide" tabindex="0"><table>
${title}<thead><tr>${header.join("")}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${filled(row).map(cellHtml).join("")}</tr>`).join("\n")}
</tbody>
</table></div>`;
}

function excerptHtml(block: Extract<Block, { kind: "excerpt" }>, report: Report): string {
  const excerpt = excerptOf(block, report);
  if (excerpt === null) return "";
  const { claim, quote, marks, origin } = excerpt;
  const { lacks = [] } = block;
  const places = claim.quotes.flatMap((one) => {
    const source = sourceOf(one, report);
    return source === undefined ? [] : [placeHtml(one, source)];
  });
  const lacking =
    lacks.length === 0 ? "" : ` <span class="lacks">lacks: ${lacks.map((word) => escaped(word)).join(", ")}</span>`;
  return `<figure class="excerpt">
${quoteHtml(quote, marks, origin)}
<figcaption>${places.join("; ")}${lacking}${doubtHtml(claim)}
${claim.quotes.map(byHand).join("\n")}</figcaption>
</figure>`;
}
