// Faults of a report by itself that gate E and verify refuse.
import { describe, expect, test } from "bun:test";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import type { Block, Draft, Statement } from "../../src/run/report/report.ts";
import { statementsOf } from "../../src/run/report/statements.ts";
import * as run from "../../src/run/report/draft-faults.ts";
import * as numbers from "../../src/run/report/number-faults.ts";
import { strangeAddresses } from "../../src/run/report/shown-addresses.ts";

const draftFaults = (draft: Draft): string[] => run.draftFaults(draft).map(({ text }) => text);
const numberFaults = (draft: Draft): string[] => numbers.numberFaults(draft).map(({ text }) => text);

const addressFaults = (draft: Draft, origins: string[] = []): string[] =>
  numbers.addressFaults(draft, origins).map(({ text }) => text);

const TEXT = "The cellar has 8 °C in winter.";
const QUOTE = { source_digest: digestOfBytes("source"), start: 10, end: 10 + Buffer.byteLength(TEXT), text: TEXT };
const JUDGED = { verdict: "supported", method: "model x:y", quotes: [QUOTE] } as const;

const EXCERPT: Statement = { statement_id: "s1", text: TEXT, basis: "quoted", ...JUDGED, quotes: [QUOTE] };
const CITED: Statement = {
  statement_id: "s2",
  text: "In winter it is 8 °C cold.",
  basis: "cited",
  ...JUDGED,
  quotes: [QUOTE],
};
const DERIVED: Statement = {
  statement_id: "s3",
  text: "It is too cold for 12 bottles.",
  basis: "derived",
  from: ["s1", "s2"],
  ...JUDGED,
  quotes: [],
};
const GAP: Statement = { statement_id: "s4", text: "No document tells of summer.", basis: "gap", gap_id: "g1" };
const FRAMING: Statement = { statement_id: "s5", text: "Winter is one case.", basis: "framing" };

const BLOCKS: Block[] = [
  { kind: "heading", level: 2, text: "Answer", role: "answer" },
  { kind: "excerpt", statement: "s1", marks: [{ start: 14, end: 20 }] },
  { kind: "paragraph", lead: "Winter", statements: ["s2", "s3"] },
  { kind: "list", ordered: false, items: [{ statements: ["s4"] }, { statements: ["s5"] }] },
];

function draftOf(change: { blocks?: Block[]; statements?: readonly Statement[]; question?: string } = {}): Draft {
  const { blocks = BLOCKS, statements = [EXCERPT, CITED, DERIVED, GAP, FRAMING], question } = change;
  return {
    question: question ?? "How cold is the cellar for 12 bottles?",
    blocks,
    statements: Object.fromEntries(statements.map((one) => [one.statement_id, one])),
    sources: [{ number: 1, source_digest: QUOTE.source_digest, title: "Cellar", origin: "notes/cellar.md" }],
    gaps: [{ gap_id: "g1", text: "Summer", reason: "Nothing was found." }],
    parts: [],
    made: { notes: [] },
  };
}

function withStatement(changed: Statement): Draft {
  const others = [EXCERPT, CITED, DERIVED, GAP, FRAMING].filter(
    ({ statement_id }) => statement_id !== changed.statement_id,
  );
  return draftOf({ statements: [...others, changed] });
}

test("a whole draft has no fault", () => {
  expect(draftFaults(draftOf())).toEqual([]);
  expect(numberFaults(draftOf())).toEqual([]);
});

describe("a draft is at fault where", () => {
  test.each([
    ["a claim has no quote", withStatement({ ...CITED, quotes: [] }), "claim s2 has no quote"],
    [
      "a doubtful claim does not say why",
      withStatement({ ...DERIVED, verdict: "not_checked" }),
      "claim s3 is not_checked and does not say why",
    ],
    [
      "a quoted statement is no quote",
      withStatement({ ...EXCERPT, text: "The cellar is warm." }),
      "statement s1 is no quote of its source",
    ],
    [
      "a conclusion names nothing",
      withStatement({ ...DERIVED, from: [] }),
      "claim s3 is derived from nothing that was found",
    ],
    [
      "a conclusion names framing alone",
      withStatement({ ...DERIVED, from: ["s5"] }),
      "claim s3 is derived from nothing that was found",
    ],
    ["a conclusion names itself", withStatement({ ...DERIVED, from: ["s2", "s3"] }), "claim s3 is derived from itself"],
    [
      "a conclusion from a doubtful claim is supported",
      withStatement({ ...CITED, verdict: "contradicted", reason: "It is warm." }),
      "claim s3 is supported and follows from what is contradicted by its quotes: “In winter it is 8 °C cold.”",
    ],
    [
      "a block of code shows other code than was checked",
      draftOf({ blocks: [...BLOCKS, { kind: "code", text: "rm -rf /data", statement: "s2" }] }),
      "the code of s2 is not what was checked",
    ],
    [
      "a conclusion names what is not there",
      withStatement({ ...DERIVED, from: ["s2", "s9"] }),
      "claim s3 is derived from s9, which is not there",
    ],
    ...["constructor", "__proto__", "toString"].flatMap((id): [string, Draft, string][] => [
      [
        `a block shows ${id}`,
        draftOf({ blocks: [...BLOCKS, { kind: "paragraph", statements: [id] }] }),
        `a block shows ${id}, which is no statement`,
      ],
      [
        `an excerpt shows ${id}`,
        draftOf({ blocks: [...BLOCKS, { kind: "excerpt", statement: id, marks: [] }] }),
        `a block shows ${id}, which is no statement`,
      ],
      [
        `code shows ${id}`,
        draftOf({ blocks: [...BLOCKS, { kind: "code", text: "ls", statement: id }] }),
        `a block shows ${id}, which is no statement`,
      ],
      [
        `a conclusion names ${id}`,
        withStatement({ ...DERIVED, from: ["s2", id] }),
        `claim s3 is derived from ${id}, which is not there`,
      ],
    ]),
    ["a gap was not noted", withStatement({ ...GAP, gap_id: "g7" }), "statement s4 names gap g7, which was not noted"],
    [
      "a gap beside quotes was not noted",
      withStatement({ ...CITED, gap_ids: ["g1", "g7"] }),
      "statement s2 names gap g7, which was not noted",
    ],
    [
      "a statement stands nowhere",
      draftOf({ blocks: BLOCKS.slice(0, 3), statements: [EXCERPT, CITED, DERIVED, FRAMING] }),
      "statement s5 is in no block",
    ],
    [
      "a block shows what is not there",
      draftOf({ statements: [EXCERPT, CITED, DERIVED, GAP] }),
      "a block shows s5, which is no statement",
    ],
    [
      "a mark leaves its excerpt",
      draftOf({ blocks: BLOCKS.with(1, { kind: "excerpt", statement: "s1", marks: [{ start: 0, end: 20 }] }) }),
      "the marks of excerpt s1 are not in order inside its quote",
    ],
    ...[
      [{ start: 0, end: 10 }],
      [{ start: 12, end: 60 }],
      [
        { start: 14, end: 16 },
        { start: 12, end: 14 },
      ],
      [{ start: 16, end: 14 }],
    ].map((code): [string, Draft, string] => [
      `code stands at ${code.map(({ start, end }) => `${start}-${end}`).join(", ")} of an excerpt`,
      draftOf({ blocks: BLOCKS.with(1, { kind: "excerpt", statement: "s1", marks: [], code }) }),
      "the code of excerpt s1 is not in order inside its quote",
    ]),
    [
      "an excerpt is no quote",
      draftOf({ blocks: [...BLOCKS, { kind: "excerpt", statement: "s2", marks: [] }] }),
      "the excerpt s2 is no quote",
    ],
  ])("%s", (_name, draft, fault) => {
    expect(draftFaults(draft)).toEqual([fault]);
  });
});

test("the first code of an excerpt may begin before its quote, where its indent stands", () => {
  const code = [
    { start: 8, end: 14 },
    { start: 15, end: 20 },
  ];
  expect(
    draftFaults(draftOf({ blocks: BLOCKS.with(1, { kind: "excerpt", statement: "s1", marks: [], code }) })),
  ).toEqual([]);
});

test("conclusions that follow from each other rest on nothing", () => {
  const first: Statement = { ...DERIVED, from: ["s5"] };
  const second: Statement = { ...DERIVED, statement_id: "s5", from: ["s3"] };
  expect(draftFaults(draftOf({ statements: [EXCERPT, CITED, first, GAP, second] }))).toEqual([
    "claim s3 is derived from itself",
    "claim s5 is derived from itself",
  ]);
});

test("control: a conclusion from a conclusion, or from a gap, has no fault, nor has code as it was checked", () => {
  const second: Statement = { ...DERIVED, statement_id: "s5", from: ["s3", "s4"] };
  expect(draftFaults(draftOf({ statements: [EXCERPT, CITED, DERIVED, GAP, second] }))).toEqual([]);
  expect(draftFaults(withStatement({ ...DERIVED, from: ["s4"] }))).toEqual([]);
  const code: Block = { kind: "code", text: `${CITED.text}\n`, statement: "s2" };
  expect(draftFaults(draftOf({ blocks: [...BLOCKS, code] }))).toEqual([]);
});

describe("numbers", () => {
  test("are in the quotes, in the question, or in what a conclusion names", () => {
    expect(numberFaults(draftOf({ question: "How cold is it?" }))).toEqual([
      "statement s3 holds numbers that nothing it names holds: 12",
    ]);
    expect(numberFaults(withStatement({ ...CITED, text: "In winter it is 9 °C cold." }))).toEqual([
      "statement s2 holds numbers that nothing it names holds: 9",
    ]);
    expect(numberFaults(withStatement({ ...DERIVED, text: "8 °C is too cold." }))).toEqual([]);
  });

  test("are above a quote: in the title of its document, or in a heading, which is then to be checked", () => {
    const anchor = { section: ["Notes of 2024", "0.8.2"] };
    const cited = (text: string): Draft => {
      const draft = withStatement({ ...CITED, text, quotes: [{ ...QUOTE, anchor }] });
      return { ...draft, sources: draft.sources.map((source) => ({ ...source, title: "Cellar 7" })) };
    };
    expect(numberFaults(cited("Since 0.8.2 it is 8 °C cold."))).toEqual([]);
    expect(numbers.quotesUnderNumbers(cited("Since 0.8.2 it is 8 °C cold."))).toEqual([{ ...QUOTE, anchor }]);
    expect(numberFaults(cited("Cellar 7 is 8 °C cold."))).toEqual([]);
    expect(numbers.quotesUnderNumbers(cited("Cellar 7 is 8 °C cold."))).toEqual([]);
    expect(numberFaults(cited("Since 0.8.3 it is 8 °C cold."))).toHaveLength(1);
    const heading: Block = { kind: "heading", level: 2, text: "Since 0.8.2" };
    const labelled = { ...cited("It is 8 °C cold."), blocks: [...BLOCKS, heading, ...BLOCKS.slice(2, 3)] };
    expect(numberFaults(labelled)).toEqual([]);
    expect(numbers.quotesUnderNumbers(labelled)).toContainEqual({ ...QUOTE, anchor });
  });

  test("that are computed are computed again", () => {
    const half = (text: string, expression: string): Draft =>
      withStatement({ ...DERIVED, text, expression, from: ["s2"] });
    const right = half("A cellar of half that is 4 °C cold.", "8 / 2");
    expect(draftFaults(half("Half of that is 4 °C.", "8 * 12 / 24"))).toEqual([]);
    expect(draftFaults(right)).toEqual(["claim s3 is computed from numbers that nothing it names holds: 2"]);
    expect(draftFaults(half("Half of that is 5 °C.", "8 * 12 / 24"))).toEqual([
      "claim s3 does not say what 8 * 12 / 24 comes to",
    ]);
    expect(numberFaults(half("Half of that is 4 °C.", "8 * 12 / 24"))).toEqual([]);
  });

  test("of statements that assert nothing are in the question", () => {
    expect(numberFaults(withStatement({ ...FRAMING, text: "There are 7 cases." }))).toHaveLength(1);
    expect(numberFaults(withStatement({ ...FRAMING, text: "You asked for 12 bottles." }))).toEqual([]);
  });
});

describe("numbers of labels are below them or in the question", () => {
  const table = (columns: string[]): Block => ({ kind: "table", columns, rows: [["Winter", ["s2"]]] });
  const cases = (label: string): [what: string, Draft][] => [
    ["title", { ...draftOf(), title: label }],
    ["heading", draftOf({ blocks: [{ kind: "heading", level: 2, text: label }, ...BLOCKS.slice(1)] })],
    ["lead of a paragraph", draftOf({ blocks: BLOCKS.with(2, { ...runningOf(label), kind: "paragraph" }) })],
    ["lead of an item", draftOf({ blocks: [...BLOCKS, { kind: "list", ordered: true, items: [runningOf(label)] }] })],
    ["head of a column", draftOf({ blocks: [...BLOCKS, table(["When", label])] })],
    ["head of a column of plain words", draftOf({ blocks: [...BLOCKS, table([label, "How cold"])] })],
  ];

  function runningOf(lead: string): { lead: string; statements: string[] } {
    return { lead, statements: ["s2", "s3"] };
  }

  test.each(cases("Cold at 80 °C"))("%s", (_what, draft) => {
    expect(numberFaults(draft)).toEqual(["the label “Cold at 80 °C” holds numbers that nothing below it holds: 80"]);
  });

  test.each(cases("1. Cold at 8 °C for 12 bottles"))("control: %s", (_what, draft) => {
    expect(numberFaults(draft)).toEqual([]);
  });

  test("and not above a heading of the same level", () => {
    const blocks: Block[] = [...BLOCKS, { kind: "heading", level: 2, text: "At 8 °C" }, table(["When", "How cold"])];
    expect(numberFaults(draftOf({ blocks: blocks.slice(0, -1) }))).toHaveLength(1);
    expect(numberFaults(draftOf({ blocks }))).toEqual([]);
  });
});

test("a name that every object inherits is no statement", () => {
  for (const id of ["constructor", "__proto__"]) {
    const draft = draftOf({
      blocks: [...BLOCKS, { kind: "heading", level: 2, text: "More" }, { kind: "paragraph", statements: [id] }],
    });
    expect(numberFaults(draft)).toEqual([]);
    expect(statementsOf(draft)).toEqual(statementsOf(draftOf()));
    expect(numberFaults(withStatement({ ...DERIVED, from: ["s2", id] }))).toEqual([]);
  }
});

describe("an address", () => {
  const named = (text: string) => withStatement({ ...CITED, text });

  test("that is in nothing that its statement names is a fault of any draft", () => {
    expect(addressFaults(named("It is cold, says https://cellars.example/8."))).toEqual([
      "statement s2 holds addresses that nothing it names holds: https://cellars.example/8",
    ]);
    expect(addressFaults({ ...draftOf(), title: "After cellars.example.org" })).toEqual([
      "the label “After cellars.example.org” holds addresses that nothing below it holds: cellars.example.org",
    ]);
  });

  test("control: that of a source or of the question is none", () => {
    const draft = named("It is cold, says https://cellars.example/winter/8.");
    expect(addressFaults(draft, ["https://cellars.example/winter/8"])).toEqual([]);
    expect(addressFaults({ ...draft, question: "Is https://cellars.example/winter/8 right?" })).toEqual([]);
    expect(addressFaults(draftOf())).toEqual([]);
  });

  test.each([
    ["doi:10.1016/S0140-6736(20)30183-5.", "https://doi.org/10.1016/s0140-6736(20)30183-5"],
    ["(arXiv 2301.01234)", "https://arxiv.org/pdf/2301.01234"],
    ["http://www.cellars.example/M%C3%BCnchen/", "cellars: https://cellars.example/München"],
    ["https://cellars.example/winter", "see https://cellars.example/\n  winter for it"],
    ["https://cellars.example", "jo@cellars.example"],
    ["网址https://cellars.cn/b。", "https://cellars.cn/b"],
  ])("is the same in another spelling: %s", (text, known) => {
    expect([strangeAddresses(text, [known]), strangeAddresses(text, []).length]).toEqual([[], 1]);
  });

  test.each([
    ["10.1016/S0140-6736(20)30183", "10.1016/S0140-6736(20)30183-5"],
    ["https://cellars.example/win", "https://cellars.example/winter"],
    ["https://cellars.example/winter#8", "https://cellars.example/winter"],
    ["mo@cellars.example", "jo@cellars.example"],
  ])("is another one when it is cut or goes on: %s", (text, known) => {
    expect(strangeAddresses(text, [known])).toEqual([text]);
  });
});

describe("a suggestion of ours", () => {
  const own = (statement_id: string, change: Partial<Extract<Statement, { basis: "suggested" }>> = {}): Statement => ({
    statement_id,
    text: "Set the heating to 12 °C.",
    basis: "suggested",
    quotes: [QUOTE],
    from: [],
    ...change,
  });
  /** Twenty claims of one part, and these statements. */
  const draftWith = (...others: Statement[]): Draft => {
    const claims = Array.from({ length: 20 }, (_, at): Statement => ({ ...CITED, statement_id: `c${at}` }));
    const statements = [...claims, ...others];
    const items = statements.map(({ statement_id }) => ({ statements: [statement_id] }));
    const part = { text: "how cold", coverage: 1, missing: [], claims: 20, sources: 1, answered_by: ["c0"] };
    return { ...draftOf({ blocks: [{ kind: "list", ordered: false, items }], statements }), parts: [part] };
  };

  test("has a number of its own", () => {
    const draft = draftWith(own("o1"));
    expect([draftFaults(draft), numberFaults(draft)]).toEqual([[], []]);
  });

  test.each([
    ["comes from no quote", [own("o1", { quotes: [] })], "o1 is a suggestion that comes from no quote"],
    [
      "is the fourth for a part",
      ["o1", "o2", "o3", "o4"].map((id) => own(id)),
      "o4 is beyond the 3 suggestions that may come from the answers to one part",
    ],
    [
      "is what a claim follows from",
      [own("o1"), { ...DERIVED, from: ["o1", "c1"] }],
      "s3 follows from a suggestion, which was found nowhere",
    ],
  ] as [string, Statement[], string][])("is refused where it %s", (_what, others, fault) => {
    expect(draftFaults(draftWith(...others))).toEqual([fault]);
  });

  test("is refused beyond one statement in five, also where it comes from a quote of no part", () => {
    const other = { ...QUOTE, start: 200, end: 200 + QUOTE.end - QUOTE.start };
    const many = Array.from({ length: 6 }, (_, at) => own(`o${at}`, { quotes: [other] }));
    expect(draftFaults(draftWith(...many))).toEqual(["o5 is one suggestion too many: 5 of 26 statements may be"]);
    expect(draftFaults(draftWith(...many.slice(1)))).toEqual([]);
  });

  test("answers no part, and gives no number to a title", () => {
    const draft = draftWith(own("o1"));
    const answered = { ...draft, parts: draft.parts.map((part) => ({ ...part, answered_by: ["c0", "o1"] })) };
    expect(draftFaults(answered)).toEqual(["o1 is a suggestion, and counted as an answer"]);
    const titled = { ...draft, question: "How cold?", title: "Heat to 12 °C" };
    expect(numberFaults(titled)).toEqual(["the label “Heat to 12 °C” holds numbers that nothing below it holds: 12"]);
  });
});

test("a claim that says that sources disagree has quotes on either side", () => {
  const other = { ...QUOTE, start: 200, end: 200 + QUOTE.end - QUOTE.start };
  const between = (against: number): Draft => withStatement({ ...CITED, quotes: [QUOTE, other], against });
  expect(draftFaults(between(1))).toEqual([]);
  expect(draftFaults(between(2))).toEqual(["claim s2 says that sources disagree and has no quote against the others"]);
});
