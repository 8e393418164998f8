// No rule that reads text from outside stalls the process: each reads 200 KB of any character at once.
import { expect, test } from "bun:test";
import { hostilePages } from "./hostile-documents.ts";
import { BYTES, hostileTexts, mixedTexts, RULES } from "./hostile-text.ts";

/**
 * Of this thread, which a busy machine does not lengthen. A linear rule takes some 10 ms, a quadratic one ten seconds.
 * `bun run bench hostile-text` measures the speed of the rules.
 */
const STALL_MS = 3_000;
/** There are many texts of two characters, so they are shorter: a quadratic rule still takes some five seconds. */
const TEXTS = [...hostileTexts(BYTES), ...mixedTexts(BYTES / 2)];

function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * An eighth of a text is read first, then more of it, as long as a rule that is cubic in its length might stall on the whole.
 * A half that takes half as long as a stall is one, since no rule gets faster by the length; so is what is shorter.
 */
function stalls(read: (share: number) => unknown): boolean {
  for (const share of [8, 2, 1]) {
    const began = workedMs();
    read(share);
    const ms = workedMs() - began;
    if (ms >= STALL_MS / Math.min(share, 2)) return true;
    if (ms < STALL_MS / share ** 3) return false;
  }
  return false;
}

/** The name of the first text that stalls the rule. */
function stallsOn(rule: (text: string) => unknown): string | undefined {
  return TEXTS.find((text) => stalls((share) => rule(text.shorter(share))))?.name;
}

for (const [name, rule] of RULES)
  test(`no text stalls it: ${name}`, () => {
    expect(stallsOn(rule)).toBeUndefined();
  });

for (const { name, read } of hostilePages(2 * BYTES))
  test(`400 KB of hostile HTML stall nothing: ${name}`, () => {
    expect(stalls(read)).toBe(false);
  });

test("control: a cubic rule over white space is found", () => {
  const cubic = (text: string): string => text.slice(0, 3_500).replace(/\s*\n\s*:\s+(?=\S)/g, ": ");
  expect(stallsOn(cubic)).toBe('"\\n"');
});

test("control: a quadratic rule is found", () => {
  expect(stallsOn((text) => /\[[^\]]*\]/.test(text))).toBe('"["');
});
