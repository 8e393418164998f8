// Opening and resuming a run with 10,000 records beside one with 100.
import fs from "node:fs";
import path from "node:path";
import type { Figure } from "./bench.ts";
import { benchFolder, finishedStep, makeRun, medianMs, ports } from "./fixtures.ts";

const ROUNDS = 61;

export async function opening(): Promise<Figure[]> {
  const folder = benchFolder();
  const short = path.join(folder, "short");
  const long = path.join(folder, "long");
  await fill(short, 100);
  await fill(long, 10_000);
  const measure = async (runRoot: string): Promise<{ open: number; resume: number }> => ({
    open: await medianMs(ROUNDS, () => ports.store.look(runRoot)),
    resume: await medianMs(ROUNDS, () => takeAndCommit(runRoot)),
  });
  await measure(short);
  const [few, many] = [await measure(short), await measure(long)];
  fs.rmSync(folder, { recursive: true });
  return (["open", "resume"] as const).map((kind) => ({
    name: `${kind} at 10,000 records and at 100`,
    value: `${many[kind].toFixed(2)} ms and ${few[kind].toFixed(2)} ms, ratio ${(many[kind] / few[kind]).toFixed(2)}`,
    target: "at most 2",
    holds: many[kind] / few[kind] <= 2,
  }));
}

/** Steps under a fixed number of keys: the stage stays as large as it is, only the history grows. */
async function fill(runRoot: string, records: number): Promise<void> {
  await makeRun(runRoot);
  const acquired = await ports.store.acquire(runRoot);
  if (acquired.kind !== "acquired") throw new Error("the lease is held");
  for (let at = 0; at < records; at += 50) {
    await acquired.writer.commit(
      Array.from({ length: 50 }, (_, index) => finishedStep(`wave1:s${index % 20}`, `result ${at + index}`)),
    );
  }
  await acquired.writer.foldNow();
  await acquired.writer.release();
}

/** What every resume pays: take the lease, open, write the first record, give the lease back. */
async function takeAndCommit(runRoot: string): Promise<void> {
  const acquired = await ports.store.acquire(runRoot);
  if (acquired.kind !== "acquired") throw new Error("the lease is held");
  await acquired.writer.release();
}
