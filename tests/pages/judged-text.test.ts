// The judge of a claim, in words.
import { expect, test } from "bun:test";
import { judgedText } from "../../src/pages/judged-text.ts";

test("names no method of ours: what code has found is found, and whoever else judged is named", () => {
  expect(judgedText("verbatim")).toBe("found word for word in its source");
  expect(judgedText("model <b>", (name) => name.replace("<", "&lt;"))).toBe("by model &lt;b>");
});
