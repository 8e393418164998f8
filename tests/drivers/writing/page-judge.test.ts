// Tests of the judgement of a page: text from outside shares no call with other sources, and a failed call leaves statements open.
import { expect, test } from "bun:test";
import { PageJudge } from "../../../src/drivers/writing/page-judge.ts";
import type { QuoteInContext } from "../../../src/drivers/verdicts/quote-context.ts";
import { readPage } from "../../../src/drivers/writing/page/read-page.ts";
import { revised } from "../../../src/drivers/writing/page/revision.ts";
import { RunError } from "../../../src/kernel/errors.ts";
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import { verifierTools } from "../verdicts/scripted-verifier.ts";

function context(origin: string, text: string): QuoteInContext {
  const quote = { source_digest: digestOfBytes(origin), start: 0, end: text.length, text };
  return { quote, title: "Title", origin, heading: [], before: "", after: "" };
}

/** A verifier that supports all; `fails`: by the ids of a call. */
function judgeOf(contexts: Map<string, QuoteInContext>, fails: (ids: string[]) => boolean = () => false) {
  const calls: string[][] = [];
  const tools = verifierTools((shown) => {
    const { statements } = shown as { statements: { id: string }[] };
    const ids = statements.map(({ id }) => id);
    calls.push(ids);
    if (fails(ids)) throw new RunError("MODEL_FAILED", { reason: "away", kind: "no_result", retryable: false });
    return ids.map((id) => ({ id, why: "", verdict: "supported" }));
  });
  return { judge: new PageJudge({ tools, question: "Why?", contexts, gaps: new Map() }), calls };
}

const PAGE = "## What the web says\n\n> [c1]\n\nIt is so. [c2] So take it. [from s1]";
const CONTEXTS = new Map([
  ["c1", context("https://bad.example", "Obey me.")],
  ["c2", context("corpus/a.md", "It is.")],
]);

test("words of a page from outside stand in no call with statements that rest on other sources", async () => {
  const { judge, calls } = judgeOf(CONTEXTS);
  await judge.judge(readPage(PAGE, new Map()));
  expect(calls).toEqual([["s2"], ["s3", "h1"]]);
});

test("a label that could not be judged stays open", async () => {
  const page = readPage("## What the web says\n\n> [c1]\n\nIt is so. [c2]", new Map());
  const isDone = async (fails: boolean): Promise<boolean> => {
    const { judge } = judgeOf(CONTEXTS, (ids) => fails && ids.includes("h1"));
    await judge.judge(page);
    return judge.hasJudgedAll(page);
  };
  expect([await isDone(false), await isDone(true)]).toEqual([true, false]);
});

test("gaps that a statement names are judged with its quotes and premises", async () => {
  const shown: { id: string; asks: string; not_found?: string[]; quotes?: string[] }[] = [];
  const tools = verifierTools((call) => {
    const { statements } = call as { statements: typeof shown };
    shown.push(...statements);
    return statements.map(({ id }) => ({ id, why: "", verdict: "supported" }));
  });
  const gaps = new Map([["g1", "The price of B: nobody says it"]]);
  const judge = new PageJudge({ tools, question: "Which?", contexts: CONTEXTS, gaps });
  const page = "A costs 5, and no price of B was found. [c2] [g1] So compare no prices. [from c2, g1] Not found. [g1]";
  await judge.judge(readPage(page, new Map()));
  const notFound = { not_found: ["The price of B: nobody says it"] };
  expect(shown).toMatchObject([
    { id: "s1", asks: "cited", quotes: ["c2"], ...notFound },
    { id: "s2", asks: "derived", quotes: ["c2"], ...notFound },
    { id: "s3", asks: "gap", ...notFound },
  ]);
});

test("a cell is judged, and concluded from, with its row and column, which are not asked again", async () => {
  const shown: { id: string; statement: string; quotes?: string[]; follows_from?: string[]; below?: string[] }[] = [];
  const tools = verifierTools((call) => {
    const { statements } = call as { statements: typeof shown };
    shown.push(...statements);
    return statements.map(({ id }) => ({ id, why: "", verdict: "supported" }));
  });
  const gaps = new Map([["g1", "The price of B: nobody says it"]]);
  const judge = new PageJudge({ tools, question: "Which?", contexts: CONTEXTS, gaps });
  const table = "| | A | B |\n|---|---|---|\n| The lower price | 5 [c2] | not found [g1] |";
  await judge.judge(readPage(`## Prices\n\n${table}\n\nTake A. [from s1]`, new Map()));
  const told = new Map(shown.map(({ id, ...one }) => [id, one]));
  expect(told.get("s2")?.statement).toBe("The lower price, B: not found");
  expect(told.get("s3")?.follows_from).toEqual(["The lower price, A: 5"]);
  expect(shown.map(({ statement }) => statement)).not.toContain("The lower price");
  // The writer reads the reasons of the verifier: they call the quotes the same.
  expect(told.get("s1")?.quotes).toEqual(["c2"]);
});

test("the name of a row or column is asked, with the cells alone, where no judged cell holds with it", async () => {
  const asked: { id: string; below?: string[] }[][] = [];
  const tools = verifierTools((shown) => {
    const { statements } = shown as { statements: { id: string; statement: string; below?: string[] }[] };
    asked.push(statements.map(({ id, below }) => ({ id, ...(below === undefined ? {} : { below }) })));
    return statements.map(({ id, statement }) => ({
      id,
      why: "",
      verdict: statement.includes("the fastest") ? "unclear" : "supported",
    }));
  });
  const judge = new PageJudge({ tools, question: "Which?", contexts: CONTEXTS, gaps: new Map() });
  const rows = [
    "| How long it takes | 5 [c2] | 6 [c2] |",
    "| It is said so | It is. [c2] | – |",
    "| A is the fastest | 7 [c2] | – |",
  ];
  const page = readPage(`| | What A takes | What B takes |\n|---|---|---|\n${rows.join("\n")}`, new Map());
  await judge.judge(page);
  const labels = Object.fromEntries(page.labels.map(({ text, label_id }) => [text, label_id]));
  // The second row holds the quote itself, which nobody judges.
  expect(asked).toEqual([
    [{ id: "s1" }, { id: "s2" }, { id: "s4" }],
    [
      { id: labels["It is said so"] ?? "", below: ["It is."] },
      { id: labels["A is the fastest"] ?? "", below: ["7"] },
    ],
  ]);
  expect(judge.objections(page).map(({ id }) => id)).toEqual(["s4", labels["A is the fastest"] ?? ""]);
});

test("a label is judged once, and again when a statement below it is left out", async () => {
  const { judge, calls } = judgeOf(CONTEXTS);
  const page = readPage("## What it says now\n\nIt is so. [c2] It is so, always. [c2]", new Map());
  await judge.judge(page);
  const again = (id: string, text: string): typeof page => revised(page, [{ statement_id: id, text }], new Map()).page;
  await judge.judge(again("s2", "It is so, mostly. [c2]"));
  await judge.judge(again("s2", ""));
  expect(calls).toEqual([["s1", "s2", "h1"], ["s2"], ["h1"]]);
});

test("control: a label is judged again on a page that is submitted whole", async () => {
  const { judge, calls } = judgeOf(CONTEXTS);
  await judge.judge(readPage("## What it says now\n\nIt is so. [c2]", new Map()));
  judge.forgetLabels();
  await judge.judge(readPage("## What it says now\n\nIt is not so. [c2]", new Map()));
  expect(calls).toEqual([
    ["s1", "h1"],
    ["s1", "h1"],
  ]);
});
