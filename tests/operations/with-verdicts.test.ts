// A conclusion is judged with what it follows from, and holds no better.
import { expect, test } from "bun:test";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { withVerdicts } from "../../src/operations/report/with-verdicts.ts";
import type { Claim, Report } from "../../src/run/report/report.ts";
import { sectionsOf } from "../../src/run/report/statements.ts";

const TEXT = "Heron is blue.";
const source_digest = digestOfBytes("source");
const METHOD = "model x:y";
const UNCHECKED = { verdict: "not_checked", method: "none", reason: "the verifier was away" } as const;
const CITED: Claim = {
  statement_id: "s1",
  text: TEXT,
  basis: "cited",
  ...UNCHECKED,
  quotes: [{ source_digest, start: 0, end: TEXT.length, text: TEXT }],
};
const CONCLUSION: Claim = {
  statement_id: "s2",
  text: "So take Heron.",
  basis: "derived",
  ...UNCHECKED,
  quotes: [],
  from: ["s1"],
};
const REPORT: Report = {
  schema_version: "report.v2",
  version_index: 1,
  trigger_type: "manual",
  partial: false,
  evidence_digest: digestOfBytes("evidence"),
  question: "Which one?",
  blocks: [
    { kind: "heading", level: 2, text: "Answer", role: "answer" },
    { kind: "paragraph", statements: ["s1", "s2"] },
  ],
  statements: { s1: CITED, s2: CONCLUSION },
  sources: [{ number: 1, source_digest, title: "Heron", origin: "heron.md" }],
  gaps: [],
  parts: [],
  made: { notes: [] },
};

test.each([
  ["contradicted", "not_checked"],
  ["not_checked", "not_checked"],
  ["supported", "supported"],
] as const)("from what is %s now follows what is %s", (verdict, follows) => {
  const draft = withVerdicts(REPORT, [
    { statement_id: "s1", verdict, method: METHOD, ...(verdict === "supported" ? {} : { reason: "so read" }) },
    { statement_id: "s2", verdict: "supported", method: METHOD },
  ]);
  expect(draft.statements).toMatchObject({ s1: { verdict }, s2: { verdict: follows } });
  const roles = sectionsOf(draft).map(({ heading }) => heading?.role);
  expect(roles).toEqual(verdict === "contradicted" ? ["answer", "contradicted"] : ["answer"]);
});
