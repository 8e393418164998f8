// Makes a table of a Word document. Its header is repeated on each page.
import {
  BorderStyle,
  LineRuleType,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  WidthType,
  type FileChild,
  type ParagraphChild,
} from "docx";
import { LINE, PANEL } from "./docx-style.ts";
import { directionOf } from "./docx-text.ts";

/** A cell as it is shown. `text`: its words alone, from which the width of its column is computed. */
export interface TableCellText {
  text: string;
  children: ParagraphChild[];
}

const NONE = { style: BorderStyle.NONE };
const RULE = { style: BorderStyle.SINGLE, size: 4, color: LINE };
const BORDERS = { top: RULE, bottom: RULE, left: NONE, right: NONE, insideHorizontal: RULE, insideVertical: NONE };
/** The width between the margins of a page, in twentieths of a point. */
const TEXT_WIDTH = 9026;
/** A letter takes about 6 points. */
const LETTER_WIDTH = 120;
const MARGIN = 80;
/** In letters. Longer words and longer cells get no more room than these. */
const MAX_WORD = 24;
const MAX_CELL = 60;

/** The first row is the header. A short paragraph follows the table, since Word joins two tables that touch. */
export function tableOf(rows: readonly (readonly TableCellText[])[], indent = 0): FileChild[] {
  const widths = columnWidths(rows, TEXT_WIDTH - indent);
  return [
    new Table({
      width: { size: TEXT_WIDTH - indent, type: WidthType.DXA },
      indent: { size: indent, type: WidthType.DXA },
      columnWidths: widths,
      borders: BORDERS,
      rows: rows.map(
        (row, index) =>
          new TableRow({
            tableHeader: index === 0,
            cantSplit: true,
            children: widths.map((width, at) => cellOf(row[at], width, index === 0)),
          }),
      ),
    }),
    new Paragraph({ spacing: { after: 0, line: 160, lineRule: LineRuleType.EXACT }, children: [] }),
  ];
}

/** Each column has room for its longest word. The rest is shared in proportion to the longest cells. */
function columnWidths(rows: readonly (readonly TableCellText[])[], whole: number): number[] {
  const count = Math.max(...rows.map((row) => row.length));
  const longest = (at: number, limit: number, lengthOf: (text: string) => number): number =>
    Math.min(limit, Math.max(...rows.map((row) => lengthOf(row[at]?.text ?? ""))));
  const columns = Array.from({ length: count }, (_, at) => ({
    word: longest(at, MAX_WORD, (text) => Math.max(...text.split(/\s+/).map(({ length }) => length))),
    cell: longest(at, MAX_CELL, ({ length }) => length + 1),
  }));
  const least = columns.map(({ word }) => word * LETTER_WIDTH + 3 * MARGIN);
  const left = whole - sum(least);
  const cells = sum(columns.map(({ cell }) => cell));
  return columns.map(({ cell }, at) => {
    const own = least[at] ?? 0;
    return Math.floor(left > 0 ? own + (left * cell) / cells : (own * whole) / (whole - left));
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function cellOf(cell: TableCellText | undefined, width: number, isHeader: boolean): TableCell {
  const { text = "", children = [] } = cell ?? {};
  return new TableCell({
    width: { size: width, type: WidthType.DXA },
    margins: { top: 60, bottom: 60, left: MARGIN, right: MARGIN },
    ...(isHeader ? { shading: { fill: PANEL } } : {}),
    children: [new Paragraph({ spacing: { after: 0 }, ...directionOf(text), children })],
  });
}
