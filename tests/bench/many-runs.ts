// `list`, `watchdog` and `triage --all` over 10,000 runs, as whole processes.
import fs from "node:fs";
import path from "node:path";
import type { Figure } from "./bench.ts";
import { benchFolder, MAIN, makeRun, median, ports } from "./fixtures.ts";

const RUNS = 10_000;
const ROUNDS = 5;

export async function manyRuns(): Promise<Figure[]> {
  const folder = benchFolder();
  const runsRoot = path.join(folder, "runs");
  await makeRuns(runsRoot);
  const figures: Figure[] = [];
  for (const command of ["list", "watchdog", "triage --all"]) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now();
      const { success, stderr } = Bun.spawnSync([
        process.execPath,
        MAIN,
        ...command.split(" "),
        "--runs-root",
        runsRoot,
        "--json",
      ]);
      times.push(performance.now() - start);
      if (!success) throw new Error(stderr.toString());
    }
    const ms = median(times);
    figures.push({
      name: `${command} over ${RUNS} runs`,
      value: `${ms.toFixed(0)} ms`,
      target: "under 1,000 ms",
      holds: ms < 1000,
    });
  }
  fs.rmSync(folder, { recursive: true });
  return figures;
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
