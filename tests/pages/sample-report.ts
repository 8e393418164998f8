// Sample reports for the tests of the pages: one with everything that a report may hold, and one with hostile text.
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { LOOKED_IN_VAIN, type Block, type Report, type Statement } from "../../src/run/report/report.ts";
import { withLetters } from "../../src/run/report/quote-letters.ts";
import { LIMITS_BY_MODE } from "../../src/run/settings/settings.ts";
import type { Anchor, Quote } from "../../src/run/report/source.ts";

export const HANDBOOK = digestOfBytes("handbook");
export const MEMO = digestOfBytes("memo");
export const STUDY = digestOfBytes("study");

/** The verifier of the samples. */
export const METHOD = "model local:small";

type Quoted = Extract<Statement, { basis: "quoted" }>;
type Cited = Extract<Statement, { basis: "cited" }>;
type Derived = Extract<Statement, { basis: "derived" }>;

export function quote(text: string, source_digest = HANDBOOK, anchor?: Anchor, start = 0): Quote {
  const end = start + Buffer.byteLength(text);
  return { source_digest, start, end, text, ...(anchor === undefined ? {} : { anchor }) };
}

export function quoted(statement_id: string, text: string, changed: Partial<Quoted> = {}): Quoted {
  const quotes = [quote(text)];
  return { statement_id, text, basis: "quoted", verdict: "supported", method: "verbatim", quotes, ...changed };
}

export function cited(statement_id: string, text: string, changed: Partial<Cited> = {}): Cited {
  const quotes = [quote(`It is written: ${text}`)];
  return { statement_id, text, basis: "cited", verdict: "supported", method: METHOD, quotes, ...changed };
}

export function derived(statement_id: string, text: string, changed: Partial<Derived> = {}): Derived {
  const rest = { verdict: "supported", method: METHOD, quotes: [], from: [] } as const;
  return { statement_id, text, basis: "derived", ...rest, quotes: [], from: [], ...changed };
}

export function heading(text: string, level = 2): Extract<Block, { kind: "heading" }> {
  return { kind: "heading", level, text };
}

export function statementsById(statements: readonly Statement[]): Report["statements"] {
  return Object.fromEntries(statements.map((one) => [one.statement_id, one]));
}

/** A report whose answer lists the given statements, with one source. `changed` replaces fields. */
export function plainReport(statements: readonly Statement[], changed: Partial<Report> = {}): Report {
  const items = statements.map(({ statement_id }) => ({ statements: [statement_id] }));
  const report: Report = {
    schema_version: "report.v3",
    version_index: 1,
    trigger_type: "auto_natural_stop",
    partial: false,
    evidence_digest: HANDBOOK,
    question: "How long are records kept?",
    blocks: [
      { ...heading("Answer"), role: "answer" },
      { kind: "list", ordered: false, items },
    ],
    statements: statementsById(statements),
    sources: [{ number: 1, source_digest: HANDBOOK, title: "Handbook", origin: "docs/handbook.md" }],
    gaps: [],
    parts: [],
    made: { notes: [] },
    ...changed,
  };
  return { ...report, sources: withLetters(report) };
}

// --- everything ---------------------------------------------------------------------------------------------------

const EXCERPT_TEXT = `Retention is set once for all tables.
Records are kept for 30 days, then they are removed by the nightly job.

- Backups have a date of their own.
  Nobody removes them — not even the job.

| Setting | Default |
| --- | --- |
| \`retention_days\` | 30 days |

\`\`\`sh
retain --days 30   # the default
\`\`\``;
const MARKED = ["Records are kept for 30 days, then they are removed by the nightly job.", "30 days |"];
const EXCERPT = quote(EXCERPT_TEXT, HANDBOOK, { section: ["Handbook", "Retention", "Defaults"], page: 12 }, 400);

/** Two steps, code, and a third step. */
export function stepsReport(): Report {
  const step = (id: string) => ({ statements: [id] });
  return plainReport([cited("a", "A."), cited("b", "B."), cited("x", "x"), cited("c", "C.")], {
    blocks: [
      { kind: "list", ordered: true, items: [step("a"), step("b")] },
      { kind: "code", text: "x", statement: "x" },
      { kind: "list", ordered: true, start: 3, items: [step("c")] },
    ],
  });
}

/** Steps with boxes, and code whose language is known. */
export function tasksReport(): Report {
  return plainReport([cited("a", "Stop it."), cited("b", "Start it."), cited("c", "Look."), cited("x", "make")], {
    blocks: [
      {
        kind: "list",
        ordered: false,
        items: [
          { statements: ["a"], checked: true },
          { lead: "Then", statements: ["b"], checked: false },
          { statements: ["c"] },
        ],
      },
      { kind: "code", text: "make", statement: "x", language: "sh" },
    ],
  });
}

/** Claims whose quotes stand behind their clauses. */
export function clausesReport(): Report {
  const quotes = [quote("a"), quote("b", HANDBOOK, undefined, 5), quote("c", HANDBOOK, undefined, 9)];
  const end = (text: string): number => Buffer.byteLength(text);
  return plainReport(
    [
      cited("a", "Ä takes `s`; hours for *b*.", { quotes, clauses: [{ end: end("Ä takes `s`"), quotes: [0] }] }),
      cited("b", "One and two.", {
        quotes,
        gap_ids: ["g1"],
        verdict: "not_checked",
        reason: "why",
        clauses: [
          { end: end("One"), quotes: [1, 7] },
          { end: end("One and two."), quotes: [1] },
        ],
      }),
      cited("c", "Whole.", { quotes, clauses: [{ end: 900, quotes: [0] }] }),
    ],
    { gaps: [{ gap_id: "g1", text: "The price", reason: LOOKED_IN_VAIN }] },
  );
}

/** Claims that name what was not found, themselves or by what they follow from. */
export function gapMarksReport(): Report {
  const quotes = [quote("It takes an hour.")];
  return plainReport(
    [
      derived("a", "Take it.", { quotes, gap_ids: ["g1"] }),
      cited("b", "It takes an hour.", { quotes, gap_ids: ["g2"] }),
      derived("c", "Nobody knows the price.", { from: ["e"] }),
      { statement_id: "d", basis: "suggested", text: "Ask before.", quotes, from: [], gap_ids: ["g2"] },
      { statement_id: "e", basis: "gap", text: "The price is nowhere.", gap_id: "g1" },
    ],
    {
      gaps: [
        { gap_id: "g1", text: "The price", reason: LOOKED_IN_VAIN, evidence: "none" },
        { gap_id: "g2", text: "How long", reason: LOOKED_IN_VAIN, evidence: "weak" },
        { gap_id: "g3", text: "Who pays", reason: LOOKED_IN_VAIN, evidence: "none" },
      ],
    },
  );
}

/** The byte spans of these words in the text of the source. */
export function marksIn({ text, start }: Quote, words: readonly string[]): { start: number; end: number }[] {
  return words.map((word) => {
    const from = start + Buffer.byteLength(text.slice(0, text.indexOf(word)));
    return { start: from, end: from + Buffer.byteLength(word) };
  });
}

const MEMO_KEPT = quote("Since spring we keep records for 90 days.", MEMO, { page: 12 });
const FASTER = quote("Shorter retention makes the nightly job faster: 3.1 s instead of 5.2 s.", STUDY, { page: 7 });
const NEAREST = quote("The cost of disks is settled by the board.", MEMO, { page: 2 }, 90);

const STATEMENTS: Statement[] = [
  cited("s1", "The handbook keeps records for 30 days.", { quotes: [EXCERPT] }),
  cited("s2", "The memo speaks of 90 days.", { quotes: [MEMO_KEPT] }),
  derived("s3", "Ask the data team which of the two numbers holds.", { from: ["s1", "s2"] }),
  { statement_id: "s4", basis: "framing", text: "Two numbers compete." },
  { statement_id: "s5", basis: "gap", text: "Nobody says who may change it.", gap_id: "g1" },
  quoted("s6", EXCERPT_TEXT, { quotes: [EXCERPT] }),
  cited("s7", "A shorter time makes the job faster.", { quotes: [FASTER] }),
  derived("s8", "The job takes 40 % less time.", { from: ["s7"], expression: "(5.2 - 3.1) / 5.2" }),
  cited("s9", "Backups keep what the job removes.", {
    verdict: "not_checked",
    reason: "the verifier did not answer",
    quotes: [quote("Backups keep all.", MEMO, { page: 14 }, 300)],
  }),
  cited("s10", "Shorter retention never helps.", {
    verdict: "contradicted",
    reason: "the study measures that it does",
    quotes: [FASTER],
  }),
  cited("s11", "retain --days 30", { quotes: [EXCERPT] }),
  quoted("s12", NEAREST.text, { quotes: [NEAREST] }),
  quoted("s13", MEMO_KEPT.text, { quotes: [MEMO_KEPT] }),
];

const BLOCKS: Block[] = [
  { ...heading("Answer"), role: "answer" },
  { kind: "paragraph", statements: ["s4", "s1", "s2", "s3"] },
  { kind: "excerpt", statement: "s6", marks: marksIn(EXCERPT, MARKED) },
  heading("What it costs"),
  { kind: "paragraph", lead: "Time.", statements: ["s7", "s8"] },
  heading("What is left", 3),
  {
    kind: "list",
    ordered: true,
    items: [{ statements: ["s5"] }, { lead: "Backups", statements: ["s9"] }],
  },
  { kind: "code", text: "retain --days 30   # the default", statement: "s11" },
  {
    kind: "table",
    caption: "Numbers that differ, put together by the rule same-words",
    columns: ["Value", "Sentence"],
    rows: [
      ["30 days", ["s1"]],
      ["90 days", ["s13"]],
    ],
  },
  { ...heading("What the quotes contradict"), role: "contradicted" },
  { kind: "list", ordered: false, items: [{ statements: ["s10"] }] },
  { ...heading("Nearest"), role: "nearest" },
  { kind: "excerpt", statement: "s12", marks: [], lacks: ["change", "owner"] },
];

export const FULL_REPORT: Report = plainReport([], {
  question: "How long are records kept, what does that cost, and who may change it?",
  title: "Retention of records",
  evidence_digest: digestOfBytes("evidence"),
  blocks: BLOCKS,
  statements: statementsById(STATEMENTS),
  sources: [
    { number: 1, source_digest: HANDBOOK, title: "Handbook", origin: "notes/operations/handbook.md" },
    { number: 2, source_digest: MEMO, title: "Memo of the data team", origin: "https://intra.example/memo?year=2026" },
    { number: 3, source_digest: STUDY, title: "What the nightly job costs", origin: "papers/nightly-job.pdf" },
  ],
  gaps: [
    { gap_id: "g1", text: "who may change it", reason: "No document names a role.", evidence: "none" },
    { gap_id: "g2", text: "what does that cost", reason: "Only one study, of one machine.", evidence: "weak" },
  ],
  parts: [
    {
      text: "how long are records kept",
      coverage: 1,
      missing: [],
      claims: 3,
      sources: 2,
      answered_by: ["s1", "s2", "s6"],
    },
    {
      text: "what does that cost",
      coverage: 0.5,
      missing: ["cost"],
      claims: 2,
      sources: 1,
      mentions: 4,
      answered_by: ["s7", "s8"],
      mentioned_by: ["s12"],
    },
    { text: "who may change it", coverage: 0, missing: ["change", "owner"], claims: 0, sources: 0, mentions: 1 },
  ],
  made: {
    notes: ["The limit of 10 passages a query was reached 3 times."],
    remarks: ["Say what a day less would save."],
    scope: {
      driver: "live",
      mode: "standard",
      limits: LIMITS_BY_MODE.standard,
      corpora: [
        { name: "notes", documents: 12 },
        {
          name: "papers",
          documents: 2,
          left_out: [
            { reason: "encrypted", count: 2 },
            { reason: "scanned: pages without text", count: 1 },
          ],
        },
      ],
    },
  },
});

// --- hostile ------------------------------------------------------------------------------------------------------

export const HOSTILE = {
  script: '<script>alert(1)</script><img src=x onerror="alert(2)"> & </style> </title> --> ]]>',
  attribute: `" onmouseover="alert(3)" x='`,
  bidi: "safe \u202Etxt.exe\u2066 and \u2069 what follows",
  long: "w".repeat(10_000),
  japanese: "記録は三十日間保存され、その後に削除されます。",
  arabic: "تُحفظ السجلات لمدة 30 يومًا ثم تُحذف تلقائيًا.",
  table: "a | b \\| c `d | e` \\",
  lines: "line\r\nnext\u0000\u0007line\u2028end",
};

const TEXTS = Object.values(HOSTILE);
const LABELS = TEXTS.map((text) => text.slice(0, 500));
const hostileQuotes = TEXTS.map((text) =>
  quote(text, HANDBOOK, { section: [text.slice(0, 300), `${text.slice(0, 200)}]`] }),
);
const hostileGap = (text: string, at: number): string => `g${at}${text.slice(0, 12)}`;
const hostileStatements: Statement[] = TEXTS.flatMap((text, at): Statement[] => {
  const quotes = hostileQuotes.slice(at, at + 1);
  const doubt = { verdict: "contradicted", reason: text.slice(0, 500), method: text.slice(0, 100) } as const;
  return [
    quoted(`quoted${at}`, text, { quotes }),
    cited(`cited${at}`, text, { ...doubt, quotes, gap_ids: [hostileGap(text, at)] }),
    derived(`derived${at}`, text, { ...doubt, quotes, from: [`cited${at}`], expression: text.slice(0, 500) }),
    { statement_id: `gap${at}`, basis: "gap", text, gap_id: hostileGap(text, at) },
    { statement_id: `framing${at}`, basis: "framing", text },
  ];
});

export const HOSTILE_REPORT: Report = plainReport([], {
  question: HOSTILE.script,
  title: HOSTILE.script,
  partial: true,
  blocks: [
    { ...heading(HOSTILE.script), role: "answer" },
    ...TEXTS.flatMap((_text, at): Block[] => {
      const ids = ["quoted", "cited", "derived", "gap", "framing"].map((basis) => `${basis}${at}`);
      const { start, end } = hostileQuotes[at] ?? { start: 0, end: 0 };
      const label = LABELS[at] ?? "";
      return [
        heading(label, 3),
        { kind: "paragraph", lead: label, statements: ids },
        { kind: "list", ordered: true, items: ids.map((id) => ({ lead: label, statements: [id] })) },
        { kind: "code", text: `${label}\n\`\`\`\n${label}`, statement: `cited${at}` },
        { kind: "table", caption: label, columns: [label, label], rows: [[label, ids]] },
        {
          kind: "excerpt",
          statement: `quoted${at}`,
          marks: [{ start: start + 2, end: end - 3 }],
          lacks: [label.slice(0, 200)],
        },
      ];
    }),
  ],
  statements: statementsById(hostileStatements),
  sources: [
    {
      number: 1,
      source_digest: HANDBOOK,
      title: HOSTILE.script,
      origin: `docs/${HOSTILE.attribute}/${HOSTILE.bidi}.md`,
    },
  ],
  gaps: TEXTS.map((text, at) => ({
    gap_id: hostileGap(text, at),
    text,
    reason: text,
    evidence: at % 2 === 0 ? "none" : "weak",
  })),
  parts: TEXTS.map((text) => ({ text, coverage: 0.3, missing: [text], claims: 1, sources: 1, mentions: 2 })),
  made: { notes: TEXTS, remarks: TEXTS, unfinished: TEXTS },
});
