// The heartbeat of a run lock: keeps a lease alive, and says once when it cannot.
import { afterEach, describe, expect, spyOn, test } from "bun:test";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import {
  acquireRunLock,
  detectRunLock,
  releaseRunLock,
  startRunLockHeartbeat,
  type HeartbeatInfo,
  type RunLockHandle,
} from "../../tools/deep_research_cli/run_lock.ts";
import { withTempDir } from "../helpers/dr-harness.ts";

async function acquired(run_root: string, lease_seconds: number): Promise<RunLockHandle> {
  const outcome = await acquireRunLock({ run_root, lease_seconds });
  if (!outcome.ok) throw new Error(`not acquired: ${outcome.code}`);
  return outcome.handle;
}

/** Waits until something holds; at most two seconds. */
async function until(holds: () => boolean): Promise<void> {
  for (let round = 0; round < 200 && !holds(); round++) await Bun.sleep(10);
}

const running: { stop(): void }[] = [];
afterEach(() => {
  for (const heartbeat of running.splice(0)) heartbeat.stop();
});

describe("a heartbeat", () => {
  test("outlives the lease that it refreshes", () =>
    withTempDir(async (run_root) => {
      const handle = await acquired(run_root, 1);
      const seen: HeartbeatInfo[] = [];
      const heartbeat = startRunLockHeartbeat({ handle, interval_ms: 50, on_failure: (info) => void seen.push(info) });
      await Bun.sleep(1300);
      expect(await detectRunLock({ run_root })).toMatchObject({ ok: true, stale: false });
      expect(await acquireRunLock({ run_root, lease_seconds: 1 })).toMatchObject({ ok: false, code: "LOCK_HELD" });
      heartbeat.stop();
      expect(seen).toEqual([]);
      // The control: without it the lease ends by itself.
      await Bun.sleep(1200);
      expect(await detectRunLock({ run_root })).toMatchObject({ ok: true, stale: true });
      await releaseRunLock(handle);
    }));

  test("asks for the length that it was given", () =>
    withTempDir(async (run_root) => {
      const handle = await acquired(run_root, 5);
      running.push(startRunLockHeartbeat({ handle, interval_ms: 10, lease_seconds: 42 }));
      const seconds = async (): Promise<unknown> =>
        (JSON.parse(await fs.readFile(path.join(run_root, ".lock"), "utf8")) as { lease_seconds: unknown })
          .lease_seconds;
      for (let round = 0; round < 200 && (await seconds()) !== 42; round++) await Bun.sleep(10);
      expect(await seconds()).toBe(42);
    }));

  test("says once, after failures in a row, that the lock was taken away", () =>
    withTempDir(async (run_root) => {
      const handle = await acquired(run_root, 5);
      const seen: HeartbeatInfo[] = [];
      running.push(
        startRunLockHeartbeat({
          handle,
          interval_ms: 50,
          max_consecutive_failures: 3,
          on_failure: (info) => void seen.push(info),
        }),
      );
      await fs.rm(path.join(run_root, ".lock"));
      await until(() => seen.length > 0);
      expect(seen).toMatchObject([{ code: "LOCK_NOT_HELD", details: { run_root, consecutive_failures: 3 } }]);
      expect(seen[0]?.message).not.toBe("");
      await Bun.sleep(200);
      expect(seen).toHaveLength(1);
    }));

  test("names another owner as the reason", () =>
    withTempDir(async (run_root) => {
      const first = await acquired(run_root, 5);
      await fs.rm(path.join(run_root, ".lock"));
      const second = await acquired(run_root, 5);
      const seen: HeartbeatInfo[] = [];
      running.push(
        startRunLockHeartbeat({ handle: first, interval_ms: 50, on_failure: (info) => void seen.push(info) }),
      );
      await until(() => seen.length > 0);
      expect(seen).toMatchObject([{ code: "LOCK_NOT_OWNED" }]);
      await releaseRunLock(second);
    }));

  test("stopped in time it says nothing", () =>
    withTempDir(async (run_root) => {
      const handle = await acquired(run_root, 5);
      const seen: HeartbeatInfo[] = [];
      const heartbeat = startRunLockHeartbeat({
        handle,
        interval_ms: 50,
        max_consecutive_failures: 2,
        on_failure: (info) => void seen.push(info),
      });
      heartbeat.stop();
      await fs.rm(path.join(run_root, ".lock"));
      await Bun.sleep(250);
      expect(seen).toEqual([]);
    }));

  test("survives a callback that throws, at once or later, and says so on stderr", () =>
    withTempDir(async (run_root) => {
      const said = spyOn(console, "error").mockImplementation(() => undefined);
      try {
        for (const on_failure of [
          () => {
            throw new Error("at once");
          },
          () => Promise.reject(new Error("later")),
        ]) {
          const handle = await acquired(run_root, 5);
          running.push(startRunLockHeartbeat({ handle, interval_ms: 50, max_consecutive_failures: 1, on_failure }));
          await fs.rm(path.join(run_root, ".lock"));
          const before = said.mock.calls.length;
          await until(() => said.mock.calls.length > before);
        }
        expect(said.mock.calls.map(([line]) => String(line))).toEqual([
          expect.stringContaining("at once"),
          expect.stringContaining("later"),
        ]);
      } finally {
        said.mockRestore();
      }
    }));

  test("arguments that do not fit are told through on_failure", () =>
    withTempDir(async (run_root) => {
      const handle = await acquired(run_root, 5);
      const seen: HeartbeatInfo[] = [];
      const on_failure = (info: HeartbeatInfo): void => void seen.push(info);
      startRunLockHeartbeat({ handle, interval_ms: -1, on_failure }).stop();
      startRunLockHeartbeat({ handle, max_consecutive_failures: 0, on_failure }).stop();
      startRunLockHeartbeat({ handle: { run_root, lock_path: "" }, on_failure }).stop();
      expect(seen.map(({ code }) => code)).toEqual(["INVALID_ARGS", "INVALID_ARGS", "INVALID_ARGS"]);
      await releaseRunLock(handle);
    }));
});
