// Whole processes of the built program: `status --json` beside an empty one, an idle `tick` beside `status`.
import fs from "node:fs";
import path from "node:path";
import type { Figure } from "./bench.ts";
import { benchFolder, built, builtEmpty, makeRun, median, ports } from "./fixtures.ts";

const ROUNDS = 100;

export async function processes(): Promise<Figure[]> {
  const folder = benchFolder();
  const [program, empty] = [built(folder), builtEmpty(folder)];
  const runRoot = path.join(folder, "done");
  await makeRun(runRoot);
  await finish(runRoot);
  const commands = {
    empty: [empty],
    status: [program, "status", runRoot, "--json"],
    tick: [program, "tick", runRoot, "--json"],
  };
  const times: Record<keyof typeof commands, number[]> = { empty: [], status: [], tick: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, command] of Object.entries(commands) as [keyof typeof commands, string[]][])
      times[name].push(spawnMs(command));
  }
  fs.rmSync(folder, { recursive: true });
  const [emptyMs, statusMs, tickMs] = [median(times.empty), median(times.status), median(times.tick)];
  return [
    {
      name: "status --json beside an empty program",
      value: `${statusMs.toFixed(1)} ms and ${emptyMs.toFixed(1)} ms, ratio ${(statusMs / emptyMs).toFixed(2)}`,
      target: "at most 5",
      holds: statusMs / emptyMs <= 5,
    },
    {
      name: "a tick with nothing to do beside status",
      value: `${tickMs.toFixed(1)} ms and ${statusMs.toFixed(1)} ms, ratio ${(tickMs / statusMs).toFixed(2)}`,
      target: "at most 1.5",
      holds: tickMs / statusMs <= 1.5,
    },
  ];
}

function spawnMs(command: string[]): number {
  const start = performance.now();
  const { success, stderr } = Bun.spawnSync(command);
  const elapsed = performance.now() - start;
  if (!success) throw new Error(`${command.join(" ")} failed: ${stderr.toString()}`);
  return elapsed;
}

/** A run that has ended: a tick has nothing to do on it. */
async function finish(runRoot: string): Promise<void> {
  const acquired = await ports.store.acquire(runRoot);
  if (acquired.kind !== "acquired") throw new Error("the lease is held");
  const change = (from: "idle" | "running", to: "running" | "completed") => ({
    kind: "state.changed" as const,
    data: { from, to, reason: "bench" },
  });
  await acquired.writer.commit([change("idle", "running"), change("running", "completed")]);
  await acquired.writer.release();
}
