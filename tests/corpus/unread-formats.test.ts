// Files that nobody can read as they are, are left out with the true reason, whatever their names say.
import { expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { unzipSync, zipSync } from "fflate";
import { isMinified, unreadFormatOf } from "../../src/corpus/extract/unread-formats.ts";
import { docxOf, paragraphOf, zipOf } from "./extract/office-writer.ts";
import { openAt, reasonsOf, TemporaryFolder } from "./temporary-folder.ts";

const compound = (stream: string): Buffer =>
  Buffer.concat([
    Buffer.from("d0cf11e0a1b11ae1", "hex"),
    Buffer.alloc(504),
    Buffer.from(stream, "utf16le"),
    Buffer.alloc(512),
  ]);
const RTF = "{\\rtf1\\ansi Die Nachtschicht ist f\\'fcr St\\u246?rungen zust\\'e4ndig.\\par}";
const MAIL =
  "Subject: Night\nFrom: a@example.org\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\nDie Nachtschicht f=C3=BCr alles.\n";
const PAGES = `From: <saved>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\tboundary="x"\r\n\r\n--x\r\n`;

test("by what they hold", async () => {
  const files = {
    "a.rtf": RTF,
    "rtf.txt": RTF,
    "rtf.doc": RTF,
    "rtf.md.gz": gzipSync(RTF),
    "mail.eml": "Subject: a\nFrom: b@example.org\n\nPlain words.\n",
    "mail.txt": MAIL,
    "page.mht": PAGES,
    "page.text": PAGES,
    "box.mbox": `From a Mon Jan  1\n${MAIL}`,
    "figure.ps": "%!PS-Adobe-3.0\n(words) show\n",
    "figure.svg":
      '<?xml version="1.0"?>\n<!-- made -->\n<svg xmlns="http://www.w3.org/2000/svg"><text>Words</text></svg>',
    "old.doc": compound("WordDocument"),
    "old.xls": compound("Workbook"),
    "old.ppt": compound("PowerPoint Document"),
    "locked.docx": compound("EncryptedPackage"),
    "text.odt": zipSync({ mimetype: [Buffer.from("application/vnd.oasis.opendocument.text"), { level: 0 }] }),
    "sheet.ods": zipSync({ mimetype: [Buffer.from("application/vnd.oasis.opendocument.spreadsheet"), { level: 0 }] }),
    "sheet.docx": zipOf({ "xl/workbook.xml": "<a/>" }),
    "talk.pptx": zipOf({ "ppt/presentation.xml": "<a/>" }),
    "app.js": `var a=1;${"function b(c){return c}".repeat(2_000)}`,
    "list.txt": "From: a@example.org\nSubject: Masts\nDate: today\n\nA mast of oak stands.\n",
    "word.docx": docxOf(paragraphOf("A mast of elm stands.")),
    "short.js": "// A mast of ash stands.\nvar a = 1;\n",
  };
  using folder = new TemporaryFolder(files);
  const corpus = await openAt(folder.path);
  expect(corpus.documents).toBe(3);
  expect(reasonsOf(corpus)).toEqual({
    "a.rtf": "rtf",
    "rtf.txt": "rtf",
    "rtf.doc": "rtf",
    "rtf.md.gz": "rtf",
    "mail.eml": "mail",
    "mail.txt": "mail",
    "page.mht": "mail",
    "page.text": "mail",
    "box.mbox": "mail",
    "figure.ps": "postscript",
    "figure.svg": "drawing",
    "old.doc": "office_text",
    "old.xls": "spreadsheet",
    "old.ppt": "presentation",
    "locked.docx": "encrypted",
    "text.odt": "office_text",
    "sheet.ods": "spreadsheet",
    "sheet.docx": "spreadsheet",
    "talk.pptx": "presentation",
    "app.js": "minified",
  });
  corpus.close();
}, 60_000);

test("a document of nothing but a title has no text", async () => {
  using folder = new TemporaryFolder({
    "notes.md": "A mast.",
    "page.html": "<html><head><title>Masts</title></head><body><div id=app></div><script>fill()</script></body></html>",
    "chunk.docx": docxOf('<w:altChunk r:id="r7"/>'),
  });
  const corpus = await openAt(folder.path);
  expect(reasonsOf(corpus)).toEqual({ "page.html": "needs_script", "chunk.docx": "no_text" });
  corpus.close();
}, 60_000);

test("a Word document is read that holds files of other formats as they are", async () => {
  const files = {
    "word/embeddings/a.xlsx": zipOf({ "xl/workbook.xml": "<a/>" }),
    "word/embeddings/b.pptx": zipOf({ "ppt/presentation.xml": "<a/>" }),
    "word/media/mimetypeapplication/vnd.oasis.opendocument.text": Buffer.from("a"),
  };
  const text = unzipSync(docxOf(paragraphOf("A mast of yew stands.")));
  using folder = new TemporaryFolder({ "chart.docx": zipSync({ ...text, ...files }, { level: 0 }) });
  const corpus = await openAt(folder.path);
  expect([corpus.documents, reasonsOf(corpus)]).toEqual([1, {}]);
  corpus.close();
}, 60_000);

test("a document that tells of a format is no file in it", () => {
  for (const text of [
    "A file that begins with {\\rtf is RTF.",
    "Subject: a word.\n\nContent-Type: multipart/mixed\n",
    "# <svg>",
  ])
    expect(unreadFormatOf(Buffer.from(text), "md")).toBeNull();
  expect(isMinified(`${"A word. ".repeat(100)}\n`.repeat(30))).toBe(false);
});
