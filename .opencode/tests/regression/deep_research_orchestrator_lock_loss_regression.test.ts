// A run whose lock is taken away while it works is marked failed, by the tick itself and by a heartbeat that patches it.
import { describe, expect, test } from "bun:test";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import { RunError } from "../../../src/kernel/errors.ts";
import { tickRun } from "../../../src/operations/change/tick-run.ts";
import type { Driver, TaskTools } from "../../../src/ports/driver.ts";
import type { Ports } from "../../../src/ports/ports.ts";
import { manifest_write } from "../../tools/deep_research_cli/manifest_write.ts";
import { acquireRunLock, releaseRunLock, startRunLockHeartbeat } from "../../tools/deep_research_cli/run_lock.ts";
import { call, makeRun, readManifest, recordsOf, withTempDir, type SampleRun } from "../helpers/dr-harness.ts";

const LEASE = { lease_seconds: 5, heartbeat_seconds: 0.05, max_consecutive_failures: 2 };

/** Ports whose driver does something to the run in the middle of its first step, then works on or is told to stop. */
async function withIncident(ports: Ports, incident: (signal: AbortSignal) => Promise<void>): Promise<Ports> {
  const real = await ports.loadDriver("local");
  const driver: Driver = {
    id: real.id,
    version: real.version,
    async perform(kind, input, tools: TaskTools) {
      await incident(tools.signal);
      return await real.perform(kind, input, tools);
    },
  };
  return { ...ports, loadDriver: async () => driver };
}

/** Waits for the signal, at most as long as the test may last. */
async function untilAborted(signal: AbortSignal): Promise<void> {
  for (let round = 0; round < 300 && !signal.aborted; round++) await Bun.sleep(10);
  signal.throwIfAborted();
}

async function tickWith(run: SampleRun, incident: (signal: AbortSignal) => Promise<void>): Promise<string> {
  try {
    await tickRun(await withIncident(run.ports, incident), run.runRoot, { reason: "a test" });
    return "no error";
  } catch (error) {
    return error instanceof RunError ? error.code : String(error);
  }
}

describe("lock loss during a tick", () => {
  test("ends the work and fails the run, with a failure that says so", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base, { lease: LEASE });
      const code = await tickWith(run, async (signal) => {
        await fs.rm(path.join(run.runRoot, ".lock"));
        await untilAborted(signal);
      });
      expect(code).toBe("LOCK_LOST");
      const { status, execution_state, failures, steps } = await readManifest(run.manifestPath);
      expect({ status, execution_state }).toEqual({ status: "failed", execution_state: "failed" });
      expect(failures).toMatchObject([{ kind: "lock_lost", stage: "perspectives", retryable: false }]);
      expect(steps["perspectives:plan"]?.state).toBe("started");
    }));

  test("to another owner: the loser writes nothing and the run is not failed", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base, { lease: LEASE });
      const code = await tickWith(run, async (signal) => {
        await fs.rm(path.join(run.runRoot, ".lock"));
        const rival = await acquireRunLock({ run_root: run.runRoot, lease_seconds: 5 });
        expect(rival.ok).toBe(true);
        await untilAborted(signal);
      });
      expect(code).toBe("LOCK_LOST");
      const { manifest } = await run.ports.store.look(run.runRoot);
      expect(manifest.execution_state).toBe("running");
      expect(manifest.failures).toEqual([]);
    }));

  test("control: with its lock in place the same tick goes on", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base, { lease: LEASE });
      expect(await tickWith(run, async () => await Bun.sleep(300))).toBe("no error");
      const { status, failures, stage } = await readManifest(run.manifestPath);
      expect({ status, failures, stage: stage.current }).toEqual({ status: "running", failures: [], stage: "wave1" });
    }));
});

describe("lock loss of a driver outside", () => {
  test("its heartbeat fails the run through manifest_write", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base);
      await tickRun(run.ports, run.runRoot, {});
      const { revision } = await readManifest(run.manifestPath);
      const lock = await acquireRunLock({ run_root: run.runRoot, lease_seconds: 5, reason: "a test" });
      if (!lock.ok) throw new Error(lock.code);
      const told = Promise.withResolvers<Awaited<ReturnType<typeof call>>>();
      const heartbeat = startRunLockHeartbeat({
        handle: lock.handle,
        interval_ms: 50,
        max_consecutive_failures: 2,
        async on_failure({ code, message, details }) {
          const failure = {
            kind: "lock_lost",
            stage: "wave1",
            message,
            retryable: false,
            ts: new Date().toISOString(),
            details: { code, ...details },
          };
          const patch = { status: "failed", failures: [failure] };
          told.resolve(
            await call(manifest_write, {
              manifest_path: run.manifestPath,
              patch,
              expected_revision: revision,
              reason: "the lock is lost",
            }),
          );
        },
      });
      await fs.rm(path.join(run.runRoot, ".lock"));
      expect(await told.promise).toMatchObject({ ok: true, execution_state: "failed" });
      heartbeat.stop();
      const { status, failures } = await readManifest(run.manifestPath);
      expect(status).toBe("failed");
      expect(failures).toMatchObject([{ kind: "lock_lost", stage: "wave1", details: { code: "LOCK_NOT_HELD" } }]);
      expect(await recordsOf(run, "manifest.patched")).toHaveLength(1);
      await releaseRunLock(lock.handle);
    }));
});
