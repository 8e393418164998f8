import { expect, test } from "bun:test";
import type { Block, Claim, Draft } from "../../../src/run/report/report.ts";
import { isRightIn } from "./ask.ts";
import { paragraphsOf, sentencesOf } from "./sentences.ts";
import { shownUnder } from "./shown.ts";

const DIGEST = `sha256:${"a".repeat(64)}` as const;
/** The quote begins at byte 100 of its source; its umlauts have two bytes. */
const QUOTE = "Über Öl steht nichts da. Der Tank fasst 40 Liter.";

function quoted(id: string, text: string): Claim {
  const quotes = [{ source_digest: DIGEST, start: 100, end: 100 + Buffer.byteLength(text), text }];
  return { statement_id: id, text, basis: "quoted", verdict: "supported", method: "verbatim", quotes };
}

function pageOf(blocks: Block[], claims: Claim[]): Pick<Draft, "blocks" | "statements" | "sources"> {
  return {
    blocks,
    statements: Object.fromEntries(claims.map((claim) => [claim.statement_id, claim])),
    sources: [{ number: 1, source_digest: DIGEST, title: "Tank", origin: "docs/tank/manual.md" }],
  };
}

const BEFORE = Buffer.byteLength("Über Öl steht nichts da. ");
const PAGE = pageOf(
  [
    { kind: "heading", level: 2, text: "Answer", role: "answer" },
    { kind: "heading", level: 3, text: "A part" },
    {
      kind: "excerpt",
      statement: "s1",
      marks: [{ start: 100 + BEFORE, end: 100 + Buffer.byteLength(QUOTE) }],
    },
    { kind: "heading", level: 2, text: "More" },
    { kind: "paragraph", statements: ["s2"] },
    { kind: "heading", level: 2, text: "Near", role: "nearest" },
    { kind: "list", ordered: false, items: [{ statements: ["s3"] }] },
  ],
  [quoted("s1", QUOTE), quoted("s2", "Another thing."), quoted("s3", "A near thing.")],
);

test("an excerpt shows its whole quote, and its marks are cut out by bytes", () => {
  expect(shownUnder(PAGE, "answer")).toEqual([
    { text: QUOTE, origin: "docs/tank/manual.md", marked: ["Der Tank fasst 40 Liter."] },
  ]);
});

test("a section of a role ends with the next heading of its level, and other blocks mark what they say", () => {
  expect(shownUnder(PAGE, "nearest")).toEqual([
    { text: "A near thing.", origin: "docs/tank/manual.md", marked: ["A near thing."] },
  ]);
});

test("without a role the whole page is meant", () => {
  expect(shownUnder(PAGE).map(({ text }) => text)).toEqual([QUOTE, "Another thing.", "A near thing."]);
});

test("common words count in the documents that are named alone", () => {
  const question = { ask: "How much?", document: "manual.md", right: /40/, within: "tank/" };
  expect(isRightIn(question, "It holds 40.", "docs/tank/manual.md")).toBe(true);
  expect(isRightIn(question, "It holds 40.", "docs/pump/manual.md")).toBe(false);
  expect(isRightIn(question, "It holds 50.", "docs/tank/manual.md")).toBe(false);
});

test("rows, items and definitions are paragraphs of their own, and wrapped lines are one", () => {
  const text = "One line\ngoes on. A second one.\n\n| a | 1 |\n| b | 2 |\n- an item\n  goes on\n: a definition";
  const paragraphs = [
    "One line goes on. A second one.",
    "| a | 1 |",
    "| b | 2 |",
    "- an item goes on",
    ": a definition",
  ];
  expect(paragraphsOf(text)).toEqual(paragraphs);
  expect(sentencesOf(text, "en").slice(0, 2)).toEqual(["One line goes on.", "A second one."]);
});
