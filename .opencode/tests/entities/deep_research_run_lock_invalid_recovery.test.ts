// The run lock over damaged, stale, released and live lock files.
import { describe, expect, test } from "bun:test";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import {
  acquireRunLock,
  detectRunLock,
  refreshRunLock,
  releaseRunLock,
  type RunLockHandle,
} from "../../tools/deep_research_cli/run_lock.ts";
import { withTempDir } from "../helpers/dr-harness.ts";

async function acquired(run_root: string, lease_seconds = 10): Promise<RunLockHandle> {
  const outcome = await acquireRunLock({ run_root, lease_seconds, reason: "a test" });
  if (!outcome.ok) throw new Error(`not acquired: ${outcome.code}`);
  return outcome.handle;
}

const HALF_A_RECORD = '{"schema_version":"lock.v1","pid":1,"owner';
const UNREADABLE = {
  "no JSON": "{ this",
  empty: "",
  "half a record": HALF_A_RECORD,
  "NUL bytes": "\0\0\0\0",
  "another shape": '{"pid":"one"}',
  "a list": "[]",
};

describe("an unreadable .lock", () => {
  for (const [name, text] of Object.entries(UNREADABLE)) {
    test(`${name}: is seen as stale and taken over`, () =>
      withTempDir(async (run_root) => {
        await fs.writeFile(path.join(run_root, ".lock"), text);
        expect(await detectRunLock({ run_root })).toMatchObject({ ok: true, lock: null, stale: true });
        const handle = await acquired(run_root);
        expect(await detectRunLock({ run_root })).toMatchObject({
          ok: true,
          lock_path: path.join(run_root, ".lock"),
          lock: { lease_seconds: 10 },
          stale: false,
        });
        expect(await releaseRunLock(handle)).toEqual({ ok: true });
      }));
  }

  test("a symbolic link in its place is replaced, what it points to is not touched", () =>
    withTempDir(async (base) => {
      const run_root = path.join(base, "run");
      const elsewhere = path.join(base, "elsewhere");
      await fs.mkdir(run_root);
      await fs.writeFile(elsewhere, "mine");
      await fs.symlink(elsewhere, path.join(run_root, ".lock"));
      await releaseRunLock(await acquired(run_root));
      expect(await fs.readFile(elsewhere, "utf8")).toBe("mine");
    }));

  test("of ten at once exactly one gets it", () =>
    withTempDir(async (run_root) => {
      await fs.writeFile(path.join(run_root, ".lock"), "{ this");
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, () => acquireRunLock({ run_root, lease_seconds: 10 })),
      );
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
      for (const outcome of outcomes) if (!outcome.ok) expect(outcome.code).toBe("LOCK_HELD");
    }));
});

describe("a lock that can be read", () => {
  test("is held against everybody until it is released", () =>
    withTempDir(async (run_root) => {
      const handle = await acquired(run_root);
      const second = await acquireRunLock({ run_root, lease_seconds: 10 });
      expect(second).toMatchObject({
        ok: false,
        code: "LOCK_HELD",
        details: { lock: { pid: process.pid, reason: "a test" } },
      });
      expect(await releaseRunLock(handle)).toEqual({ ok: true });
      expect(await detectRunLock({ run_root })).toMatchObject({ ok: true, lock: null, stale: false });
      await releaseRunLock(await acquired(run_root));
    }));

  test("is nobody's after its release, also where that tells of an owner that died at work", () =>
    withTempDir(async (run_root) => {
      const handle = await acquired(run_root);
      const lock = JSON.parse(await fs.readFile(path.join(run_root, ".lock"), "utf8")) as Record<string, unknown>;
      await releaseRunLock(handle);
      const told = { ...lock, epoch: 99, released_at: lock["refreshed_at"], took_over: "owner_dead" };
      await fs.writeFile(path.join(run_root, ".lock"), JSON.stringify(told));
      await fs.writeFile(path.join(run_root, ".lock.99"), JSON.stringify(told));
      for (const now of [{}, { now_iso: new Date().toISOString() }])
        expect(await detectRunLock({ run_root, ...now })).toMatchObject({ ok: true, lock: null, stale: false });
    }));

  test("is refreshed to another length, and not after its release", () =>
    withTempDir(async (run_root) => {
      const handle = await acquired(run_root);
      expect(await refreshRunLock({ handle, lease_seconds: 60 })).toMatchObject({
        ok: true,
        lock: { lease_seconds: 60 },
      });
      await releaseRunLock(handle);
      expect(await refreshRunLock({ handle })).toMatchObject({ ok: false, code: "LOCK_NOT_HELD" });
      expect(await releaseRunLock(handle)).toMatchObject({ ok: false, code: "LOCK_NOT_HELD" });
    }));

  test("that was taken over is not refreshed or released by the owner before", () =>
    withTempDir(async (run_root) => {
      const first = await acquired(run_root);
      await fs.rm(path.join(run_root, ".lock"));
      const second = await acquired(run_root);
      expect(await refreshRunLock({ handle: first })).toMatchObject({ ok: false, code: "LOCK_NOT_OWNED" });
      expect(await releaseRunLock(first)).toMatchObject({ ok: false, code: "LOCK_NOT_OWNED" });
      expect(await refreshRunLock({ handle: second })).toMatchObject({ ok: true });
      await releaseRunLock(second);
    }));

  test("of a process that is gone is taken over at once; of a foreign host only after its time", () =>
    withTempDir(async (run_root) => {
      const handle = await acquired(run_root, 3600);
      const lock = JSON.parse(await fs.readFile(path.join(run_root, ".lock"), "utf8")) as Record<string, unknown>;
      await releaseRunLock(handle);
      const dead = Bun.spawnSync(["true"]).pid;
      const write = (changes: Record<string, unknown>): Promise<void> =>
        fs.writeFile(
          path.join(run_root, ".lock"),
          JSON.stringify({ ...lock, owner_id: "own_other", epoch: 99, ...changes }),
        );
      await write({ pid: dead, hostname: "elsewhere" });
      expect(await acquireRunLock({ run_root, lease_seconds: 10 })).toMatchObject({ ok: false, code: "LOCK_HELD" });
      await write({ pid: dead });
      expect(await detectRunLock({ run_root })).toMatchObject({
        ok: true,
        lock: { owner_id: "own_other" },
        stale: true,
      });
      // Who owns it is no question of the clock.
      expect(await detectRunLock({ run_root, now_iso: new Date().toISOString() })).toMatchObject({
        ok: true,
        stale: false,
      });
      await releaseRunLock(await acquired(run_root));
    }));

  test("is judged by now_iso alone when that is given", () =>
    withTempDir(async (run_root) => {
      const handle = await acquired(run_root, 10);
      const at = (seconds: number): Promise<unknown> =>
        detectRunLock({ run_root, now_iso: new Date(Date.now() + seconds * 1000).toISOString() });
      expect(await at(5)).toMatchObject({ ok: true, lock: { lease_seconds: 10 }, stale: false });
      expect(await at(15)).toMatchObject({ ok: true, lock: { lease_seconds: 10 }, stale: true });
      await releaseRunLock(handle);
      expect(await at(5)).toMatchObject({ ok: true, lock: null, stale: false });
    }));
});

describe("arguments that do not fit", () => {
  test("come back as typed failures, nothing is thrown and nothing written", () =>
    withTempDir(async (run_root) => {
      for (const lease_seconds of [0, -1, 3601, Number.NaN, "10" as unknown as number]) {
        expect(await acquireRunLock({ run_root, lease_seconds })).toMatchObject({ ok: false, code: "INVALID_ARGS" });
      }
      expect(await acquireRunLock({ run_root: "", lease_seconds: 10 })).toMatchObject({
        ok: false,
        code: "INVALID_ARGS",
      });
      expect(await acquireRunLock({ run_root: path.join(run_root, "none"), lease_seconds: 10 })).toMatchObject({
        ok: false,
        code: "NOT_FOUND",
      });
      expect(await detectRunLock({ run_root: path.join(run_root, "none") })).toMatchObject({
        ok: false,
        code: "NOT_FOUND",
      });
      expect(await detectRunLock({ run_root, now_iso: "yesterday" })).toMatchObject({
        ok: false,
        code: "INVALID_ARGS",
      });
      const stranger = { run_root, lock_path: path.join(run_root, ".lock") };
      expect(await refreshRunLock({ handle: stranger })).toMatchObject({ ok: false, code: "INVALID_ARGS" });
      expect(await releaseRunLock(stranger)).toMatchObject({ ok: false, code: "INVALID_ARGS" });
      expect(await acquireRunLock(undefined as never)).toMatchObject({ ok: false, code: "INVALID_ARGS" });
      expect(await fs.readdir(run_root)).toEqual([]);
    }));
});
