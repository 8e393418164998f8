// Tests of reading a page in Markdown with marks: each sentence has its marks, and no word is lost.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { faultsOf, readyToJudge, type Named } from "../../../../src/drivers/writing/page/faults.ts";
import { revised, type Change } from "../../../../src/drivers/writing/page/revision.ts";
import { readAnew, readPage } from "../../../../src/drivers/writing/page/read-page.ts";
import type { WrittenPage, WrittenStatement } from "../../../../src/drivers/writing/page/written-page.ts";
import type { Block } from "../../../../src/run/report/report.ts";
import { workedMs } from "../../../cpu-time.ts";

const TITLES = new Map([["c6", "The Handbook"]]);

function read(source: string): WrittenPage {
  return readPage(source, TITLES);
}

/** `c1 c2: The text.` for each statement. */
function lines(source: string): string[] {
  return [...read(source).statements.values()].map(linesOf);
}

function linesOf({ kind, citation_ids, from, gap_ids, expression, text }: WrittenStatement): string {
  const named = [...citation_ids, ...from, ...gap_ids].join(" ");
  if (kind === "suggested") return `ours ${named}: ${text}`;
  const how = kind === "derived" ? `${expression === undefined ? "from" : `= ${expression} from`} ${named}` : named;
  return `${how.trim()}: ${text}`;
}

describe("a mark", () => {
  test.each([
    ["It is so [c1]. It goes [c2].", ["c1: It is so.", "c2: It goes."]],
    ["It is so. [c1] It goes. [c2]", ["c1: It is so.", "c2: It goes."]],
    ["It is so.[c1] It goes.[c2]", ["c1: It is so.", "c2: It goes."]],
    ["It is so [c1] in most [c2] places.", ["c1 c2: It is so in most places."]],
    ["It is so. [c1] git does it. [c2] pg_dump too [c3].", ["c1: It is so.", "c2: git does it.", "c3: pg_dump too."]],
    ["It is so [c1]. git does it.", ["c1: It is so.", ": git does it."]],
    ["It is so. `git` does it. [c2]", [": It is so.", "c2: `git` does it."]],
    ["It is so [c1, c3; c4].", ["c1 c3 c4: It is so."]],
    ["It is so [c1][c3] [c4].", ["c1 c3 c4: It is so."]],
    ["It is so [c1-c3].", ["c1 c2 c3: It is so."]],
    ["It is so [^c1], and【c2】 (c3) [[c4]] [c5](#c5) [C6] \\[c7\\].", ["c1 c2 c3 c4 c5 c6 c7: It is so, and."]],
    ["It is so [see c1] [source: c2] [c3, p. 4].", ["c1 c2 c3: It is so."]],
    ["It is [so](c1).", ["c1: It is so."]],
    ["Take it [from c1, c2].", ["from c1 c2: Take it."]],
    ["Nehmen Sie es [aus c1].", ["from c1: Nehmen Sie es."]],
    ["It grew by 68 % [= (5.2 - 3.1) / 3.1; from c3].", ["= (5.2 - 3.1) / 3.1 from c3: It grew by 68 %."]],
    ["Not found [g1].", ["g1: Not found."]],
    ["**Bold [c1].** And *so* [c2].", ["c1: Bold.", "c2: And so."]],
    ["[c6] says so.", ["c6: “The Handbook” says so."]],
    ["It is so. [c6] Give it a name. [c1]", ["c6: It is so.", "c1: Give it a name."]],
    ["It is so [c1]. [c6] says so.", ["c1: It is so.", "c6: “The Handbook” says so."]],
    ["According to [c6], it is so.", ["c6: According to “The Handbook”, it is so."]],
    ["As [c6] puts it, it is so.", ["c6: As “The Handbook” puts it, it is so."]],
    ["See http://m.n/o?p=1 for it [c1].", ["c1: See http://m.n/o?p=1 for it."]],
    ["It is so [1]. It goes [2, 3].", ["c1: It is so.", "c2 c3: It goes."]],
    ["It is so [c1] (as in [1]).", ["c1: It is so (as in [1])."]],
    ["The array a[0], Amazon (S3), (C4) and [x] stay [c1].", ["c1: The array a[0], Amazon (S3), (C4) and [x] stay."]],
    ["Write `[c1]` behind it [c2].", ["c2: Write `[c1]` behind it."]],
    ["It is so.\n\n[c1]", ["c1: It is so."]],
    ["It is so.\n\n[from c1]", ["from c1: It is so."]],
    ["It is 3.\n\n[= 1 + 2; from c1]", ["= 1 + 2 from c1: It is 3."]],
    ["It is so [c1].\n\n[from c2]", ["from c1 c2: It is so."]],
    ["Take two [ours; from c1, s4].", ["ours c1 s4: Take two."]],
    ["Take two. [Ours: c1] It is so. [c2]", ["ours c1: Take two.", "c2: It is so."]],
    ["Take two [ours].", ["ours : Take two."]],
    ["Take two.\n\n[ours; from c1]", ["ours c1: Take two."]],
    ["It is so [c1+]. It goes [c2+, c3].", ["c1+: It is so.", "c2+ c3: It goes."]],
    ["It is so [c1+c2] and [c3 + c4].", ["c1 c2 c3 c4: It is so and."]],
    ["One says so, one not [c1 against c2].", ["c1 c2: One says so, one not."]],
    ["It is 3 [= 1 + 2; from c1].\n\n[c2]", ["= 1 + 2 from c1 c2: It is 3."]],
  ])("%s", (source, expected) => {
    expect(lines(source)).toEqual(expected);
  });

  test("in code is text", () => {
    expect(lines("It runs [c1].\n\n```sh\necho [c2]\n```\n[c3]")).toEqual(["c1: It runs.", "c3: echo [c2]"]);
  });

  test("in a heading is dropped with a note", () => {
    const { blocks, taken } = read("## Answer [c1]\n\nIt is so [c2].");
    expect(blocks[0]).toEqual({ kind: "heading", level: 2, text: "Answer", role: "answer" });
    expect(taken).toEqual([{ what: "a mark of a heading", text: "[c1]" }]);
  });
});

describe("no sentence ends", () => {
  test.each([
    "Am 3. Mai kam Dr. J. Keller, z. B. mit Version 1.2. an.",
    "It runs (see there. And there.) well.",
    'He said "It runs. It goes." often.',
    "See e.g. Fig. 3 of vol. 2, pp. 3 ff.",
    "It waits… Then it goes.",
    "It holds vs. It does not, i.e. Nothing.",
  ])("%s", (source) => {
    expect(lines(`${source} [c1]`)).toHaveLength(1);
  });

  test("control: sentences end at other places", () => {
    expect(lines("It runs. Then it goes? It does! So be it.")).toHaveLength(4);
  });
});

describe("a clause", () => {
  /** Each clause up to its end, and the ids of its marks. */
  const clauses = (source: string) =>
    [...read(source).statements.values()].map(({ text, clauses: own = [] }) =>
      own.map(({ end, citation_ids }) => `${text.slice(0, end)}| ${citation_ids.join(" ")}`),
    );

  test.each([
    ["It takes seconds [c1]; restoring takes hours [c3].", [["It takes seconds;| c1"]]],
    [
      "It is. It takes `a` [c1], then b [c2, c3], then c. [c4]",
      [[], ["It takes `a`,| c1", "It takes `a`, then b,| c2 c3"]],
    ],
    ["It is so [c1] in most [c2] places.", [["It is so| c1"]]],
    ["It costs 20 € [c2], and no limit was found [g1].", [["It costs 20 €,| c2"]]],
    ["A [c1], b [c2] and c [c1].", [["A,| c1", "A, b| c2", "A, b and c.| c1"]]],
    ["According to [c6], it is so [c1].", [["According to “The Handbook”,| c6"]]],
  ])("ends where its marks stand: %s", (source, ends) => {
    expect(clauses(source)).toEqual(ends);
  });

  test.each([
    "It is so [c1].",
    "It is so [c1] in most places.",
    "It is so [c1][c2].",
    "It takes a [c1], so take it [from c1, c2].",
    "A says so [c1], B does not [c1 against c2].",
    "Set it [c1] to 5 [ours; from c2].",
    "[c1] It is so. [c2]",
    "| a | b |\n|-|-|\n| one | x [c1], y [c2] |",
  ])("is not told apart where the marks belong to the whole: %s", (source) => {
    expect(clauses(source).flat()).toEqual([]);
  });
});

describe("blocks", () => {
  test("leads, lists, code, excerpts and headings stand in order", () => {
    const { title, blocks } = read(
      "# Title\n\n### Answer\n\n**Costs:** It costs [c1].\n\n#### More\n\n1. **One**: it is [c1]\n   - two [c2]\n\n> [c3]\n\n```\nx\n```\n",
    );
    expect(title).toBe("Title");
    expect(blocks).toEqual([
      { kind: "heading", level: 2, text: "Answer", role: "answer" },
      { kind: "paragraph", lead: "Costs", statements: ["s1"] },
      { kind: "heading", level: 3, text: "More" },
      { kind: "list", ordered: true, items: [{ lead: "One", statements: ["s2"] }] },
      { kind: "list", ordered: false, items: [{ statements: ["s3"] }] },
      { kind: "excerpt", statement: "s4", marks: [] },
      { kind: "code", text: "x", statement: "s5" },
    ]);
  });

  test("boxes of items and the language of a fence are kept, also where a sentence or the code is written again", () => {
    const page = read(
      "- [ ] **Then:** it is [c1]\n- [x] two [c2]\n- [ ] [c3]\n- three [c4]\n\n1. [x] one [c1]\n\n   more [c2]\n\n```sh -x\nmake\n```\n\n~~~{.py}\nx\n~~~\n",
    );
    expect(page.blocks).toEqual([
      {
        kind: "list",
        ordered: false,
        items: [
          { lead: "Then", statements: ["s1"], checked: false },
          { statements: ["s2"], checked: true },
          { statements: ["s3"] },
        ],
      },
      {
        kind: "list",
        ordered: true,
        items: [{ statements: ["s4"], checked: true }, { statements: ["s5"] }],
      },
      { kind: "code", text: "make", statement: "s6", language: "sh" },
      { kind: "code", text: "x", statement: "s7" },
    ]);
    const changes = [
      { statement_id: "s2", text: "It is two. [c2]" },
      { statement_id: "s6", text: "```sh\nmake all\n```" },
    ];
    const { blocks } = revised(page, changes, TITLES).page;
    expect(blocks[0]).toEqual(page.blocks[0] as Block);
    expect(blocks[2]).toEqual({ kind: "code", text: "make all", statement: "s6", language: "sh" });
  });

  test("a title with text right below it is the heading of the answer", () => {
    const { title, blocks } = read("# Antwort\n\nEs ist so [c1].\n\n## Warum\n\nDarum [c2].");
    expect(title).toBeUndefined();
    expect(blocks[0]).toEqual({ kind: "heading", level: 2, text: "Antwort", role: "answer" });
  });

  test("a page that begins without a heading gets none", () => {
    const { blocks } = read("Es ist so [c1].\n\n## Kosten\n\nEs kostet 20 € [c2].");
    expect(blocks.map((block) => (block.kind === "heading" ? [block.text, block.role] : block.kind))).toEqual([
      "paragraph",
      ["Kosten", undefined],
      "paragraph",
    ]);
  });

  test("a section has one heading of level 2, its own or that of the outline", () => {
    const headings = (source: string) =>
      readPage(source, TITLES, { section: "Kosten" }).blocks.flatMap((block) =>
        block.kind === "heading" ? [`${block.level} ${block.text} ${block.role ?? "-"}`] : [],
      );
    expect(headings("It is so [c1].")).toEqual(["2 Kosten -"]);
    expect(headings("# Preis\n\nIt is so [c1].")).toEqual(["2 Preis -"]);
    expect(headings("# Preis\n\n## Preis\n\nIt is so [c1].")).toEqual(["2 Preis -"]);
    expect(headings("### Preis\n\nIt is [c1].\n\n## Rabatt\n\nIt is not [c2].")).toEqual(["2 Preis -", "3 Rabatt -"]);
  });

  test("a column of sources, or one mark at the edge of a row, serves the row", () => {
    const column = read("| a | b | |\n|-|-|-|\n| one | x | [c1] |\n| two | – | [c2] |\n");
    expect(column.blocks.at(-1)).toEqual({
      kind: "table",
      columns: ["a", "b"],
      rows: [
        ["one", ["s1"]],
        ["two", "–"],
      ],
    });
    expect([...column.statements.values()].map(linesOf)).toEqual(["c1: x"]);
    expect(lines("| a | b | c |\n|-|-|-|\n| one | x | y [c1] |\n| two [c2] | x | y |\n")).toEqual([
      "c1: x",
      "c1: y",
      "c2: two",
      "c2: x",
      "c2: y",
    ]);
    expect(lines("| a | b | c |\n|-|-|-|\n| one | x [c1] | y |\n")).toEqual(["c1: x", ": y"]);
  });

  test("thinking, chatter and lists of sources around a page are taken off and noted", () => {
    const wrapped = [
      "<think>\nI say [c9].\n</think>",
      "Here it is:\n\n```markdown",
      "## Answer\n\nIt is so [c1].\n\n[c1]: http://a.b\n\n## Sources\n\n1. [c1] A manual",
      "```\n\nEnjoy!",
    ].join("\n\n");
    const { statements, taken, blocks } = read(wrapped);
    expect([...statements.values()].map(linesOf)).toEqual(["c1: It is so."]);
    expect(blocks).toHaveLength(2);
    expect(taken.map(({ what }) => what)).toEqual([
      "thinking",
      "chatter",
      "chatter",
      "a definition of a mark",
      "a list of sources",
    ]);
    expect(lines(JSON.stringify({ page: "It is so [c1]." }))).toEqual(["c1: It is so."]);
    expect(lines("A fence stays:\n\n```md\nx [c1]\n```\n\nIt is so [c2].")).toHaveLength(3);
  });
});

describe("pages that were written before the reader", () => {
  const expected: Record<string, [statements: number, unmarked: number, faults: string[]]> = {
    standby: [17, 0, []],
    antwort: [10, 0, []],
    rerere: [13, 1, []],
    compare: [13, 0, []],
    plain: [11, 2, []],
  };
  const ids = (letter: string, count: number): string[] =>
    Array.from({ length: count }, (_, at) => `${letter}${at + 1}`);

  test.each(Object.entries(expected))("%s", (name, [count, unmarked, faults]) => {
    const source = readFileSync(join(import.meta.dir, "pages", `${name}.md`), "utf8");
    const page = read(source);
    const statements = [...page.statements.values()];
    expect(statements).toHaveLength(count);
    expect(statements.filter(({ kind }) => kind === "unmarked")).toHaveLength(unmarked);
    // Its numbers are said to be those of the quotes: they are about nothing.
    const numbers = source.match(/\d[\d,.]*(?: million)?/g)?.join(" ") ?? "";
    const named: Named = {
      question: "Does it fit within five minutes, for bursts of 2,000 requests?",
      citations: new Map(ids("c", 8).map((id) => [id, `${numbers} sixty 6000, 1.2 million`])),
      underHeadings: new Map(ids("c", 8).map((id) => [id, `${numbers} sixty 6000, 1.2 million`])),
      gaps: new Map(ids("g", 2).map((id) => [id, "the time"])),
      origins: [],
    };
    readyToJudge(page, named);
    expect(faultsOf(page, named).map(({ id, text }) => `${id} ${text}`)).toEqual(faults);
    expect(lostWords(source, page)).toEqual([]);
  });
});

describe("faults", () => {
  const named: Named = {
    question: "Is it done within 5 minutes?",
    citations: new Map([
      ["c1", "It took 3.1 s, then 5.2 s."],
      ["c2", "It is a lock. It holds 1,234 entries."],
    ]),
    underHeadings: new Map([
      ["c1", "Notes of 2024\n0.8.2\nIt took 3.1 s, then 5.2 s."],
      ["c2", "It is a lock. It holds 1,234 entries."],
    ]),
    gaps: new Map([["g1", "the time"]]),
    origins: ["https://docs.heron.example/locks?all", "notes/kestrel.md"],
  };
  function faults(source: string): string[] {
    const page = readAnew(source, TITLES);
    readyToJudge(page, named);
    return faultsOf(page, named).map(({ id, text }) => `${id} ${text}`);
  }

  test("do not count numbers of the title or the headings of a quote", () => {
    expect(faults("Since 0.8.2, of 2024, it took 5.2 s [c1]. Since 0.8.2 it is a lock [c2].")).toEqual([
      "s2 asserts 0.8.2, which stands neither in c2 nor in the question",
    ]);
  });

  test("come all at once, each with advice", () => {
    expect(
      faults(
        [
          "It took 80 s [c1]. It is so [c99]. It follows [from s7]. It was not found [g4]. Take 70 of them.",
          "| a | b | c |\n|-|-|-|\n| one | x [c1] | y |",
          "## After 90 s\n\nIt is a lock [c2].",
          "> It is a key. [c2]",
        ].join("\n\n"),
      ),
    ).toEqual([
      "s1 asserts 80, which stands neither in c1 nor in the question",
      "s2 names c99, which is no quote that you were given (c1 to c2)",
      "s3 names s7, which is no statement that you were shown: name citations",
      "s4 names g4, which is no gap that was noted (there is g1 alone)",
      "s5 asserts 70, which stands in no quote that it names: cite, derive or drop it",
      "s7 is a cell without a mark (row “one”, column “c”): cite or derive it, or write –",
      "s9 shows words that are not in c2: write the mark alone, > [c1]",
      "h5 asserts 90, which stands nowhere below it",
    ]);
  });

  test.each([
    ["It is a lock, see https://made.example.net/locks [c2].", "https://made.example.net/locks"],
    ["It is a lock, as www.made.example says [c2].", "www.made.example"],
    ["It is a lock ([the manual](https://made.example.net/locks)) [c2].", "https://made.example.net/locks"],
    ['It is <a href="https://made.example.net">a lock</a> [c2].', "https://made.example.net"],
    ["It is a lock (doi:10.1234/lock.5) [c2].", "10.1234/lock.5"],
    ["It is a lock (arXiv:2105.01234v2) [c2].", "2105.01234v2"],
    ["It is a lock, write to jo@locks.example [c2].", "jo@locks.example"],
    ["It is a lock, see docs.heron.example.org/keys [c2].", "docs.heron.example.org/keys"],
    ["| a | b |\n|-|-|\n| one | [a lock](https://made.example.net) [c2] |", "https://made.example.net"],
    ["`curl https://made.example.net` makes a lock [c2].", "https://made.example.net"],
  ])("have addresses that stand nowhere: %s", (source, address) => {
    const where = "in no quote that it names, in no address of a source and not in the question";
    expect(faults(source)).toContain(`s1 names ${address}, which stands ${where}: drop it`);
  });

  test("control: addresses of sources, links inside of documents and pictures are none", () => {
    const page =
      "It is [a lock](https://docs.heron.example/locks?all#lock) [c2]. So says <https://docs.heron.example/>.";
    expect(faults(page.replace("#lock", ""))).toEqual([]);
    expect(faults(page)).toHaveLength(1);
    expect(
      faults("It is [a lock](../locks.md#a) [c2]. It holds e.g./i.e. src/locks.ts and TCP/IP of Node.js."),
    ).toEqual([]);
    expect(lines("It is so ![made up](https://made.example.net/a.png) [c2].")).toEqual(["c2: It is so."]);
  });

  test("have a sentence that stands twice, but for one that others follow from", () => {
    const said = "It is a lock that holds. [c2]";
    expect(faults(`${said} It is so. [c1]\n\n## More\n\n- *It is a lock*, that holds! [c1]`)).toEqual([]);
    expect(faults(`${said} It is so. [c1]\n\n## More\n\n- It is a **lock** that holds [c1]`)).toEqual([
      "s3 says word for word what s1 says: leave one of them out",
    ]);
    const page = readAnew(`${said} ${said} Take it. [from c2]`, TITLES);
    expect(faultsOf(page, named)).toHaveLength(1);
    page.statements.get("s3")?.from.push("s2");
    expect(faultsOf(page, named)).toEqual([]);
    expect(faults("No. [c1] No. [c2]\n\n| a |\n|-|\n| It is a lock. [c2] |\n| It is a lock. [c2] |")).toEqual([]);
  });

  describe("of code that is shown as lines of a source", () => {
    const quotes = new Map([
      [
        "c1",
        "backend pool\n    balance leastconn\n    option httpchk\n    server s1 10.0.0.1:80 check minconn 50 maxconn 500",
      ],
      ["c2", "Run `lock --detail` to see the locks."],
    ]);
    const codeOf = (code: string, mark = "[c1]") => {
      const page = readAnew(`So it stands there ${mark}:\n\n\`\`\`\n${code}\n\`\`\`\n${mark}`, TITLES);
      const known = {
        question: "5 10 50 500 80 0 1 7",
        citations: quotes,
        underHeadings: quotes,
        gaps: new Map(),
        origins: [],
      };
      readyToJudge(page, known);
      const block = page.blocks.find(({ kind }) => kind === "code");
      const told = faultsOf(page, known).filter(({ id }) => id === "s2");
      return {
        faults: told.map(({ text }) => text.slice(0, text.indexOf(","))),
        shown: block?.kind === "code" ? block.text : "",
      };
    };

    test.each([
      ["a value that is another", "backend pool\n  balance roundrobin", "balance roundrobin"],
      [
        "the middle of a line left out",
        "server s1 10.0.0.1:80 check maxconn 500",
        "server s1 10.0.0.1:80 check maxconn 500",
      ],
      ["the end of a line left out", "balance leastconn\nserver s1 10.0.0.1:80 check", "server s1 10.0.0.1:80 check"],
      ["a line more", "balance leastconn\noption redispatch 7", "option redispatch 7"],
    ])("are lines that do not stand so: %s", (_how, code, line) => {
      expect(codeOf(code).faults).toEqual([`shows the line “${line}”`]);
    });

    test("lines left out are marked, once", () => {
      const { faults, shown } = codeOf(
        "backend pool\n  balance leastconn\n  server s1 10.0.0.1:80 check minconn 50 maxconn 500",
      );
      const marked = "backend pool\n  balance leastconn\n  …\n  server s1 10.0.0.1:80 check minconn 50 maxconn 500";
      expect([faults, shown]).toEqual([[], marked]);
      expect(codeOf(marked)).toEqual({ faults: [], shown: marked });
    });

    test("control: whole lines, code of its writer's own and commands out of prose are none", () => {
      expect(codeOf("backend pool\n\n  balance   leastconn").faults).toEqual([]);
      expect(codeOf("server s1 10.0.0.1:80 check maxconn 500", "[from c1]").faults).toEqual([]);
      expect(codeOf("lock --detail", "[c2]").faults).toEqual([]);
      expect(codeOf("other --words here", "[c1]").faults).toEqual([]);
    });
  });

  test("check computed numbers", () => {
    const sum = (shown: string, expression: string): string[] =>
      faults(`It is ${shown} [= ${expression}; from c1, c2].`);
    expect(sum("68 % slower", "(5.2 - 3.1) / 3.1")).toEqual([]);
    expect(sum("about 70 % slower", "(5.2 - 3.1) / 3.1")).toEqual([]);
    expect(sum("617 of them", "1,234 / 2")).toEqual([
      "s1 computes with 2, which is in nothing that it names, nor in the question",
    ]);
    expect(sum("6170 of them", "1,234 * 5")).toEqual([]);
    expect(sum("80 % slower", "(5.2 - 3.1) / 3.1")).toEqual([
      "s1 asserts 80, which stands neither in what it names nor for (5.2 - 3.1) / 3.1 = 0.677419",
    ]);
    expect(sum("68 % slower", "(5.2 - 3.1) /")).toContain(
      "s1 computes (5.2 - 3.1) /, which is no expression of numbers, + - * / and brackets",
    );
  });

  test("have the whole page when it is empty, without marks or too long", () => {
    expect(faults("")).toEqual(["page holds nothing: write the report"]);
    expect(faults("It is so. It goes.")).toEqual([
      "page names no quote anywhere: put a mark such as [c1] behind each sentence",
    ]);
    expect(faults("It is so [c1]. ".repeat(2_000))[0]).toContain("sentences, at most 1000: write less");
  });

  test("control: are none for a correct page", () => {
    expect(
      faults("It took 3.1 s, less than your five minutes [c1]. Two of them are named [c1, c2]. It seems so."),
    ).toEqual([]);
  });
});

describe("single statements written again", () => {
  const page = read(
    "## Answer\n\n**Lead:** One [c1]. Two [c2].\n\n| a | b |\n|-|-|\n| x | y [c1] |\n\n## Rest 7\n\nThree [c3].",
  );

  test("stay in their places, may become several, and are left out when empty", () => {
    const { page: after, unknown } = revised(
      page,
      [
        { statement_id: "s1", text: "First [c4]. Second [c5]." },
        { statement_id: "s3", text: "z [c2]" },
        { statement_id: "s4", text: "" },
        { statement_id: "h2", text: "Label" },
        { statement_id: "s77", text: "x" },
      ],
      TITLES,
    );
    expect(unknown).toEqual(["s77"]);
    expect([...after.statements.values()].map((one) => `${one.statement_id} ${linesOf(one)}`)).toEqual([
      "s1 c4: First.",
      "s2 c2: Two.",
      "s3 c2: z",
      "s5 c5: Second.",
    ]);
    expect(after.blocks).toEqual([
      { kind: "heading", level: 2, text: "Answer", role: "answer" },
      { kind: "paragraph", lead: "Label", statements: ["s1", "s5", "s2"] },
      { kind: "table", columns: ["a", "b"], rows: [["x", ["s3"]]] },
    ]);
  });
});

describe("a section written again", () => {
  const page = read("## Answer\n\nSo it is [from s2, s3].\n\n## Rest\n\nOne [c1]. Two [c2].");
  const ofSection = (text: string, more: Change[] = []): WrittenPage =>
    revised(page, [{ statement_id: "h2", text: `## Rest\n\n${text}` }, ...more], TITLES).page;

  test("keeps the ids of the sentences in the same words, so that what follows from them still does", () => {
    const again = { statement_id: "s1", text: "So it is, always. [from s2, s3]" };
    const after = ofSection("Zero [c3]. One [c1]. Two [c2].", [again]);
    expect([...after.statements.values()].map(linesOf)).toEqual([
      "from s2 s3: So it is, always.",
      "c3: Zero.",
      "c1: One.",
      "c2: Two.",
    ]);
    expect(after.statements.get("s1")).not.toHaveProperty("unlinked");
  });

  test("control: a sentence in other words lends its citations", () => {
    const again = { statement_id: "s1", text: "So it is, always. [from s2, s3]" };
    const after = ofSection("First [c1]. Two [c2].", [again]);
    expect(after.statements.get("s1")).toMatchObject({ from: ["s3"], citation_ids: ["c1"] });
  });
});

describe("what is added behind a statement", () => {
  const page = read(
    "## Answer\n\nOne [c1]. Two [c2].\n\n- Three [c3].\n- Four [c4].\n\n| a | b |\n|-|-|\n| x | y [c1] |\n| z | w [c2] |",
  );
  const blocksAfter = (...changes: Change[]): WrittenPage["blocks"] =>
    revised(page, changes, TITLES).page.blocks.slice(1);
  const [paragraph, list, table] = page.blocks.slice(1);

  test("stands in its paragraph, in the order of what is added", () => {
    const changes = [
      { after: "s1", text: "New [c3]." },
      { after: "s1", text: "Newer [from s1]." },
    ];
    const after = revised(page, changes, TITLES).page;
    expect(after.blocks[1]).toEqual({ kind: "paragraph", statements: ["s1", "s8", "s7", "s2"] });
    expect(["s8", "s7"].map((id) => linesOf(after.statements.get(id) as WrittenStatement))).toEqual([
      "c3: New.",
      "from s1: Newer.",
    ]);
    expect(after.blocks.slice(2)).toEqual([list, table] as WrittenPage["blocks"]);
  });

  test("is an item of its list, or a row of its table with its places", () => {
    expect(blocksAfter({ after: "s3", text: "- New [c1]." })).toMatchObject([
      paragraph,
      { items: [{ statements: ["s3"] }, { statements: ["s7"] }, { statements: ["s4"] }] },
      table,
    ] as object[]);
    const { page: after } = revised(page, [{ after: "s5", text: "| new | 7 [c3] | too many |" }], TITLES);
    expect(after.blocks.at(-1)).toMatchObject({
      rows: [
        ["x", ["s5"]],
        ["new", ["s7"]],
        ["z", ["s6"]],
      ],
    });
    expect(after.statements.get("s7")?.place).toEqual({ kind: "cell", row: "new", column: "b" });
  });

  test("stands behind a block of another form, and behind nothing where there is no such statement", () => {
    expect(blocksAfter({ after: "s5", text: "New [c3]." })).toEqual([
      paragraph,
      list,
      table,
      { kind: "paragraph", statements: ["s7"] },
    ] as WrittenPage["blocks"]);
    expect(revised(page, [{ after: "s77", text: "New [c3]." }], TITLES)).toMatchObject({ page, unknown: ["s77"] });
  });
});

test("a label that is changed beside a section above it keeps its number", () => {
  const page = read("## One\n\nA [c1].\n\n## Two\n\nB [c2].\n\n## Three\n\nC [c3].");
  const changes = [
    { statement_id: "h1", text: "## First\n\nA [c1].\n\n### Within\n\nD [c1]." },
    { statement_id: "h3", text: "Third" },
  ];
  const { blocks } = revised(page, changes, TITLES).page;
  expect(blocks.flatMap((block) => (block.kind === "heading" ? [block.text] : []))).toEqual([
    "First",
    "Within",
    "Two",
    "Third",
  ]);
});

test("a page of another driver, whose statements have other ids, gets numbered sentences", () => {
  const page = read("## Answer\n\nOne [c1].");
  const [statement] = [...page.statements.values()];
  if (statement === undefined) throw new Error("the page has a statement");
  const id = "overview-q1";
  const foreign: WrittenPage = {
    ...page,
    statements: new Map([[id, { ...statement, statement_id: id }]]),
    blocks: [{ kind: "paragraph", statements: [id] }],
  };
  const changes = [{ statement_id: id, text: "First [c1]. Second [c2]." }];
  expect([...revised(foreign, changes, TITLES).page.statements.keys()]).toEqual([id, "s1"]);
});

test("a new page names the statements of the one that was shown last, or what they cited", () => {
  const shown = read("One [c1]. Two [c2].").statements;
  const { statements } = readAnew("Zero [c3]. One [c1]. So it is [from s1, s2].", TITLES, shown);
  expect(statements.get("s3")).toMatchObject({ kind: "derived", from: ["s2"], citation_ids: ["c2"] });
});

// --- no word is lost ----------------------------------------------------------------------------------------------

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Words of the source that stand neither on the page nor among what was taken off it. */
function lostWords(source: string, page: WrittenPage): string[] {
  const kept = [
    page.title ?? "",
    ...[...page.statements.values()].map(linesOf),
    ...page.blocks.flatMap((block) => {
      if (block.kind === "heading") return [block.text];
      if (block.kind === "table")
        return [...block.columns, ...block.rows.flat().filter((cell) => typeof cell === "string")];
      return block.kind === "list"
        ? block.items.map(({ lead = "" }) => lead)
        : block.kind === "paragraph"
          ? [block.lead ?? ""]
          : [];
    }),
    ...page.taken.map(({ text }) => text),
  ];
  const counts = new Map<string, number>();
  for (const word of kept.flatMap(wordsOf)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return wordsOf(source.replace(/\b(?:from|aus|see) (?=[csg]\d)/g, "").replace(/```\w+/g, "")).filter((word) => {
    const left = counts.get(word) ?? 0;
    counts.set(word, left - 1);
    // A mark that is said twice of one sentence counts once.
    return left <= 0 && !/^[csg]\d+$/.test(word) && !/^\d{1,2}$/.test(word);
  });
}

test("no word of any page is lost", () => {
  const mark = fc.constantFrom("[c1]", "[c2, c3]", "[from c1]", "[^c2]", "【c3】", "(c1)", "[g1]", "[[c4]]", "");
  const word = fc.constantFrom(
    "Alpha",
    "beta",
    "gamma.",
    "Delta!",
    "*eps*",
    "**Zeta:**",
    "`eta`",
    "e.g.",
    "Dr.",
    "(theta",
    "iota)",
    '"kappa"',
    "a_b",
    "<br>",
    "x<y",
    "3.",
    "7%",
    "[lam]",
    "http://m.n/o",
    "&amp;",
    "—",
  );
  const sentence = fc.array(fc.oneof(word, mark), { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));
  const block = fc.oneof(
    sentence,
    sentence.map((text) => `## ${text}`),
    sentence.map((text) => `> ${text}`),
    fc.array(sentence, { minLength: 1, maxLength: 3 }).map((items) => items.map((item) => `- ${item}`).join("\n")),
    fc
      .array(sentence, { minLength: 1, maxLength: 3 })
      .map((items) => items.map((item, at) => `${at + 1}. ${item}\n   - ${item}`).join("\n")),
    fc
      .array(sentence, { minLength: 2, maxLength: 3 })
      .map((cells) => `| ${cells.join(" | ")} |\n|${cells.map(() => "-|").join("")}\n| ${cells.join(" | ")} |`),
    sentence.map((text) => `\`\`\`\n${text}\n\`\`\``),
  );
  const source = fc.array(block, { minLength: 1, maxLength: 6 }).map((blocks) => blocks.join("\n\n"));
  fc.assert(
    fc.property(source, (text) => {
      const lost = lostWords(text.replace(/<br>|&amp;/g, ""), read(text));
      if (lost.length > 0) throw new Error(`lost: ${lost.join(" ")}`);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["sentences", "It is so [c1]. "],
  ["brackets", "["],
  ["stars", "*"],
  ["quotations", "> "],
  ["bullets", "- "],
  ["cells", "| a "],
  ["tags", "<a "],
  ["mixed emphasis", "a_b*"],
  ["ticks", "`a "],
  ["headings", "# a\n"],
  ["open brackets of marks", "[c1, "],
  ["quotes", 'a "b. C '],
  ["links", "[a](b "],
  ["comments", "<!--x "],
  ["thinking", "<think>"],
  ["headings with blanks", `# a${" ".repeat(5_000)}b\n`],
  ["lists of sources", "**Sources**\n"],
])("200 KB of %s are read fast", (_, piece) => {
  const source = `${piece.repeat(Math.floor(199_900 / piece.length))}the end`;
  const before = process.cpuUsage();
  const page = read(source);
  const quotes = new Map([["c1", "x"]]);
  faultsOf(page, { question: "", citations: quotes, underHeadings: quotes, gaps: new Map(), origins: [] });
  expect(workedMs(before)).toBeLessThan(5_000);
});
