// The report as Markdown: the blocks of report.json, then what is missing, how it was made, and the sources.
import { idsIn, type Block, type Cell, type Report } from "../run/report.ts";
import { codeBlock, codeSpan, plainCell, plainText } from "./plain-markdown.ts";
import { onOneLine, withoutMarkup } from "./excerpt-lines.ts";
import { excerptLines } from "./markdown-excerpt.ts";
import { claimTail, statementText } from "./markdown-statement.ts";
import { fullPlaceOf, gapsOf, quotesBehind, reasonOf, statementsIn, webAddressOf } from "./report-view.ts";
import { coverageTable, leadText, legendOf, madeLines, partialLines, TITLES, unreadLines } from "./report-words.ts";
import { cut } from "./text-pieces.ts";

/** Whole in report.json and in the HTML page. */
const MAX_QUOTE_LENGTH = 1_000;

/** Markdown without a time, an id or a path of the run: equal reports give equal bytes. */
export function reportMarkdown(report: Report): string {
  const { none, weak } = gapsOf(report);
  const legend = legendOf(report);
  const chunks = [
    [`# ${plainText(report.title ?? report.question)}`],
    warningBox(report),
    ...report.blocks.map((block, at) => blockLines(block, report, report.blocks[at - 1])),
    legend.length === 0 ? [] : [`*${plainText(legend.join(" "))}*`],
    section(TITLES.none, none.map(gapLine)),
    section(TITLES.weak, weak.map(gapLine)),
    section(TITLES.remarks, (report.made.remarks ?? []).map(listItem)),
    section(TITLES.coverage, coverageLines(report)),
    section(TITLES.made, madeLines(report).map(listItem)),
    section(TITLES.sources, sourceLines(report)),
  ];
  return `${chunks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

/** What a reader has to know before they read. */
function warningBox(report: Report): string[] {
  const lines = [...partialLines(report), ...unreadLines(report)].map((line) => `> ${plainText(line)}`);
  return lines.length === 0 ? [] : [lines.join("\n>\n")];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, "", ...lines];
}

function listItem(line: string): string {
  return `- ${plainText(line)}`;
}

// --- blocks -------------------------------------------------------------------------------------------------------

function blockLines(block: Block, report: Report, before: Block | undefined): string[] {
  switch (block.kind) {
    case "heading":
      return [`${"#".repeat(block.level)} ${plainText(block.text)}`];
    case "paragraph":
      return [runningText(block, report)];
    case "list": {
      // Two lists in a row with the same signs would be one.
      const isSecond = before?.kind === "list" && before.ordered === block.ordered;
      const sign = (at: number): string => (block.ordered ? `${at + 1}${isSecond ? ")" : "."}` : isSecond ? "*" : "-");
      return block.items.map((item, at) => `${sign(at)} ${runningText(item, report)}`);
    }
    case "code":
      return [...codeBlock(block.text), "", ...statementsIn(idsIn(block), report).map((one) => claimTail(one, report))];
    case "table":
      return tableLines(block, report);
    case "excerpt":
      return excerptLines(block, report);
  }
}

function runningText(
  { lead, statements }: { lead?: string | undefined; statements: string[] },
  report: Report,
): string {
  const sentences = statementsIn(statements, report).map((one) => statementText(one, report));
  return [...(lead === undefined ? [] : [`**${plainText(leadText(lead))}**`]), ...sentences].join(" ");
}

function tableLines({ caption, columns, rows }: Extract<Block, { kind: "table" }>, report: Report): string[] {
  const width = Math.max(columns.length, ...rows.map((row) => row.length));
  const filled = (cells: readonly string[]): string[] => Array.from({ length: width }, (_, at) => cells[at] ?? "");
  const lines = [columns.map(plainCell), ...rows.map((row) => row.map((cell) => cellText(cell, report)))];
  return [...(caption === undefined ? [] : [plainText(caption), ""]), ...markdownTable(lines.map(filled))];
}

function cellText(cell: Cell, report: Report): string {
  if (typeof cell === "string") return plainCell(cell);
  return statementsIn(cell, report)
    .map((one) => statementText(one, report, plainCell))
    .join(" ");
}

function markdownTable([header = [], ...rows]: readonly string[][]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)];
}

// --- behind the blocks --------------------------------------------------------------------------------------------

function gapLine(gap: Report["gaps"][number]): string {
  const reason = reasonOf(gap);
  return `- ${plainText(gap.text)}${reason === null ? "" : ` (${plainText(reason)})`}`;
}

function coverageLines(report: Report): string[] {
  const { columns, rows } = coverageTable(report);
  return rows.length === 0 ? [] : markdownTable([columns, ...rows.map((row) => row.map(plainCell))]);
}

/** Below each source the words that were put in other words. */
function sourceLines(report: Report): string[] {
  return report.sources.flatMap((source) => {
    const { number, title, origin, source_digest } = source;
    const address = webAddressOf(source);
    const sign = `${number}. `;
    const quotes = quotesBehind(report, source).map((quote) => {
      const place = fullPlaceOf(quote, source);
      const words = plainText(`“${cut(onOneLine(withoutMarkup(quote.text, origin), origin), MAX_QUOTE_LENGTH)}”`);
      return `${" ".repeat(sign.length)}- ${place === "" ? "" : `${plainText(place)}: `}${words}`;
    });
    const where = address === null ? codeSpan(origin) : `<${address}>`;
    return [`${sign}${plainText(title)}. ${where}, \`${source_digest}\``, ...quotes];
  });
}
