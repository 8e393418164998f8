// Places of a document are named by their page and headings.
import { expect, test } from "bun:test";
import { blocksOf } from "../../src/corpus/blocks/blocks.ts";
import { Anchors } from "../../src/corpus/blocks/anchors.ts";
import { anchorSchema } from "../../src/run/report/source.ts";

const TEXT =
  "# Bees\n\nIntro.\n\n## Winter\n\nCold.\n\n\f\n\nStill cold\fand colder.\n\n### Ice\n\nHard.\n\n# Hens\n\nEggs.\n";

test("a place is named by its page and the headings above, outermost first", () => {
  const anchors = new Anchors(TEXT, "docs/sub/bees.pdf");
  const at = (words: string) => anchors.at(TEXT.indexOf(words));
  expect(at("Intro")).toEqual({ page: 1, section: ["Bees"] });
  expect(at("Cold")).toEqual({ page: 1, section: ["Bees", "Winter"] });
  expect(at("Still")).toEqual({ page: 2, section: ["Bees", "Winter"] });
  expect(at("and colder")).toEqual({ page: 3, section: ["Bees", "Winter"] });
  expect(at("### Ice")).toEqual({ page: 3, section: ["Bees", "Winter", "Ice"] });
  expect(at("Hard")).toEqual({ page: 3, section: ["Bees", "Winter", "Ice"] });
  expect(at("Eggs")).toEqual({ page: 3, section: ["Hens"] });
  expect(anchorSchema.parse(at("Hard"))).toEqual({ page: 3, section: ["Bees", "Winter", "Ice"] });
});

test("only a PDF has pages, and a place without page and heading has no anchor", () => {
  expect(new Anchors(TEXT, "docs/bees.md").at(TEXT.indexOf("Eggs"))).toEqual({ section: ["Hens"] });
  expect(new Anchors("one\ftwo", "docs/old.txt").at(5)).toBeUndefined();
  expect(new Anchors("one\ftwo", "docs/new.pdf").at(5)).toEqual({ page: 2 });
  expect(new Anchors("# A\n\nx = 1", "docs/a.py").at(6)).toBeUndefined();
});

test("each of thousands of places in a long document has its page and heading", () => {
  const text = Array.from({ length: 20_000 }, (_, at) => `# S${at}\n\nWords.\n\n\f\n\n`).join("");
  const anchors = new Anchors(text, "a.pdf");
  for (let at = 0, offset = text.indexOf("Words"); offset !== -1; at++, offset = text.indexOf("Words", offset + 1)) {
    expect(anchors.at(offset)).toEqual({ page: at + 1, section: [`S${at}`] });
  }
});

test("a form feed ends a paragraph only when it is alone on its line", () => {
  const text = "one\n\f\ntwo\fthree\nfour";
  for (const format of ["markdown", "plain"] as const) {
    const blocks = [...blocksOf(text, format)].map(({ start, end }) => text.slice(start, end));
    expect(blocks).toEqual(["one", "two\fthree\nfour"]);
  }
});
