// Tests of words for sh: every shell gives the word back, and nothing in it reaches a terminal raw.
import { expect, test } from "bun:test";
import { shellQuote } from "../../src/kernel/shell.ts";
import { shownText } from "../../src/kernel/shown-text.ts";

const WORDS = [
  "plain/path.md",
  "two words",
  "it's",
  '$HOME `id` $(id) \\ " ! * ?',
  "a\u001b[2Jb",
  "100 %\u0007 %s",
  "it's\u0000".slice(0, 4) + "\u009b",
  "a\u202eb",
  "ä\u2066 \\012",
  "one\ntwo",
  "-n\r",
];

for (const shell of ["sh", "bash"])
  test(`${shell} reads back what was quoted`, () => {
    const script = WORDS.map((word) => `printf '%s\\0' ${shellQuote(word)}`).join("\n");
    const { stdout } = Bun.spawnSync([shell, "-c", script]);
    expect(stdout.toString().split("\0").slice(0, -1)).toEqual(WORDS);
  });

test("no quoted word controls a terminal, turns a line around or makes a new one", () => {
  for (const word of WORDS.map(shellQuote)) {
    expect(shownText(word)).toBe(word);
    expect(word).not.toContain("\n");
  }
});

test("a word that ends a line stays whole", () => {
  const { stdout } = Bun.spawnSync(["sh", "-c", `printf %s ${shellQuote("\u001b\n")}`]);
  expect(stdout.toString()).toBe("\u001b\n");
});
