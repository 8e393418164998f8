// Writes the blocks of a page into a Word document: headings, sentences with marks, lists, tables, excerpts, sources.
import {
  Bookmark,
  ExternalHyperlink,
  HeadingLevel,
  Paragraph,
  TextRun,
  type FileChild,
  type ParagraphChild,
} from "docx";
import { shownLine, shownText } from "../kernel/shown-text.ts";
import type { Quoting } from "../run/report/report.ts";
import { statedText } from "../run/report/source.ts";
import { bookmarkOf, markRuns, placeRuns, type Writing } from "./docx-notes.ts";
import { CHARACTER, INDENT, LISTS, MARKED, STYLE } from "./docx-style.ts";
import { tableOf, type TableCellText } from "./docx-table.ts";
import { codeRun, directionOf, plainRun, richParagraph, richRuns, runsOf } from "./docx-text.ts";
import type { ExcerptPart } from "./excerpt-parts.ts";
import { textOf, type Run } from "./excerpt-lines.ts";
import {
  blankBefore,
  type Excerpt,
  type Line,
  type PageBlock,
  type PageCell,
  type Sentence,
  type SourceEntry,
} from "./report-page.ts";
import { doubtOf, marksOf, placeOfGap } from "./report-view.ts";
import { piecesIn } from "./text-pieces.ts";

const HEADINGS = [HeadingLevel.HEADING_1, HeadingLevel.HEADING_2, HeadingLevel.HEADING_3];

export function headingParagraph(text: string, level: number): Paragraph {
  return richParagraph(text, { heading: HEADINGS[level - 2] ?? HeadingLevel.HEADING_3 });
}

/** The instance of numbering for a list. A list that continues counting takes the instance that ended one number before it. */
function instanceOf({ start = 1, items }: Extract<PageBlock, { kind: "list" }>, { instances }: Writing): number {
  const ended = start === 1 ? -1 : instances.lastIndexOf(start - 1);
  const instance = ended === -1 ? instances.length : ended;
  instances[instance] = start - 1 + items.length;
  return instance;
}

export function blockParagraphs(block: PageBlock, writing: Writing): FileChild[] {
  switch (block.kind) {
    case "heading":
      return [headingParagraph(block.text, block.level)];
    case "paragraph":
      return [new Paragraph({ ...directionIn(block.line), children: lineRuns(block.line, writing) })];
    case "list": {
      const reference = block.ordered ? LISTS.numbers : LISTS.bullets;
      const instance = block.ordered ? instanceOf(block, writing) : 0;
      const numbering = { reference, level: 0, instance };
      return block.items.map(
        (item) => new Paragraph({ numbering, ...directionIn(item), children: lineRuns(item, writing) }),
      );
    }
    case "code":
      return codeParagraphs(
        block.text.split("\n"),
        block.sentences.flatMap((one) => asideRuns(one, writing)),
      );
    case "table": {
      const { caption, columns, rows } = block;
      const cellOf = (cell: PageCell): TableCellText =>
        typeof cell === "string"
          ? { text: cell, children: richRuns(cell) }
          : { text: cell.map(({ text }) => text).join(" "), children: sentenceRuns(cell, writing) };
      const title = caption === undefined ? [] : [new Paragraph({ style: STYLE.caption, children: richRuns(caption) })];
      return [...title, ...tableOf([columns, ...rows].map((row) => row.map(cellOf)))];
    }
    case "excerpt":
      return excerptParagraphs(block, writing);
    case "map":
      return [];
    case "sources":
      return block.entries.flatMap(sourceParagraphs);
  }
}

// --- sentences ----------------------------------------------------------------------------------------------------

function lineRuns({ gap, checked, lead, sentences, note }: Line, writing: Writing): ParagraphChild[] {
  const name =
    gap === undefined
      ? []
      : [new Bookmark({ id: placeOfGap(gap), children: [plainRun(`${gap}.`, { bold: true })] }), plainRun(" ")];
  const label = lead === undefined ? [] : [...richRuns(lead, { bold: true }), plainRun(" ")];
  const more = note === undefined ? [] : [plainRun(" "), ...richRuns(`(${note})`)];
  const box = checked === undefined ? [] : [plainRun(checked ? "☒ " : "☐ ")];
  return [...box, ...name, ...label, ...sentenceRuns(sentences, writing), ...more];
}

/** The direction of a paragraph that holds this line. */
function directionIn({ lead, sentences }: Line): ReturnType<typeof directionOf> {
  return directionOf([lead ?? "", ...sentences.map(({ text }) => text)].join(" "));
}

function sentenceRuns(sentences: readonly Sentence[], writing: Writing): ParagraphChild[] {
  return sentences.flatMap((one, at) => [
    ...(at === 0 || blankBefore(one) === "" ? [] : [plainRun(" ")]),
    ...richRuns(one.text),
    ...asideRuns(one, writing),
  ]);
}

/** The marks of a claim, and the doubt about it. */
function asideRuns({ resting }: Sentence, writing: Writing): ParagraphChild[] {
  return resting === null ? [] : [...markRuns(resting, writing), ...doubtRuns(resting)];
}

function doubtRuns(statement: Quoting): TextRun[] {
  const doubt = doubtOf(statement);
  return doubt === null ? [] : [plainRun(" "), plainRun(shownLine(`(${doubt})`), { style: CHARACTER.doubt })];
}

// --- code, excerpts and sources -----------------------------------------------------------------------------------

/** One paragraph for each line of code, and `tail` below them. */
function codeParagraphs(lines: readonly string[], tail: readonly ParagraphChild[]): Paragraph[] {
  return [
    ...lines.map((line) => new Paragraph({ style: STYLE.code, children: [codeRun(line)] })),
    new Paragraph({ style: STYLE.excerptPlace, children: [...tail] }),
  ];
}

function excerptParagraphs({ parts, statement, lacks }: Excerpt, { report }: Writing): FileChild[] {
  const places = marksOf(statement.quotes, report).flatMap((mark, at) => [
    ...(at === 0 ? [] : [plainRun("; ")]),
    ...placeRuns(mark),
  ]);
  const lacking = lacks.length === 0 ? [] : [plainRun(" "), plainRun(shownLine(`(lacks: ${lacks.join(", ")})`))];
  return [
    ...parts.flatMap(partParagraphs),
    new Paragraph({ style: STYLE.excerptPlace, children: [...places, ...lacking, ...doubtRuns(statement)] }),
  ];
}

function partParagraphs(part: ExcerptPart): FileChild[] {
  switch (part.kind) {
    case "lines": {
      const children = part.lines.flatMap((line, at) => [
        ...(at === 0 ? [] : [new TextRun({ break: 1 })]),
        ...line.flatMap((run) => runsOf(piecesIn(shownText(run.text)), shadingOf(run))),
      ]);
      const direction = directionOf(textOf(part.lines.flat()));
      return [new Paragraph({ style: STYLE.excerpt, keepNext: true, ...direction, children })];
    }
    case "table": {
      const cellOf = (cell: readonly Run[]): TableCellText => ({
        text: textOf(cell),
        children: cell.flatMap((run) => richRuns(run.text, shadingOf(run))),
      });
      return tableOf(
        part.rows.map((row) => row.map(cellOf)),
        INDENT,
      );
    }
    case "code":
      return part.lines.map(
        (line) =>
          new Paragraph({ style: STYLE.excerptCode, children: line.map((run) => plainRun(run.text, shadingOf(run))) }),
      );
  }
}

function shadingOf({ isMarked }: Run): { shading?: { fill: string } } {
  return isMarked ? { shading: { fill: MARKED } } : {};
}

function sourceParagraphs({ source, address, quotes }: SourceEntry): Paragraph[] {
  const { number, title, origin, source_digest } = source;
  const stated = statedText(source);
  const where =
    address === null
      ? codeRun(origin)
      : new ExternalHyperlink({ link: address, children: [plainRun(origin, { style: "Hyperlink" })] });
  return [
    new Paragraph({
      style: STYLE.source,
      children: [plainRun(`[${number}]`), new TextRun({ children: ["\t"] }), ...richRuns(title)],
    }),
    new Paragraph({
      style: STYLE.sourceDetail,
      children: [
        where,
        ...(stated === undefined ? [] : [plainRun(`, ${stated}`)]),
        codeRun(source_digest, { break: 1, size: 16 }),
      ],
    }),
    ...quotes.map(({ mark, place, words }) => {
      const label = new Bookmark({ id: bookmarkOf(mark.name), children: [plainRun(`${mark.name}.`, { bold: true })] });
      const text = `${place === "" ? "" : `${place}: `}“${words}”`;
      return new Paragraph({ style: STYLE.sourceDetail, children: [label, plainRun(" "), ...richRuns(text)] });
    }),
  ];
}
