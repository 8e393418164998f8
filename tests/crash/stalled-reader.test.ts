// A reader of the events that takes none, with real processes and a real pipe: it costs no lease, and no event.
import { expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Host } from "./real-processes.ts";

const LEASE_S = 2;
const PIPE_BYTES = 64 * 1024;

test("the heartbeat goes on, a rival is told who works, and every event comes once the reader is back", async () => {
  using host = new Host();
  const fifo = join(host.folder, "events");
  Bun.spawnSync(["mkfifo", fifo]);
  const end = openSync(fifo, "r+");
  // Full from the start: the first event already finds no room.
  writeSync(end, new Uint8Array(PIPE_BYTES).fill(0x20));
  const options = { stepMs: 600, leaseSeconds: LEASE_S, jsonl: true };
  const owner = host.worker("start", "dr_stalled", options, end);
  const lock = join(host.runRoot("dr_stalled"), ".lock");
  const refreshedAt = (): string => (JSON.parse(readFileSync(lock, "utf8")) as { refreshed_at: string }).refreshed_at;
  while (!(await Bun.file(lock).exists())) await Bun.sleep(20);
  const first = refreshedAt();
  await Bun.sleep((LEASE_S + 1) * 1000);
  expect(refreshedAt() > first).toBe(true);
  expect(await host.worker("tick", "dr_stalled", { stepMs: 0 }).ended).toBe(11);
  const read = new Response(Bun.spawn(["cat", fifo], { stdout: "pipe" }).stdout).text();
  expect(await owner.ended).toBe(0);
  closeSync(end);
  const events = (await read)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { seq: number });
  // The last record is told of twice: as the change of state, and as the report that it publishes.
  const seqs = [...new Set(events.map(({ seq }) => seq))];
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  expect(events.length).toBeGreaterThan(50);
}, 60_000);
