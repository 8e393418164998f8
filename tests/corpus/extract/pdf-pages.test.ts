// Pages of a PDF are counted from the first page of the file, whatever has no text.
import { expect, test } from "bun:test";
import { Anchors } from "../../../src/corpus/blocks/anchors.ts";
import { unreadPartsOf } from "../../../src/corpus/extract/unread-parts.ts";
import { linesAt, pdfOf, type PdfText } from "./pdf-writer.ts";
import { textFrom } from "./texts.ts";

const EMPTY: PdfText[] = [];
const NAMES = ["Ash", "Birch", "Cedar", "Elm", "Fir", "Gum"];

/** A page whose lines all belong to one paragraph that continues behind its end. It may have a small note. */
function pageOf(name: string, isNoted: boolean): PdfText[] {
  const lines = ["one", "two", "three", "four"].map((which) => `line ${which} of ${name} goes on and on and on here`);
  return [
    ...linesAt(72, 300, lines),
    ...(isNoted ? linesAt(72, 372, [`The small note of ${name} stands below.`], 7) : []),
  ];
}

test.each([[[0, 0, 1]], [[0, 1, 0, 0, 1, 0]], [[1, 0]], [[0, 2, 2, 2, 0]], [[0, 2, 2, 0, 2, 1]], [[2, 2, 2, 2, 2, 2]]])(
  "%p: a page without text is 0, one with a note 2",
  async (kinds) => {
    const pages = kinds.map((kind, at) => (kind === 0 ? EMPTY : pageOf(NAMES[at] ?? "", kind === 2)));
    for (const title of ["", "A manual of wheels"]) {
      const text = await textFrom("pdf", pdfOf(pages, { title }));
      const anchors = new Anchors(text, "a.pdf");
      const found = [...text.matchAll(/of ([A-Z]\w+)/g)].map(
        ({ 1: name, index }) => `${name} p. ${anchors.at(index)?.page}`,
      );
      expect(found.toSorted()).toEqual(
        kinds.flatMap((kind, at) =>
          Array.from({ length: kind === 0 ? 0 : 3 + kind }, () => `${NAMES[at]} p. ${at + 1}`),
        ),
      );
      expect(text.match(/\f/g)?.length ?? 0).toBe(kinds.length - 1);
    }
  },
);

test("the title is on the page where the text begins, once", async () => {
  const lines = ["The wheel turns all day and all night,", "and nobody has ever seen it stand still."];
  const cover = [{ text: "A manual of wheels", x: 72, top: 90, size: 24 }, ...linesAt(72, 300, lines)];
  const text = await textFrom("pdf", pdfOf([EMPTY, cover], { title: "A manual of wheels" }));
  expect(text).toBe(`\f\n\n# A manual of wheels\n\n${lines.join(" ")}\n`);
});

test("a page of contents has a text, and is told apart from one that has none", async () => {
  const contents = linesAt(72, 100, [
    "I. Wheels .................. 4",
    "II. Axles .................. 17",
    "Index . . . . . . . . ix",
  ]);
  const right = linesAt(320, 100, ["III. Hubs ............... 21", "IV. Rims ............... 30"]);
  const prose = linesAt(72, 300, ["A wheel turns on its axle."]);
  const text = await textFrom("pdf", pdfOf([contents, [...contents, ...right], EMPTY, [...contents, ...prose]]));
  expect(text).toBe("[table of contents]\n\n\f\n\n[table of contents]\n\n\f\f\n\nA wheel turns on its axle.\n");
  expect(unreadPartsOf("a.pdf", text, { text_from: "extracted" })?.words).toBe("1 of 4 pages has no text (page 3)");
});
