// One passage is shown of a document that comes in two formats.
import { expect, test } from "bun:test";
import { withoutTwins } from "../../src/corpus/search/twins.ts";

const TEXT = "A lease expires after a minute, unless its owner renews it.";

function passage(origin: string, score: number, text = TEXT) {
  return { origin, score, text };
}

test("a page replaces its plain source, with its place and its score", () => {
  const source = passage("docs/lease.txt", 3);
  const other = passage("docs/renewal.txt", 2, "Who renews a lease early loses nothing by it.");
  const page = passage("docs/lease.html", 1, `${TEXT} It is so by default.`);
  expect(withoutTwins([source, other, page])).toEqual([{ ...page, score: 3 }, other]);
  expect(withoutTwins([page, other, source])).toEqual([page, other]);
});

test.each(["docs/lease.md", "docs/lease.pdf"])(
  "a passage stays when its format has no signs of a source: %s",
  (origin) => {
    const first = passage(origin, 3);
    expect(withoutTwins([first, passage("docs/lease.html", 1)])).toEqual([first]);
  },
);

test("control: documents of other names, and other words, are no twins", () => {
  const passages = [passage("docs/a.txt", 3), passage("docs/b.html", 2), passage("docs/a.html", 1, "Nothing of it.")];
  expect(withoutTwins(passages)).toEqual(passages);
});
