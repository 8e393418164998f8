// Tests of excerpts: both pages show every word of a quote, nothing in it is live markup, and its lines, tables and code stay.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { parseHTML } from "linkedom";
import type { Report } from "../../src/run/report/report.ts";
import { partsOfQuote } from "../../src/pages/excerpt-parts.ts";
import { withoutMarkup } from "../../src/pages/excerpt-lines.ts";
import { reportHtml } from "../../src/pages/html-page.ts";
import { reportMarkdown } from "../../src/pages/markdown-page.ts";
import { HANDBOOK, plainReport, quote, quoted, statementsById } from "./sample-report.ts";

const PIECES =
  "one two drei 記録。 ` ``` ~~~ * ** _ [ ] ( ) < > & &lt; # ## | - + : 1. --- |-|- |---|---| | $ <b> [a](b) ![a](b) \\ “ ”".split(
    " ",
  );
const textArbitrary = fc
  .array(fc.constantFrom(...PIECES, " ", " ", "\n", "\n", "\n\n", "\t", "\r\n"), { minLength: 1, maxLength: 40 })
  .map((pieces) => pieces.join(""))
  // The pages do not show the name of the language behind a fence.
  .filter((text) => /[\p{L}\p{N}]/u.test(text) && !/^\s*(`{3}|~{3}).*[\p{L}\p{N}]/mu.test(text));
const spansArbitrary = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 60 })), { maxLength: 3 });

type Spans = readonly (readonly [start: number, length: number])[];

function reportOf(text: string, marked: Spans, code: Spans): Report {
  const own = quote(text, undefined, undefined, 7);
  const inOrder = (spans: Spans): { start: number; end: number }[] =>
    spans.map(([start, length]) => ({ start, end: start + length })).sort((a, b) => a.start - b.start);
  const blocks = [{ kind: "excerpt" as const, statement: "a", marks: inOrder(marked), code: inOrder(code) }];
  const sources = [{ number: 1, source_digest: HANDBOOK, title: "Handbook", origin: "docs/handbook.txt" }];
  return plainReport([], { blocks, sources, statements: statementsById([quoted("a", text, { quotes: [own] })]) });
}

function lettersOf(text: string): string {
  return text.match(/[\p{L}\p{N}]/gu)?.join("") ?? "";
}

function quotedIn(page: string): Element {
  const found = parseHTML(`<html><body>${page}</body></html>`).document.querySelector("blockquote");
  if (found === null) throw new Error("the page has no quote");
  return found;
}
type Element = NonNullable<ReturnType<ReturnType<typeof parseHTML>["document"]["querySelector"]>>;

const LAYOUT = new Set("P STRONG MARK BR CODE PRE TABLE THEAD TBODY TR TH TD DIV".split(" "));

function aliveIn(element: Element): string[] {
  return [...element.querySelectorAll("*")].map(({ tagName }) => tagName).filter((tag) => !LAYOUT.has(tag));
}

const PAGES = {
  Markdown: (report: Report): string =>
    Bun.markdown.html(reportMarkdown(report), { autolinks: true, strikethrough: true, tables: true }),
  HTML: (report: Report): string => reportHtml(report),
};

describe.each(Object.entries(PAGES))("any quote on the %s page", (_name, page) => {
  test("shows every letter, and nothing in it becomes markup", () => {
    fc.assert(
      fc.property(textArbitrary, spansArbitrary, spansArbitrary, (text, marks, code) => {
        const shown = quotedIn(page(reportOf(text, marks, code)));
        expect(aliveIn(shown)).toEqual([]);
        expect(lettersOf(shown.textContent ?? "")).toBe(lettersOf(text));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("code that a driver recorded", () => {
  const shown = (text: string, code: { start: number; end: number }[], start = 100): string[] =>
    partsOfQuote(quote(text, undefined, undefined, start), [], "docs/mill.md", code).map((part) =>
      part.kind === "table"
        ? "table"
        : `${part.kind}: ${part.lines.map((line) => line.map((run) => run.text).join("")).join("|")}`,
    );

  test("needs no fence before it, and the fence behind it does not begin other code", () => {
    const text = "turn(1)\n# not a heading\n\n  stop()\n```\n\nThen it rests.";
    expect(shown(text, [{ start: 100, end: 100 + text.indexOf("\n\nThen") }])).toEqual([
      "code: turn(1)|# not a heading||  stop()",
      "lines: Then it rests.",
    ]);
    // Control: the same text without recorded code.
    expect(shown(text, [])).toEqual(["lines: turn(1)|# not a heading", "lines:   stop()", "code: |Then it rests."]);
  });

  test("keeps the fences of an example that the quote cuts off", () => {
    const ends = (text: string): string[] => shown(text, [{ start: 100, end: 100 + text.length }]);
    expect(ends("````md\nturn:\n```js")).toEqual(["code: turn:|```js"]);
    expect(ends("````md\n```\nturn()\n```")).toEqual(["code: ```|turn()|```"]);
    expect(ends("turn:\n```js")).toEqual(["code: turn:|```js"]);
    // Control: a fence that ends the code is not shown.
    expect(ends("````md\nturn()\n````")).toEqual(["code: turn()"]);
    expect(ends("turn()\n````")).toEqual(["code: turn()"]);
  });

  test("loses the indent that all of its lines share, also when the quote begins behind the first blanks", () => {
    const text = "if brook:\n        turn()\n    stop()";
    const end = 100 + text.length;
    expect(shown(text, [{ start: 96, end }])).toEqual(["code: if brook:|    turn()|stop()"]);
    expect(shown(text.replaceAll("    ", "\t"), [{ start: 99, end }])).toEqual(["code: if brook:|\tturn()|stop()"]);
    // Control: nobody recorded that blanks were lost.
    expect(shown(text, [{ start: 100, end }])).toEqual([`code: ${text.replaceAll("\n", "|")}`]);
    // A start that is impossible takes no memory.
    expect(shown(text, [{ start: 0, end: 1e9 }], 1e9)[0]?.length).toBeLessThan(300);
  });
});

test("a bar inside of a cell is shown without the backslash before it", () => {
  const [part] = partsOfQuote(quote("| -c | a\\|b |\n|---|---|\n| -d | `x\\|y` |"), [], "docs/mill.pdf");
  const cells =
    part?.kind === "table" ? part.rows.map((row) => row.map((cell) => cell.map(({ text }) => text).join(""))) : [];
  expect(cells).toEqual([
    ["-c", "a|b"],
    ["-d", "`x|y`"],
  ]);
});

test("hostile text of 20 KB is read fast", () => {
  const before = performance.now();
  withoutMarkup("`".repeat(10_000) + "a".repeat(10_000), "a.md");
  withoutMarkup(`[${"a ".repeat(10_000)}`, "a.md");
  withoutMarkup("[a ".repeat(7_000), "a.md");
  expect(performance.now() - before).toBeLessThan(500);
});

test("control: without escapes, a quote becomes markup", () => {
  const shown = quotedIn(Bun.markdown.html("> [a](b) <b>one</b>\n> # two\n"));
  expect(aliveIn(shown)).toEqual(["A", "B", "H1"]);
});

function linesIn(text: string, origin: string): string[] {
  return partsOfQuote(quote(text), [], origin).flatMap((part) =>
    part.kind === "table" ? [] : part.lines.map((line) => line.map((run) => run.text).join("")),
  );
}

test("a line that is indented less than an item does not belong to it", () => {
  const text = [
    "   - mend the planks of the water side of the wheel [Miller]",
    "gate:",
    "   - grease the axle of the oak wheel, which stands behind",
    "     the gate of the mill [Miller]",
  ];
  expect(linesIn(text.join("\n"), "NEWS")).toEqual([
    ...text.slice(0, 2),
    "   - grease the axle of the oak wheel, which stands behind the gate of the mill [Miller]",
  ]);
});

test("the lines of a program are not joined, even when all of them are long", () => {
  const program = [
    "mill.addRule(function (wheel, brook, gate, miller) {",
    "    if (wheel.turns < 12 && brook.depth > 3.5) {",
    "        // Nobody opens the gate before the brook has risen",
    "        return mill.result.stands_still_until_morning;",
    "    }",
    "    grease(wheel.axle, mill.oil.of_the_north_side);",
    "    grease(brook.gate, mill.oil.of_the_south_side);",
    "});",
  ];
  expect(linesIn(program.join("\n"), "50-mill.rules")).toEqual(program);
});

test("links of Markdown are shown as their words, wherever their addresses stand", () => {
  const text = "Use [`open()`][], [the guide][guide-2], [a page](https://x.example) and [![a gate][gate]][mill].";
  expect(withoutMarkup(text, "a.md")).toBe("Use `open()`, the guide, a page and a gate.");
  // Controls: these are no links.
  for (const other of ["It is said [1][2].", "row[i][j]", "[x] [y]", "`[a][b]`"])
    expect(withoutMarkup(other, "a.md")).toBe(other);
  expect(withoutMarkup(text, "a.txt")).toBe(text);
});

test("reST is shown as its words, without directives, options and rules", () => {
  const text = `Usage
*****

.. code-block:: sh
   :linenos:

Call :func:\`os.walk\`, see :ref:\`the guide <guide>\` and \`a page <https://x.example>\`_ with \`\`a * b\`\`, **bold** and 2 * 3 * 4.

.. note:: Bees *sting*::
`;
  expect(linesIn(text, "docs/_sources/usage.rst.txt")).toEqual([
    "Usage",
    "Call os.walk, see the guide and a page with `a * b`, bold and 2 * 3 * 4.",
    "Bees sting:",
  ]);
  expect(linesIn(text, "docs/usage.txt")).toContain(".. note:: Bees *sting*::");
  for (const hostile of ["`a".repeat(7_000), ":a:.".repeat(5_000), `\`${" ".repeat(20_000)}`, "*a ".repeat(7_000)]) {
    const begun = performance.now();
    withoutMarkup(hostile, "a.rst");
    expect(performance.now() - begun).toBeLessThan(2_000);
  }
});
