// The Markdown page: what it says, in which order, and that nothing in quoted text is alive.
import { describe, expect, test } from "bun:test";
import type { Report } from "../../src/run/report.ts";
import { LIMITS_BY_MODE } from "../../src/run/settings.ts";
import { reportMarkdown } from "../../src/stages/report-page.ts";
import { claim, FULL_REPORT, HANDBOOK, HOSTILE_REPORT, MEMO, plainReport, quote } from "./sample-report.ts";

/** The page as HTML, as a reader's program shows it. */
function html(markdown: string): string {
  return Bun.markdown.html(markdown, { autolinks: true, strikethrough: true, tables: true });
}

function titlesOf(page: string): string[] {
  return [...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title ?? "");
}

describe("the introduction", () => {
  test("says what was checked and what was not", () => {
    const one = reportMarkdown(plainReport([claim("a", "A lock expires.")]));
    expect(one).toContain("\n1 claim from 1 source, each taken word for word from a source and checked");
    expect(one).toContain("Whether a source is right was not judged.");
    const doubtful = claim("b", "B.", { verdict: "not_checked", reason: "its *source* is gone" });
    const two = reportMarkdown(plainReport([claim("a", "A."), doubtful]));
    expect(two).toContain(
      "2 claims from 1 source: 1 taken word for word from a source and checked against the stored bytes; 1 not checked. ",
    );
    expect(two).toContain("**(not checked: its \\*source\\* is gone)**");
  });

  test("says once how claims in other words were judged, and by whom; doubt stands at the claim", () => {
    const method = "model local:small";
    const claims = [
      claim("a", "A."),
      claim("b", "B.", { method }),
      claim("c", "C.", { method }),
      claim("d", "D.", { method, verdict: "contradicted", reason: "it says the opposite" }),
      claim("e", "E.", { method: "none", verdict: "not_checked", reason: "the verifier failed" }),
    ];
    const page = reportMarkdown(plainReport(claims));
    expect(page).toContain(
      "5 claims from 1 source: 1 taken word for word from a source and checked against the stored bytes; 3 in other words, judged against their quotes by model local:small: 2 supported, 1 contradicted; 1 not checked. Whether",
    );
    expect(page).toMatch(/^- B\. \[1\] \(quote 1\)$/m);
    expect(page).toMatch(/^- D\. \[1\] \(quote 1\) \*\*\(contradicted: it says the opposite\)\*\*$/m);
    const none = reportMarkdown(plainReport([claim("b", "B.", { method })]));
    expect(none).toContain("1 claim from 1 source: 1 in other words, judged");
  });
});

describe("the quotes behind claims", () => {
  const method = "model local:small";
  const KEPT = quote("Records are\u202e kept\nfor 30\u0007 days, *all*.", HANDBOOK, { page: 3 });
  const GONE = { ...quote("Then they go.", MEMO), start: 5, end: 18 };
  const report = plainReport(
    [
      claim("a", "They stay for a month.", { method, quotes: [KEPT, GONE] }),
      claim("b", "Then they go.", { quotes: [GONE] }),
      claim("c", "A month is what they have.", { method, quotes: [KEPT] }),
    ],
    {
      sources: [
        { number: 1, source_digest: HANDBOOK, title: "Handbook", origin: "a.md" },
        { number: 2, source_digest: MEMO, title: "Memo", origin: "b.md" },
      ],
    },
  );

  test("can be read: each once, under the number that its claims name", () => {
    const page = reportMarkdown(report);
    expect(page).toContain("- They stay for a month. [1, p. 3][2] (quotes 1, 2)\n");
    expect(page).toContain("- A month is what they have. [1, p. 3] (quote 1)\n");
    const [, behind = ""] = page.split("## Quotes\n");
    expect(behind).toContain(
      "1. “Records are kept for 30\uFFFD days, \\*all\\*.” [1, p. 3]\n2. “Then they go.” [2]\n\n## Sources",
    );
    expect(html(page)).toContain("<li>“Then they go.” [2]</li>");
  });

  test("are not repeated where the claim is the quote", () => {
    expect(reportMarkdown(report)).toContain("- Then they go. [2]\n");
    expect(titlesOf(reportMarkdown(plainReport([claim("a", "A.")])))).not.toContain("Quotes");
  });
});

describe("a partial report", () => {
  const unfinished = ["research on “What *speaks* against it”", "a review that accepts the draft"];

  test("says first that it is one, why, what is missing and how to go on", () => {
    const page = reportMarkdown(plainReport([claim("a", "A.")], { partial: true, trigger_type: "budget", unfinished }));
    expect(page).toContain(
      "?\n\n> Partial: the budget was spent before the run had finished its stages.\n>\n> Not done by then: research on “What \\*speaks\\* against it”; a review that accepts the draft.\n>\n> The run goes on where it stood with `deep-research resume` and a larger budget.\n\n1 claim",
    );
    const asked = reportMarkdown(plainReport([claim("a", "A.")], { partial: true, trigger_type: "manual" }));
    expect(asked).toContain(
      "> Partial: this version was made before the run had finished its stages.\n>\n> The run goes",
    );
  });

  test("control: a whole one says nothing of it", () => {
    expect(reportMarkdown(plainReport([claim("a", "A.")], { unfinished }))).not.toContain("> ");
  });
});

describe("how it was made", () => {
  const scope = { driver: "live", mode: "quick", limits: LIMITS_BY_MODE.quick, corpora: [] } as const;
  const madeBy = (models: NonNullable<Report["scope"]>["models"]): string =>
    reportMarkdown(plainReport([claim("a", "A.")], { scope: { ...scope, corpora: [], models } }));

  test("names the models by what they did", () => {
    const one = "local:small";
    expect(madeBy({ planner: one, researcher: one, writer: one, reviewer: one, verifier: one })).toContain(
      "- Model: local:small, in every role.\n",
    );
    expect(madeBy({ planner: one, researcher: one, writer: "other:large", reviewer: one, verifier: "a:b" })).toContain(
      "- Models: local:small as planner, researcher, reviewer; other:large as writer; a:b as verifier.\n",
    );
  });
});

describe("the order of the page", () => {
  test("the answer comes first, the sources last", () => {
    expect(titlesOf(reportMarkdown(FULL_REPORT))).toEqual([
      "Answer in quotes",
      "Overview",
      "Limits and objections",
      "Where sources differ",
      "How strong the evidence is",
      "What was not found",
      "Thin evidence",
      "How this report was made",
      "Sources",
    ]);
  });

  test("a report of before, without roles, strengths, comparisons, notes and scope, still reads", () => {
    const { sections, ...rest } = plainReport([claim("a", "A.")]);
    const old: Report = { ...rest, sections: sections.map(({ title, claims }) => ({ title, claims })) };
    expect(titlesOf(reportMarkdown(old))).toEqual([
      "Answer in quotes",
      "What was not found",
      "How this report was made",
      "Sources",
    ]);
  });

  test("files that were not read are counted by their reason", () => {
    const line = "Not read in papers: 3 entries (2 encrypted; 1 scanned: pages without text).";
    expect(reportMarkdown(FULL_REPORT)).toContain(line);
  });

  test("equal reports give equal bytes", () => {
    expect(reportMarkdown(structuredClone(FULL_REPORT))).toBe(reportMarkdown(FULL_REPORT));
  });
});

describe("markers", () => {
  const marked = (...anchors: ({ page?: number; section?: string[] } | undefined)[]): string => {
    const quotes = anchors.map((anchor) => quote("A.", HANDBOOK, anchor));
    const line = reportMarkdown(plainReport([claim("a", "A.", { quotes })])).match(/^- A\. (.*)$/m);
    return line?.[1] ?? "";
  };

  test("name the page, else the two innermost headings without the title of the document", () => {
    expect(marked(undefined)).toBe("[1]");
    expect(marked({ page: 12 })).toBe("[1, p. 12]");
    expect(marked({ page: 12, section: ["Handbook", "Retention"] })).toBe("[1, p. 12]");
    expect(marked({ section: ["Handbook"] })).toBe("[1]");
    expect(marked({ section: ["Handbook", "Retention", "Defaults"] })).toBe("[1, Retention > Defaults]");
    expect(marked({ section: ["A", "B", "C"] })).toBe("[1, B > C]");
  });

  test("shorten what is long and say each place once", () => {
    expect(marked({ section: ["A", "x".repeat(30), "y".repeat(30)] })).toBe(`[1, ${"y".repeat(30)}]`);
    expect(marked({ section: ["z".repeat(200)] })).toBe(`[1, ${"z".repeat(45)}...]`);
    expect(marked({ page: 3 }, { page: 4 }, { page: 3 })).toBe("[1, p. 3; p. 4]");
  });

  test("stand in the order of the sources, one for each", () => {
    const claims = [claim("a", "A.", { quotes: [quote("A.", MEMO), quote("A.", HANDBOOK, { page: 2 })] })];
    const sources = [
      { number: 1, source_digest: HANDBOOK, title: "Handbook", origin: "a.md" },
      { number: 2, source_digest: MEMO, title: "Memo", origin: "b.md" },
    ];
    const page = reportMarkdown(plainReport(claims, { sources }));
    expect(page).toContain("- A. [1, p. 2][2]\n");
    expect(page).toContain(`1. Handbook. \`a.md\`, \`${HANDBOOK}\`. Quoted: p. 2.\n2. Memo. \`b.md\`, \`${MEMO}\`.\n`);
  });
});

describe("comparisons and strengths", () => {
  test("numbers stand side by side with their sources, as a hint by a named rule", () => {
    const page = reportMarkdown(FULL_REPORT);
    expect(page).toContain("by the rules same words, other number, negation: a hint where to look, no verdict.");
    expect(page).toContain("### Numbers that differ: records kept\n");
    expect(page).toContain("### Sentences that may not agree: shorter retention\n");
    expect(page).toContain("| 90 days | Since spring we keep records for 90 days. | [2, p. 12] |");
    expect(page).toContain("| Says | Sentence | Source |");
    const shown = html(page);
    expect(shown).toContain("<td>30 days</td>");
    expect(shown.match(/<table>/g)).toHaveLength(3);
  });

  test("a side whose claim is not in the report falls out, and a comparison of one side with it", () => {
    const comparisons: Report["comparisons"] = [
      {
        kind: "numbers",
        title: "t",
        method: "m",
        sides: [
          { claim_id: "a", value: "1" },
          { claim_id: "gone", value: "2" },
        ],
      },
    ];
    expect(titlesOf(reportMarkdown(plainReport([claim("a", "A.")], { comparisons })))).not.toContain(
      "Where sources differ",
    );
  });

  test("strength is said in words with what was counted", () => {
    const page = reportMarkdown(FULL_REPORT);
    expect(page).toContain(
      "| how long are records kept | strong | 3 claims from 3 sources. 3 independent documents. |",
    );
    expect(page).toContain("| who may change it | none | No sentence was found. |");
  });
});

describe("what is missing", () => {
  test("thin and absent evidence stand apart, and nothing is claimed that is not so", () => {
    const gaps: Report["gaps"] = [
      { text: "When does it expire", reason: "Only 1 quote from 1 source found.", evidence: "weak" },
      { text: "Who owns it", reason: "Nothing was found.", evidence: "none" },
    ];
    const page = reportMarkdown(plainReport([claim("a", "A.")], { gaps }));
    const [, absent = "", thin = ""] = page.split(/^## (?:Thin evidence|What was not found)$/m);
    expect(thin).toContain("When does it expire");
    expect(thin).not.toContain("Who owns it");
    expect(absent).toContain("Who owns it");
    expect(absent).not.toContain("When does it expire");
    expect(page).not.toContain("Every part of the question");
    const weakOnly = reportMarkdown(plainReport([claim("a", "A.")], { gaps: gaps.slice(0, 1) }));
    expect(weakOnly).toContain("## What was not found\n\nEvery part of the question has at least one quote.\n");
    const full = reportMarkdown(plainReport([claim("a", "A.")]));
    expect(full).toContain("Every part of the question has at least one quote.");
    expect(full).not.toContain("Thin evidence");
    const strengths = [{ text: "How", evidence: "weak" as const, claims: 0, sources: 0, reason: "Only near." }];
    const unanswered = reportMarkdown(
      plainReport([claim("a", "A.")], { strengths, sections: [{ title: "Nearest", claims: [claim("a", "A.")] }] }),
    );
    expect(unanswered).toContain("No sentence answers this directly.");
    expect(unanswered).toContain("## What was not found\n\nAn answer: every part has quotes, and none of them gives");
    expect(unanswered).not.toContain("Every part of the question");
    // A report of another driver, or of before: what does not say how much was found counts as nothing.
    const untold = reportMarkdown(plainReport([claim("a", "A.")], { gaps: [{ text: "Who owns it", reason: "?" }] }));
    expect(untold).toContain("## What was not found\n\n- Who owns it");
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
    "1)",
    "* star",
    "C # sharp #",
    "snake_case stays",
    "It costs $5 here and $6 there.",
    "line\nbreak\r\n\r\n# in it",
  ];
  /** Nothing of it is alive in this program, or anywhere. */
  const QUIET = ["snake_case stays", "C # sharp #", "It costs $5 here and $6 there."];
  const BARS = ["a | b", "a \\| b", "`a | b`", "| --- |", "a \\\\| b `c \\| d` |"];

  const shownAs = (text: string): string =>
    Bun.escapeHTML(text.replace(/\s+/g, " ")).replace(/(?<!`)`([^`]+)`(?!`)/g, "<code>$1</code>");

  test.each(LIVE)("reads as it stands and is not alive: %j", (text) => {
    const page = html(reportMarkdown(plainReport([claim("a", text)], { question: text })));
    expect(page).toContain(`<li>${shownAs(text)} [1]</li>`);
    expect(page).toContain(`${shownAs(text)}</h1>`);
    // The control: left as it is, it would be something else.
    const alive = html(`- ${text} [1]\n`);
    if (!QUIET.includes(text)) expect(alive).not.toContain(`<li>${shownAs(text)} [1]</li>`);
  });

  test.each([...LIVE, ...BARS])("neither is it in a table: %j", (text) => {
    const sides = [
      { claim_id: "a", value: text },
      { claim_id: "b", value: "1" },
    ];
    const claims = [claim("a", text), claim("b", "B.")];
    const comparisons = [{ kind: "numbers" as const, title: text, method: text, sides }];
    const page = html(reportMarkdown(plainReport(claims, { comparisons })));
    const cell = text.includes("|") ? Bun.escapeHTML(text) : shownAs(text);
    expect(page).toContain(`<tr><td>${cell}</td><td>${cell}</td><td>[1]</td></tr>`);
    expect(page).toContain(`${shownAs(text)}</h3>`);
  });

  test("a title or an origin of several lines, or with backticks, stays one entry; equal titles differ by origin", () => {
    const sources = [
      { number: 1, source_digest: HANDBOOK, title: "Read\n\n# me", origin: "docs/a\n- `x`/README.md" },
      { number: 2, source_digest: MEMO, title: "Read\n\n# me", origin: "docs/b/README.md" },
    ];
    const page = reportMarkdown(plainReport([claim("a", "A.")], { sources }));
    const entries = page.slice(page.indexOf("## Sources")).trim().split("\n").slice(2);
    expect(entries).toEqual([
      `1. Read \\# me. \`\` docs/a - \`x\`/README.md \`\`, \`${HANDBOOK}\`.`,
      `2. Read \\# me. \`docs/b/README.md\`, \`${MEMO}\`.`,
    ]);
  });

  test("a number with a point in it stays as it is", () => {
    expect(reportMarkdown(plainReport([claim("a", "6.000 Liter.")]))).toContain("- 6.000 Liter. [1]");
  });

  test("two prices in a sentence are no formula", () => {
    const page = reportMarkdown(plainReport([claim("a", "It costs $5 here and $6 there.")]));
    expect(page).toContain("- It costs \\$5 here and \\$6 there. [1]");
  });

  test("nothing in a hostile report becomes a tag, and nothing turns the line around", () => {
    const page = reportMarkdown(HOSTILE_REPORT);
    expect(html(page)).not.toMatch(/<(script|img|style|b|em|a)\b/);
    expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u2028]/);
  });
});
