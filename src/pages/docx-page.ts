// The report as a Word document: the blocks of report.json with footnotes, what is missing, how it was made, the sources.
import {
  AlignmentType,
  Bookmark,
  ExternalHyperlink,
  Footer,
  PageNumber,
  Paragraph,
  TextRun,
  type FileChild,
} from "docx";
import type { Report } from "../run/report.ts";
import { blockParagraphs, headingParagraph } from "./docx-blocks.ts";
import { docxFile } from "./docx-file.ts";
import { bookmarkOf, type Writing } from "./docx-notes.ts";
import { LISTS, STYLE } from "./docx-style.ts";
import { tableOf } from "./docx-table.ts";
import { codeRun, directionOf, plainRun, richRuns } from "./docx-text.ts";
import { gapsOf, marksUsed, placesIn, reasonOf, webAddressOf, type ReportSource } from "./report-view.ts";
import { coverageTable, FOLLOWS, madeLines, partialLines, SPENT, TITLES, unreadLines } from "./report-words.ts";

/** The title of a document has a field of this size. */
const MAX_TITLE_LENGTH = 255;

/** Without a time, an id or a path of the run: equal reports give equal bytes. `spent` as in the HTML page. */
export async function reportDocx(report: Report, spent: string | null = null): Promise<Uint8Array> {
  const writing: Writing = { report, footnotes: {}, lists: 0 };
  const title = report.title ?? report.question;
  const children = [
    new Paragraph({ style: "Title", ...directionOf(title), children: richRuns(title) }),
    ...[...partialLines(report), ...unreadLines(report)].map(
      (line) => new Paragraph({ style: STYLE.excerpt, children: richRuns(line) }),
    ),
    ...report.blocks.flatMap((block) => blockParagraphs(block, writing)),
    ...legend(writing),
    ...furtherSections(report, spent),
  ];
  return await docxFile({
    title: title.slice(0, MAX_TITLE_LENGTH),
    footnotes: writing.footnotes,
    sections: [{ footers: { default: new Footer({ children: [pageNumber()] }) }, children }],
  });
}

function pageNumber(): Paragraph {
  const run = new TextRun({ children: [PageNumber.CURRENT, " / ", PageNumber.TOTAL_PAGES] });
  return new Paragraph({ style: STYLE.note, alignment: AlignmentType.CENTER, children: [run] });
}

function legend({ report, footnotes }: Writing): Paragraph[] {
  const { derived, markedWords } = marksUsed(report);
  const sentences = [
    ...(Object.keys(footnotes).length === 0
      ? []
      : ["Footnotes show the quotes, and number the sources as the list at the end does."]),
    ...(derived ? [`${FOLLOWS} marks what we conclude.`] : []),
    ...(markedWords ? ["Emphasis in excerpts is ours."] : []),
  ];
  return sentences.length === 0
    ? []
    : [new Paragraph({ style: STYLE.note, children: [plainRun(sentences.join(" "))] })];
}

// --- behind the blocks --------------------------------------------------------------------------------------------

function furtherSections(report: Report, spent: string | null): FileChild[] {
  const { none, weak } = gapsOf(report);
  const made = [...madeLines(report), ...(spent === null ? [] : [`${SPENT}: ${spent}.`])];
  const gapText = (gap: Report["gaps"][number]): string => {
    const reason = reasonOf(gap);
    return reason === null ? gap.text : `${gap.text} (${reason})`;
  };
  const parts: [string, FileChild[]][] = [
    [TITLES.none, none.map((gap) => listItem(gapText(gap)))],
    [TITLES.weak, weak.map((gap) => listItem(gapText(gap)))],
    [TITLES.remarks, (report.made.remarks ?? []).map(listItem)],
    [TITLES.coverage, coverageParagraphs(report)],
    [TITLES.made, made.map(listItem)],
    [TITLES.sources, report.sources.flatMap((source) => sourceParagraphs(source, report))],
  ];
  return parts.flatMap(([title, content]) => (content.length === 0 ? [] : [headingParagraph(title, 2), ...content]));
}

function listItem(line: string): Paragraph {
  const numbering = { reference: LISTS.bullets, level: 0 };
  return new Paragraph({ numbering, ...directionOf(line), children: richRuns(line) });
}

function coverageParagraphs(report: Report): FileChild[] {
  const { columns, rows } = coverageTable(report);
  if (rows.length === 0) return [];
  return tableOf([columns, ...rows].map((row) => row.map((text) => ({ text, children: richRuns(text) }))));
}

function sourceParagraphs(source: ReportSource, report: Report): Paragraph[] {
  const { number, title, origin, source_digest } = source;
  const address = webAddressOf(source);
  const where =
    address === null
      ? codeRun(origin)
      : new ExternalHyperlink({ link: address, children: [plainRun(origin, { style: "Hyperlink" })] });
  const places = placesIn(report, source);
  const mark = new Bookmark({ id: bookmarkOf(number), children: [plainRun(`[${number}]`)] });
  const entry = [mark, new TextRun({ children: ["\t"] }), ...richRuns(title)];
  return [
    new Paragraph({ style: STYLE.source, children: entry }),
    new Paragraph({
      style: STYLE.sourceDetail,
      children: [
        where,
        ...(places.length === 0 ? [] : [plainRun(`Quoted: ${places.join("; ")}`, { break: 1 })]),
        codeRun(source_digest, { break: 1, size: 16 }),
      ],
    }),
  ];
}
