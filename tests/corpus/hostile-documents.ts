// Lists the rules that read HTML, Word documents, manual pages and other documents, and pages of HTML that make careless ones slow.
import { withMarks, withPictures } from "../../src/corpus/extract/docx-marks.ts";
import { documentOf } from "../../src/corpus/extract/dom-parser.ts";
import { markdownOfHtml } from "../../src/corpus/extract/html.ts";
import { textOfHtml } from "../../src/corpus/extract/html-text.ts";
import { textOfManual } from "../../src/corpus/extract/manual.ts";
import { MarkdownWriter } from "../../src/corpus/extract/markdown-writer.ts";
import { titleOfMetadata, withTitle } from "../../src/corpus/extract/title.ts";
import { attributesOf, textsOf } from "../../src/corpus/extract/xml.ts";

/** Pages of elements that are never closed, closed without being open, or nested without end: a^n, (ab)^n and a^n b^n. */
const HOSTILE_TAGS: readonly (readonly [name: string, unit: string, end?: string])[] = [
  ["nested elements", "<div>", "</div>"],
  ["end tags of other elements", "<b>", "</i>"],
  ["paragraphs in elements that stay open", "<div><p>", "</div>"],
  ["crossed elements", "<b><div></b>"],
  ["letters that are never closed", "<font color=x>a "],
  ["links that are never closed", "<a href=x>a "],
  ["lists in lists", "<ul><li><a href=x>a</a>"],
  ["tables in tables", "<table><tr><td>a"],
  ["rows and cells that are never closed", "<tr><td>a<td>b"],
  ["code with line breaks", "<p><code>a<br></code>"],
  ["links to other pages", "<div><a href=x rel=next>a</a><a href=y rel=prev>b</a>"],
  ["notes in notes", "<div class=footnotes><a href=#x>1</a>"],
  ["what opens itself", "<a href=#x>a<div hidden id=x>"],
  ["keywords", "<div class=k><b><a name=a>a</a></b></div>"],
  ["entries in entries", "<h2>a</h2><dl><dt id=a>a</dt><dd>a"],
  ["entries beside each other", "<h2>a</h2><div><dl><dt id=a>a</dt><dd>a</dd></dl>a</div>"],
  ["sections called like boxes of consent", "<div id=cookie><h2>cookie</h2>"],
  ["pictures", "<img>a"],
  ["buttons beside each other", "<button></button>"],
  ["elements of other names beside each other", "<x-a></x-a>"],
  ["drawings in drawings", "<svg><text>a"],
  ["formulas", "<math><msup><mi>a"],
  ["pages in pages", '<iframe srcdoc="<p>a">'],
];

export function hostilePages(bytes: number): { name: string; read: (share: number) => unknown }[] {
  return HOSTILE_TAGS.map(([name, unit, end = ""]) => ({
    name,
    read: (share) => page(repeatedTo(bytes / share, unit, end)),
  }));
}

/** Reads it at once; it may have no text. */
function page(html: string): unknown {
  return markdownOfHtml(Buffer.from(html)).catch(() => null);
}

/** Half of it the unit, half of it the end, if there is one. */
function repeatedTo(length: number, unit: string, end: string): string {
  const count = Math.ceil(length / (unit.length + end.length));
  return unit.repeat(count) + end.repeat(end === "" ? 0 : count);
}

/** It begins and never ends. */
const FIELD = '<w:fldChar w:fldCharType="begin"/>';

/** See `RULES`. */
export const DOCUMENT_RULES: readonly (readonly [name: string, rule: (text: string) => unknown])[] = [
  ["the characters of HTML", (text) => textOfHtml(Buffer.from(`<meta ${text}`))],
  ["XHTML", (text) => documentOf(`<a${text}`, { isXhtml: true })],
  ["HTML, the texts of a page", (text) => page(`<p>${text}<p>${text}`)],
  ["HTML, attributes", (text) => page(`<p title="${text}" ${text}>a`)],
  ["HTML, preformatted text", (text) => page(`<pre>A ${text}</pre>`)],
  ["HTML, a footer", (text) => page(`<p>a<footer>${text}</footer>`)],
  [
    "HTML, a class, a style and an address",
    (text) => page(`<div class="${text}" style="${text}"><a href="${text}">a</a>`),
  ],
  ["HTML, cells", (text) => page(`<table><tr><th>${text}<tr><td>${text}</table>`)],
  ["HTML, a heading and a title", (text) => page(`<title>${text}</title><h1>${text}</h1><p>a`)],
  ["HTML, pictures and fields", (text) => page(`<p>a <img class="${text}" alt="${text}"> <input value="${text}"> b`)],
  ["HTML, formulas and raised numbers", (text) => page(`<p>a <math><mi>${text}</mi></math><sup>${text}</sup> b`)],
  ["HTML, a panel that something opens", (text) => page(`<a href="#${text}">a</a><div hidden id="${text}">b</div>`)],
  ["HTML, terms and items", (text) => page(`<dl><dt>${text}<dd>${text}</dl><ul><li>${text}</ul>`)],
  ["Word, its runs", (text) => withMarks(`<w:p><w:r><w:rPr>${text}</w:rPr></w:r>`)],
  ["Word, fields", (text) => withMarks(`${FIELD.repeat(text.length / 40)}<w:instrText ${text}`)],
  ["Word, what it holds", (text) => withMarks(`${"<w:altChunk <w:subDoc ".repeat(text.length / 40)}${text}`)],
  ["Word, runs that are never closed", (text) => withMarks(`${"<w:r><m:oMath>".repeat(text.length / 20)}${text}`)],
  ["Word, pictures", (text) => withPictures(`${"<img <p>[picture]".repeat(text.length / 20)}${text}`)],
  ["attributes of XML", (text) => attributesOf(`<item ${text}`, "item")],
  ["texts of XML", (text) => textsOf(`<item ${text}`, "item")],
  ["a manual page, its text", (text) => textOfManual(`.TH A 1\n.SH B\n${text}x`)],
  ["a manual page, the words of a macro", (text) => textOfManual(`.Dd May\n.Op ${text}x`)],
  ["a manual page, a condition", (text) => textOfManual(`.TH A 1\n.if ${text}x`)],
  [
    "a manual page, conditions in conditions",
    (text) => textOfManual(`.TH A 1\n${".if n ".repeat(text.length / 6)}${text}`),
  ],
  ["a manual page, lines of a macro that is never closed", (text) => textOfManual(`.de A\n${text}\n.A`)],
  [
    "a manual page, every line a macro",
    (text) => textOfManual(`.Dd May\n${".It Fl a\n".repeat(text.length / 80)}${text}`),
  ],
  ["a manual page, formulas in lines", (text) => textOfManual(`.TH A 1\n.EQ\ndelim $$\n.EN\n$a${text}`)],
  ["a manual page, a formula", (text) => textOfManual(`.TH A 1\n.EQ\ndelim ${text}\n${text}`)],
  ["a manual page, a table", (text) => textOfManual(`.TS\nl l.\n${text}\n`)],
  [
    "a manual page, a cell of many lines",
    (text) => textOfManual(`.TS\nl l.\na\tT{\n${"a\n".repeat(text.length / 10)}${text}\nT}\n.TE\n`),
  ],
  ["titles in properties", (text) => titleOfMetadata(`${text}x`)],
  ["the title of a text", (text) => withTitle(`${text}x`, { text: `# ${text}\n\n${text}x` })],
  ["written paragraphs", (text) => written((writer) => writer.say(`${text}x`))],
  ["written code", (text) => written((writer) => writer.code(`a ${text}x`))],
  ["written tables", (text) => written((writer) => writer.table([["a"], [text]]))],
];

function written(write: (writer: MarkdownWriter) => void): string {
  const writer = new MarkdownWriter();
  write(writer);
  return writer.finish();
}
