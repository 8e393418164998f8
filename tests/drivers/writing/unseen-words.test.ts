// Tests that all words of a page are checked: titles, labels of rows and columns, code, and sentences with changed marks.
import { describe, expect, test } from "bun:test";
import type { Draft } from "../../../src/run/report/report.ts";
import { drafted, type AskedStatement, type Said, type Verdict } from "./written-draft.ts";

const ANSWER =
  "## Answer\n\nIt handles 9,500 jobs per second. [c1] It costs 20 €. [c2] Heron needs no setup. [c3, c4]\n";

/** A verifier that objects to labels and sentences that hold these words. */
function objecting(words: string, verdict: Verdict["verdict"] = "unclear") {
  return ({ statement }: AskedStatement): Verdict => ({ verdict: statement.includes(words) ? verdict : "supported" });
}

function wordsOf({ title = "", blocks, statements }: Draft): string {
  return `${title} ${JSON.stringify(blocks)} ${Object.values(statements)
    .map(({ text }) => text)
    .join(" ")}`;
}

test("code that is written again shows its new text", async () => {
  const { draft, gate } = await drafted({
    writes: [{ page: `${ANSWER}\n\`\`\`\nrm -rf /data\n\`\`\`\n[c4]` }, { changes: { s4: "No setup. [c4]" } }],
    judges: objecting("rm -rf", "contradicted"),
  });
  expect(gate).toEqual([]);
  expect(draft.blocks.at(-1)).toEqual({ kind: "code", text: "No setup.", statement: "s4" });
  expect(wordsOf(draft)).not.toContain("rm -rf");
});

test("an excerpt that is written again as prose becomes a paragraph", async () => {
  const page = `${ANSWER}\n> [c4]\n\nIt is so. [c1]`;
  const { draft, gate } = await drafted({
    writes: [{ page }, { changes: { s4: "Nothing has to be set up. [c4] It is ready. [c4]", s5: "" } }],
    judges: objecting("It is so"),
  });
  expect(gate).toEqual([]);
  expect(draft.blocks.at(-1)).toEqual({ kind: "paragraph", statements: ["s4", "s6"] });
});

describe("labels", () => {
  const table = (column: string, row: string): string =>
    `${ANSWER}\n| | Kestrel | ${column} |\n|-|-|-|\n| ${row} | sends often [c1] | so it is [c2] |\n| Price | 20 € [c2] | – |\n`;

  test.each([
    ["a title", `# Kestrel is 80 % cheaper\n\n${ANSWER}`],
    ["the head of a column", table("p99 of 900 s", "Losses")],
    ["the first cell of a row", table("Pulsar", "Pulsar loses 30 % of all messages")],
  ])("%s holds no number that does not stand below it", async (_, page) => {
    const { draft, told, gate } = await drafted({ writes: [{ page }] });
    expect(gate).toEqual([]);
    expect(told[0]).toContain("which stands nowhere below it");
    expect(wordsOf(draft)).not.toMatch(/80 %|900 s|30 %/);
    expect(draft.made.notes.join(" ")).toContain("said more than was below it");
  });

  test.each([
    ["a title", `# Kestrel is a fraud\n\n${ANSWER}`],
    ["the head of a column", table("Where Pulsar is a fraud", "Losses")],
    ["the first cell of a row", table("Pulsar", "Pulsar is a fraud")],
  ])("%s is judged, and goes when it says more", async (_, page) => {
    const { draft, told, gate } = await drafted({ writes: [{ page }], judges: objecting("is a fraud") });
    expect(gate).toEqual([]);
    expect(told[0]).toContain("is a label that says more than what is below it");
    expect(wordsOf(draft)).not.toContain("fraud");
    const kept = await drafted({ writes: [{ page }] });
    expect(wordsOf(kept.draft)).toContain("fraud");
  });

  test("a row may hold a number that its cells are computed with", async () => {
    const row = "| After 7 days | 66,500 [= 7 * 9500; from c1] |";
    const page = `${ANSWER}\n| When | Jobs |\n|-|-|\n| At once | 9,500 [c1] |\n${row}\n`;
    expect(wordsOf((await drafted({ writes: [{ page }] })).draft)).toContain("After 7 days");
    const other = await drafted({ writes: [{ page: page.replace("7 days", "8 days") }] });
    expect(wordsOf(other.draft)).not.toContain("8 days");
  });

  test("are written again by their ids", async () => {
    const changes = { title: "Kestrel and Heron", h3: "Of both", h4: "Speed of both" };
    const page = `# Kestrel is a fraud\n\n${table("All is a fraud", "Pulsar is a fraud")}`;
    const { draft, gate } = await drafted({
      writes: [{ page }, { changes }],
      judges: objecting("is a fraud"),
    });
    expect(gate).toEqual([]);
    expect(draft.title).toBe("Kestrel and Heron");
    expect(draft.blocks.at(-1)).toMatchObject({
      columns: ["", "Kestrel", "Of both"],
      rows: [
        ["Speed of both", ["s4"], ["s5"]],
        ["Price", ["s6"], "–"],
      ],
    });
  });
});

describe("a sentence with other marks is judged again", () => {
  const rounds = async (first: string, second: string, notes: string[] = []) => {
    const page = `${ANSWER}\n${first}\n\nIt is so. [c1]`;
    const writes: Said[] = [{ page }, { changes: { s4: second, s5: "" } }];
    const { judged } = await drafted({ writes, judges: objecting("It is so"), notes });
    return judged[1];
  };
  const notes = ["Not found: one (no page)", "Not found: two (no page)"];

  test.each([
    ["derived, then cited", "So take it. [from c2]", "So take it. [c2]"],
    ["cited, then derived", "So take it. [c2]", "So take it. [from c2]"],
    ["another gap", "It was not found. [g1]", "It was not found. [g2]"],
    ["another expression", "It is half [= 9,500 / 3,800; from c1, c3].", "It is half [= 3,800 / 9,500; from c1, c3]."],
  ])("%s", async (_, first, second) => {
    expect(await rounds(first, second, notes)).toContain("s4");
  });

  test("control: a sentence with the same marks is not", async () => {
    expect(await rounds("So take it. [from c2]", "So take it. [from c2]")).toBeUndefined();
  });
});
