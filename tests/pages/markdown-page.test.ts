// Tests of the Markdown page: what it says, in which order, and that quoted text never becomes markup.
import { describe, expect, test } from "bun:test";
import type { Block, Report, Statement } from "../../src/run/report/report.ts";
import { claimsOf } from "../../src/run/report/statements.ts";
import { reportSchema } from "../../src/run/report/stored-report.ts";
import { LIMITS_BY_MODE } from "../../src/run/settings/settings.ts";
import { reportMarkdown } from "../../src/pages/markdown-page.ts";
import {
  cited,
  clausesReport,
  derived,
  FULL_REPORT,
  gapMarksReport,
  HANDBOOK,
  heading,
  HOSTILE_REPORT,
  marksIn,
  MEMO,
  METHOD,
  plainReport,
  quote,
  quoted,
  statementsById,
  stepsReport,
  tasksReport,
} from "./sample-report.ts";

function html(markdown: string): string {
  return Bun.markdown.html(markdown, { autolinks: true, strikethrough: true, tables: true });
}

function titlesOf(page: string): string[] {
  return [...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title ?? "");
}

const TWO_SOURCES = [
  { number: 1, source_digest: HANDBOOK, title: "Handbook", origin: "a.md" },
  { number: 2, source_digest: MEMO, title: "Memo", origin: "b.md" },
];

describe("the order of the page", () => {
  test("is: the blocks of the report, what is missing, how it was made, the sources", () => {
    expect(titlesOf(reportMarkdown(FULL_REPORT))).toEqual([
      "Answer",
      "What it costs",
      "What the quotes contradict",
      "Nearest",
      "What was not found",
      "Thin evidence",
      "What the review still requests",
      "How well each part is covered",
      "How this report was made",
      "Sources",
    ]);
  });

  test("has the answer right behind the title, which is the question if there is no other", () => {
    expect(reportMarkdown(FULL_REPORT)).toStartWith("# Retention of records\n\n## Answer\n\nTwo numbers compete. ");
    expect(reportMarkdown(FULL_REPORT)).toContain("- The question: How long are records kept, what does that cost, ");
    const untitled = reportMarkdown(plainReport([cited("a", "A.")]));
    expect(untitled).toStartWith("# How long are records kept?\n\n## Answer\n\n- A.[1a]\n");
    expect(untitled).not.toContain("The question:");
  });

  test("has no section of gaps when nothing is missing", () => {
    const parts = [{ text: "how long", coverage: 1, missing: [], claims: 1, sources: 1 }];
    expect(titlesOf(reportMarkdown(plainReport([cited("a", "A.")], { parts })))).toEqual([
      "Answer",
      "How well each part is covered",
      "How this report was made",
      "Sources",
    ]);
  });

  test("equal reports give equal bytes", () => {
    expect(reportMarkdown(structuredClone(FULL_REPORT))).toBe(reportMarkdown(FULL_REPORT));
  });
});

describe("a partial report", () => {
  const made = { notes: [], unfinished: ["research on “What *speaks* against it”", "a review that accepts the draft"] };

  test("begins with why it is partial, what is missing, and how to continue", () => {
    const page = reportMarkdown(plainReport([cited("a", "A.")], { partial: true, trigger_type: "budget", made }));
    expect(page).toContain(
      "?\n\n> Partial: the budget was spent before the run had finished its stages.\n>\n> Not done by then: research on “What \\*speaks\\* against it”; a review that accepts the draft.\n>\n> Continue the run where it stopped with `deep-research resume` and a larger budget.\n\n## Answer",
    );
    const partial = reportMarkdown(plainReport([cited("a", "A.")], { partial: true, trigger_type: "manual" }));
    expect(partial).toContain(
      "> Partial: this version was made before the run had finished its stages.\n>\n> Continue the run where it stopped",
    );
  });

  test("control: a whole report has no such lines", () => {
    expect(reportMarkdown(plainReport([cited("a", "A.")], { made }))).not.toContain("> ");
  });
});

describe("statements", () => {
  test("that rephrase quotes name sources and pages, and each quote stands once below its source", () => {
    const kept = quote("Records are\u202e kept\nfor 30 days, *all.", HANDBOOK, { page: 3, section: ["A"] }, 40);
    const early = quote("Then they go.", HANDBOOK, { section: ["Handbook", "Retention"] }, 5);
    const statements = [
      cited("a", "They stay for a month.", { quotes: [kept, quote("Gone.", MEMO)] }),
      cited("b", "A month is what they have.", { quotes: [kept, early] }),
    ];
    const page = reportMarkdown(plainReport(statements, { sources: TWO_SOURCES }));
    expect(page).toContain("- They stay for a month.[1b][2a]\n- A month is what they have.[1a][1b]\n");
    expect(page).toEndWith(
      `1. Handbook. \`a.md\`, \`${HANDBOOK}\`
   - 1a. Retention: “Then they go.”
   - 1b. A, p. 3: “Records are kept for 30 days, \\*all.”
2. Memo. \`b.md\`, \`${MEMO}\`
   - 2a. “Gone.”
`,
    );
  });

  test("that are quotes have quotation marks and their place, and only their first words below the source", () => {
    const own = quote("A.", HANDBOOK, { section: ["Handbook", "Retention", "Defaults"] });
    const statements = [quoted("a", "A.", { quotes: [own] }), cited("b", "It is A.", { quotes: [own] })];
    const page = reportMarkdown(plainReport(statements));
    expect(page).toContain("- “A.”[1a]\n- It is A.[1a]\n");
    expect(page).toEndWith("\n   - 1a. Retention > Defaults: “A.”\n");
    const long = "A long sentence. ".repeat(9).trim();
    const shown = plainReport([quoted("a", long, { quotes: [quote(long)] })]);
    expect(reportMarkdown(shown)).toEndWith(`   - 1a. “${long.slice(0, 77).trim()}...”\n`);
  });

  test("that are conclusions name all sources behind their premises, and how a number was computed", () => {
    const statements = [
      cited("a", "It took 5 s.", { quotes: [quote("5 s", MEMO)] }),
      derived("b", "It is slow.", { from: ["a"] }),
      derived("c", "Change it.", { from: ["b", "c", "gone"], quotes: [quote("Changes help.")] }),
      derived("d", "It takes 10 s.", { from: ["a"], expression: "5 * 2" }),
      derived("e", "Nobody knows.", { from: [] }),
    ];
    const page = reportMarkdown(plainReport(statements, { sources: TWO_SOURCES }));
    expect(page).toContain(
      "- It is slow.[∴ 2a]\n- Change it.[∴ 1a, 2a]\n- It takes 10 s.[∴ 2a, computed as `5 * 2`]\n- Nobody knows.[∴]\n",
    );
    expect(page).toContain(" ∴ marks what we conclude, with the quotes that it follows from.*\n");
  });

  test("that follow from each other do no harm, and without conclusions there is no legend", () => {
    const statements = [derived("a", "A.", { from: ["b"] }), derived("b", "B.", { from: ["a"] })];
    expect(reportMarkdown(plainReport(statements))).toContain("- A.[∴]\n- B.[∴]\n");
    expect(reportMarkdown(plainReport([cited("a", "A.")]))).not.toContain("∴");
  });

  test("that are doubtful say so, and why", () => {
    const gone = { verdict: "not_checked", reason: "its *source* is gone" } as const;
    const page = reportMarkdown(
      plainReport([cited("a", "A.", gone), derived("b", "B.", { verdict: "contradicted", from: ["a"] })]),
    );
    expect(page).toContain("- A.[1a] **(not checked: its \\*source\\* is gone)**\n- B.[∴ 1a] **(contradicted)**\n");
  });

  test("that name a gap or assert nothing have no mark", () => {
    const page = reportMarkdown(FULL_REPORT);
    expect(page).toContain("\n1. Nobody says who may change it.\n");
    expect(page).toContain("\nTwo numbers compete. The handbook");
  });
});

test("marks stand where their clauses end, and what is doubted is said once, at the end", () => {
  expect(reportMarkdown(clausesReport())).toContain(`
- Ä takes \`s\`[1a]; hours for \\*b\\*.[1b][1c]
- One[1b] and two.[1a][1b][1c][g1] **(not checked: why)**
- Whole.[1a][1b][1c]
`);
});

test("boxes of items and the language of code stay", () => {
  const page = reportMarkdown(tasksReport());
  expect(page).toContain("\n- [x] Stop it.[1c]\n- [ ] **Then:** Start it.[1d]\n- Look.[1b]\n\n```sh\nmake\n```\n");
  expect(reportMarkdown(FULL_REPORT)).toContain("> ```sh\n> retain");
});

describe("a claim that names what was not found", () => {
  test("shows it next to its quotes, with the line that it leads to", () => {
    const page = reportMarkdown(gapMarksReport());
    expect(page).toContain(`- Take it.[∴ 1a, g1]
- It takes an hour.[1a][g2]
- Nobody knows the price.[∴ g1]
- Ask before.[our suggestion; from 1a, g2]
- The price is nowhere.
`);
    expect(page).toContain("A mark such as \\[g1\\] leads to what was looked for and not found.");
    expect(page).toContain(
      "## What was not found\n\n- g1. The price\n- Who pays\n\n## Thin evidence\n\n- g2. How long",
    );
  });

  test("control: where no claim names one, the lines have no names", () => {
    const { statements, ...report } = gapMarksReport();
    const bare = Object.fromEntries(
      Object.entries(statements).map(([id, one]) => [
        id,
        "gap_ids" in one ? { ...one, gap_ids: [] } : "from" in one ? { ...one, from: ["b"] } : one,
      ]),
    );
    const page = reportMarkdown({ ...report, statements: bare });
    expect(page).toContain("## What was not found\n\n- The price\n");
    expect(page).not.toMatch(/g[12]/);
  });
});

describe("marks", () => {
  test("lead to one quote each, whose place is under the sources", () => {
    const placeOf = (anchor?: { page?: number; section?: string[] }): string => {
      const page = reportMarkdown(plainReport([quoted("a", "A.", { quotes: [quote("A.", HANDBOOK, anchor)] })]));
      return page.match(/^ {3}- 1a\. (.*)“A\.”$/m)?.[1] ?? "";
    };
    expect(placeOf()).toBe("");
    expect(placeOf({ page: 12 })).toBe("p. 12: ");
    expect(placeOf({ page: 12, section: ["Handbook", "Retention"] })).toBe("Retention, p. 12: ");
    expect(placeOf({ section: ["Handbook"] })).toBe("");
    expect(placeOf({ section: ["Handbook", "Handbook", "A", "A"] })).toBe("A: ");
    expect(placeOf({ section: ["Handbook", "Retention", "Defaults"] })).toBe("Retention > Defaults: ");
  });

  test("of a statement name each of its quotes once, in the order of the text", () => {
    const places = [60, 0, 30, 0].map((start) => quote("A.", HANDBOOK, undefined, start));
    expect(reportMarkdown(plainReport([cited("a", "B.", { quotes: places })]))).toContain("- B.[1a][1b][1c]\n");
  });

  test("have two letters behind the twenty-sixth quote of a source", () => {
    const many = Array.from({ length: 29 }, (_, at) => quote("A.", HANDBOOK, undefined, at * 10));
    const page = reportMarkdown(plainReport([cited("a", "B.", { quotes: many.slice(24) })]));
    expect(page).toContain("- B.[1a][1b][1c][1d][1e]\n");
    const all = reportMarkdown(plainReport([cited("a", "B.", { quotes: many })]));
    expect(all).toContain("[1y][1z][1aa][1ab][1ac]\n");
    expect(all).toContain("\n   - 1ac. “A.”\n");
  });
});

describe("blocks", () => {
  const pageOf = (blocks: Block[], ...texts: string[]): string => {
    const statements = texts.map((text, at) => cited(`s${at + 1}`, text));
    return reportMarkdown(plainReport([], { blocks, statements: statementsById(statements) }));
  };

  test("have a bold lead before paragraphs and items", () => {
    const page = pageOf(
      [
        { kind: "paragraph", lead: "Time:", statements: ["s1", "s2"] },
        { kind: "list", ordered: true, items: [{ lead: "Then", statements: ["s1"] }, { statements: ["s2"] }] },
        { kind: "list", ordered: true, items: [{ statements: ["s2"] }] },
      ],
      "A.",
      "B.",
    );
    expect(page).toContain("\n\n**Time:** A.[1a] B.[1a]\n\n1. **Then:** A.[1a]\n2. B.[1a]\n\n1) B.[1a]\n\n");
    expect(html(page).match(/<ol>/g)).toHaveLength(3);
  });

  test("continue counting steps behind code", () => {
    expect(reportMarkdown(stepsReport())).toContain("1. A.[1b]\n2. B.[1b]\n\n```\nx\n```\n\n[1a]\n\n3. C.[1b]\n");
  });

  test("keep every cell of a table, and its caption", () => {
    const page = pageOf(
      [{ kind: "table", caption: "By hand", columns: ["a|b"], rows: [["x", ["s1", "s2"]], []] }],
      "A.",
      "B.",
    );
    expect(page).toContain("\n\nBy hand\n\n| a\\|b |  |\n| --- | --- |\n| x | A.[1a] B.[1a] |\n|  |  |\n\n");
  });

  test("show code as it is, with any number of backticks in it", () => {
    const page = pageOf([{ kind: "code", text: "a\n  ```\n*b*", statement: "s1" }], "A.");
    expect(page).toContain("\n\n````\na\n  ```\n*b*\n````\n\n[1a]\n\n");
  });

  test("keep the levels of headings", () => {
    expect(pageOf([heading("One"), heading("Two", 3), heading("Three", 4)])).toContain(
      "\n\n## One\n\n### Two\n\n#### Three\n\n",
    );
  });
});

describe("an excerpt", () => {
  const excerptOf = (text: string, words: string[], lacks: string[] = []): string => {
    const own = quote(text, HANDBOOK, { section: ["Handbook", "A"], page: 2 }, 70);
    const blocks: Block[] = [{ kind: "excerpt", statement: "a", marks: marksIn(own, words), lacks }];
    const statements = statementsById([quoted("a", text, { quotes: [own] })]);
    const page = reportMarkdown(plainReport([], { blocks, statements }));
    return page.slice(page.indexOf("\n\n") + 2, page.search(/\n\n(\*A mark|## How)/));
  };

  test("is a block quote with its lines, tables and code, and below it number, title and place", () => {
    expect(reportMarkdown(FULL_REPORT)).toContain(`> Retention is set once for all tables.\\
> **Records are kept for 30 days, then they are removed by the nightly job.**
>
> \\- Backups have a date of their own.\\
> \u00a0\u00a0Nobody removes them — not even the job.
>
> | Setting | Default |
> | --- | --- |
> | \`retention_days\` | **30 days** |
>
> \`\`\`sh
> retain --days 30   # the default
> \`\`\`

[1a] Handbook, Retention > Defaults, p. 12
`);
  });

  test("says which words it lacks, and that the emphasis is ours", () => {
    expect(excerptOf("It costs.", [], ["owner", "*date*"])).toBe(
      "> It costs.\n\n[1a] Handbook, A, p. 2 (lacks: owner, \\*date\\*)",
    );
    expect(reportMarkdown(FULL_REPORT)).toContain("follows from. Emphasis in excerpts is ours.*\n");
  });

  test.each([
    ["Ä ö. Ü ist es. Ende.", "Ü ist es.", "> Ä ö. **Ü ist es.** Ende."],
    ["一つ。二つ。三つ。", "二つ。", "> 一つ。\u200a**二つ。**\u200a三つ。"],
    ["one\r\ntwo three", "two", "> one\\\n> **two** three"],
    ["one two\n\nthree four", "two\n\nthree", "> one **two**\n>\n> **three** four"],
    ["Take:\n  - two.\n3. four.", "- two.\n3. four.", "> Take:\\\n> \u00a0\u00a0\\- **two.**\\\n> 3\\. **four.**"],
    ["a `b. c` d", "b. c", "> a \\`\u200a**b. c**\u200a\\` d"],
  ])("marks the words themselves: %j", (text, words, shown) => {
    const page = excerptOf(text, [words]);
    expect(page.split("\n\n")[0]).toBe(shown);
    expect(html(page)).toContain("<strong>");
    expect(html(page)).not.toContain("**");
  });

  test("has no emphasis when all of it is marked", () => {
    const own = quote("lease\n: The right to write.", HANDBOOK);
    const blocks: Block[] = [
      { kind: "excerpt", statement: "a", marks: marksIn(own, ["lease", "The right to write."]) },
    ];
    const page = reportMarkdown(
      plainReport([], { blocks, statements: statementsById([quoted("a", own.text, { quotes: [own] })]) }),
    );
    expect(page).toContain("> lease\\\n> \u00a0\u00a0The right to write.\n");
    expect(page).not.toContain("Emphasis");
  });

  test("loses the signs of a block quote, and keeps its blank lines", () => {
    expect(excerptOf("> One **two**\n> three.\n>\n> Four.", ["Four."])).toStartWith(
      "> One two\\\n> three.\n>\n> **Four.**\n\n",
    );
  });

  test("keeps all words when a mark lies outside or cuts a letter", () => {
    const own = quote("Äpfel sind da.", HANDBOOK, undefined, 10);
    const marks = [
      { start: 0, end: 5 },
      { start: 11, end: 16 },
      { start: 12, end: 900 },
      { start: 900, end: 901 },
    ];
    const blocks: Block[] = [{ kind: "excerpt", statement: "a", marks }];
    const statements = statementsById([quoted("a", own.text, { quotes: [own] })]);
    const page = html(reportMarkdown(plainReport([], { blocks, statements })));
    expect(page.replace(/<\/?strong>|\u200a/g, "")).toContain("<p>Äpfel sind da.</p>");
  });

  test("stays readable when its lines only look like a table, or its code has no end", () => {
    expect(excerptOf("a | b\nc | d", [])).toStartWith("> a | b\\\n> c | d\n\n");
    expect(excerptOf("name\n| - |", [])).toStartWith("> name\\\n> \\| - \\|\n\n");
    expect(excerptOf("```\na *b*", [])).toStartWith("> ```\n> a *b*\n> ```\n\n");
    expect(html(excerptOf("name\n| - |", []))).not.toContain("<table");
    expect(excerptOf("a\n```", [])).toStartWith("> a\\\n> \\`\\`\\`\n\n");
  });
});

describe("the lines of an excerpt", () => {
  const linesOf = (text: string, words: string[] = [], origin = "docs/handbook.txt"): string => {
    const own = quote(text);
    const blocks: Block[] = [{ kind: "excerpt", statement: "a", marks: marksIn(own, words) }];
    const statements = statementsById([quoted("a", text, { quotes: [own] })]);
    const sources = [{ number: 1, source_digest: HANDBOOK, title: "Handbook", origin }];
    const page = reportMarkdown(plainReport([], { blocks, statements, sources }));
    return page.slice(page.indexOf("\n\n") + 2, page.indexOf("\n\n[1a] Handbook"));
  };

  test("are joined when they are wrapped prose, and keep their marks", () => {
    const text =
      "--autoupdate::\n\tAfter it reuses a recorded resolution on the\n\tcurrent conflict to update the files in the working tree,\n\tallow it to also update the index. It is off.";
    const marked = text.slice(text.indexOf("current"), text.indexOf(" It is off."));
    expect(linesOf(text, [marked])).toBe(
      "> \\--autoupdate::\\\n> \u00a0\u00a0\u00a0\u00a0After it reuses a recorded resolution on the **current conflict to update the files in the working tree, allow it to also update the index.** It is off.",
    );
  });

  test("of a definition are below their term, without the colon of Markdown", () => {
    const text = "lease\n:   The right to write. It ends.\n: A loan.\n\n:80 is a port.";
    for (const origin of ["a.md", "a.html"])
      expect(linesOf(text, ["It ends."], origin)).toBe(
        "> lease\\\n> \u00a0\u00a0The right to write. **It ends.**\\\n> \u00a0\u00a0A loan.\n>\n> :80 is a port.",
      );
    expect(linesOf(text, [], "a.txt")).toContain("> : A loan.");
    const own = quote("lease\n: The right to write.");
    const page = reportMarkdown(plainReport([cited("a", "A lease allows writing.", { quotes: [own] })]));
    expect(page).toContain("“lease: The right to write.”");
  });

  test.each([
    "if (option.required || option.optional || option.isBoolean()) {\n  show();\n  hide();\n}",
    "A street of a rather long name in a town with a long name\nTown\nCountry",
    "- one item that is as long as a line of wrapped prose can be\n- two",
    "lease\n: The right to write a run, for as long as nobody else has it.",
    "-------------------------------------------------------\n$ git config credential.helper cache\n-----",
  ])("of other text are not joined: %j", (text) => {
    expect(linesOf(text).split("\n")).toHaveLength(text.split("\n").length);
  });

  test("of extracted text are not joined", () => {
    const rows =
      "The first row of a table that a page of paper shows  1,200\nThe second row of a table that a page of paper shows  900";
    expect(linesOf(rows, [], "docs/a.pdf").split("\n")).toHaveLength(2);
    expect(linesOf(rows).split("\n")).toHaveLength(1);
  });

  test("continue over the end of a page", () => {
    const text = "It is one\fsentence.\n\f\nIt is another one.";
    expect(linesOf(text, ["It is one\fsentence."], "a.pdf")).toBe("> **It is one sentence.**\n>\n> It is another one.");
  });

  test("that are in columns stay in columns", () => {
    expect(linesOf("name    type\trows")).toBe("> name\u00a0\u00a0\u00a0\u00a0type\u00a0\u00a0\u00a0\u00a0rows");
  });

  test("of a program are code", () => {
    expect(linesOf("/**\n * *one*\n */\nset(2);", ["one"], "src/a.ts")).toBe(
      "> ```\n> /**\n>  * *one*\n>  */\n> set(2);\n> ```",
    );
  });

  test("lose links and emphasis in a Markdown file, and keep all signs in other files", () => {
    const text =
      'See the [**best** guide](a.md "t") for **all** of `[x](y)`, ![a sign](b.png), a _deep_ *clone*, snake_case_names, *.ts, *.js and 2 ** 3 ** 4.';
    expect(html(linesOf(text, [], "docs/a.MD"))).toContain(
      "See the best guide for all of <code>[x](y)</code>, a sign, a deep clone, snake_case_names, *.ts, *.js and 2 ** 3 ** 4.",
    );
    expect(html(linesOf(text))).toContain("See the [**best** guide](a.md &quot;t&quot;) for **all** of");
  });
});

describe("what is missing", () => {
  test("is told apart: thin evidence, and no evidence", () => {
    const gaps: Report["gaps"] = [
      { gap_id: "g1", text: "When does it expire", reason: "Only 1 quote found.", evidence: "weak" },
      { gap_id: "g2", text: "Who owns it", reason: "Nothing was found.", evidence: "none" },
      // An older report does not say how much was found.
      { gap_id: "g3", text: "Who pays", reason: "?" },
      // The reason says no more than the heading.
      { gap_id: "g4", text: "Who reads it", reason: "It was looked for and not found.", evidence: "none" },
    ];
    expect(reportMarkdown(plainReport([cited("a", "A.")], { gaps }))).toContain(
      "\n\n## What was not found\n\n- Who owns it (Nothing was found.)\n- Who pays (?)\n- Who reads it\n\n## Thin evidence\n\n- When does it expire (Only 1 quote found.)\n\n",
    );
  });

  test("is told in a table of the parts, by words where no model judged", () => {
    const scope = { driver: "local", mode: "quick", limits: LIMITS_BY_MODE.quick, corpora: [] } as const;
    const made = { ...FULL_REPORT.made, scope: { ...scope, corpora: [] } };
    expect(reportMarkdown({ ...FULL_REPORT, made })).toContain(`## How well each part is covered

| Part of the question | Words found | Claims | Sources | Missing words |
| --- | --- | --- | --- | --- |
| how long are records kept | 100 % | 3 | 2 | none |
| what does that cost | 50 % | 2; 4 more mention it without answering it | 1 | cost |
| who may change it | 0 % | 0; 1 more mentions it without answering it | 0 | change, owner |
`);
  });

  test("is told as a model judged it", () => {
    const scope = { driver: "live", mode: "quick", limits: LIMITS_BY_MODE.quick, corpora: [] } as const;
    const models = { verifier: "a:b" };
    const made = { ...FULL_REPORT.made, scope: { ...scope, corpora: [], models } };
    expect(reportMarkdown({ ...FULL_REPORT, made })).toContain(`
| Part of the question | Answer | Claims | Sources |
| --- | --- | --- | --- |
| how long are records kept | answered | 3 | 2 |
| what does that cost | partly | 2 | 1 |
| who may change it | not answered | 0 | 0 |
`);
  });

  test("is told for a single part, too", () => {
    const part = { text: "how long", coverage: 0.5, missing: [], claims: 1, sources: 1 };
    expect(reportMarkdown(plainReport([cited("a", "A.")], { parts: [part] }))).toContain("| how long | 50 % |");
  });

  test("holds what the review still asks", () => {
    expect(reportMarkdown(FULL_REPORT)).toContain(
      "\n\n## What the review still requests\n\n- Say what a day less would save.\n\n",
    );
  });
});

describe("how it was made", () => {
  const scope = { driver: "live", mode: "quick", limits: LIMITS_BY_MODE.quick, corpora: [] } as const;
  const madeBy = (models: NonNullable<Report["made"]["scope"]>["models"]): string =>
    reportMarkdown(plainReport([cited("a", "A.")], { made: { notes: [], scope: { ...scope, corpora: [], models } } }));

  test("says what was checked, and how", () => {
    expect(reportMarkdown(FULL_REPORT)).toContain(
      `\n- 11 claims from 3 sources: 3 quotes checked against the stored bytes of their sources; 5 in other words, judged against their quotes by ${METHOD} (4 supported, 1 contradicted); 2 concluded, judged by ${METHOD} on whether they follow (all supported); 1 not checked. Whether a source is right was not judged.\n`,
    );
    expect(reportMarkdown(plainReport([quoted("a", "A.")]))).toContain(
      "\n- 1 claim from 1 source: 1 quote checked against the stored bytes of its source. Whether a source",
    );
  });

  test("names the models with their roles", () => {
    const one = "local:small";
    expect(madeBy({ planner: one, researcher: one, writer: one, reviewer: one, verifier: one })).toContain(
      "- Model: local:small, in every role.\n",
    );
    expect(madeBy({ planner: one, researcher: one, writer: "other:large", reviewer: one, verifier: "a:b" })).toContain(
      "- Models: local:small as planner, researcher, reviewer; other:large as writer; a:b as verifier.\n",
    );
  });

  test("names what of the documents was not read", () => {
    const { scope } = FULL_REPORT.made;
    const most = ["a", "b", "c", "d", "e", "f"].map((name) => ({ document: `${name}.pdf`, unread: "1 page <i>" }));
    const one = { documents: 1, most: [{ document: "masts.pdf", unread: "1 page" }] };
    const corpora = [
      { name: "papers", documents: 9, partly_read: { documents: 8, most } },
      { name: "masts.pdf", documents: 1, partly_read: one },
    ];
    const made = { ...FULL_REPORT.made, ...(scope === undefined ? {} : { scope: { ...scope, corpora } }) };
    const page = reportMarkdown({ ...FULL_REPORT, made });
    expect(page).toMatch(/\n- Partly read in papers: a\.pdf: 1 page .*; e\.pdf: [^;]*; 3 more\.\n/);
    expect(page).toContain("\n- Partly read in masts.pdf: 1 page.\n");
    expect(page).not.toContain(" <i>");
  });

  test("counts the files that were not read by reason", () => {
    const line = "Not read in papers: 3 of 5 entries (2 encrypted; 1 scanned: pages without text).";
    const page = reportMarkdown(FULL_REPORT);
    expect(page).toContain(`- ${line}`);
    // When more was left out than read, the line is with the coverage, too.
    const { scope } = FULL_REPORT.made;
    expect(page.split(line)).toHaveLength(2);
    const corpora = scope?.corpora.filter(({ name }) => name === "papers") ?? [];
    const made = { ...FULL_REPORT.made, ...(scope === undefined ? {} : { scope: { ...scope, corpora } }) };
    const fewRead = reportMarkdown({ ...FULL_REPORT, made });
    const coverage = fewRead.indexOf("\n## How well");
    expect(fewRead.indexOf(line)).toBeWithin(coverage, fewRead.indexOf("\n## ", coverage + 1));
  });
});

describe("a report of version 0.1.0", () => {
  const stored = (run: string): Promise<Report> =>
    Bun.file(`${import.meta.dir}/../fixtures/runs-0.1.0/${run}/reports/1/report.json`)
      .json()
      .then((json) => reportSchema.parse(json));

  test.each(["local", "live", "halted"])("is shown whole: %s", async (run) => {
    const report = await stored(run);
    const page = html(reportMarkdown(report));
    const claims = claimsOf(report);
    expect(claims.length).toBeGreaterThan(1);
    for (const { text, basis } of claims) {
      const words = Bun.escapeHTML(text.replace(/\s+/g, " "));
      expect(page).toContain(basis === "quoted" ? `<li>“${words}”[` : `<li>${words}[`);
    }
    expect(page).toContain("<th>Part of the question</th><th>Evidence</th>");
  });
});

describe("text from outside", () => {
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
    "1) first",
    "* star",
    "C # sharp #",
    "snake_case stays",
    "It costs $5 here and $6 there.",
    "line\nbreak\r\n\r\n# in it",
  ];
  /** These texts hold nothing that becomes markup here. */
  const QUIET = ["snake_case stays", "C # sharp #", "It costs $5 here and $6 there."];
  const BARS = ["a | b", "a \\| b", "`a | b`", "| --- |", "a \\\\| b `c \\| d` |"];

  const shownAs = (text: string): string =>
    Bun.escapeHTML(text.replace(/\s+/g, " ")).replace(/(?<!`)`([^`]+)`(?!`)/g, "<code>$1</code>");

  test.each(LIVE)("reads as it was written and becomes no markup: %j", (text) => {
    const page = html(reportMarkdown(plainReport([cited("a", text)], { question: text })));
    expect(page).toContain(`<li>${shownAs(text)}[1a]</li>`);
    expect(page).toContain(`${shownAs(text)}</h1>`);
    // Control: without escapes it becomes something else.
    const alive = html(`- ${text}[1]\n`);
    if (!QUIET.includes(text)) expect(alive).not.toContain(`<li>${shownAs(text)}[1a]</li>`);
  });

  test.each([...LIVE, ...BARS])("becomes no markup in a table: %j", (text) => {
    const blocks: Block[] = [{ kind: "table", caption: text, columns: [text], rows: [[text, ["a"]]] }];
    const page = html(reportMarkdown(plainReport([], { blocks, statements: statementsById([cited("a", text)]) })));
    const cell = text.includes("|") ? Bun.escapeHTML(text) : shownAs(text);
    expect(page).toContain(`<tr><td>${cell}</td><td>${cell}[1a]</td></tr>`);
    expect(page).toContain(`<th>${cell}</th>`);
  });

  test.each([...LIVE, ...BARS])("becomes no markup in an excerpt: %j", (text) => {
    const own = quote(`Begin.\n${text}\nThe end.`);
    const blocks: Block[] = [{ kind: "excerpt", statement: "a", marks: marksIn(own, ["The end."]) }];
    const statements = statementsById([quoted("a", own.text, { quotes: [own] })]);
    const page = html(reportMarkdown(plainReport([], { blocks, statements })));
    expect(page).toContain("<strong>The end.</strong></p>");
    const [, quotedHtml = ""] = page.match(/<blockquote>\n(.*?)<\/blockquote>/s) ?? [];
    expect(quotedHtml.replace(/<\/?(p|strong|code)>|<br \/>|\n/g, "")).not.toMatch(/<\/?\w/);
  });

  test("stays one entry as a title or origin of several lines, and equal titles differ by their origin", () => {
    const sources = [
      { number: 1, source_digest: HANDBOOK, title: "Read\n\n# me", origin: "docs/a\n- `x`/README.md" },
      { number: 2, source_digest: MEMO, title: "Read\n\n# me", origin: "docs/b/README.md" },
    ];
    const page = reportMarkdown(plainReport([quoted("a", "A.")], { sources }));
    const entries = page.slice(page.indexOf("## Sources")).trim().split("\n").slice(2);
    expect(entries.filter((line) => !line.startsWith("   - "))).toEqual([
      `1. Read \\# me. \`\` docs/a - \`x\`/README.md \`\`, \`${HANDBOOK}\``,
      `2. Read \\# me. \`docs/b/README.md\`, \`${MEMO}\``,
    ]);
  });

  test("a title that ends as a sentence does gets no full stop", () => {
    const titled = (title: string): string =>
      reportMarkdown(
        plainReport([], { sources: [{ number: 1, source_digest: HANDBOOK, title, origin: "docs/a.md" }] }),
      );
    expect(titled("Who is Wilber?")).toContain("\n1. Who is Wilber? `docs/a.md`");
    expect(titled("Neu …")).toContain("\n1. Neu … `docs/a.md`");
  });

  test.each([
    ["https://x.example/a b?<c>", "https://x.example/a%20b?%3Cc%3E"],
    ["http://x.example", "http://x.example/"],
    ["https://me:secret@x.example/", null],
    ["javascript:alert(1)", null],
    ["docs/a.md", null],
  ])("becomes a link only as the address of a web page: %s", (origin, address) => {
    const sources = [{ number: 1, source_digest: HANDBOOK, title: "Page", origin }];
    const page = html(reportMarkdown(plainReport([quoted("a", "A.")], { sources })));
    const links = [...page.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href ?? null);
    expect(links).toEqual(address === null ? [] : [address]);
  });

  test("keeps a number with a point in it", () => {
    expect(reportMarkdown(plainReport([cited("a", "6.000 Liter.")]))).toContain("- 6.000 Liter.[1a]");
  });

  test("makes no formula of two prices", () => {
    const page = reportMarkdown(plainReport([cited("a", "It costs $5 here and $6 there.")]));
    expect(page).toContain("- It costs \\$5 here and \\$6 there.[1a]");
  });

  test("makes no tag in a hostile report, and turns no line around", () => {
    const page = reportMarkdown(HOSTILE_REPORT);
    expect(html(page).match(/<(script|img|style|b|em|a)\b/g)).toEqual(["<em"]);
    expect(html(page)).toContain(
      "quote a. A mark such as [g1] leads to what was looked for and not found. ∴ marks what we conclude",
    );
    expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u2028]/);
  });
});

describe("what a page says of itself", () => {
  const suggestion: Statement = {
    statement_id: "o",
    text: "Keep them for 60 days.",
    basis: "suggested",
    quotes: [quote("Records are kept for 30 days.")],
    from: [],
  };

  test("a suggestion has its words, what it comes from, and a count of its own", () => {
    const page = reportMarkdown(plainReport([cited("a", "They stay for 30 days."), suggestion]));
    expect(page).toContain("- Keep them for 60 days.[our suggestion; from 1a]\n");
    expect(page).toContain("“our suggestion” marks advice that no source gives");
    expect(page).toContain("1 claim from 1 source: 1 in other words");
    expect(page).toContain(" And 1 suggestion of ours, which no source gives.");
    expect(page).not.toContain("2 claims");
  });

  test("sources that disagree have a mark of two sides, and are named under a heading", () => {
    const [kept, gone] = [quote("Kept for 30 days.", HANDBOOK), quote("Kept for 90 days.", MEMO)];
    const both = cited("a", "One says 30, the other 90 days.", { quotes: [kept, gone], against: 1 });
    const page = reportMarkdown(plainReport([both], { sources: TWO_SOURCES }));
    expect(page).toContain("- One says 30, the other 90 days.[1a against 2a]\n");
    expect(page).toContain(
      "## Where sources disagree\n\n- Handbook \\[1a\\] says “Kept for 30 days.” Against that, Memo \\[2a\\] says “Kept for 90 days.”\n",
    );
    expect(page.indexOf("## Where sources disagree")).toBeLessThan(page.indexOf("## How this report was made"));
  });

  test("assumptions are under the answer, and nowhere when there are none", () => {
    const assumptions = ["version 3 of the *handbook*.", "one site"];
    const page = reportMarkdown(plainReport([cited("a", "A.")], { assumptions }));
    expect(page).toContain("- A.[1a]\n\n**We assumed:** version 3 of the \\*handbook\\*; one site.\n");
    expect(reportMarkdown(plainReport([cited("a", "A.")]))).not.toContain("assumed");
  });
});

test("sources say their date and version, and the page that they are years apart", () => {
  const [first, second] = TWO_SOURCES;
  if (first === undefined || second === undefined) throw new Error("has two");
  const statements = [cited("a", "A.", { quotes: [quote("A."), quote("B.", MEMO)] })];
  const sources = [
    { ...first, dated: "2018-11-26", version: "2.1" },
    { ...second, dated: "2024-03" },
  ];
  const page = reportMarkdown(plainReport(statements, { sources }));
  expect(page).toContain("1. Handbook. `a.md`, 2018-11-26, version 2.1, `sha256:");
  expect(page).toContain("the oldest is of 2018-11-26, the newest of 2024-03.");
  const near = [sources[0], { ...second, dated: "2020-10-25" }] as typeof sources;
  expect(reportMarkdown(plainReport(statements, { sources: near }))).not.toContain("years apart");
});
