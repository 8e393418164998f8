// No rule that reads text from outside stalls the process: each reads 200 KB of any character at once.
import { expect, test } from "bun:test";
import { BYTES, hostilePages, hostileTexts, RULES } from "./hostile-text.ts";

/**
 * A linear rule takes some 10 ms, a quadratic one ten seconds. The margin is wide, so that a busy machine does not decide.
 * `bun run bench hostile-text` measures the speed of the rules.
 */
const STALL_MS = 1_000;
const TEXTS = hostileTexts(BYTES);

/** The name of the first text that stalls the rule. */
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

for (const { name, read } of hostilePages(BYTES))
  test(`200 KB of hostile HTML stall nothing: ${name}`, () => {
    const began = process.cpuUsage();
    read();
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1000).toBeLessThan(3 * STALL_MS);
  });

test("control: a quadratic rule is found", () => {
  expect(stallsOn((text) => /\[[^\]]*\]/.test(text.slice(0, text.length / 2)))).toBe('"["');
});
