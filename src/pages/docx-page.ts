// Makes a Word document of a report: the page, with its quotes at the end.
import { AlignmentType, Document, Footer, Packer, PageNumber, Paragraph, TextRun, type FileChild } from "docx";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import type { Report } from "../run/report/report.ts";
import { blockParagraphs, headingParagraph } from "./docx-blocks.ts";
import type { Writing } from "./docx-notes.ts";
import { NUMBERING, STYLE, STYLES } from "./docx-style.ts";
import { inXml, plainRun, richParagraph } from "./docx-text.ts";
import { pageOf, type PageSection } from "./report-page.ts";
import { legendOf } from "./report-words.ts";
import { cut } from "./text-pieces.ts";

/** The most characters that the title field of a document takes. */
const MAX_TITLE_LENGTH = 255;

/**
 * The bytes of a DOCX file. Equal reports give equal bytes, because no time, id or path of the run is written. `spent`: what
 * the models used, as text.
 */
export async function reportDocx(report: Report, spent: string | null = null): Promise<Uint8Array> {
  const writing: Writing = { report, footnotes: {}, instances: [] };
  const page = pageOf(report, spent);
  const sections = (own: readonly PageSection[]): FileChild[] =>
    own.flatMap(({ title, blocks }) => [
      ...(title === null ? [] : [headingParagraph(title, 2)]),
      ...blocks.flatMap((block) => blockParagraphs(block, writing)),
    ]);
  const blocks = sections(page.sections);
  const legend = legendOf(page);
  const children = [
    richParagraph(page.title, { style: "Title" }),
    ...page.warnings.map((line) => richParagraph(line, { style: STYLE.excerpt })),
    ...blocks,
    ...(legend.length === 0 ? [] : [new Paragraph({ style: STYLE.note, children: [plainRun(legend.join(" "))] })]),
    ...sections(page.further),
  ];
  const document = new Document({
    title: inXml(cut(page.title, MAX_TITLE_LENGTH)),
    creator: "deep-research",
    lastModifiedBy: "deep-research",
    styles: STYLES,
    numbering: NUMBERING,
    footnotes: writing.footnotes,
    sections: [{ footers: { default: new Footer({ children: [pageNumber()] }) }, children }],
  });
  return withoutChance(await Packer.toBuffer(document));
}

function pageNumber(): Paragraph {
  const run = new TextRun({ children: [PageNumber.CURRENT, " / ", PageNumber.TOTAL_PAGES] });
  return new Paragraph({ style: STYLE.note, alignment: AlignmentType.CENTER, children: [run] });
}

// --- equal bytes ----------------------------------------------------------------------------------------------------

const TIMES = /<dcterms:(created|modified)\b[^>]*>[^<]*<\/dcterms:\1>/g;
/** Ids that differ between two documents with equal contents: those of links are random, those of bookmarks keep counting. */
const IDS = /(?<=\bId="|\br:id=")rId[\w-]{21}(?=")|(?<=<w:bookmark(?:Start|End)\b[^>]*\bw:id=")\d+(?=")/g;
/** The earliest time that a ZIP file can hold, in any time zone. */
const NO_TIME = "1980-01-01T00:00:00";

/** Removes the times and numbers the ids anew, which the library writes differently each time. */
function withoutChance(bytes: Uint8Array): Uint8Array {
  const parts = unzipSync(bytes);
  const ids = new Map<string, string>();
  const idOf = (found: string): string => {
    const id = ids.get(found) ?? String(ids.size + 1);
    ids.set(found, id);
    return found.startsWith("rId") ? `rIdLink${id}` : id;
  };
  const names = Object.keys(parts).sort();
  const clean = names.map((name): [string, Uint8Array] => {
    const text = strFromU8(parts[name] ?? new Uint8Array());
    return [name, strToU8(text.replace(TIMES, "").replace(IDS, idOf))];
  });
  return zipSync(Object.fromEntries(clean), { mtime: NO_TIME, level: 6 });
}
