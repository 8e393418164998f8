// Tests that parts of a page that a report cannot hold are left out with a note, and that text without marks is no page.
import { describe, expect, test } from "bun:test";
import { partsOf } from "../../../src/drivers/writing/page/part-coverage.ts";
import { readPage } from "../../../src/drivers/writing/page/read-page.ts";
import { canonicalJson } from "../../../src/kernel/canonical-json.ts";
import { draftOfNowSchema } from "../../../src/run/report/report.ts";
import { drafted, type Said } from "./written-draft.ts";

const ANSWER =
  "## Answer\n\nIt handles 9,500 jobs per second. [c1] It costs 20 €. [c2] Heron needs no setup. [c3, c4]\n";

test.each([
  "I read both remarks (2 of them), and the page stays as it is.",
  "As step [x2] of (c) says, the page stays.",
])("words with a digit in brackets are no page: %s", async (words) => {
  const { draft } = await drafted({
    writes: [{ page: `${ANSWER}\nIt is fast. [c1] It is new. [c1]` }, { words }],
    judges: ({ id }) => ({ verdict: id === "s2" ? "unclear" : "supported" }),
  });
  expect(Object.keys(draft.statements)).toEqual(["s1", "s2", "s3", "s4", "s5"]);
});

describe("a report leaves out with a note", () => {
  const many = Array.from({ length: 55 }, (_, at) => `Point ${"abcdefgh"[at % 8]}${"ijklmnop"[at >> 3]} holds. [c1]`);
  const table = (rows: number): string =>
    `${ANSWER}\n| a | b |\n|-|-|\n${Array.from({ length: rows }, () => "| x | y [c1] |").join("\n")}`;

  test.each([
    ["a long first cell", `${ANSWER}\n| a | b |\n|-|-|\n| ${"word ".repeat(500)} | y [c1] |`],
    ["a fence without an end", `${ANSWER}\n\`\`\`\n${"echo one more line\n".repeat(1_500)}`],
    ["a table without end", table(600)],
    ["a table of many columns", `${ANSWER}\n|${" a |".repeat(25)}\n|${"-|".repeat(25)}\n|${" y [c1] |".repeat(25)}`],
  ])("%s", async (_, page) => {
    const { draft, gate } = await drafted({ writes: [{ page }] });
    expect(gate).toEqual([]);
    expect(draftOfNowSchema.safeParse(draft).success).toBe(true);
    expect(draft.made.notes).not.toEqual([]);
  });

  test("a statement that follows from too many others", async () => {
    const writes: Said[] = [
      { page: `${ANSWER}\n${many.join("\n")}\n\nLast. [c2]` },
      { changes: { s59: "So it is. [from s1-s20, s21-s40, s41-s56]" } },
    ];
    const { draft, told } = await drafted({
      writes,
      judges: ({ statement }) => ({ verdict: statement === "Last." ? "unclear" : "supported" }),
    });
    expect(told[1]).toContain("follows from 56 statements, at most 50");
    expect(draftOfNowSchema.safeParse(draft).success).toBe(true);
  });
});

test.each([
  ["a heading", `## ${"a".repeat(299)}😀 and more\n\nIt is so [c1].`],
  ["a sentence", `${"a".repeat(3_999)}😀😀😀 [c1]`],
  ["a line", `It is ${"😀😁".repeat(3_000)} [c1].`],
  ["half a character", "It is so \ud83d [c1]."],
])("no character is cut in half: %s", (_, source) => {
  const { blocks, statements } = readPage(source, new Map());
  expect(() => canonicalJson({ blocks, statements: [...statements.values()] })).not.toThrow();
});

test("a part with two claims may be half answered, and one with a single claim is never wholly answered", () => {
  const quote = { source_digest: `sha256:${"0".repeat(64)}` as const, start: 0, end: 2, text: "It" };
  const claim = (id: string) => ({
    statement_id: id,
    basis: "cited" as const,
    text: "It.",
    verdict: "supported" as const,
    method: "model m",
    quotes: [quote],
  });
  const citation = {
    citation_id: "c",
    subject: "a",
    quote,
    found: true,
    verdict: "supported" as const,
    method: "v",
    part_ids: ["p"],
  };
  const plan = { parts: [{ id: "p", text: "part", terms: [] }], perspectives: [] };
  const coverage = (claims: number, said: 0 | 0.5 | 1): number | undefined =>
    partsOf(plan, ["a", "b"].slice(0, claims).map(claim), [citation], [{ part_id: "p", coverage: said }])[0]?.coverage;
  expect([coverage(2, 0.5), coverage(2, 1), coverage(1, 1), coverage(0, 1)]).toEqual([0.5, 1, 0.5, 0]);
});
