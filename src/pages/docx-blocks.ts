// The blocks of a report in a Word document: headings, sentences with their footnotes, lists, tables, excerpts.
import { HeadingLevel, Paragraph, TextRun, type FileChild, type ParagraphChild } from "docx";
import { shownLine } from "../kernel/shown-text.ts";
import { idsIn, isClaim, type Block, type Cell, type Claim, type Statement } from "../run/report.ts";
import { markRuns, placeRuns, type Writing } from "./docx-notes.ts";
import { CHARACTER, INDENT, LISTS, MARKED, STYLE } from "./docx-style.ts";
import { tableOf, type TableCellText } from "./docx-table.ts";
import { codeRun, directionOf, plainRun, richLineRuns, richRuns } from "./docx-text.ts";
import { partsOfQuote, type ExcerptPart, type Run } from "./excerpt-parts.ts";
import { doubtOf, excerptOf, statementsIn } from "./report-view.ts";
import { leadText } from "./report-words.ts";

const HEADINGS = [HeadingLevel.HEADING_1, HeadingLevel.HEADING_2, HeadingLevel.HEADING_3];

export function headingParagraph(text: string, level: number): Paragraph {
  const heading = HEADINGS[level - 2] ?? HeadingLevel.HEADING_3;
  return new Paragraph({ heading, ...directionOf(text), children: richRuns(text) });
}

export function blockParagraphs(block: Block, writing: Writing): FileChild[] {
  switch (block.kind) {
    case "heading":
      return [headingParagraph(block.text, block.level)];
    case "paragraph":
      return [new Paragraph({ ...directionIn(block, writing), children: runningRuns(block, writing) })];
    case "list": {
      const reference = block.ordered ? LISTS.numbers : LISTS.bullets;
      const instance = block.ordered ? ++writing.lists : 0;
      return block.items.map((item) => {
        const numbering = { reference, level: 0, instance };
        return new Paragraph({ numbering, ...directionIn(item, writing), children: runningRuns(item, writing) });
      });
    }
    case "code": {
      const claims = statementsIn(idsIn(block), writing.report).filter(isClaim);
      const tail = claims.flatMap((claim) => [...markRuns(claim, writing), ...doubtRuns(claim)]);
      return codeParagraphs(block.text.split("\n"), tail);
    }
    case "table":
      return tableParagraphs(block, writing);
    case "excerpt":
      return excerptParagraphs(block, writing);
  }
}

// --- sentences ----------------------------------------------------------------------------------------------------

interface Running {
  lead?: string | undefined;
  statements: string[];
}

function runningRuns({ lead, statements }: Running, writing: Writing): ParagraphChild[] {
  const label = lead === undefined ? [] : [...richRuns(leadText(lead), { bold: true }), plainRun(" ")];
  return [...label, ...sentenceRuns(statements, writing)];
}

/** The direction of the whole paragraph. */
function directionIn({ lead, statements }: Running, { report }: Writing): ReturnType<typeof directionOf> {
  return directionOf([lead ?? "", ...statementsIn(statements, report).map(({ text }) => text)].join(" "));
}

function sentenceRuns(ids: readonly string[], writing: Writing): TextRun[] {
  return statementsIn(ids, writing.report).flatMap((one, at) => {
    const text = one.basis === "quoted" ? `“${one.text}”` : one.text;
    return [...(at === 0 ? [] : [plainRun(" ")]), ...richRuns(text), ...asideRuns(one, writing)];
  });
}

/** The footnote of a claim, and how it is doubtful. */
function asideRuns(statement: Statement, writing: Writing): TextRun[] {
  return isClaim(statement) ? [...markRuns(statement, writing), ...doubtRuns(statement)] : [];
}

function doubtRuns(claim: Claim): TextRun[] {
  const doubt = doubtOf(claim);
  return doubt === null ? [] : [plainRun(" "), plainRun(shownLine(`(${doubt})`), { style: CHARACTER.doubt })];
}

// --- tables, code and excerpts ------------------------------------------------------------------------------------

function tableParagraphs({ caption, columns, rows }: Extract<Block, { kind: "table" }>, writing: Writing): FileChild[] {
  const cellOf = (cell: Cell): TableCellText => {
    if (typeof cell === "string") return { text: cell, children: richRuns(cell) };
    const text = statementsIn(cell, writing.report).map((one) => one.text);
    return { text: text.join(" "), children: sentenceRuns(cell, writing) };
  };
  const title = caption === undefined ? [] : [new Paragraph({ style: STYLE.caption, children: richRuns(caption) })];
  return [...title, ...tableOf([columns, ...rows].map((row) => row.map(cellOf)))];
}

/** One paragraph a line; `tail` stands behind the last one. */
function codeParagraphs(lines: readonly string[], tail: readonly TextRun[] = []): Paragraph[] {
  return lines.map((line, at) => {
    const isLast = at === lines.length - 1;
    const children = [codeRun(line), ...(isLast ? tail : [])];
    return new Paragraph({ style: STYLE.code, children, ...(isLast ? { spacing: { after: 160 } } : {}) });
  });
}

function excerptParagraphs(block: Extract<Block, { kind: "excerpt" }>, writing: Writing): FileChild[] {
  const excerpt = excerptOf(block, writing.report);
  if (excerpt === null) return [];
  const { claim, quote, marks, origin } = excerpt;
  const { lacks = [] } = block;
  const places = claim.quotes.map((one) => placeRuns(one, writing.report)).filter((runs) => runs.length > 0);
  const place = places.flatMap((runs, at) => (at === 0 ? runs : [plainRun("; "), ...runs]));
  const lacking = lacks.length === 0 ? [] : [plainRun(" "), plainRun(shownLine(`(lacks: ${lacks.join(", ")})`))];
  return [
    ...partsOfQuote(quote, marks, origin).flatMap(partParagraphs),
    new Paragraph({ style: STYLE.excerptPlace, children: [...place, ...lacking, ...doubtRuns(claim)] }),
  ];
}

function partParagraphs(part: ExcerptPart): FileChild[] {
  switch (part.kind) {
    case "lines": {
      // The lines of one paragraph, as in the source.
      const children = part.lines.flatMap((line, at) => [
        ...(at === 0 ? [] : [new TextRun({ break: 1 })]),
        ...line.flatMap((run) => richLineRuns(run.text, lookOf(run))),
      ]);
      const words = part.lines.flat().map(({ text }) => text);
      return [new Paragraph({ style: STYLE.excerpt, keepNext: true, ...directionOf(words.join("")), children })];
    }
    case "table": {
      const cellOf = (cell: readonly Run[]): TableCellText => {
        const text = cell.map((run) => run.text).join("");
        return { text, children: cell.flatMap((run) => richRuns(run.text, lookOf(run))) };
      };
      const rows = part.rows.map((row) => row.map(cellOf));
      return tableOf(rows, INDENT);
    }
    case "code":
      return part.lines.map(
        (line) =>
          new Paragraph({ style: STYLE.excerptCode, children: line.map((run) => plainRun(run.text, lookOf(run))) }),
      );
  }
}

function lookOf({ isMarked }: Run): { shading?: { fill: string } } {
  return isMarked ? { shading: { fill: MARKED } } : {};
}
