// A report with everything a report may hold, and one full of hostile text, for the tests of the pages.
import { digestOfBytes } from "../../src/kernel/digest.ts";
import type { Claim, Report } from "../../src/run/report.ts";
import { LIMITS_BY_MODE } from "../../src/run/settings.ts";
import type { Anchor, Quote } from "../../src/run/source.ts";

export const HANDBOOK = digestOfBytes("handbook");
export const MEMO = digestOfBytes("memo");
export const STUDY = digestOfBytes("study");

export function quote(text: string, source_digest = HANDBOOK, anchor?: Anchor): Quote {
  return { source_digest, start: 0, end: Buffer.byteLength(text), text, ...(anchor === undefined ? {} : { anchor }) };
}

export function claim(claim_id: string, text: string, changed: Partial<Claim> = {}): Claim {
  return { claim_id, text, verdict: "supported", method: "verbatim", quotes: [quote(text)], ...changed };
}

/** One section of the given claims, from one source. */
export function plainReport(claims: Claim[], changed: Partial<Report> = {}): Report {
  return {
    schema_version: "report.v1",
    version_index: 1,
    trigger_type: "auto_natural_stop",
    partial: false,
    evidence_digest: HANDBOOK,
    question: "How long are records kept?",
    sections: [{ title: "Answer in quotes", role: "answer", claims }],
    sources: [{ number: 1, source_digest: HANDBOOK, title: "Handbook", origin: "docs/handbook.md" }],
    gaps: [],
    ...changed,
  };
}

const KEPT = claim("c1", "Records are kept for 30 days, then they are removed by the nightly job.", {
  quotes: [
    quote("Records are kept for 30 days,\nthen they are removed by the nightly job.", HANDBOOK, {
      section: ["Handbook", "Retention", "Defaults"],
    }),
  ],
});
const MEMO_KEPT = claim("c2", "Since spring we keep records for 90 days.", {
  quotes: [quote("Since spring we keep records for 90 days.", MEMO, { page: 12 })],
});
const OPTION = claim("c3", "Set `retention_days` to another number of days to change it.", {
  quotes: [
    quote("Set `retention_days` to another number of days to change it.", HANDBOOK, {
      section: ["Handbook", "Retention", "Options"],
    }),
    quote("Set `retention_days` to another number of days to change it.", STUDY, { page: 3 }),
  ],
});
const SLOW = claim("c4", "Shorter retention makes the nightly job faster.", {
  quotes: [quote("Shorter retention makes the nightly job faster.", STUDY, { page: 7 })],
});
const NOT_FASTER = claim("c5", "Shorter retention does not make the nightly job faster on small tables.", {
  quotes: [quote("Shorter retention does not make the nightly job faster on small tables.", STUDY, { page: 9 })],
});
const LOST = claim("c6", "Backups keep what the job removes.", {
  verdict: "not_checked",
  reason: "the source could not be read",
  quotes: [quote("Backups keep what the job removes.", MEMO, { page: 14 })],
});

export const FULL_REPORT: Report = plainReport([], {
  question: "How long are records kept, what does that cost, and who may change it?",
  evidence_digest: digestOfBytes("evidence"),
  sections: [
    { title: "Overview", role: "perspective", claims: [OPTION, SLOW] },
    { title: "Answer in quotes", role: "answer", claims: [KEPT, MEMO_KEPT] },
    { title: "Limits and objections", role: "perspective", claims: [NOT_FASTER, LOST] },
  ],
  sources: [
    { number: 1, source_digest: HANDBOOK, title: "Handbook", origin: "notes/operations/handbook.md" },
    { number: 2, source_digest: MEMO, title: "Memo of the data team", origin: "notes/memo.pdf" },
    { number: 3, source_digest: STUDY, title: "What the nightly job costs", origin: "papers/nightly-job.pdf" },
  ],
  gaps: [
    { text: "who may change it", reason: "Nothing was found; a second search added nothing.", evidence: "none" },
    { text: "what does that cost", reason: "Only 2 quotes from 1 source found.", evidence: "weak" },
  ],
  strengths: [
    {
      text: "how long are records kept",
      evidence: "strong",
      claims: 3,
      sources: 3,
      reason: "3 independent documents.",
    },
    { text: "what does that cost", evidence: "weak", claims: 2, sources: 1, reason: "1 independent document." },
    { text: "who may change it", evidence: "none", claims: 0, sources: 0, reason: "No sentence was found." },
  ],
  comparisons: [
    {
      kind: "numbers",
      title: "records kept",
      method: "same words, other number",
      sides: [
        { claim_id: "c1", value: "30 days" },
        { claim_id: "c2", value: "90 days" },
      ],
    },
    {
      kind: "disagreement",
      title: "shorter retention",
      method: "negation",
      sides: [
        { claim_id: "c4", value: "makes faster" },
        { claim_id: "c5", value: "does not make faster" },
      ],
    },
  ],
  notes: ["The limit of 10 passages a query was reached 3 times."],
  scope: {
    driver: "local",
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

const hostileClaims = Object.entries(HOSTILE).map(([name, text]) =>
  claim(name, text, {
    quotes: [quote(text, HANDBOOK, { section: [text.slice(0, 300), `${text.slice(0, 200)}]`] })],
    ...(name === "script" ? { verdict: "contradicted" as const, reason: text, method: text.slice(0, 100) } : {}),
  }),
);

export const HOSTILE_REPORT: Report = plainReport(hostileClaims, {
  question: HOSTILE.script,
  partial: true,
  sections: [
    { title: HOSTILE.script, role: "answer", claims: hostileClaims },
    { title: HOSTILE.bidi, claims: [claim("other", HOSTILE.attribute)] },
  ],
  sources: [
    {
      number: 1,
      source_digest: HANDBOOK,
      title: HOSTILE.script,
      origin: `docs/${HOSTILE.attribute}/${HOSTILE.bidi}.md`,
    },
  ],
  gaps: Object.values(HOSTILE).map((text) => ({ text, reason: text, evidence: "none" as const })),
  strengths: Object.values(HOSTILE).map((text) => ({
    text,
    evidence: "weak" as const,
    claims: 1,
    sources: 1,
    reason: text,
  })),
  comparisons: [
    {
      kind: "numbers",
      title: HOSTILE.script,
      method: HOSTILE.script.slice(0, 100),
      sides: Object.entries(HOSTILE).map(([claim_id, text]) => ({ claim_id, value: text.slice(0, 200) })),
    },
  ],
  notes: Object.values(HOSTILE),
});
