import { describe, expect, test } from "bun:test";
import { reportMarkdown } from "../../src/stages/report-page.ts";
import type { Claim, Report } from "../../src/run/report.ts";

const DIGEST = `sha256:${"a".repeat(64)}` as const;
const OTHER_DIGEST = `sha256:${"b".repeat(64)}` as const;

function claim(text: string, changed: Partial<Claim> = {}): Claim {
  const quotes = [{ source_digest: DIGEST, start: 0, end: Buffer.byteLength(text), text }];
  return { claim_id: text, text, verdict: "supported", method: "verbatim", quotes, ...changed };
}

function report(claims: Claim[], changed: Partial<Report> = {}): Report {
  return {
    schema_version: "report.v1",
    version_index: 1,
    trigger_type: "auto_natural_stop",
    partial: false,
    evidence_digest: DIGEST,
    question: "What is a lock?",
    sections: [{ title: "Answer in quotes", claims }],
    sources: [{ number: 1, source_digest: DIGEST, title: "Locks", origin: "docs/locks.md" }],
    gaps: [],
    ...changed,
  };
}

/** The page as HTML, as a reader's program shows it. */
function html(markdown: string): string {
  return Bun.markdown.html(markdown, { autolinks: true, strikethrough: true, tables: true });
}

describe("the introduction", () => {
  test("says what was checked and what was not, for one and for several", () => {
    const one = reportMarkdown(report([claim("A lock expires.")]));
    expect(one).toContain("1 claim from 1 source. 1 of 1 quote stands word for word in its stored source;");
    const two = reportMarkdown(report([claim("A lock expires."), claim("A lease is renewed.")]));
    expect(two).toContain("2 claims from 1 source. 2 of 2 quotes stand word for word in their stored sources;");
    expect(two).toContain("no judgement of whether they are true");
    expect(two).not.toContain("supported");
  });

  test("does not count quotes that were not checked byte for byte", () => {
    const doubtful = claim("B.", { verdict: "not_checked", reason: "its *source* is gone" });
    const page = reportMarkdown(report([claim("A."), doubtful]));
    expect(page).toContain("1 of 2 quotes stands word for word");
    expect(page).toContain("**(not checked: its \\*source\\* is gone)**");
    const written = reportMarkdown(report([claim("A."), claim("B.", { method: "entailment" })]));
    expect(written).toContain("1 of 2 claims is taken word for word");
    expect(written).toContain("1 of 2 quotes stands word for word");
  });
});

describe("what is missing", () => {
  test("thin and absent evidence stand apart, and nothing is claimed that is not so", () => {
    const gaps: Report["gaps"] = [
      { text: "When does it expire", reason: "Only 1 quote from 1 source found.", evidence: "weak" },
      { text: "Who owns it", reason: "Nothing was found.", evidence: "none" },
    ];
    const page = reportMarkdown(report([claim("A.")], { gaps }));
    const [, thin = "", absent = ""] = page.split(/^## (?:Thin evidence|Not found)$/m);
    expect(thin).toContain("When does it expire");
    expect(thin).not.toContain("Who owns it");
    expect(absent).toContain("Who owns it");
    expect(absent).not.toContain("When does it expire");
    expect(page).not.toContain("No part of the question");
    const weakOnly = reportMarkdown(report([claim("A.")], { gaps: gaps.slice(0, 1) }));
    expect(weakOnly).toContain("## Not found\n\nNo part of the question was left without a quote.\n");
    const full = reportMarkdown(report([claim("A.")]));
    expect(full).toContain("No part of the question was left without a quote.");
    expect(full).not.toContain("Thin evidence");
    // A report of another driver, or of before: what does not say how much was found counts as nothing.
    const untold = reportMarkdown(report([claim("A.")], { gaps: [{ text: "Who owns it", reason: "?" }] }));
    expect(untold).toContain("## Not found\n\n- Who owns it");
  });
});

describe("what others wrote", () => {
  const LIVE = [
    "A **bold** and _soft_ and `code` word with [a link](https://evil.example) in it.",
    "See ![image](x.png) and <b>tag</b> and <https://evil.example> and &lt; here.",
    "Visit https://evil.example or www.evil.example now, ~~not~~ later.",
    "A back\\slash \\[and\\] a [1] marker.",
    "Code `**x** [y](z) \\` and a lone ` before *x* [y](z).",
    "Code ``*x*`` of two, and \\`[y](z)` after a backslash.",
    "# Heading",
    "- item",
    "+ item",
    "> quotation",
    "1. first",
    "* star",
    "C # sharp #",
    "snake_case stays",
    "line\nbreak\r\n\r\n# in it",
  ];

  test.each(LIVE)("reads as it stands and is not alive: %j", (text) => {
    const page = html(reportMarkdown(report([claim(text)], { question: text })));
    const shown = Bun.escapeHTML(text.replace(/\s+/g, " ")).replace(/(?<!`)`([^`]+)`(?!`)/g, "<code>$1</code>");
    expect(page).toContain(`<li>${shown} [1]</li>`);
    expect(page).toContain(`${shown}</h1>`);
    // The control: left as it is, it would be something else.
    const alive = html(`- ${text} [1]\n`);
    if (text !== "snake_case stays" && !text.startsWith("C #")) expect(alive).not.toContain(`<li>${shown} [1]</li>`);
  });

  test("a title or an origin of several lines, or with backticks, stays one entry; equal titles differ by origin", () => {
    const sources = [
      { number: 1, source_digest: DIGEST, title: "Read\n\n# me", origin: "docs/a\n- `x`/README.md" },
      { number: 2, source_digest: OTHER_DIGEST, title: "Read\n\n# me", origin: "docs/b/README.md" },
    ];
    const page = reportMarkdown(report([claim("A.")], { sources }));
    const entries = page.slice(page.indexOf("## Sources")).trim().split("\n").slice(2);
    expect(entries).toEqual([
      `1. Read \\# me. \`\` docs/a - \`x\`/README.md \`\`, \`${DIGEST}\``,
      `2. Read \\# me. \`docs/b/README.md\`, \`${OTHER_DIGEST}\``,
    ]);
  });
});
