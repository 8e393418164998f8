// A reader that takes nothing, with real processes and a real pipe: it costs no lease, no event and no line.
import { expect, test } from "bun:test";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM } from "../program.ts";
import { QUESTION } from "../simulation/run-world.ts";
import { Host, type RealProcess } from "./real-processes.ts";

const LEASE_S = 2;
const PIPE_BYTES = 64 * 1024;

/** A pipe that is full from the start: the first write already finds no room. */
function fullPipe(host: Host): { end: number; read: () => Promise<string> } {
  const path = join(host.folder, "pipe");
  Bun.spawnSync(["mkfifo", path]);
  const end = openSync(path, "r+");
  writeSync(end, new Uint8Array(PIPE_BYTES).fill(0x20));
  return { end, read: () => new Response(Bun.spawn(["cat", path], { stdout: "pipe" }).stdout).text() };
}

/** Starts `dr_stalled`, and expects that its heartbeat goes on while nobody reads, and that a rival is told so. */
async function outlastsLease(host: Host, shows: "events" | "progress", end: number): Promise<RealProcess> {
  const stream = shows === "events" ? "stdout" : "stderr";
  const owner = host.worker("start", "dr_stalled", { stepMs: 600, leaseSeconds: LEASE_S, shows }, { [stream]: end });
  const lock = join(host.runRoot("dr_stalled"), ".lock");
  const refreshedAt = (): string => (JSON.parse(readFileSync(lock, "utf8")) as { refreshed_at: string }).refreshed_at;
  while (!existsSync(lock)) await Bun.sleep(20);
  const first = refreshedAt();
  await Bun.sleep((LEASE_S + 1) * 1000);
  while (refreshedAt() === first) await Bun.sleep(20);
  expect(await host.worker("tick", "dr_stalled", { stepMs: 0 }).ended).toBe(11);
  return owner;
}

test("events: every one comes once the reader is back", async () => {
  using host = new Host();
  const pipe = fullPipe(host);
  const owner = await outlastsLease(host, "events", pipe.end);
  const read = pipe.read();
  expect(await owner.ended).toBe(0);
  closeSync(pipe.end);
  const events = (await read)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { seq: number });
  // The last record is told of twice: as the change of state, and as the report that it publishes.
  const seqs = [...new Set(events.map(({ seq }) => seq))];
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  expect(events.length).toBeGreaterThan(50);
}, 600_000);

test("progress on stderr: every line comes once the reader is back", async () => {
  using host = new Host();
  const pipe = fullPipe(host);
  const owner = await outlastsLease(host, "progress", pipe.end);
  const read = pipe.read();
  expect(await owner.ended).toBe(0);
  closeSync(pipe.end);
  const lines = (await read).trim().split("\n");
  expect(lines.slice(0, 2)).toEqual(["reading 3 files of corpus", `run ${host.runRoot("dr_stalled")}`]);
  expect(lines.at(-1)).toStartWith("running -> completed");
}, 600_000);

test("telemetry on stderr: the run completes meanwhile, and the process ends once the reader is back", async () => {
  using host = new Host();
  const pipe = fullPipe(host);
  const line = ["start", QUESTION, "--corpus", host.corpus, "--run-id", "dr_told", "--quiet"];
  const child = Bun.spawn([...PROGRAM, ...line, "--runs-root", host.runsRoot], {
    env: { ...process.env, XDG_CACHE_HOME: join(host.folder, "cache"), DEEP_RESEARCH_TELEMETRY_SINK: "console" },
    stdout: "ignore",
    stderr: pipe.end,
  });
  try {
    const manifest = join(host.runRoot("dr_told"), "manifest.json");
    const isCompleted = (): boolean =>
      existsSync(manifest) && /"execution_state": ?"completed"/.test(readFileSync(manifest, "utf8"));
    while (!isCompleted()) await Bun.sleep(100);
    expect(child.exitCode).toBeNull();
    const read = pipe.read();
    expect(await child.exited).toBe(0);
    closeSync(pipe.end);
    expect((await read).trim().split("\n").at(-1)).toContain("dr.telemetry.v1");
  } finally {
    child.kill("SIGKILL");
  }
}, 600_000);

test("a halt is told while the reader of the events stalls, and SIGTERM ends the process", async () => {
  using host = new Host();
  const pipe = fullPipe(host);
  const home = join(host.folder, "home");
  const told = join(host.folder, "told");
  mkdirSync(join(home, ".config/deep-research"), { recursive: true });
  const settings = { on_halt: ["/bin/sh", "-c", `cat > ${told}`] };
  writeFileSync(join(home, ".config/deep-research/config.json"), JSON.stringify(settings));
  const line = ["start", "Which zebras yodel in quaint xylophones?", "--corpus", host.corpus, "--run-id", "dr_halted"];
  const child = Bun.spawn([...PROGRAM, ...line, "--jsonl", "--runs-root", host.runsRoot], {
    env: { PATH: process.env["PATH"], HOME: home, XDG_CACHE_HOME: join(host.folder, "cache") },
    stdout: pipe.end,
    stderr: "pipe",
  });
  try {
    while (!(existsSync(told) && readFileSync(told).length > 0)) await Bun.sleep(100);
    expect(readFileSync(told, "utf8")).toContain("no_evidence");
    expect(child.exitCode).toBeNull();
    child.kill("SIGTERM");
    expect(await child.exited).toBe(3);
    expect(await new Response(child.stderr).text()).toMatch(/note: \d+ events not written: their reader took no more/);
  } finally {
    child.kill("SIGKILL");
    closeSync(pipe.end);
  }
}, 600_000);
