// Every rule that reads text from outside, over 200 KB of each hostile character and four times that, beside plain work over as much text.
import { BYTES, hostileTexts, RULES } from "../corpus/hostile-text.ts";
import type { Figure } from "./bench.ts";

/** Of the time for plain work over as much text; 50 ms where that takes 4. */
const MAX_YARDSTICKS = 12;
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

/** The slowest hostile text of each rule, as a multiple of plain work over as much text. */
export function hostileText(): Promise<Figure[]> {
  const texts = hostileTexts(BYTES);
  const longer = hostileTexts(BYTES * TIMES_LONGER);
  const plainMs = bestMs(yardstick, 0);
  const figures = RULES.map(([name, rule]) => {
    let slowest = { ratio: 0, text: "" };
    for (const [index, { name: text, text: short }] of texts.entries()) {
      const long = longer[index]?.text ?? "";
      const ms = bestMs(() => rule(short), FAST_MS);
      const longMs = ms < FAST_MS ? 0 : bestMs(() => rule(long), TIMES_LONGER * MAX_YARDSTICKS * plainMs);
      const ratio = Math.max(ms, longMs / TIMES_LONGER) / plainMs;
      if (ratio > slowest.ratio) slowest = { ratio, text };
    }
    return {
      name,
      value: `${slowest.ratio.toFixed(1)} times plain work, over ${slowest.text}`,
      target: `under ${MAX_YARDSTICKS}`,
      holds: slowest.ratio < MAX_YARDSTICKS,
    };
  });
  return Promise.resolve(figures);
}
