// Writes small PDF files for the tests, with text at given places in the standard fonts or in one for any script.

export interface PdfText {
  text: string;
  x: number;
  /** In points, from the top of the page. */
  top: number;
  size?: number;
  font?: "plain" | "bold" | "mono" | "any";
}

export interface PdfOptions {
  title?: string;
  /** Titles of bookmarks, all of one level, to the first page. */
  bookmarks?: readonly string[];
  isEncrypted?: boolean;
}

export const PAGE_WIDTH = 612;
export const PAGE_HEIGHT = 792;
const FONTS = { plain: "F1", bold: "F2", mono: "F3", any: "F4" } as const;

/** Lines of text below each other. */
export function linesAt(x: number, top: number, lines: readonly string[], size = 10): PdfText[] {
  return lines.map((text, index) => ({ text, x, top: top + index * size * 1.2, size }));
}

export function pdfOf(pages: readonly (readonly PdfText[])[], options: PdfOptions = {}): Uint8Array {
  const letters = new Set(pages.flat().flatMap(({ text, font }) => (font === "any" ? Array.from(text) : [])));
  const bookmarks = options.bookmarks ?? [];
  const firstPage = 11;
  const firstBookmark = firstPage + 2 * pages.length;
  const objects = new Map<number, string>([
    [1, `<< /Type /Catalog /Pages 2 0 R ${bookmarks.length > 0 ? `/Outlines ${firstBookmark} 0 R` : ""} >>`],
    [
      2,
      `<< /Type /Pages /Kids [${pages.map((_, at) => `${firstPage + 2 * at} 0 R`).join(" ")}] /Count ${pages.length} >>`,
    ],
    [3, standardFont("Helvetica")],
    [4, standardFont("Helvetica-Bold")],
    [5, standardFont("Courier")],
    [
      6,
      "<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /Identity-H /DescendantFonts [7 0 R] /ToUnicode 9 0 R >>",
    ],
    [
      7,
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Any /DW 1000 /FontDescriptor 8 0 R
         /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>`,
    ],
    [
      8,
      "<< /Type /FontDescriptor /FontName /Any /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 >>",
    ],
    [9, streamOf(toUnicode([...letters]))],
    [10, `<< /Title (${escaped(options.title ?? "")}) >>`],
  ]);
  pages.forEach((page, at) => {
    const number = firstPage + 2 * at;
    objects.set(
      number,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE_WIDTH} ${PAGE_HEIGHT}] /Contents ${number + 1} 0 R
         /Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R /F4 6 0 R >> >> >>`,
    );
    objects.set(number + 1, streamOf(page.map(operatorsOf).join("\n")));
  });
  if (bookmarks.length > 0) addBookmarks(objects, bookmarks, firstBookmark, firstPage);
  return fileOf(objects, options.isEncrypted === true);
}

/** A file of these objects, which are numbered from 1. The first one is the catalog. */
export function fileOf(objects: ReadonlyMap<number, string>, isEncrypted = false): Uint8Array {
  let file = "%PDF-1.7\n";
  const offsets: number[] = [];
  for (const [number, body] of objects) {
    offsets[number] = file.length;
    file += `${number} 0 obj\n${body}\nendobj\n`;
  }
  const size = Math.max(...objects.keys()) + 1;
  const entries = Array.from(
    { length: size - 1 },
    (_, at) => `${String(offsets[at + 1] ?? 0).padStart(10, "0")} 00000 n \n`,
  );
  const key = "<".concat("00".repeat(32), ">");
  const encryption = `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -4 >> /ID [<00> <00>]`;
  const trailer = `<< /Size ${size} /Root 1 0 R /Info 10 0 R ${isEncrypted ? encryption : ""} >>`;
  const start = file.length;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${entries.join("")}trailer\n${trailer}\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, "latin1");
}

function standardFont(name: string): string {
  return `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
}

function streamOf(content: string): string {
  return `<< /Length ${Buffer.byteLength(content, "latin1")} >>\nstream\n${content}\nendstream`;
}

function operatorsOf({ text, x, top, size = 10, font = "plain" }: PdfText): string {
  const shown = font === "any" ? `<${codesOf(text)}>` : `(${escaped(text)})`;
  return `BT /${FONTS[font]} ${size} Tf ${x} ${PAGE_HEIGHT - top} Td ${shown} Tj ET`;
}

function codesOf(text: string): string {
  return Array.from(text, (letter) => (letter.codePointAt(0) ?? 0).toString(16).padStart(4, "0")).join("");
}

function escaped(text: string): string {
  return text.replace(/[\\()]/g, "\\$&");
}

function toUnicode(letters: readonly string[]): string {
  const lines = letters.map((letter) => `<${codesOf(letter)}> <${codesOf(letter)}>`);
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Any def
1 begincodespacerange <0000> <FFFF> endcodespacerange
${lines.length} beginbfchar\n${lines.join("\n")}\nendbfchar
endcmap end end`;
}

function addBookmarks(objects: Map<number, string>, titles: readonly string[], root: number, page: number): void {
  objects.set(root, `<< /First ${root + 1} 0 R /Last ${root + titles.length} 0 R /Count ${titles.length} >>`);
  titles.forEach((title, at) => {
    const next = at + 1 < titles.length ? `/Next ${root + at + 2} 0 R` : "";
    objects.set(root + 1 + at, `<< /Title (${escaped(title)}) /Parent ${root} 0 R /Dest [${page} 0 R /Fit] ${next} >>`);
  });
}
