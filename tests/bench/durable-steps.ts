// Durable steps of 1 KB, each on disk before the next, beside append + fdatasync and beside openworkflow on SQLite.
import fs from "node:fs";
import path from "node:path";
import type { Figure } from "./bench.ts";
import { benchFolder, finishedStep, makeRun, median, ports, startedStep } from "./fixtures.ts";

const STEPS = 400;
const ROUNDS = 7;
const PAYLOAD = "x".repeat(1024);

export async function durableSteps(): Promise<Figure[]> {
  const folder = benchFolder();
  const floor: number[] = [];
  const results: number[] = [];
  const ours: number[] = [];
  const peers: number[] = [];
  const peer = await loadPeer(folder);
  // Interleaved, so that a noisy moment of the machine falls on all of them.
  for (let round = 0; round < ROUNDS; round++) {
    floor.push(appendAndSync(path.join(folder, `floor-${round}`)));
    results.push(await ourSteps(path.join(folder, `results-${round}`), false));
    ours.push(await ourSteps(path.join(folder, `run-${round}`), true));
    peers.push(await peer(path.join(folder, `peer-${round}.db`)));
  }
  fs.rmSync(folder, { recursive: true });
  const perSecond = (times: number[]): number => Math.round((STEPS / median(times)) * 1000);
  const [floorRate, resultRate, ourRate, peerRate] = [floor, results, ours, peers].map(perSecond) as [
    number,
    number,
    number,
    number,
  ];
  return [
    {
      name: "step results of 1 KB per second",
      value: `${resultRate}, append + fdatasync ${floorRate}, ratio ${(resultRate / floorRate).toFixed(2)}`,
      target: "at least 0.5",
      holds: resultRate / floorRate >= 0.5,
    },
    {
      name: "the same with the beginning of every step",
      value: `${ourRate}, ratio ${(ourRate / floorRate).toFixed(2)}`,
      target: "for information",
      holds: true,
    },
    {
      name: "beside openworkflow on SQLite",
      value: `${ourRate} and ${peerRate}, ratio ${(ourRate / peerRate).toFixed(2)}`,
      target: "at least 2",
      holds: ourRate / peerRate >= 2,
    },
  ];
}

function appendAndSync(file: string): number {
  const descriptor = fs.openSync(file, "a", 0o600);
  const bytes = Buffer.from(PAYLOAD);
  const start = performance.now();
  for (let step = 0; step < STEPS; step++) {
    fs.writeSync(descriptor, bytes);
    fs.fdatasyncSync(descriptor);
  }
  const elapsed = performance.now() - start;
  fs.closeSync(descriptor);
  return elapsed;
}

/** The result of a step and the beginning of the next share a commit: one sync per step. */
async function ourSteps(runRoot: string, withBeginnings: boolean): Promise<number> {
  await makeRun(runRoot);
  const acquired = await ports.store.acquire(runRoot);
  if (acquired.kind !== "acquired") throw new Error("the lease is held");
  const { writer } = acquired;
  const start = performance.now();
  for (let step = 0; step < STEPS; step++) {
    const result = finishedStep(`wave1:s${step % 20}`, PAYLOAD);
    await writer.commit(withBeginnings ? [result, startedStep(`wave1:s${(step + 1) % 20}`)] : [result]);
  }
  const elapsed = performance.now() - start;
  await writer.release();
  return elapsed;
}

/** Installed by this benchmark alone, outside the project's dependencies. */
async function loadPeer(folder: string): Promise<(file: string) => Promise<number>> {
  fs.writeFileSync(path.join(folder, "package.json"), '{"private":true}\n');
  const installed = Bun.spawnSync([process.execPath, "add", "--exact", "openworkflow@0.10.1"], { cwd: folder });
  if (!installed.success) throw new Error(`openworkflow could not be installed: ${installed.stderr.toString()}`);
  const modules = path.join(folder, "node_modules", "openworkflow", "dist");
  const { OpenWorkflow } = await import(path.join(modules, "index.js"));
  const { BackendSqlite } = await import(path.join(modules, "sqlite.js"));
  return async (file) => {
    const backend = BackendSqlite.connect(file);
    const client = new OpenWorkflow({ backend });
    let elapsed = 0;
    const workflow = client.defineWorkflow({ name: "steps" }, async ({ step }: PeerContext) => {
      const start = performance.now();
      for (let count = 0; count < STEPS; count++) await step.run({ name: `s${count}` }, () => ({ payload: PAYLOAD }));
      elapsed = performance.now() - start;
      return { done: true };
    });
    const worker = client.newWorker();
    await worker.start();
    const handle = await workflow.run({});
    await handle.result();
    await worker.stop();
    await backend.stop();
    return elapsed;
  };
}

interface PeerContext {
  step: { run(options: { name: string }, work: () => unknown): Promise<unknown> };
}
