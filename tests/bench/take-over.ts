// Taking over a run whose owner on this host was killed, beside taking a run that is free.
import fs from "node:fs";
import path from "node:path";
import { takeoverOf } from "../conformance/takeover.ts";
import type { Figure } from "./bench.ts";
import { benchFolder, makeRun, median, ports, PROJECT } from "./fixtures.ts";

const ROUNDS = 15;

export async function takeOver(): Promise<Figure[]> {
  const folder = benchFolder();
  const runRoot = path.join(folder, "run");
  await makeRun(runRoot);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await dieHolding(runRoot);
    const start = performance.now();
    const acquired = await ports.store.acquire(runRoot);
    times.push(performance.now() - start);
    if (acquired.kind !== "acquired") throw new Error("a dead owner still holds the lease");
    const takeover = await takeoverOf(acquired.writer);
    if (takeover !== "owner_dead") throw new Error(`taken over from: ${takeover ?? "nobody"}`);
    await acquired.writer.release();
  }
  fs.rmSync(folder, { recursive: true });
  const ms = median(times);
  return [
    {
      name: "take-over of a killed owner",
      value: `${ms.toFixed(1)} ms`,
      target: "under 50 ms beyond start-up",
      holds: ms < 50,
    },
  ];
}

async function dieHolding(runRoot: string): Promise<void> {
  const script = `
    const { makePorts } = await import(${JSON.stringify(path.join(PROJECT, "src/wiring.ts"))});
    const acquired = await makePorts({ indexFolder: null, cliInvocation: "x" }).store.acquire(${JSON.stringify(runRoot)});
    if (acquired.kind !== "acquired") process.exit(1);
    process.stdout.write("held");
    setInterval(() => undefined, 1000);`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
  const reader = child.stdout.getReader();
  await reader.read();
  child.kill("SIGKILL");
  await child.exited;
}
