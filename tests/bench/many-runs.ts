// `list`, `watchdog` and `triage --all` over 10,000 runs, as whole processes, beside one that only reads their manifests.
import fs from "node:fs";
import path from "node:path";
import type { Figure } from "./bench.ts";
import { benchFolder, MAIN, makeRun, median, ports } from "./fixtures.ts";

const RUNS = 10_000;
const ROUNDS = 5;
const PLAIN = path.join(import.meta.dir, "plain-manifests.ts");
/** Of the time that a process takes to read and parse the same manifests. */
const MOST = 4;

export async function manyRuns(): Promise<Figure[]> {
  const folder = benchFolder();
  const runsRoot = path.join(folder, "runs");
  await makeRuns(runsRoot);
  const commands = ["list", "watchdog", "triage --all"];
  const plain: number[] = [];
  const times = commands.map((): number[] => []);
  // Interleaved, so that a noisy moment of the machine falls on all of them.
  for (let round = 0; round < ROUNDS; round++) {
    plain.push(timed(PLAIN, runsRoot));
    for (const [at, command] of commands.entries())
      times[at]?.push(timed(MAIN, ...command.split(" "), "--runs-root", runsRoot, "--json"));
  }
  fs.rmSync(folder, { recursive: true });
  return commands.map((command, at) => {
    const [ms, plainMs] = [median(times[at] ?? []), median(plain)];
    return {
      name: `${command} over ${RUNS} runs`,
      value: `${ms.toFixed(0)} ms, reading their manifests plainly ${plainMs.toFixed(0)} ms, ratio ${(ms / plainMs).toFixed(2)}`,
      target: `at most ${MOST}`,
      holds: ms / plainMs <= MOST,
    };
  });
}

/** Milliseconds of a whole process. */
function timed(...program: string[]): number {
  const start = performance.now();
  const { success, stderr } = Bun.spawnSync([process.execPath, ...program]);
  if (!success) throw new Error(stderr.toString());
  return performance.now() - start;
}

/** Every second run has been worked on once. */
async function makeRuns(runsRoot: string): Promise<void> {
  for (let at = 0; at < RUNS; at++) {
    const runRoot = path.join(runsRoot, `dr_20260101000000_${String(at).padStart(6, "0")}`);
    await makeRun(runRoot);
    if (at % 2 === 0) continue;
    const acquired = await ports.store.acquire(runRoot);
    if (acquired.kind !== "acquired") throw new Error("the lease is held");
    await acquired.writer.commit([{ kind: "state.changed", data: { from: "idle", to: "running", reason: "bench" } }]);
    await acquired.writer.release();
  }
}
