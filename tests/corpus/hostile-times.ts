// Measures each rule on hostile texts and prints a JSON line for it: its name, and the texts on which it takes too long.
import { BYTES, CONTROL, hostileTexts, MAX_YARDSTICKS, RULES } from "./hostile-text.ts";

/** A rule this fast is not measured on the longer text: were it quadratic, that would take 16 times as long. */
const FAST_MS = 10;
const TIMES_LONGER = 4;
/** The best one counts: the first may wait for the compiler. */
const TRIES = 15;

const LINES = "- \n".repeat(Math.round(BYTES / 3));

/** Plain work over as much text: its lines, each with its words. */
function yardstick(): unknown {
  return LINES.split("\n").map((line, at) => ({ at, line, words: line.match(/\p{L}+|-/gu) }));
}

/** Milliseconds that this thread worked: it does not count while the machine has other work. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The best of a few tries; the first that is good enough will do. */
function bestMs(work: () => unknown, goodMs: number, tries = TRIES): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < tries && best >= goodMs; attempt++) {
    const began = workedMs();
    work();
    best = Math.min(best, workedMs() - began);
  }
  return best;
}

const TEXTS = hostileTexts(BYTES);
const LONGER = hostileTexts(BYTES * TIMES_LONGER);
let yardstickMs = bestMs(yardstick, 0);

/** True when the work takes less than so many yardsticks, by the speed that the machine has now. */
function isWithin(work: () => unknown, yardsticks: number): boolean {
  if (bestMs(work, yardsticks * yardstickMs) < yardsticks * yardstickMs) return true;
  yardstickMs = bestMs(yardstick, 0);
  return bestMs(work, yardsticks * yardstickMs) < yardsticks * yardstickMs;
}

/** The texts for which the rule takes too long, or for a longer one more than that many times as long. */
function slowOn(rule: (text: string) => unknown, accept: (text: string) => boolean = () => true): string[] {
  return TEXTS.flatMap(({ name, text }, index) => {
    if (!accept(text)) return [];
    rule(text.slice(0, 500));
    if (!isWithin(() => rule(text), MAX_YARDSTICKS)) return [name];
    if (bestMs(() => rule(text), FAST_MS, 3) < FAST_MS) return [];
    return isWithin(() => rule(LONGER[index]?.text ?? ""), TIMES_LONGER * MAX_YARDSTICKS) ? [] : [`${name}, longer`];
  });
}

/** The control: it looks at the rest of a text for each of its characters. */
function quadratic(text: string): boolean {
  return /\[[^\]]*\]/.test(text.slice(0, text.length / 8));
}

for (const [name, rule] of RULES) console.log(JSON.stringify({ name, slow: slowOn(rule) }));
console.log(JSON.stringify({ name: CONTROL, slow: slowOn(quadratic, (text) => text.startsWith("[[")) }));
