import { expect, test } from "bun:test";
import { hostileTexts, RULES } from "./hostile-text.ts";

const BYTES = 200_000;
const MAX_MS = 50;
/** A rule this fast is not measured on the longer text: were it quadratic, that would take 16 times as long. */
const FAST_MS = 10;
const TIMES_LONGER = 4;
/** The best one counts: the first may wait for the compiler. */
const TRIES = 40;

/** What a machine takes for the yardstick; a slower one gets more time. */
const YARDSTICK_MS = 4;
const FACTOR = Math.max(1, bestMs(yardstick, YARDSTICK_MS) / YARDSTICK_MS);

function yardstick(): unknown {
  const text = "A word. ".repeat(BYTES / 8);
  return text.replace(/\p{L}+/gu, (word) => word.toUpperCase()).split(/\s+/);
}

/** Milliseconds that this thread worked: it does not count while the machine has other work. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The best of a few tries; the first that is good enough will do. */
function bestMs(work: () => unknown, goodMs: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && best >= goodMs; attempt++) {
    const began = workedMs();
    work();
    best = Math.min(best, workedMs() - began);
  }
  return best;
}

const TEXTS = hostileTexts(BYTES);
const LONGER = hostileTexts(BYTES * TIMES_LONGER);

/** The texts for which the rule takes too long, or for a longer one more than that many times as long. */
function slowOn(rule: (text: string) => unknown, accept: (text: string) => boolean = () => true): string[] {
  return TEXTS.flatMap(({ name, text }, index) => {
    if (!accept(text)) return [];
    rule(text.slice(0, 500));
    const ms = bestMs(() => rule(text), MAX_MS);
    if (ms >= MAX_MS * FACTOR) return [`${name}: ${Math.round(ms)} ms`];
    if (ms < FAST_MS) return [];
    const mostMs = TIMES_LONGER * MAX_MS * FACTOR;
    const longerMs = bestMs(() => rule(LONGER[index]?.text ?? ""), mostMs);
    return longerMs < mostMs ? [] : [`${name}, longer: ${Math.round(longerMs)} ms`];
  });
}

for (const [name, rule] of RULES) {
  test(`200 KB of any character take less than ${MAX_MS} ms, 800 KB four times that: ${name}`, () => {
    expect(slowOn(rule)).toEqual([]);
  }, 240_000);
}

test("a rule that looks at the rest of a text for each of its characters is seen", () => {
  const rule = (text: string): boolean => /\[[^\]]*\]/.test(text.slice(0, text.length / 8));
  expect(slowOn(rule, (text) => text.startsWith("[["))).toHaveLength(1);
}, 240_000);
