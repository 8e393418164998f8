// Every case of every sweep: the test files as processes of their own, one for each core, and their figures as docs/guarantees.md has them.
// Usage: bun tests/sweep.ts [PART OF A FILE NAME...]
import { availableParallelism } from "node:os";
import { SWEEP_TABLES } from "./simulation/sweep-rows.ts";

/** The longest first; those that take minutes are cut into shares, so that no core is left with the last one. */
const FILES: readonly (readonly [file: string, shares: number])[] = [
  ["simulation/run-sweep.test.ts", 16],
  ["simulation/live-sweep.test.ts", 12],
  ["simulation/ranked-sweep.test.ts", 4],
  ["simulation/store-damage.test.ts", 4],
  ["simulation/store-lease.test.ts", 4],
  ["simulation/store-power-cut.test.ts", 4],
  ["simulation/store-crash.test.ts", 4],
  ["simulation/run-freeze.test.ts", 4],
  ["simulation/run-operations.test.ts", 2],
  ["simulation/live-operations.test.ts", 2],
  ["simulation/task-operations.test.ts", 2],
  ["simulation/outside-operations.test.ts", 2],
  ["postgres/fleet.test.ts", 1],
  ["simulation/replay-killed.test.ts", 1],
  ["crash/kill.test.ts", 1],
  ["live/kill.test.ts", 1],
  ["simulation/store-faults.test.ts", 1],
  ["simulation/store-settlement.test.ts", 1],
  ["live/cuts.test.ts", 1],
];

interface Figures {
  cases: number;
  violations: number;
}

const wanted = process.argv.slice(2);
const seed = process.env["TEST_SEED"] ?? String(Math.floor(Math.random() * 1_000_000));
const figures = new Map<string, Figures>();
const failed: string[] = [];
const begun = performance.now();

const jobs = FILES.filter(([file]) => wanted.length === 0 || wanted.some((part) => file.includes(part))).flatMap(
  ([file, shares]) => Array.from({ length: shares }, (_, index) => ({ file, shard: `${index + 1}/${shares}` })),
);
const waiting = [...jobs];
console.log(`${jobs.length} processes, ${availableParallelism()} at once, TEST_SEED=${seed}`);

async function work(): Promise<void> {
  for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await run(job.file, job.shard);
}

async function run(file: string, shard: string): Promise<void> {
  const from = performance.now();
  const child = Bun.spawn([process.execPath, "test", "--timeout", "14400000", `./tests/${file}`], {
    env: { ...process.env, TEST_SWEEP: "full", TEST_SHARD: shard, TEST_SEED: seed },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [said, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const code = await child.exited;
  const found: string[] = [];
  for (const [, row = "", cases, violations] of said.matchAll(
    /^sweep (.+): (\d+) cases, (\d+) violations, ([\d.]+) s$/gm,
  )) {
    const before = figures.get(row) ?? { cases: 0, violations: 0 };
    figures.set(row, {
      cases: before.cases + Number(cases),
      violations: before.violations + Number(violations),
    });
    found.push(`  ${row}: ${cases} cases, ${violations} violations`);
  }
  console.log(`${minutes(begun)} ${file} ${shard}: ${code === 0 ? "passed" : "FAILED"} after ${minutes(from)}`);
  // Also said at once: a sweep that is ended early has shown what it reached.
  console.log(found.join("\n"));
  if (code === 0) return;
  failed.push(`${file} ${shard}`);
  console.log(`${errors}\n${said}`);
}

function minutes(since: number): string {
  return `${((performance.now() - since) / 60_000).toFixed(1)} min`;
}

await Promise.all(Array.from({ length: availableParallelism() }, work));

for (const [title, rows] of Object.entries(SWEEP_TABLES)) {
  console.log(`\n${title[0]?.toUpperCase()}${title.slice(1)}:\n`);
  for (const row of rows) {
    const { cases, violations } = figures.get(row) ?? { cases: 0, violations: 0 };
    // Names of rows are unique; under their title they need no prefix.
    const found = violations === 0 ? "" : ` (${violations} violations)`;
    console.log(`- ${cases.toLocaleString("en")}: ${row.replace(/^(store|with models): /, "")}${found}`);
  }
}
console.log(`\n${minutes(begun)}, ${failed.length === 0 ? "everything passed" : `failed: ${failed.join(", ")}`}`);
process.exitCode = failed.length === 0 ? 0 : 1;
