// Tests that a claim that is judged again is shown to the verifier as before.
import { expect, test } from "bun:test";
import { judgeClaims } from "../../../src/drivers/writing/judge-claims.ts";
import { RunError } from "../../../src/kernel/errors.ts";
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import type { TaskTools } from "../../../src/ports/driver.ts";
import type { Claim, Draft } from "../../../src/run/report/report.ts";
import { claimsOf } from "../../../src/run/report/statements.ts";
import { toldTools } from "../told-tools.ts";

const TEXT = "A bottle costs 20 EUR.";
const source_digest = digestOfBytes("source");
const NOT_JUDGED = { verdict: "not_checked", method: "none", reason: "the verifier was away" } as const;
const QUOTE = { source_digest, start: 0, end: TEXT.length, text: TEXT };

function claim(statement_id: string, text: string): Claim {
  return { statement_id, text, basis: "cited", ...NOT_JUDGED, quotes: [QUOTE] };
}

const DRAFT: Draft = {
  question: "What does it cost?",
  blocks: [
    { kind: "paragraph", statements: ["s1"] },
    {
      kind: "table",
      columns: ["What", "Price", "Where"],
      rows: [
        ["Bottle", ["s2"], "–"],
        [["s3"], ["s4"], "–"],
      ],
    },
  ],
  statements: Object.fromEntries(
    [claim("s1", TEXT), claim("s2", "20 EUR"), claim("s3", "Crate"), claim("s4", "100 EUR")].map((one) => [
      one.statement_id,
      one,
    ]),
  ),
  sources: [{ number: 1, source_digest, title: "Prices", origin: "prices.md" }],
  gaps: [],
  parts: [],
  made: { notes: [] },
};

test("a cell is judged with the names of its row and column, as it was while the page was written", async () => {
  let shown: { id: string; statement: string }[] = [];
  const converse = async () => ({
    model: "test:verifier",
    messages: [],
    asked: 1,
    async say(_role: string, content: string) {
      if (content.startsWith("{")) shown = (JSON.parse(content) as { statements: typeof shown }).statements;
    },
    async ask() {
      throw new RunError("MODEL_FAILED", { reason: "away", kind: "no_result", retryable: false });
    },
  });
  const tools = {
    converse,
    signal: new AbortController().signal,
    resultLength: 100_000,
    say: () => undefined,
    sourceText: async () => new TextEncoder().encode(TEXT),
  } as unknown as TaskTools;
  await judgeClaims({ claims: claimsOf(DRAFT), report: DRAFT }, tools);
  expect(shown.map(({ id, statement }) => [id, statement])).toEqual([
    ["s1", TEXT],
    ["s2", "Bottle, Price: 20 EUR"],
    ["s3", "What: Crate"],
    ["s4", "Crate, Price: 100 EUR"],
  ]);
});

test("what asserts nothing is not supported by its quotes", async () => {
  const { tools } = toldTools(
    (user) => {
      const { statements } = JSON.parse(user) as { statements: { id: string }[] };
      return { verdicts: statements.map(({ id }) => ({ id, why: "so read", verdict: "framing" })) };
    },
    { sourceText: async () => new TextEncoder().encode(TEXT) },
  );
  const judged = await judgeClaims({ claims: claimsOf(DRAFT), report: DRAFT }, tools);
  expect(new Set(judged.map(({ verdict }) => verdict))).toEqual(new Set(["not_checked"]));
});
