// No rule that reads text from outside stalls a process: 200 KB of any character are read at once, whatever the rule.
import { expect, test } from "bun:test";
import { BYTES, hostileTexts, RULES } from "./hostile-text.ts";

/**
 * A linear rule takes some 10 ms; one that looks at the rest of the text for each character takes ten seconds.
 * The wide margin keeps a busy machine from deciding; how fast the rules are is measured by `bun run bench hostile-text`.
 */
const STALL_MS = 1_000;
const TEXTS = hostileTexts(BYTES);

/** The name of the first text that the rule takes so long for. */
function stallsOn(rule: (text: string) => unknown): string | undefined {
  return TEXTS.find(({ text }) => {
    const began = performance.now();
    rule(text);
    return performance.now() - began >= STALL_MS;
  })?.name;
}

for (const [name, rule] of RULES)
  test(`200 KB of any character stall nothing: ${name}`, () => {
    expect(stallsOn(rule)).toBeUndefined();
  });

test("control: a rule that looks at the rest of a text for each of its characters is seen", () => {
  expect(stallsOn((text) => /\[[^\]]*\]/.test(text.slice(0, text.length / 2)))).toBe('"["');
});
