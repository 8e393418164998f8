// Tests of the Markdown of findings: lines about each quote, gaps, and the nearest passages.
import { expect, test } from "bun:test";
import type { FindingQuote, Findings } from "../../src/run/report/research.ts";
import { findingsMarkdown } from "../../src/stages/findings-markdown.ts";

const QUOTE: FindingQuote = {
  source_digest: `sha256:${"a".repeat(64)}`,
  start: 0,
  end: 11,
  text: "Ten letters",
  part_ids: ["one"],
  query: "",
  score: 1,
};

function pageOf(quote: Partial<FindingQuote>, more: Partial<Findings> = {}): string {
  return findingsMarkdown({
    schema_version: "findings.v1",
    subject: "overview",
    subject_kind: "perspective",
    title: "Overview",
    questions: ["Why?"],
    quotes: [{ ...QUOTE, ...quote }],
    sources: [],
    notes: [],
    ...more,
  });
}

test("a quote has its statement, and the verdict of the verifier", () => {
  const judged = { verdict: "not_checked", method: "model x", reason: "goes *too* far" } as const;
  expect(pageOf({ statement: "It has ten.", judged })).toContain(
    "- recorded for: It has ten. (not checked: goes \\*too\\* far)\n",
  );
  expect(pageOf({ statement: "It has ten." })).toContain("- recorded for: It has ten.\n");
});

test("a quote whose words were counted has its coverage, and the words that it lacks", () => {
  const page = pageOf({ coverage: 0.834, lacks: ["lease", "days"] });
  expect(page).toContain("- holds 83 % of what was searched for, by words\n- lacks: lease, days\n");
  expect(pageOf({})).not.toMatch(/holds|lacks/);
});

test("nearest passages are in a section of their own", () => {
  const nearest = [{ origin: "a", title: "a", text: "A cellar is dark.", lacks: ["wine"] }];
  expect(pageOf({}, { nearest })).toContain("## Nearest\n\n> A cellar is dark.\n\n- `a`, lacks: wine\n");
  expect(pageOf({})).not.toContain("## Nearest");
});

test("a gap is there with its reason and its parts, and is not repeated among the notes", () => {
  const gaps = [{ text: "what it costs", reason: "no page tells", part_ids: ["price"] }];
  const page = pageOf({}, { gaps, notes: ["Not found: what it costs (no page tells)", "A limit was met."] });
  expect(page).toContain("## Notes\n\n- A limit was met.\n\n## Searched for and not found");
  expect(page).toContain("- what it costs [price]: no page tells\n");
  expect(pageOf({})).not.toContain("Looked for");
});
