// A table of a Word document, with a header that is repeated on each page.
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

/** What a cell shows, and its words alone. */
export interface TableCellText {
  text: string;
  children: ParagraphChild[];
}

const NONE = { style: BorderStyle.NONE };
const RULE = { style: BorderStyle.SINGLE, size: 4, color: LINE };
const BORDERS = { top: RULE, bottom: RULE, left: NONE, right: NONE, insideHorizontal: RULE, insideVertical: NONE };
/** Between the margins of a page, in twentieths of a point. */
const TEXT_WIDTH = 9026;
/** In characters: a column with longer cells gets no more room than this. */
const MAX_WEIGHT = 60;
const MIN_WEIGHT = 16;

/** The first row is the header. A short paragraph follows, without which two tables in a row would be one. */
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

/** By the longest cell of each column. */
function columnWidths(rows: readonly (readonly TableCellText[])[], whole: number): number[] {
  const count = Math.max(...rows.map((row) => row.length));
  const weights = Array.from({ length: count }, (_, at) => {
    const longest = Math.max(...rows.map((row) => row[at]?.text.length ?? 0));
    return Math.min(MAX_WEIGHT, Math.max(MIN_WEIGHT, longest));
  });
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => Math.floor((whole * weight) / all));
}

function cellOf(cell: TableCellText | undefined, width: number, isHeader: boolean): TableCell {
  const { text = "", children = [] } = cell ?? {};
  return new TableCell({
    width: { size: width, type: WidthType.DXA },
    margins: { top: 60, bottom: 60, left: 80, right: 80 },
    ...(isHeader ? { shading: { fill: PANEL } } : {}),
    children: [new Paragraph({ spacing: { after: 0 }, ...directionOf(text), children })],
  });
}
