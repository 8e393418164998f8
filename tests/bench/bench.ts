// Runs the benchmarks and prints each figure with the ratio it has to keep. By hand: `bun run bench [name...]`.
import { answers } from "./answers/figures.ts";
import { htmlPages } from "./html-pages.ts";
import { hostileText } from "./hostile-text.ts";
import { live } from "./live.ts";
import { manyRuns } from "./many-runs.ts";
import { opening } from "./opening.ts";
import { processes } from "./processes.ts";
import { consoleFigures } from "./console.ts";
import { pageFigures } from "./page.ts";
import { durableSteps } from "./durable-steps.ts";
import { rank } from "./rank.ts";
import { ranking } from "./ranking.ts";
import { searching } from "./searching.ts";
import { takeOver } from "./take-over.ts";
import { taskRun } from "./task-run.ts";

export interface Figure {
  name: string;
  /** What was measured, with units. */
  value: string;
  /** The ratio or time that has to hold, and whether it does. */
  target: string;
  holds: boolean;
}

const BENCHMARKS: Record<string, () => Promise<Figure[]>> = {
  "durable-steps": durableSteps,
  opening,
  processes,
  "many-runs": manyRuns,
  "take-over": takeOver,
  "task-run": taskRun,
  live,
  console: consoleFigures,
  page: pageFigures,
  searching,
  "html-pages": htmlPages,
  "hostile-text": hostileText,
  ranking,
  rank,
  answers,
};

const wanted = process.argv.slice(2);
let allHold = true;
for (const [name, benchmark] of Object.entries(BENCHMARKS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  for (const figure of await benchmark()) {
    allHold &&= figure.holds;
    console.log(`  ${figure.holds ? "holds " : "MISSES"}  ${figure.name}: ${figure.value}  (${figure.target})`);
  }
}
process.exitCode = allHold ? 0 : 1;
