// Tests of escaped text: in a list, in a table and as code a reader sees it as it was written, and nothing becomes markup.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { codeSpan, plainCell, plainText } from "../../src/pages/plain-markdown.ts";
import { shownLine } from "../../src/kernel/shown-text.ts";
import { piecesOf } from "../../src/pages/text-pieces.ts";

const PIECES =
  "` `` ``` * ** _ __ ~ ~~ [ ] ( ) < > & &lt; &#60; # | \\ ! - + = 1. 1) : // http://a.b www.a.b a b ä $ { } ^ \" ' [a](b) ![a](b) ](a)".split(
    " ",
  );
const textArbitrary = fc
  .array(fc.oneof(fc.constantFrom(...PIECES, " ", "\n"), fc.string({ maxLength: 3 })), { maxLength: 14 })
  .map((pieces) => pieces.join(""))
  .filter((text) => shownLine(text) !== "" && !text.includes("@"));

function html(markdown: string): string {
  return Bun.markdown.html(markdown, { autolinks: true, strikethrough: true, tables: true });
}

/** The text of a page as a reader sees it, with backticks around code. */
function seen(page: string): string {
  return page
    .replace(/<\/?code>/g, "`")
    .replace(/<[^>]*>/g, "")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#(?:39|x27);/g, "'")
    .replace(/&amp;/g, "&")
    .trim();
}

function tagsIn(page: string): string[] {
  return [...page.matchAll(/<(\w+)/g)].map(([, tag]) => tag ?? "").filter((tag) => tag !== "code");
}

const RUNS = { numRuns: 2_000 };

/** The property that a reader of a list sees the text as it was written. */
const readsInAList = (written: (text: string) => string) =>
  fc.property(textArbitrary, (text) => {
    const page = html(`- ${written(text)} [1]\n`);
    expect(tagsIn(page)).toEqual(["ul", "li"]);
    expect(seen(page)).toBe(`${shownLine(text)} [1]`);
  });

describe("any text reads as it was written", () => {
  test("in a list", () => {
    fc.assert(readsInAList(plainText), RUNS);
  });

  test("in a list with code that has a blank on each side", () => {
    fc.assert(readsInAList(plainText), { ...RUNS, numRuns: 1, examples: [["` 1) `"], ["a ` b ` c"]] });
  });

  test("control: not without escapes", () => {
    expect(fc.check(readsInAList(shownLine), RUNS).failed).toBe(true);
  });

  test("in a table", () => {
    fc.assert(
      fc.property(textArbitrary, (text) => {
        const page = html(`| a | b |\n| --- | --- |\n| ${plainCell(text)} | end |\n`);
        expect(tagsIn(page).filter((tag) => tag === "td")).toHaveLength(2);
        expect(seen(page.replace(/^.*<tbody>/s, ""))).toBe(`${shownLine(text)}end`);
      }),
      RUNS,
    );
  });

  test("as code", () => {
    fc.assert(
      fc.property(textArbitrary, (text) => {
        expect(seen(html(`x ${codeSpan(text)} y\n`))).toBe(`x \`${shownLine(text)}\` y`);
      }),
      RUNS,
    );
  });
});

describe("no address becomes a link, and no name a mention", () => {
  const AT =
    "a@b.cc A.b+c@d-e.co.uk _x@y.zz xmpp:a@b.cc mailto:a@b.c @name @org/team (@x) a_www.b.c _www.b.cc WWW.b.c ftp://a.b `x` ` _ . *".split(
      " ",
    );
  const addresses = fc
    .array(fc.constantFrom(...AT, ...PIECES, " "), { minLength: 1, maxLength: 12 })
    .map((pieces) => pieces.join(""))
    .filter((text) => shownLine(text) !== "");
  /** What is left of a page when code is taken out, which renderers link nowhere. */
  const outsideCode = (page: string): string => page.replace(/<code>[^<]*<\/code>/g, "");

  const reads = (written: (text: string) => string) =>
    fc.property(addresses, (text) => {
      const page = html(`- ${written(text)} [1]\n`);
      expect(tagsIn(page)).toEqual(["ul", "li"]);
      expect(outsideCode(page)).not.toMatch(/[\w.+-]@[\w-]|(?<!\w)@\w/);
      expect(seen(page).replace(/[`\s]/g, "")).toBe(`${text}[1]`.replace(/[`\s]/g, ""));
    });

  test("in any text", () => {
    fc.assert(reads(plainText), RUNS);
    fc.assert(reads(plainCell), RUNS);
  });

  test("control: not without escapes", () => {
    expect(fc.check(reads(shownLine), RUNS).failed).toBe(true);
  });
});

test("the pieces of a text make the whole line again", () => {
  fc.assert(
    fc.property(textArbitrary, (text) => {
      expect(
        piecesOf(text)
          .map((piece) => piece.text)
          .join(""),
      ).toBe(shownLine(text));
    }),
    RUNS,
  );
});
