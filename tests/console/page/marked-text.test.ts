// A text cut at bytes: what is before a quote, the quote, and what is behind it.
import { expect, test } from "bun:test";
import { markedText } from "../../../src/console/page/marked-text.ts";

test("offsets count bytes, whatever the letters take", () => {
  const text = "é記録は 30 日間 🗄 kept";
  const start = Buffer.byteLength("é");
  const end = start + Buffer.byteLength("記録は 30 日間 🗄");
  expect(markedText(text, start, end)).toEqual(["é", "記録は 30 日間 🗄", " kept"]);
});

test("a source without a quote is all behind it", () => {
  expect(markedText("whole", 0, 0)).toEqual(["", "", "whole"]);
});
