// A fleet as people have it: workers as real processes over one server, runs that are handed on, taken over and handed back.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase, type Database } from "../../src/stores/postgres/database.ts";
import { postgresStore, type PostgresStore } from "../../src/stores/postgres/postgres-store.ts";
import { storeAddress } from "../../src/stores/postgres/store-address.ts";
import { realClock } from "../../src/system/clock.ts";
import { realProcesses } from "../../src/system/processes.ts";
import { realRandom } from "../../src/system/random.ts";
import { cli } from "../cli/fake-host.ts";
import { mustAcquire } from "../conformance/run-log.ts";
import { chaos } from "./chaos.ts";
import { PROGRAM } from "../program.ts";
import { PrivateServer, WHY_NO_SERVER } from "./private-server.ts";

const CORPUS = join(import.meta.dir, "../fixtures/corpus");
const QUESTION = "How does a lease expire?";
const PATIENCE_MS = 60_000;

describe.skipIf(WHY_NO_SERVER !== null)("a fleet", () => {
  let server: PrivateServer;
  let folder: string;
  let database: Database;
  let store: PostgresStore;
  let workers: ChildProcess[] = [];
  beforeAll(async () => {
    server = await PrivateServer.start();
    folder = mkdtempSync(join(tmpdir(), "dr-fleet-"));
    expect((await cli(["store", "migrate", server.url])).code).toBe(0);
    database = openDatabase({ address: storeAddress(server.url), clock: realClock });
    store = postgresStore({ database, clock: realClock, processes: realProcesses, random: realRandom });
  });
  afterEach(() => {
    for (const worker of workers) worker.kill("SIGKILL");
    workers = [];
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
    server[Symbol.dispose]();
  });

  const environment = (): Record<string, string> => ({ DEEP_RESEARCH_STORE: server.url, HOME: folder });
  const start = (runId: string, ...words: string[]) =>
    cli(["start", QUESTION, "--run-id", runId, "--detach", ...words], { environment: environment() });
  const stateOf = async (runId: string): Promise<string> => (await store.look(`/runs/${runId}`)).state;

  function work(): { worker: ChildProcess; said: () => string } {
    const env = { ...process.env, ...environment() };
    const [program, ...words] = PROGRAM;
    const worker = spawn(program, [...words, "worker", "--jobs", "2"], {
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    worker.stderr?.on("data", (text) => (said += String(text)));
    workers.push(worker);
    return { worker, said: () => said };
  }

  async function until(isSo: () => Promise<boolean> | boolean, what: string): Promise<void> {
    const last = Date.now() + PATIENCE_MS;
    while (!(await isSo())) {
      if (Date.now() > last) throw new Error(`it never came: ${what}`);
      await Bun.sleep(50);
    }
  }

  test(
    "a run that is handed on is completed by a worker that comes later, and by one that is there",
    async () => {
      const early = await start("dr_early", "--corpus", CORPUS);
      expect([early.code, early.stdout]).toEqual([0, expect.stringContaining("handed on")]);
      expect(await stateOf("dr_early")).toBe("running");
      const { worker, said } = work();
      await until(async () => (await stateOf("dr_early")) === "completed", "the early run");
      await start("dr_late", "--corpus", CORPUS);
      await until(async () => (await stateOf("dr_late")) === "completed", "the late run");
      await until(() => said().includes("/runs/dr_late: completed"), "what the worker says of it");
      const ended = new Promise((resolve) => worker.on("exit", resolve));
      worker.kill("SIGTERM");
      expect(await ended).toBe(0);
    },
    PATIENCE_MS * 2,
  );

  test(
    "one whose owner is silent is taken over once its lease has run out, and no step is done twice",
    async () => {
      await start("dr_silent", "--corpus", CORPUS);
      const elsewhere = { ...realProcesses, self: () => ({ ...realProcesses.self(), hostname: "elsewhere" }) };
      const silent = postgresStore({ database, clock: realClock, processes: elsewhere, random: realRandom });
      await mustAcquire(silent, "/runs/dr_silent", { lease_seconds: 8 });
      const heldMs = performance.now();
      work();
      await until(async () => (await stateOf("dr_silent")) === "completed", "the take-over");
      expect(performance.now() - heldMs).toBeGreaterThan(7_900);
      const taken = (await store.records("/runs/dr_silent")).filter((record) => record.kind === "lease.taken");
      expect(taken.at(-1)?.data.took_over).toBe("expired");
    },
    PATIENCE_MS * 2,
  );

  test(
    "one whose documents are not there is handed back as it is, and triage says so",
    async () => {
      const documents = join(folder, "documents");
      await Bun.write(
        join(documents, "lease.md"),
        "# Leases\n\nA lease expires 120 seconds after its last heartbeat.\n",
      );
      await start("dr_lacks", "--corpus", documents);
      rmSync(documents, { recursive: true });
      const { said } = work();
      await until(() => said().includes("handed back"), "the run handed back");
      expect(await stateOf("dr_lacks")).toBe("running");
      const { stdout } = await cli(["triage", "--all"], { environment: environment() });
      expect(stdout).toContain(`its documents, ${documents}, are not on this worker`);
      expect((await store.records("/runs/dr_lacks")).some(({ kind }) => kind === "halt.raised")).toBe(false);
    },
    PATIENCE_MS * 2,
  );

  test(
    "workers, their versions and keys are what doctor compares",
    async () => {
      work();
      await until(async () => {
        const { stdout } = await cli(["doctor", "--offline"], { environment: environment() });
        return /workers: \d for \d runs at a time/.test(stdout);
      }, "the worker in doctor");
    },
    PATIENCE_MS,
  );
});

test.skipIf(WHY_NO_SERVER !== null)(
  "faults at random: each run is completed once, no step twice, and every export passes the checker",
  async () => {
    using server = await PrivateServer.start();
    const isWhole = process.env["TEST_SWEEP"] === "full";
    const size = isWhole ? { runs: 200, workers: 4, faults: 36 } : { runs: 12, workers: 2, faults: 5 };
    const seed = Number(process.env["TEST_SEED"] ?? Math.floor(Math.random() * 1_000_000));
    const report = await chaos(server, { ...size, seed, pauseMs: isWhole ? 2_500 : 700, limitMs: 1_500_000 });
    console.log(`chaos, seed ${seed}: ${JSON.stringify(report)}`);
    expect([report.completed, report.wrong]).toEqual([size.runs, []]);
  },
  1_800_000,
);
