// Lists texts that make careless expressions slow, and the rules that read texts from outside in the process of a run.
import { Anchors } from "../../src/corpus/anchors.ts";
import { blocksOf } from "../../src/corpus/blocks.ts";
import { delimitedTable } from "../../src/corpus/delimited.ts";
import { unitsOf } from "../../src/corpus/entries.ts";
import { withMarks, withPictures } from "../../src/corpus/extract/docx-marks.ts";
import { documentOf } from "../../src/corpus/extract/dom-parser.ts";
import { markdownOfHtml } from "../../src/corpus/extract/html.ts";
import { textOfHtml } from "../../src/corpus/extract/html-text.ts";
import { textOfManual } from "../../src/corpus/extract/manual.ts";
import { MarkdownWriter } from "../../src/corpus/extract/markdown-writer.ts";
import { titleOfMetadata, withTitle } from "../../src/corpus/extract/title.ts";
import { attributesOf, textsOf } from "../../src/corpus/extract/xml.ts";
import { nameOfDocument } from "../../src/corpus/headings.ts";
import { opensMarkup } from "../../src/corpus/markup.ts";
import { isManualSource, withoutOverstrikes } from "../../src/corpus/packed.ts";
import { isTableRule } from "../../src/corpus/table-rows.ts";
import { textOf } from "../../src/corpus/text.ts";
import { unreadPartsOf } from "../../src/corpus/unread-parts.ts";
import { isMinified, unreadFormatOf } from "../../src/corpus/unread-formats.ts";
import { markdownCells, recordsOf } from "../../src/kernel/cells.ts";
import { endsLikeProse, hasColumns, lineGroups, wrappedLines } from "../../src/kernel/line-groups.ts";
import { headingText } from "../../src/kernel/heading-text.ts";
import { nearnessOf } from "../../src/corpus/nearness.ts";
import { MAX_LINE_LENGTH } from "../../src/corpus/lines.ts";
import { passagesOf } from "../../src/corpus/passages.ts";
import { PostingBatch } from "../../src/corpus/posting-batch.ts";
import { cutTerms } from "../../src/corpus/term-cutter.ts";
import { termsOf } from "../../src/corpus/terms.ts";
import { placesOf } from "../../src/drivers/live/document-tools.ts";
import { SourceText } from "../../src/drivers/live/exact-span.ts";
import { clausesOf } from "../../src/drivers/local/clauses.ts";
import { sentencesAsked } from "../../src/drivers/local/question.ts";
import { MAX_PAGE_LENGTH, readCode, readPage } from "../../src/drivers/page/read-page.ts";
import { renderedMarkdown } from "../../src/cli/terminal/rendered-markdown.ts";
import { isBoilerplate } from "../../src/drivers/local/boilerplate.ts";
import { sentencesOf, sentencesWithin } from "../../src/drivers/local/sentences.ts";
import { callsInText } from "../../src/models/calls-in-text.ts";
import { saidErrorIn } from "../../src/models/error-body.ts";
import { secretsOf } from "../../src/models/secrets.ts";
import { onOneLine, withoutMarkup } from "../../src/pages/excerpt-lines.ts";
import { reportHtml } from "../../src/pages/html-page.ts";
import { reportMarkdown } from "../../src/pages/markdown-page.ts";
import { bibtexOf, referencesOf } from "../../src/pages/references.ts";
import { draftFaults } from "../../src/run/draft-faults.ts";
import type { Report } from "../../src/run/report.ts";
import { strangeAddresses } from "../../src/run/shown-addresses.ts";
import { numbersIn } from "../../src/run/shown-numbers.ts";
import { namedOnce } from "../../src/surface/words.ts";
import { cited, HANDBOOK, heading, plainReport, quote, quoted } from "../pages/sample-report.ts";
import { typeOfBody } from "../../src/providers/web/media-types.ts";
import { groupsFor } from "../../src/providers/web/robots.ts";

export const BYTES = 200_000;

const CHARACTERS = Array.from("[]<>!(){} \t_*#|-=~`\"'.,:;&%$@\\/?+^a7A\n\f\u0301\u3002\u6A4B\u{1F600}");
const REPEATED = [
  ..."![ [( ]( [a]( ![a]( [![ a. A. .\" ._ <a &a a= `` */ // aA \\( \\[ \\*[ \\h' \\{ \\}".split(" "),
  ..."- ;| ;> ;1. ;# ; #;a ;a. ;A. ;<a ;|-;| a ;-|-;*/ ;|\n;a\n;- \n;a\u0301\u0327".split(";"),
];

interface HostileText {
  name: string;
  text: string;
}

/** Texts that repeat one character or a short run of them. */
export function hostileTexts(bytes: number): HostileText[] {
  return [...CHARACTERS, ...REPEATED].map((unit) => ({ name: JSON.stringify(unit), text: repeated(unit, bytes) }));
}

/** Characters that most expressions treat each in a way of its own. */
const TELLING = Array.from(" \na1[*");

/** Texts of two characters, and of two with a third at the end: a^n b^n, (ab)^n, a b^n c. */
export function mixedTexts(bytes: number): HostileText[] {
  return TELLING.flatMap((one) =>
    TELLING.filter((other) => other !== one).flatMap((other) => {
      const [first, second] = [JSON.stringify(one), JSON.stringify(other)];
      return [
        { name: `${first}^n ${second}^n`, text: repeated(one, bytes / 2) + repeated(other, bytes / 2) },
        { name: `(${first} ${second})^n`, text: repeated(one + other, bytes) },
        { name: `${first} ${second}^n ":"`, text: `${one}${repeated(other, bytes)}:` },
      ];
    }),
  );
}

function repeated(unit: string, bytes: number): string {
  return unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit)));
}

function all<T>(items: Iterable<T>): number {
  let count = 0;
  for (const _ of items) count++;
  return count;
}

/** Indexes a table with few letters a row below column names that fill a line. */
function indexedTable(names: string, rows: number): void {
  const batch = new PostingBatch();
  const head = `| ${names.replace(/\s/g, " ").slice(0, MAX_LINE_LENGTH - 20)} | b |`;
  let passage = 0;
  for (const { columns } of passagesOf(`${head}\n|---|---|\n${"|1|2|\n".repeat(rows)}`, "markdown"))
    batch.add(++passage, "", "1 2", columns);
}

const SEARCH = [{ name: "search", input_schema: { type: "object" } }];

const WORTH: ReadonlyMap<string, number> = new Map([
  ["a", 1],
  ["7", 2],
]);

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
  ["pictures", "<img>a"],
  ["drawings in drawings", "<svg><text>a"],
  ["formulas", "<math><msup><mi>a"],
  ["pages in pages", '<iframe srcdoc="<p>a">'],
];

export function hostilePages(bytes: number): { name: string; read: () => unknown }[] {
  return HOSTILE_TAGS.map(([name, unit, end = ""]) => ({ name, read: () => page(repeatedTo(bytes, unit, end)) }));
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

/** No quote is longer. */
const QUOTE_LENGTH = 20_000;

/** An `x` stands behind the texts, so that an expression that looks for the end of a line does not find it at once. */
export const RULES: readonly (readonly [name: string, rule: (text: string) => unknown])[] = [
  ["passages of Markdown, a line that ends otherwise", (text) => all(passagesOf(`${text}x`, "markdown"))],
  ["passages of Markdown, a heading", (text) => all(passagesOf(`# ${text}x\n\nText.`, "markdown"))],
  ["passages of Markdown, an underlined heading", (text) => all(passagesOf(`a ${text}x\n---\n`, "markdown"))],
  ["passages of Markdown, a cell", (text) => all(passagesOf(`| a | b |\n|---|---|\n| ${text} |`, "markdown"))],
  ["the index of a table, long names above many rows", (text) => indexedTable(text, text.length / 100)],
  ["passages of Markdown, a definition", (text) => all(passagesOf(`Term\n: ${text}x`, "markdown"))],
  ["passages of Markdown, an HTML heading", (text) => all(passagesOf(`<h2>${text}</h2 >`, "markdown"))],
  ["passages of plain text", (text) => all(passagesOf(`${text}x`, "plain"))],
  ["passages of records", (text) => all(passagesOf(`a,b\n${text}x\n`, "records"))],
  ["passages of records, a quoted cell", (text) => all(passagesOf(`a,b\n1,"${text}x`, "records"))],
  [
    "passages of records, names",
    (text) => all(passagesOf(`${text},b\n${"1,2\n".repeat(text.length / 10)}`, "records")),
  ],
  ["passages of a table, its rows", (text) => all(passagesOf(`| a | b |\n|---|---|\n${text}`, "markdown"))],
  ["a table of cells in a plain text", (text) => delimitedTable(`${text}x`, false)],
  ["records", (text) => all(recordsOf(`${text}x`, ","))],
  ["records, a quoted cell", (text) => all(recordsOf(`"${text}`, ";"))],
  ["cells of Markdown", (text) => markdownCells(`| ${text}`)],
  ["a rule of a table", (text) => isTableRule(`|-${text}`)],
  ["units of Markdown", (text) => all(unitsOf(`${text}x`, blocksOf(`${text}x`, "markdown"), false))],
  ["units of plain text", (text) => all(unitsOf(`${text}x`, blocksOf(`${text}x`, "plain"), true))],
  ["groups of lines", (text) => lineGroups(`${text}x`.split("\n"))],
  ["wrapped lines", (text) => wrappedLines(`${text}x`.split("\n"))],
  ["a line with columns", (text) => [hasColumns(`a ${text}x`), endsLikeProse(`a ${text}x`)]],
  ["a line of markup", (text) => opensMarkup(`<a ${text}`)],
  ["text of bytes", (text) => textOf(Buffer.from(`${text}x`))],
  ["text of bytes, one of them bad", (text) => textOf(Buffer.concat([Buffer.from(text), Buffer.of(0xfc, 0x78)]))],
  ["text of bytes in no charset", (text) => textOf(Buffer.from(`\xe4\xfc${text}\xdf`, "latin1"))],
  ["text of bytes in UTF-16", (text) => textOf(Buffer.from(`${text}x`, "utf16le"))],
  ["text of a terminal", (text) => withoutOverstrikes(text.replaceAll("a", "a\ba"))],
  ["the source of a manual page", (text) => isManualSource(Buffer.from(`.\\" ${text}`))],
  ["a mail", (text) => unreadFormatOf(Buffer.from(`From: a\nSubject: ${text}`), "txt")],
  ["a mail, its lines", (text) => unreadFormatOf(Buffer.from(`From a\n${text}`), "txt")],
  ["a drawing", (text) => unreadFormatOf(Buffer.from(`<?xml ${text}`), "txt")],
  ["a drawing, comments", (text) => unreadFormatOf(Buffer.from(`${"<!--".repeat(900)}${text}`), "txt")],
  ["a minified program", (text) => isMinified(text)],
  ["what has no text, pages", (text) => unreadPartsOf("a.pdf", text, { text_from: "extracted" })],
  ["passages of code", (text) => all(passagesOf(`// ${text}x`, "code"))],
  ["the text of a heading", (text) => headingText(`# ${text}x`)],
  ["anchors", (text) => new Anchors(`# ${text}x\n\nText.`, "a.md").at(3)],
  ["the name of a document", (text) => nameOfDocument(text, text)],
  ["sentences", (text) => sentencesOf(`${text}x`)],
  ["what can be marked behind it", (text) => marked(`${text}x\n\n`, "A line\nand another.\n")],
  ["what can be marked in lines", (text) => marked("", `a ${text}x\nb x\n`)],
  ["the words of Markdown", (text) => withoutMarkup(`a ${text.slice(0, QUOTE_LENGTH)}x`, "a.md")],
  ["the words of reST", (text) => withoutMarkup(`a ${text.slice(0, QUOTE_LENGTH)}x`, "a.rst")],
  ["boilerplate", (text) => isBoilerplate({ origin: "a.md", text: `${text}x` }, new Set())],
  ["terms", (text) => termsOf(`${text}x`)],
  ["terms of the index", (text) => cutTerms(`${text}x`)],
  ["nearness", (text) => nearnessOf(text, WORTH)],
  ["the place of a quote", (text) => new SourceText(Buffer.from(text)).spanOf(`${text.slice(0, 300)}x`)],
  [
    "the first difference of a quote",
    (text) => new SourceText(Buffer.from(text)).firstDifference(`${text.slice(0, 300)}x`),
  ],
  ["places of words", (text) => placesOf(text, "markdown", "a 7 x")],
  ["code that is written again", (text) => readCode(`${text}x`)],
  ["code that is written again, in a fence", (text) => readCode(`\`\`\`\n${text}x`)],
  ["a page that a model wrote", (text) => readPage(`a ${text}x`, new Map())],
  [
    "a page that a model wrote, an item",
    (text) => readPage(`- a ${text.slice(0, MAX_PAGE_LENGTH - 10)}[c1]`, new Map()),
  ],
  ["calls in a text", (text) => callsInText(`a ${text}x`, SEARCH)],
  ["calls in a text, an object", (text) => callsInText(`{"a": "${text}`, SEARCH, "search")],
  ["the error of a server", (text) => saidErrorIn(`a ${text}x`)],
  ["the error of a server, without keys", (text) => secretsOf(["sk-0123456789"]).scrub(`a ${text}x`)],
  ["numbers", (text) => numbersIn(`a ${text}x`)],
  ["addresses", (text) => strangeAddresses(`a ${text}x`, [text])],
  [
    "an address",
    (text) => strangeAddresses(`https://a.org/${text.slice(0, QUOTE_LENGTH)}x`, [text.slice(0, QUOTE_LENGTH)]),
  ],
  ["a name that is told twice", (text) => namedOnce(`a ${text}x`)],
  ["the sentences of a question", (text) => sentencesAsked(`a ${text.slice(0, QUOTE_LENGTH)}x`)],
  ["the clauses of a question", (text) => clausesOf(`a ${text.slice(0, QUOTE_LENGTH)}x`)],
  ["a quote on one line", (text) => onOneLine(`a ${text}x`, "a.md")],
  ["a page of Markdown over a quote", (text) => reportMarkdown(reportOver(text, "a.md"))],
  ["a page of Markdown over a quote of a PDF", (text) => reportMarkdown(reportOver(text, "a.pdf"))],
  ["a page of HTML over a quote", (text) => reportHtml(reportOver(text, "a.md"))],
  ["a page of HTML over a quote of a PDF", (text) => reportHtml(reportOver(text, "a.pdf"))],
  ["a page of Markdown that says it", (text) => reportMarkdown(reportOf(text))],
  ["a page of HTML that says it", (text) => reportHtml(reportOf(text))],
  ["the faults of a draft", (text) => draftFaults(reportOf(text))],
  ["references", (text) => bibtexOf(referencesOf(reportOver(text, "a.md"), new Map()))],
  [
    "a page on a terminal",
    (text) => renderedMarkdown(`a ${text.slice(0, QUOTE_LENGTH)}x`, { columns: 80, hasColours: true }),
  ],
  ["media types, a charset", (text) => typeOfBody(`text/html; charset=${text}`, "https://example.org/")],
  ["robots.txt", (text) => groupsFor(`User-agent: *\nDisallow: ${text}`, "deep-research")],
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

/** A report with one statement over the text and one that quotes it, as in an excerpt. */
function reportOver(text: string, origin: string): Report {
  const words = quote(`a ${text.slice(0, QUOTE_LENGTH - 10)}x`, HANDBOOK, { section: [text.slice(0, 300)] });
  return plainReport([cited("a", "A.", { quotes: [words] }), quoted("b", words.text, { quotes: [words] })], {
    blocks: [
      { ...heading("Answer"), role: "answer" },
      { kind: "paragraph", statements: ["a"] },
      { kind: "excerpt", statement: "b", marks: [] },
    ],
    sources: [{ number: 1, source_digest: HANDBOOK, title: `a ${text.slice(0, 400)}`, origin }],
  });
}

function reportOf(text: string): Report {
  const said = `a ${text.slice(0, QUOTE_LENGTH - 10)}x`;
  return plainReport([cited("a", said)], { title: said.slice(0, 400), question: said.slice(0, 4_000) });
}

/** The sentences of `paragraph`, which stands behind `before`. */
function marked(before: string, paragraph: string): unknown {
  const text = before + paragraph;
  const whole = { start: before.length, end: text.length };
  return sentencesWithin(text, [{ kind: "paragraph", level: 0, ...whole }], whole);
}

function written(write: (writer: MarkdownWriter) => void): string {
  const writer = new MarkdownWriter();
  write(writer);
  return writer.finish();
}
