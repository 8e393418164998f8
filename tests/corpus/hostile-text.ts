// Lists texts that make careless expressions slow, and the rules that read texts from outside in the process of a run.
import { Anchors } from "../../src/corpus/blocks/anchors.ts";
import { blocksOf } from "../../src/corpus/blocks/blocks.ts";
import { delimitedTable } from "../../src/corpus/blocks/delimited.ts";
import { unitsOf } from "../../src/corpus/blocks/entries.ts";
import { nameOfDocument } from "../../src/corpus/blocks/headings.ts";
import { opensMarkup } from "../../src/corpus/blocks/markdown-reader.ts";
import { isManualSource, withoutOverstrikes } from "../../src/corpus/files/packed.ts";
import { isTableRule, rowsOf } from "../../src/corpus/blocks/table-rows.ts";
import { textOf } from "../../src/corpus/files/text.ts";
import { unreadPartsOf } from "../../src/corpus/extract/unread-parts.ts";
import { isMinified, unreadFormatOf } from "../../src/corpus/extract/unread-formats.ts";
import { markdownCells, recordsOf } from "../../src/kernel/cells.ts";
import { endsLikeProse, hasColumns, lineGroups, wrappedLines } from "../../src/kernel/line-groups.ts";
import { headingText } from "../../src/kernel/heading-text.ts";
import { nearnessOf } from "../../src/corpus/search/nearness.ts";
import { MAX_LINE_LENGTH } from "../../src/corpus/blocks/lines.ts";
import { passagesOf } from "../../src/corpus/blocks/passages.ts";
import { PostingBatch } from "../../src/corpus/index/posting-batch.ts";
import { cutTerms } from "../../src/corpus/words/term-cutter.ts";
import { termsOf } from "../../src/corpus/words/terms.ts";
import { placesOf } from "../../src/drivers/research/find-tool.ts";
import { SourceText } from "../../src/drivers/research/exact-span.ts";
import { clausesOf } from "../../src/drivers/local/plan.ts";
import { questionSentences } from "../../src/drivers/local/question.ts";
import { MAX_PAGE_LENGTH, readCode, readPage } from "../../src/drivers/writing/page/read-page.ts";
import { renderedMarkdown } from "../../src/cli/terminal/rendered-markdown.ts";
import { isBoilerplate } from "../../src/drivers/local/boilerplate.ts";
import { sentencesOf } from "../../src/kernel/sentences.ts";
import { sentencesWithin } from "../../src/drivers/local/sentences.ts";
import { callsInText } from "../../src/models/calls-in-text.ts";
import { saidErrorIn } from "../../src/models/error-body.ts";
import { secretsOf } from "../../src/models/secrets.ts";
import { onOneLine, withoutMarkup } from "../../src/pages/excerpt-lines.ts";
import { reportHtml } from "../../src/pages/html-page.ts";
import { reportMarkdown } from "../../src/pages/markdown-page.ts";
import { bibtexOf, referencesOf } from "../../src/pages/references.ts";
import { draftFaults } from "../../src/run/report/draft-faults.ts";
import type { Report } from "../../src/run/report/report.ts";
import { strangeAddresses } from "../../src/run/report/shown-addresses.ts";
import { numbersIn } from "../../src/run/report/shown-numbers.ts";
import { namedOnce } from "../../src/surface/words.ts";
import { cited, HANDBOOK, heading, plainReport, quote, quoted } from "../pages/sample-report.ts";
import { typeOfBody } from "../../src/providers/web/media-types.ts";
import { groupsFor } from "../../src/providers/web/robots.ts";
import { DOCUMENT_RULES } from "./hostile-documents.ts";

export const BYTES = 200_000;

const CHARACTERS = Array.from("[]<>!(){} \t_*#|-=~`\"'.,:;&%$@\\/?+^a7A\n\f\u0301\u3002\u6A4B\u{1F600}");
const REPEATED = [
  ..."![ [( ]( [a]( ![a]( [![ a. A. .\" ._ <a &a a= `` */ // aA \\( \\[ \\*[ \\h' \\{ \\}".split(" "),
  ..."- ;| ;> ;1. ;# ; #;a ;a. ;A. ;<a ;|-;| a ;-|-;*/ ;|\n;a\n;- \n;a\u0301\u0327".split(";"),
];

interface HostileText {
  name: string;
  text: string;
  /** The same, as long as a share of the bytes. */
  shorter(share: number): string;
}

function hostile(name: string, textOf: (bytes: number) => string, bytes: number): HostileText {
  return { name, text: textOf(bytes), shorter: (share) => textOf(bytes / share) };
}

/** Texts that repeat one character or a short run of them. */
export function hostileTexts(bytes: number): HostileText[] {
  return [...CHARACTERS, ...REPEATED].map((unit) => hostile(JSON.stringify(unit), (all) => repeated(unit, all), bytes));
}

/** Characters that most expressions treat each in a way of its own. */
const TELLING = Array.from(" \na1[*");

/** Texts of two characters, and of two with a third at the end: a^n b^n, (ab)^n, a b^n c. */
export function mixedTexts(bytes: number): HostileText[] {
  return TELLING.flatMap((one) =>
    TELLING.filter((other) => other !== one).flatMap((other) => {
      const [first, second] = [JSON.stringify(one), JSON.stringify(other)];
      return [
        hostile(`${first}^n ${second}^n`, (all) => repeated(one, all / 2) + repeated(other, all / 2), bytes),
        hostile(`(${first} ${second})^n`, (all) => repeated(one + other, all), bytes),
        hostile(`${first} ${second}^n ":"`, (all) => `${one}${repeated(other, all)}:`, bytes),
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

/** No quote is longer. */
const QUOTE_LENGTH = 20_000;

/** An `x` is behind the texts, so that an expression that looks for the end of a line does not find it at once. */
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
  [
    "the names of a table of cells",
    (text) => {
      const cells = { delimiter: ",", header: { start: 0, end: text.length } } as const;
      return all(rowsOf(`${text}\n1,2`, { kind: "table", start: 0, end: text.length + 4, level: 0, cells }));
    },
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
  ["the sentences of a question", (text) => questionSentences(`a ${text.slice(0, QUOTE_LENGTH)}x`)],
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
  ...DOCUMENT_RULES,
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

/** The sentences of `paragraph`, which is behind `before`. */
function marked(before: string, paragraph: string): unknown {
  const text = before + paragraph;
  const whole = { start: before.length, end: text.length };
  return sentencesWithin(text, [{ kind: "paragraph", level: 0, ...whole }], whole);
}
