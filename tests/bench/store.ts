// A store in PostgreSQL beside the one in files, in one process: commits a second, one run at a time and four side by side.
// Usage: bun tests/bench/store.ts [COMMITS] [ROUNDS]
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunLog } from "../../src/ports/run-log.ts";
import { fileStore } from "../../src/stores/file-store.ts";
import { openDatabase } from "../../src/stores/postgres/database.ts";
import { migrate } from "../../src/stores/postgres/migrate.ts";
import { postgresStore } from "../../src/stores/postgres/postgres-store.ts";
import { storeAddress } from "../../src/stores/postgres/store-address.ts";
import { realClock } from "../../src/system/clock.ts";
import { realFiles } from "../../src/system/files.ts";
import { realProcesses } from "../../src/system/processes.ts";
import { realRandom } from "../../src/system/random.ts";
import { noted, runCreated } from "../conformance/sample-run.ts";
import { PrivateServer } from "../postgres/private-server.ts";

const [commits = 300, rounds = 5] = process.argv.slice(2).map(Number);
const MACHINE = { files: realFiles, clock: realClock, random: realRandom, processes: realProcesses };
/** A record of some 1 KB. */
const TEXT = "x".repeat(700);

// Both write to one disk, and sync it.
const folder = mkdtempSync(join(tmpdir(), "dr-bench-store-"));
// The server runs as another user.
chmodSync(folder, 0o755);
const server = await PrivateServer.start({ fsync: "on" }, folder);
const database = openDatabase({ address: storeAddress(server.url), clock: realClock });
await migrate(database);
const stores: Record<string, [RunLog, string]> = {
  files: [fileStore(MACHINE), join(folder, "runs")],
  rows: [postgresStore({ ...MACHINE, database }), "/runs"],
};
let runs = 0;

async function through([store, root]: [RunLog, string]): Promise<void> {
  const runRoot = `${root}/dr_${++runs}`;
  await store.create(runRoot, [runCreated(`dr_${runs}`)], []);
  const acquired = await store.acquire(runRoot);
  if (acquired.kind === "held") throw new Error("held");
  for (let at = 0; at < commits; at++) await acquired.writer.commit([noted(TEXT)]);
  await acquired.writer.release();
}

const rates = new Map<string, number[]>();
for (let round = 0; round < rounds; round++)
  for (const side of [1, 4])
    for (const [name, store] of Object.entries(stores)) {
      const begun = performance.now();
      await Promise.all(Array.from({ length: side }, () => through(store)));
      const key = `${name} x${side}`;
      rates.set(key, [...(rates.get(key) ?? []), (side * commits * 1000) / (performance.now() - begun)]);
    }
const median = (key: string): number => (rates.get(key) ?? []).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
for (const side of [1, 4])
  console.log(
    `commits a second, ${side} at a time: files ${median(`files x${side}`).toFixed(0)}, rows ${median(`rows x${side}`).toFixed(0)}, ratio ${(median(`rows x${side}`) / median(`files x${side}`)).toFixed(2)}`,
  );
await database.close();
server[Symbol.dispose]();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
