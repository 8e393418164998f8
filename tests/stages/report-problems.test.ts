// Tests that verify checks the headings that numbers of a report rest on, and the letters of its quotes.
import { expect, test } from "bun:test";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import type { Report } from "../../src/run/report/report.ts";
import { withLetters } from "../../src/run/report/quote-letters.ts";
import type { Quote } from "../../src/run/report/source.ts";
import { quoteProblem, reportProblems } from "../../src/stages/report-problems.ts";

const TEXT = "# Changes\n\n## **0.8.2**\n\nIt compresses streams.\n\n## 0.8.3\n\nIt is fast.\n";
const BYTES = new TextEncoder().encode(TEXT);

const source_digest = digestOfBytes(TEXT);

/** A quote of these words, with the headings `section`. */
function quoteOf(words: string, section: string[] = []): Quote {
  const start = TEXT.indexOf(words);
  return { source_digest, start, end: start + words.length, text: words, anchor: { section } };
}

/** A report whose claim `text` rests on these quotes. */
function reportOf(text: string, ...quotes: Quote[]): Report {
  const judged = { verdict: "supported" as const, method: "model x:y", quotes };
  return {
    schema_version: "report.v3",
    question: "Since when?",
    blocks: [{ kind: "paragraph", statements: ["s1"] }],
    statements: { s1: { statement_id: "s1", basis: "cited", text, ...judged } },
    sources: [{ number: 1, source_digest, title: "Changes", origin: "docs/changes.md" }],
    gaps: [],
    parts: [],
    made: { notes: [] },
    version_index: 1,
    trigger_type: "auto_natural_stop",
    partial: false,
    evidence_digest: digestOfBytes("evidence"),
  };
}

function problemsOf(report: Report): ReturnType<typeof reportProblems> {
  const none = { calls: 0, tokens: 0, cost_usd: 0 };
  const digests = { digest: digestOfBytes(""), report_md_digest: digestOfBytes(""), report_file_path: "" };
  const { version_index, trigger_type, partial, evidence_digest } = report;
  const version = { version_index, trigger_type, partial, evidence_digest, claims: 1, sources: 1, usage: none };
  return reportProblems(report, { ...version, ...digests }, report.question, new Map());
}

/** The problems of the quote of a claim, with the headings `section`. */
function problems(text: string, section: string[]): string[] {
  const { quotes } = problemsOf(reportOf(text, quoteOf("It compresses streams.", section)));
  return quotes.flatMap((one) => quoteProblem(one, BYTES)?.found ?? []);
}

test("a heading that a number rests on has to be above the quote in the stored text", () => {
  expect(problems("Streams came with 0.8.2.", ["Changes", "0.8.2"])).toEqual([]);
  expect(problems("Streams came with 0.8.3.", ["Changes", "0.8.3"])).toEqual(["no heading “0.8.3” above it"]);
  expect(problems("Streams came with 0.8.2.", ["News", "0.8.2"])).toEqual(["no heading “News” above it"]);
});

test.each([
  ["that is part of its words", "## #include 4", "#include 4"],
  ["that an earlier version took for part of its words", "= Include 4", "= Include 4"],
])("a heading is found that begins with a sign of headings %s", (_how, line, heading) => {
  const words = "It compresses streams.";
  const text = `${line}\n\n${words}`;
  const place = { source_digest: digestOfBytes(text), start: line.length + 2, end: text.length, text: words };
  const quote = { path: "report.json", statement_id: "s1", headings: [heading], ...place };
  expect(quoteProblem(quote, new TextEncoder().encode(text))).toBeNull();
});

test("control: a heading that no number rests on is not looked for", () => {
  expect(problems("It can stream.", ["Changes", "0.8.3"])).toEqual([]);
});

test("the letters of quotes have to be those of their places in the text, as far as there are letters", () => {
  const report = reportOf("It is so.", quoteOf("It is fast."), quoteOf("It compresses streams."));
  const [source] = withLetters(report);
  if (source?.quotes === undefined) throw new Error("has letters");
  const { quotes } = source;
  expect(quotes.map(({ letter, start }) => [letter, start])).toEqual([
    ["a", TEXT.indexOf("It compresses")],
    ["b", TEXT.indexOf("It is fast")],
  ]);
  const wrong = (given: typeof quotes | undefined): string[] => {
    const { quotes: _none, ...rest } = source;
    const sources = [given === undefined ? rest : { ...rest, quotes: given }];
    return problemsOf({ ...report, sources }).problems.flatMap(({ expected }) =>
      expected.startsWith("the letters of source 1") ? [expected] : [],
    );
  };
  expect(wrong(quotes)).toEqual([]);
  expect(wrong(undefined)).toEqual([]);
  const [first, second] = quotes;
  if (first === undefined || second === undefined) throw new Error("has two");
  for (const given of [[first], [second, first], [first, { ...second, letter: "a" }], [first, { ...second, end: 90 }]])
    expect(wrong(given)).toHaveLength(1);
});
