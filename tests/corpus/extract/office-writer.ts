// Writes small Word documents and e-books for the tests.
import { strToU8, zipSync } from "fflate";

export type Entries = Record<string, string | Uint8Array>;

export function zipOf(entries: Entries): Uint8Array {
  const files = Object.entries(entries).map(([name, content]) => [
    name,
    typeof content === "string" ? strToU8(content) : content,
  ]);
  return zipSync(Object.fromEntries(files) as Record<string, Uint8Array>, { level: 9 });
}

/** `body` is WordprocessingML; `more` are further entries of the file. */
export function docxOf(body: string, more: Entries = {}): Uint8Array {
  return zipOf({
    "[Content_Types].xml": `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
      <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
      <Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    "_rels/.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
      <Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/document.xml": `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"
      xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body>${body}</w:body></w:document>`,
    "word/styles.xml": `<?xml version="1.0"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
      ${["heading 1", "heading 2", "Title"].map(styleOf).join("")}</w:styles>`,
    ...more,
  });
}

export function paragraphOf(text: string, style?: string): string {
  const properties = style === undefined ? "" : `<w:pPr><w:pStyle w:val="${style.replace(" ", "")}"/></w:pPr>`;
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** `isHeadMarked`: the first row is repeated as a header row on each page. */
export function tableOf(rows: readonly (readonly string[])[], isHeadMarked = false): string {
  const cells = (row: readonly string[]): string => row.map((cell) => `<w:tc>${paragraphOf(cell)}</w:tc>`).join("");
  const mark = (at: number): string => (isHeadMarked && at === 0 ? "<w:trPr><w:tblHeader/></w:trPr>" : "");
  return `<w:tbl>${rows.map((row, at) => `<w:tr>${mark(at)}${cells(row)}</w:tr>`).join("")}</w:tbl>`;
}

export function metadataOf(title: string): string {
  return `<?xml version="1.0"?><cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
    xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></cp:coreProperties>`;
}

/** `chapters` are the bodies of the pages by file name, in reading order. */
export function epubOf(title: string, chapters: Readonly<Record<string, string>>, more: Entries = {}): Uint8Array {
  const names = Object.keys(chapters);
  const items = names.map((name, at) => `<item id="c${at}" href="${name}" media-type="application/xhtml+xml"/>`);
  const spine = names.map((_, at) => `<itemref idref="c${at}"/>`);
  const pages = Object.entries(chapters).map(([name, body]) => [
    `OPS/${decodeURIComponent(name)}`,
    `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`,
  ]);
  return zipOf({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `<?xml version="1.0"?><container><rootfiles>
      <rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    "OPS/book.opf": `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf"><metadata
      xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></metadata>
      <manifest>${items.join("")}</manifest><spine>${spine.join("")}</spine></package>`,
    ...(Object.fromEntries(pages) as Entries),
    ...more,
  });
}

function styleOf(name: string): string {
  return `<w:style w:type="paragraph" w:styleId="${name.replace(" ", "")}"><w:name w:val="${name}"/></w:style>`;
}
