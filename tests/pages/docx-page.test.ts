// Tests of the Word document. They read its XML, convert it to Markdown, and open it with LibreOffice where that is installed.
import { describe, expect, test } from "bun:test";
import { strFromU8, unzipSync } from "fflate";
import { DOMParser } from "linkedom";
import { getDocumentProxy } from "unpdf";
import { markdownOfDocx } from "../../src/corpus/extract/docx.ts";
import { reportDocx } from "../../src/pages/docx-page.ts";
import type { Report } from "../../src/run/report/report.ts";
import { claimsOf, statementsOf } from "../../src/run/report/statements.ts";
import { temporaryFolder } from "../operations/made-run.ts";
import {
  cited,
  FULL_REPORT,
  gapMarksReport,
  HOSTILE_REPORT,
  plainReport,
  quote,
  quoted,
  stepsReport,
  tasksReport,
  clausesReport,
} from "./sample-report.ts";

type Xml = ReturnType<DOMParser["parseFromString"]>;
type Parts = Record<string, string>;

async function partsOf(report: Report): Promise<Parts> {
  const files = unzipSync(await reportDocx(report));
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

function xmlOf(parts: Parts, name: string): Xml {
  return new DOMParser().parseFromString(parts[name] ?? "", "text/xml");
}

type Element = NonNullable<ReturnType<Xml["querySelector"]>>;

/** The rooms that read documents change how linkedom finds elements by name alone. With `:not` it searches as before. */
function named(xml: Pick<Xml, "querySelectorAll">, name: string): Element[] {
  return [...xml.querySelectorAll(`${name.replace(":", "\\:")}:not(.none)`)];
}

/** The words below an element. */
function textOf(element: Pick<Xml, "querySelectorAll">): string {
  return named(element, "w:t")
    .map(({ textContent }) => textContent ?? "")
    .join("");
}

function paragraphsIn(xml: Xml, style: string): string[] {
  return named(xml, "w:p")
    .filter((one) => named(one, "w:pStyle")[0]?.getAttribute("w:val") === style)
    .map(textOf);
}

function valuesIn(xml: Xml, element: string, attribute: string): string[] {
  return named(xml, element).flatMap((one) => one.getAttribute(attribute) ?? []);
}

describe("the document", () => {
  test("has the title, then the blocks in their order, then the sections about them", async () => {
    const xml = xmlOf(await partsOf(FULL_REPORT), "word/document.xml");
    expect(paragraphsIn(xml, "Title")).toEqual(["Retention of records"]);
    expect(paragraphsIn(xml, "Heading1")).toEqual([
      "Answer",
      "What it costs",
      "What the quotes contradict",
      "Nearest",
      "What was not found",
      "Thin evidence",
      "What the review still requests",
      "How well each part is covered",
      "How this report was made",
      "Sources",
    ]);
    expect(paragraphsIn(xml, "Heading2")).toEqual(["What is left"]);
    expect(paragraphsIn(xml, "SourceEntry")).toEqual([
      "[1]\tHandbook",
      "[2]\tMemo of the data team",
      "[3]\tWhat the nightly job costs",
    ]);
    expect(paragraphsIn(xml, "CodeBlock")).toEqual(["retain --days 30   # the default"]);
    const text = textOf(xml);
    for (const one of statementsOf(FULL_REPORT).filter(({ basis }) => basis !== "quoted"))
      expect(text).toContain(one.text);
    for (const doubt of [
      "(not checked: the verifier did not answer)",
      "(contradicted: the study measures that it does)",
    ])
      expect(text).toContain(doubt);
    expect(text).toContain("Nobody says who may change it.");
  });

  test("has a mark for each quote, and a footnote that says what a conclusion follows from", async () => {
    const parts = await partsOf(FULL_REPORT);
    const notes = named(xmlOf(parts, "word/footnotes.xml"), "w:footnote").filter(
      (one) => one.getAttribute("w:type") === null,
    );
    expect(notes.map(textOf)).toContain(
      " Our conclusion. It follows from: “A shorter time makes the job faster.” [3a] Computed as (5.2 - 3.1) / 5.2.",
    );
    const document = xmlOf(parts, "word/document.xml");
    expect(textOf(document)).toContain("The memo speaks of 90 days.[2a] Ask the data team");
    expect(paragraphsIn(document, "SourceDetail")).toContain("2a. p. 12: “Since spring we keep records for 90 days.”");
    const referred = valuesIn(document, "w:footnoteReference", "w:id");
    expect(referred).toEqual(notes.map((one) => one.getAttribute("w:id") ?? ""));
    expect(referred).toHaveLength(2);
  });

  test("links what was not found to its line, in the text and in the footnote of a conclusion", async () => {
    const parts = await partsOf(gapMarksReport());
    const document = xmlOf(parts, "word/document.xml");
    for (const words of ["It takes an hour.[1a][g2]", "Ask before. (our suggestion, from [1a][g2])", "g1. The price"])
      expect(textOf(document)).toContain(words);
    expect(textOf(xmlOf(parts, "word/footnotes.xml"))).toContain("It follows from: “The price” [g1] [1a]");
    expect(valuesIn(document, "w:bookmarkStart", "w:name")).toContain("gap_g1");
  });

  test("links each mark to its quote, and links outside only to pages of the web", async () => {
    for (const report of [FULL_REPORT, HOSTILE_REPORT]) {
      const parts = await partsOf(report);
      const document = xmlOf(parts, "word/document.xml");
      const anchors = [document, xmlOf(parts, "word/footnotes.xml")].flatMap((xml) =>
        valuesIn(xml, "w:hyperlink", "w:anchor"),
      );
      expect(anchors.length).toBeGreaterThan(3);
      const marks = valuesIn(document, "w:bookmarkStart", "w:name");
      expect([...new Set(anchors)].filter((anchor) => !marks.includes(anchor))).toEqual([]);
      const links = xmlOf(parts, "word/_rels/document.xml.rels");
      const out = named(links, "Relationship").filter((one) => one.getAttribute("TargetMode") === "External");
      expect(out.map((one) => one.getAttribute("Target"))).toEqual(
        report === FULL_REPORT ? ["https://intra.example/memo?year=2026"] : [],
      );
      const linked = valuesIn(document, "w:hyperlink", "r:id");
      expect(linked).toEqual(out.map((one) => one.getAttribute("Id") ?? ""));
    }
  });

  test("shows an excerpt with its lines, its table, its code and its marked words, and its place below", async () => {
    const xml = xmlOf(await partsOf(FULL_REPORT), "word/document.xml");
    const [first, second] = paragraphsIn(xml, "Excerpt");
    expect(first).toBe(
      "Retention is set once for all tables.Records are kept for 30 days, then they are removed by the nightly job.",
    );
    expect(second).toBe("- Backups have a date of their own.  Nobody removes them — not even the job.");
    expect(paragraphsIn(xml, "ExcerptCode")).toEqual(["retain --days 30   # the default"]);
    expect(paragraphsIn(xml, "ExcerptPlace")).toEqual([
      "[1a] Handbook, Retention > Defaults, p. 12",
      "[1a]",
      "[2b] Memo of the data team, p. 2 (lacks: change, owner)",
    ]);
    const marked = named(xml, "w:r").filter((run) => named(run, "w:shd").length > 0);
    expect(marked.map(textOf)).toEqual([
      "Records are kept for 30 days, then they are removed by the nightly job.",
      "30 days",
    ]);
  });

  test("has equal bytes for equal reports, and holds no time", async () => {
    const first = await reportDocx(FULL_REPORT, "12 calls");
    expect(Buffer.from(await reportDocx(structuredClone(FULL_REPORT), "12 calls")).equals(first)).toBe(true);
    const { "docProps/core.xml": core } = await partsOf(FULL_REPORT);
    expect(core).toContain("<dc:title>Retention of records</dc:title>");
    expect(core).not.toMatch(/\d{4}-\d\d-\d\dT/);
  });

  test("counts each ordered list from one", async () => {
    const items = [{ statements: ["a"] }, { statements: ["b"] }];
    const list = { kind: "list", ordered: true, items } as const;
    const report = plainReport([cited("a", "A."), cited("b", "B.")], { blocks: [list, list] });
    const numbers = valuesIn(xmlOf(await partsOf(report), "word/document.xml"), "w:numId", "w:val").slice(0, 4);
    expect(numbers[0]).toBe(numbers[1] ?? "");
    expect(numbers[2]).toBe(numbers[3] ?? "");
    expect(numbers[0]).not.toBe(numbers[2] ?? "");
  });

  test("has marks where clauses end", async () => {
    const text = textOf(xmlOf(await partsOf(clausesReport()), "word/document.xml"));
    expect(text).toContain("Ä takes s[1a]; hours for *b*.[1b][1c]One[1b] and two.[1a][1b][1c][g1] (not checked: why)");
  });

  test("shows the boxes of items as signs", async () => {
    const text = textOf(xmlOf(await partsOf(tasksReport()), "word/document.xml"));
    expect(text).toContain("☒ Stop it.[1c]☐ Then: Start it.[1d]Look.[1b]");
  });

  test("continues counting steps behind code", async () => {
    const numbers = valuesIn(xmlOf(await partsOf(stepsReport()), "word/document.xml"), "w:numId", "w:val");
    expect(numbers.slice(0, 3)).toEqual(Array(3).fill(numbers[0]));
  });

  test("continues counting steps behind another list, which counts by itself", async () => {
    const report = stepsReport();
    const own: Report["blocks"][number] = { kind: "list", ordered: true, items: [{ statements: ["x"] }] };
    const blocks = report.blocks.map((block) => (block.kind === "code" ? own : block));
    const file = await partsOf({ ...report, blocks });
    const [first, second, other, third] = valuesIn(xmlOf(file, "word/document.xml"), "w:numId", "w:val");
    expect([second, third]).toEqual([first, first]);
    expect(other).not.toBe(first);
  });
});

describe("text from outside", () => {
  test("stays text, whatever it holds", async () => {
    const parts = await partsOf(HOSTILE_REPORT);
    for (const [name, xml] of Object.entries(parts)) {
      expect([name, xmlOf(parts, name).documentElement === null]).toEqual([name, false]);
      // oxlint-disable-next-line no-control-regex
      expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/);
    }
    const text = textOf(xmlOf(parts, "word/document.xml"));
    for (const { text: words } of claimsOf(HOSTILE_REPORT).filter(({ text: one }) => /^[\p{L}\p{N} .]+$/u.test(one)))
      expect(text).toContain(words);
    expect(text).toContain('<script>alert(1)</script><img src=x onerror="alert(2)"> & </style> </title> --> ]]>');
  });

  test("does not break the file with lone surrogates, and runs from right to left in Arabic", async () => {
    const text = "Half \ud83d of a pair \uffff.";
    const arabic = "تُحفظ السجلات لمدة 30 يومًا.";
    const quotes = [quote("Half of a pair.")];
    const report = plainReport([quoted("a", text, { quotes }), cited("b", arabic)]);
    const xml = xmlOf(await partsOf(report), "word/document.xml");
    expect(textOf(xml)).toContain("“Half \ufffd of a pair \ufffd.”");
    const turned = named(xml, "w:p").filter((one) => named(one, "w:bidi").length > 0);
    expect(turned.map(textOf)).toEqual([`${arabic}[1b]`]);
  });

  test.each([
    ["a \ufffe b", "a \ufffd b"],
    ["a \ud83d b", "a \ufffd b"],
    [`${"a".repeat(254)}🙂 b`, `${"a".repeat(252)}...`],
  ])("is a title that XML may hold and no character of which is cut: %j", async (title, shown) => {
    const { "docProps/core.xml": core = "" } = await partsOf({ ...FULL_REPORT, title });
    expect(/<dc:title>(.*)<\/dc:title>/.exec(core)?.[1]).toBe(shown);
  });
});

test("another reader of Word documents finds the title, headings, a list, a table and notes", async () => {
  const markdown = await markdownOfDocx(await reportDocx(FULL_REPORT));
  expect(markdown).toStartWith("# Retention of records\n");
  expect(markdown).toContain("\n## Answer\n");
  expect(markdown).toContain("\n1. Nobody says who may change it.\n");
  expect(markdown).toMatch(/\| 30 days \| The handbook keeps records for 30 days\.\[1a\] \|/);
  expect(markdown).toContain("2a. p. 12: “Since spring we keep records for 90 days.”");
});

const office = Bun.which("soffice");
if (office === null) console.log("skipped: LibreOffice is not installed; apt-get install libreoffice-writer");

/** LibreOffice starts slowly on a busy machine. */
const OFFICE_TIMEOUT_MS = 600_000;

test.skipIf(office === null)(
  "LibreOffice opens the document and prints every page",
  async () => {
    using folder = temporaryFolder();
    await Bun.write(`${folder.path}/report.docx`, await reportDocx(FULL_REPORT));
    const settings = `-env:UserInstallation=file://${folder.path}/settings`;
    const line = [office ?? "", settings, "--headless", "--convert-to", "pdf", "--outdir", folder.path];
    const { exitCode } = Bun.spawnSync([...line, `${folder.path}/report.docx`]);
    expect(exitCode).toBe(0);
    const pdf = await getDocumentProxy(await Bun.file(`${folder.path}/report.pdf`).bytes());
    const pages = await Promise.all(Array.from({ length: pdf.numPages }, (_, at) => pdf.getPage(at + 1)));
    const contents = await Promise.all(pages.map((page) => page.getTextContent()));
    const text = contents
      .flatMap(({ items }) => items.map((item) => ("str" in item ? item.str : "")))
      .join(" ")
      .replace(/\s+/g, " ");
    expect(pdf.numPages).toBeGreaterThan(1);
    for (const words of [
      "Retention of records",
      "Since spring we keep records for 90 days.",
      "[3] What the nightly job",
    ])
      expect(text).toContain(words);
  },
  OFFICE_TIMEOUT_MS,
);
