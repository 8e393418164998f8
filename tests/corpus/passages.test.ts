// Texts are cut into blocks, passages and titles.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { blocksOf, type BlockKind } from "../../src/corpus/blocks/blocks.ts";
import type { Format } from "../../src/corpus/formats/formats.ts";
import { nameOfDocument } from "../../src/corpus/blocks/headings.ts";
import { headingText } from "../../src/kernel/heading-text.ts";
import { MAX_PASSAGE_LENGTH } from "../../src/corpus/blocks/entries.ts";
import { passagesOf } from "../../src/corpus/blocks/passages.ts";

const MARKDOWN = [
  "---",
  "title: x",
  "---",
  "# One",
  "[![badge](a)](b)",
  "",
  "A paragraph",
  "over two lines.",
  "",
  "Under",
  "-----",
  "- item one",
  "  goes on",
  "- item two",
  "",
  "  second paragraph of item two",
  "",
  "```js",
  "# not a heading",
  "",
  "code();",
  "```",
  "| a | b |",
  "|---|---|",
  "",
  "    indented code",
  "",
  "> quoted",
  "[ref]: http://example.org",
  "<p align=center>",
  "markup",
  "</p>",
  "",
  "<!-- a comment",
  "",
  "# still a comment -->",
  "## Two ##",
].join("\n");

function kindsOf(text: string, format: Format): [BlockKind, string][] {
  return [...blocksOf(text, format)].map((block) => [block.kind, text.slice(block.start, block.end)]);
}

describe("blocks", () => {
  test("of Markdown", () => {
    expect(kindsOf(MARKDOWN, "markdown")).toEqual([
      ["data", "---"],
      ["heading", "x"],
      ["data", "---"],
      ["heading", "# One"],
      ["paragraph", "[![badge](a)](b)"],
      ["paragraph", "A paragraph\nover two lines."],
      ["heading", "Under\n-----"],
      ["list_item", "- item one\n  goes on"],
      ["list_item", "- item two"],
      ["paragraph", "second paragraph of item two"],
      ["code", "```js\n# not a heading\n\ncode();\n```"],
      ["table", "| a | b |\n|---|---|"],
      ["code", "indented code"],
      ["quotation", "> quoted"],
      ["links", "[ref]: http://example.org"],
      ["markup", "<p align=center>\nmarkup\n</p>"],
      ["markup", "<!-- a comment\n\n# still a comment -->"],
      ["heading", "## Two ##"],
    ]);
  });

  test("a placeholder in angle brackets is text, an element of HTML or of a component is markup", () => {
    expect(kindsOf("<lease>\n: The right to write.\n\n<lease> is the lease to take.", "markdown")).toEqual([
      ["term", "<lease>"],
      ["definition", "The right to write."],
      ["paragraph", "<lease> is the lease to take."],
    ]);
    for (const line of ["<div class=a>", "</p>", "<br/>", "<Tabs>", "<my-tab>", "<IMG src=a>"])
      expect(kindsOf(line, "markdown")).toEqual([["markup", line]]);
  });

  test("a line of inline code in three backticks opens no fence", () => {
    expect(kindsOf("```p => h1```\n\nText.\n\n```js\na`b`;\n```\n\n~~~ `a`\nb\n~~~", "markdown")).toEqual([
      ["paragraph", "```p => h1```"],
      ["paragraph", "Text."],
      ["code", "```js\na`b`;\n```"],
      ["code", "~~~ `a`\nb\n~~~"],
    ]);
  });

  test("of code are comments or statements", () => {
    expect(kindsOf("// Says hello.\nhello();\n\n# other\n#include <x>", "code").map(([kind]) => kind)).toEqual([
      "comment",
      "code",
      "comment",
      "code",
    ]);
  });

  test("of plain text begin with a title if the first line is alone and is no sentence", () => {
    const firstOf = (line: string) => kindsOf(`${line}\n\nMore text.`, "plain")[0];
    expect(firstOf("How leases work")).toEqual(["heading", "How leases work"]);
    expect(firstOf("What is a lease?")).toEqual(["heading", "What is a lease?"]);
    for (const sentence of ["A lease expires after a minute.", "He said: “A lease expires.”", "鍵は一分で切れる。"])
      expect(firstOf(sentence)).toEqual(["paragraph", sentence]);
  });
});

test("commands and comments of TeX are no titles, and marks of AsciiDoc are none in TeX", () => {
  const headings = (text: string): string[] =>
    kindsOf(text, "plain").flatMap(([kind, words]) => (kind === "heading" ? [words] : []));
  for (const line of [
    "\\usepackage{memsty}",
    "%%%%% end original memman",
    "% the manual",
    "\\documentclass[11pt]{book}",
  ]) {
    expect([line, headings(`${line}\n\nMore text.`)]).toEqual([line, []]);
    expect([line, headings(`Prose.\n\n${line}\n%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\n\nMore.`)]).toEqual([line, []]);
    expect([line, headings(`Prose.\n\n${line}\n--------\n\nMore.`)]).toEqual([line, []]);
  }
  const listing = "=== list of tables > l par mid\n\nMore text.";
  expect(headings(`\\section{Lists}\n\n${listing}`)).toEqual([]);
  expect(headings(`Prose on \\section{Lists}.\n\n${listing}`)).toEqual(["=== list of tables > l par mid"]);
  expect(headings("100 % of it\n===========\n\nMore.")).toEqual(["100 % of it\n==========="]);
});

test("titles of reST have lines of any sign below and above, and directives are no paragraphs", () => {
  const text = `.. _bees:

******
Bees
******

.. toctree::
   :maxdepth: 2

Bees fly.

.. note:: They sting when
   disturbed.

Towns
^^^^^
Too short
***
`;
  expect(kindsOf(text, "plain")).toEqual([
    ["markup", ".. _bees:"],
    ["heading", "Bees\n******"],
    ["markup", ".. toctree::\n   :maxdepth: 2"],
    ["paragraph", "Bees fly."],
    ["paragraph", ".. note:: They sting when\n   disturbed."],
    ["heading", "Towns\n^^^^^"],
    ["paragraph", "Too short\n***"],
  ]);
  expect(headingText(":mod:`os` --- Bees\n*****")).toBe("os --- Bees");
});

test("titles of AsciiDoc have as many signs as their depth, and a command between lines is no title", () => {
  const text = `= Bees =

[preface]
== Where they live

They live in towns; to see them all:

-----------------------
$ ls bees
-----------------------

This lists them.

= 3 + 4
`;
  expect([...blocksOf(text, "plain")].map(({ kind, level }) => [kind, level])).toEqual([
    ["heading", 1],
    ["paragraph", 0],
    ["heading", 2],
    ["paragraph", 0],
    ["paragraph", 0],
    ["paragraph", 0],
    ["paragraph", 0],
  ]);
  expect(kindsOf(text, "plain").map(([, block]) => headingText(block))).toEqual([
    "Bees",
    "[preface]",
    "Where they live",
    "They live in towns; to see them all:",
    "$ ls bees",
    "This lists them.",
    "= 3 + 4",
  ]);
});

describe("passages", () => {
  test("have the headings above them, and a heading with nothing below is a passage", () => {
    const text = "# A\n\none\n\n## B\n\n### C\n\ntwo\n\n## D\n\n# E\n";
    const passages = [...passagesOf(text, "markdown")].map(({ start, end, headings }) => [
      text.slice(start, end),
      headings,
    ]);
    expect(passages).toEqual([
      ["one", ["A"]],
      ["two", ["A", "B", "C"]],
      ["## D", ["A", "D"]],
      ["# E", ["E"]],
    ]);
  });

  test("of a page with front matter are below its title", () => {
    const titled = (line: string): string[] => {
      const text = `---\nid: a\n${line}\n---\n\n## Use\n\nIt turns.\n`;
      const last = [...passagesOf(text, "markdown")].at(-1);
      return [...(last?.headings ?? []), text.slice(last?.start, last?.end)];
    };
    expect(titled("title: The mill")).toEqual(["The mill", "Use", "It turns."]);
    expect(titled(`title: "The mill: 'old'"`)).toEqual(["The mill: 'old'", "Use", "It turns."]);
    expect(titled("title:   'The mill'  ")).toEqual(["The mill", "Use", "It turns."]);
    expect(titled("title: .millrc")).toEqual([".millrc", "Use", "It turns."]);
    expect(titled(`title: "@mills/wind"`)).toEqual(["@mills/wind", "Use", "It turns."]);
    expect(titled("title: --turn (old)")).toEqual(["--turn (old)", "Use", "It turns."]);
    for (const other of [
      "title: >",
      "title: >- x",
      "title:",
      `title: ""`,
      "title: *mill",
      "subtitle: The mill",
      "titles: x",
    ])
      expect(titled(other)).toEqual(["Use", "It turns."]);
  });

  test("hold no comment of Markdown, but all text next to one", () => {
    const text = "# One\n<!-- YAML\nadded: v1\n\nchanges: none\n-->\nIt turns.\n<!-- x -->\nIt stops. <!-- soon -->\n";
    const passages = [...passagesOf(text, "markdown")].map(({ start, end }) => text.slice(start, end));
    expect(passages).toEqual(["It turns.\n<!-- x -->\nIt stops. <!-- soon -->"]);
  });

  test("rows have the beginning of long column names, and the names alone are no passage", () => {
    for (const between of [" | ", "|", ""]) {
      const names = `| ${Array.from({ length: 1_000 }, (_, index) => `name${index}`).join(between)} |`;
      const text = `${names}\n|---|---|\n| 1 | 2 |\n| 3 | 4 |`;
      const passages = [...passagesOf(text, "markdown")];
      const rows = passages.filter(({ columns }) => columns !== undefined);
      expect(rows.map(({ start, end }) => text.slice(start, end))).toEqual(["| 1 | 2 |", "| 3 | 4 |"]);
      for (const { columns = "" } of rows) {
        expect(names).toStartWith(columns);
        expect(columns.length).toBeWithin(280, 301);
        if (between !== "") expect(columns).toMatch(/name\d+\s*\|?$/);
      }
      expect(passages.length).toBe(rows.length);
    }
  });

  test("a row with the names of its columns is a passage, and so is a term with its definition", () => {
    const rows =
      "| word | meaning |\n|---|---|\n| lease | The right to write a run. |\n| tick | A short piece of work. |";
    const terms =
      "Lease\n: The right to write a run.\n: It expires.\n\nTick\nTicks\n: A short piece of work.\n\nMore of it.";
    const text = `# Words\n\nBefore.\n\n${rows}\n\nBehind.\n\n${terms}\n`;
    const columns = "| word | meaning |";
    expect(
      [...passagesOf(text, "markdown")].map((one) => [text.slice(one.start, one.end), one.headings, one.columns]),
    ).toEqual([
      ["Before.", ["Words"], undefined],
      ["| lease | The right to write a run. |", ["Words"], columns],
      ["| tick | A short piece of work. |", ["Words"], columns],
      ["Behind.", ["Words"], undefined],
      ["Lease\n: The right to write a run.\n: It expires.", ["Words"], undefined],
      ["Tick\nTicks\n: A short piece of work.\n\nMore of it.", ["Words"], undefined],
    ]);
    // A long definition begins with its term, too.
    const long = `Before.\n\nLease\n: ${"The right to write a run. ".repeat(100)}`;
    expect([...passagesOf(long, "markdown")].map(({ start, end }) => long.slice(start, end).slice(0, 20))).toEqual([
      "Before.",
      "Lease\n: The right to",
      expect.any(String),
      expect.any(String),
    ]);
    expect(kindsOf(terms, "markdown").map(([kind]) => kind)).toEqual([
      "term",
      "definition",
      "definition",
      "term",
      "definition",
      "paragraph",
    ]);
    expect(kindsOf("A sentence.\n\n: no term", "markdown").map(([kind]) => kind)).toEqual(["paragraph", "paragraph"]);
  });

  test("a huge line is cut into bounded pieces that lose only white space", () => {
    for (const text of ["x".repeat(100_000), "word ".repeat(20_000), "\u{1F600}".repeat(5_000)]) {
      const pieces = [...passagesOf(text, "markdown")].map(({ start, end }) => text.slice(start, end));
      expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(MAX_PASSAGE_LENGTH);
      expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
      expect(pieces.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
    }
  });

  test("a very long line is a paragraph, whatever it looks like, and stays code in a fence", () => {
    const long = "x ".repeat(10_001);
    for (const line of [`# ${long}`, `| ${long} |`, `- ${long}`, `> ${long}`])
      expect(kindsOf(`Before.\n${line}\nBehind.`, "markdown").map(([kind]) => kind)).toEqual([
        "paragraph",
        "paragraph",
      ]);
    expect(kindsOf(`\`\`\`\n# ${long}\n\`\`\``, "markdown").map(([kind]) => kind)).toEqual(["code"]);
  });

  test("of any text are in order, inside of it, and do not overlap", () => {
    const line = fc.constantFrom(
      "# h",
      "text here",
      "",
      "- item",
      "```",
      "    code",
      "> q",
      "| a |",
      "---",
      "<p>",
      "<!--",
      "-->",
      "\t",
      "é\u{1F600}",
    );
    const format = fc.constantFrom<Format>("markdown", "plain", "code", "data");
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom("\n", "\r\n", "\r"), format, (lines, lineEnd, chosen) => {
        const text = lines.join(lineEnd);
        let reached = 0;
        for (const { start, end } of passagesOf(text, chosen)) {
          expect(start).toBeGreaterThanOrEqual(reached);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(text.slice(start, end).trim()).toBe(text.slice(start, end));
          reached = end;
        }
      }),
    );
  });
});

describe("titles", () => {
  test("of headings have no markup", () => {
    expect(headingText("# [![npm](x)](y) **The** `thing` [site](http://x) #")).toBe("The thing site");
    expect(headingText('<h1 align="center">Zod</h1>')).toBe("Zod");
    expect(headingText("Under\n=====")).toBe("Under");
    expect(headingText("## snake_case_name")).toBe("snake_case_name");
  });

  test("of readmes without a heading are the name of the folder with its scope", () => {
    expect(nameOfDocument("corpus", "README.md")).toBe("corpus");
    expect(nameOfDocument("corpus", "zod/README.md")).toBe("zod");
    expect(nameOfDocument("corpus", "@types/node/readme.md")).toBe("@types/node");
    expect(nameOfDocument("corpus", "a/notes.txt")).toBe("a/notes.txt");
    expect(nameOfDocument("corpus", "notes.txt")).toBe("notes.txt");
  });
});
