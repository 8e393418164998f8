// Tests of the words for parts of a document that have no text.
import { expect, test } from "bun:test";
import { unreadPartsOf } from "../../src/corpus/extract/unread-parts.ts";
import type { TextFrom } from "../../src/run/report/source.ts";

const EXTRACTED: TextFrom = { text_from: "extracted" };

test.each<[string, string, TextFrom, string | null]>([
  ["a.pdf", "One.\n\f\nTwo.\n", EXTRACTED, null],
  ["a.pdf", "\f\f# A\n\nOne.\n", EXTRACTED, "2 of 3 pages have no text (pages 1 to 2)"],
  ["a.pdf", "One.\f\n\n\fTwo.", EXTRACTED, "1 of 3 pages has no text (page 2)"],
  ["a.pdf", "One.\f\f\fTwo.\f\fThree.\f", EXTRACTED, "4 of 7 pages have no text (pages 2 to 3, 5, 7)"],
  ["a.docx", "One.\n\n[embedded document]\n", EXTRACTED, "1 embedded document has no text that can be read"],
  ["a.html", "One.\f\f[embedded document]\n", EXTRACTED, null],
  ["a.txt", "One.\f\f\uFFFD", { text_from: "bytes" }, null],
  [
    "a.txt",
    "One.\uFFFD",
    { text_from: "decoded", charset: "utf-8", replaced_bytes: 1 },
    "1 byte could not be read and is shown as \uFFFD",
  ],
  [
    "a.txt",
    "One.\uFFFD",
    { text_from: "decoded", charset: "utf-8", replaced_bytes: 2 },
    "2 bytes could not be read and are shown as \uFFFD",
  ],
  ["a.txt", "One.", { text_from: "decoded", charset: "koi8-r" }, null],
])("%s %j", (path, text, from, words) => {
  expect(unreadPartsOf(path, text, from)?.words ?? null).toBe(words);
});

test("of many pages the first are named", () => {
  const words = unreadPartsOf("a.pdf", "One.\f\f".repeat(30), EXTRACTED)?.words;
  expect(words).toBe("31 of 61 pages have no text (pages 2, 4, 6, 8, 10, 12, 14, 16, …)");
});
