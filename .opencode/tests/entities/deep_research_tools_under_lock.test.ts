// The tools of a process that holds the run lock work under it; those of others are refused.
import { describe, expect, test } from "bun:test";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import { manifest_write } from "../../tools/deep_research_cli/manifest_write.ts";
import { perspectives_write } from "../../tools/deep_research_cli/perspectives_write.ts";
import {
  acquireRunLock,
  detectRunLock,
  releaseRunLock,
  startRunLockHeartbeat,
  type RunLockHandle,
} from "../../tools/deep_research_cli/run_lock.ts";
import { stage_advance } from "../../tools/deep_research_cli/stage_advance.ts";
import { watchdog_check } from "../../tools/deep_research_cli/watchdog_check.ts";
import { call, makeRun, PLAN, readManifest, recordsOf, withTempDir, type SampleRun } from "../helpers/dr-harness.ts";

async function locked(run: SampleRun): Promise<RunLockHandle> {
  const lock = await acquireRunLock({ run_root: run.runRoot, lease_seconds: 60, reason: "an orchestrator" });
  if (!lock.ok) throw new Error(lock.code);
  return lock.handle;
}

describe("under the lock of the same process", () => {
  test("every tool works, manifest.json shows what it did, and the lock stays with its holder", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base);
      const manifest_path = run.manifestPath;
      const handle = await locked(run);
      const revisionShown = async (): Promise<number> => (await readManifest(manifest_path)).revision;

      expect(await call(stage_advance, { manifest_path, reason: "too early" })).toMatchObject({
        ok: false,
        error: { code: "GATE_BLOCKED" },
      });
      const patch = { failures: [] };
      const expected_revision = await revisionShown();
      expect(await call(manifest_write, { manifest_path, patch, expected_revision, reason: "first" })).toMatchObject({
        ok: true,
        revision: await revisionShown(),
      });
      expect(await call(perspectives_write, { manifest_path, value: PLAN, reason: "a plan" })).toMatchObject({
        ok: true,
      });
      expect(await call(stage_advance, { manifest_path, reason: "planned" })).toMatchObject({ ok: true, to: "wave1" });
      expect(
        await call(manifest_write, {
          manifest_path,
          patch,
          expected_revision: await revisionShown(),
          reason: "once more",
        }),
      ).toMatchObject({ ok: true });
      // One owner, named once, however many tools worked under its lock.
      expect(await recordsOf(run, "lease.taken")).toMatchObject([{ pid: process.pid, reason: "first" }]);

      const late = await call(watchdog_check, {
        manifest_path,
        now_iso: new Date(Date.now() + 86_400_000).toISOString(),
        reason: "a day later",
      });
      expect(late).toMatchObject({ ok: true, timed_out: true });
      expect((await readManifest(manifest_path)).status).toBe("failed");

      expect(await detectRunLock({ run_root: run.runRoot })).toMatchObject({ stale: false, lock: { epoch: 1 } });
      expect(await releaseRunLock(handle)).toEqual({ ok: true });
      expect(await detectRunLock({ run_root: run.runRoot })).toMatchObject({ lock: null });
    }));

  test("two tools at once: one works, the other is refused", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base);
      const handle = await locked(run);
      const both = await Promise.all(
        ["one", "two"].map((reason) =>
          call(manifest_write, { manifest_path: run.manifestPath, patch: { failures: [] }, reason }),
        ),
      );
      expect(new Set(both.map(({ ok, error }) => (ok ? "ok" : error?.code)))).toEqual(new Set(["LOCK_HELD", "ok"]));
      await releaseRunLock(handle);
    }));

  test("control: the lock of another process refuses them, and after a release nothing is lent", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base);
      const holder = `
        import { acquireRunLock } from ${JSON.stringify(path.resolve(import.meta.dir, "../../tools/deep_research_cli/run_lock.ts"))};
        const lock = await acquireRunLock({ run_root: ${JSON.stringify(run.runRoot)}, lease_seconds: 60 });
        console.log(lock.ok);
        await Bun.sleep(60_000);
      `;
      const other = Bun.spawn([process.execPath, "-e", holder], { stdout: "pipe", stderr: "inherit" });
      const { value } = await other.stdout.getReader().read();
      expect(new TextDecoder().decode(value)).toBe("true\n");
      const write = async (): Promise<string | undefined> =>
        (await call(manifest_write, { manifest_path: run.manifestPath, patch: { failures: [] }, reason: "a test" }))
          .error?.code;
      expect(await write()).toBe("LOCK_HELD");
      other.kill("SIGKILL");
      await other.exited;
      expect(await write()).toBeUndefined();

      await releaseRunLock(await locked(run));
      const owner = await run.ports.store.acquire(run.runRoot);
      if (owner.kind === "held") throw new Error("held");
      expect(await write()).toBe("LOCK_HELD");
      await owner.writer.release();
    }));

  test("the heartbeat's callback fails the run as the seed writes it, with the lock removed and with it in place", () =>
    withTempDir(async (base) => {
      for (const isRemoved of [true, false]) {
        const run = await makeRun(path.join(base, String(isRemoved)));
        const manifestPath = run.manifestPath;
        const from = "perspectives";
        const runLockHandle = await locked(run);
        const reason = "a tick";
        expect(
          await call(manifest_write, { manifest_path: manifestPath, patch: { status: "running" }, reason }),
        ).toMatchObject({ ok: true });
        await call(stage_advance, { manifest_path: manifestPath, reason: "refused" });
        const manifestRevision = (JSON.parse(await fs.readFile(manifestPath, "utf8")) as { revision: number }).revision;
        const done = Promise.withResolvers<void>();
        async function failRunDueToLockLoss(details: Record<string, unknown>): Promise<void> {
          const patch = {
            status: "failed",
            failures: [
              {
                kind: "lock_lost",
                stage: from,
                message: "run lock heartbeat lost",
                retryable: false,
                ts: new Date().toISOString(),
                details,
              },
            ],
          };
          await manifest_write.execute({
            manifest_path: manifestPath,
            patch,
            expected_revision: manifestRevision,
            reason: `lock heartbeat lost: ${reason}`,
          });
          done.resolve();
        }
        if (isRemoved) {
          const heartbeat = startRunLockHeartbeat({
            handle: runLockHandle,
            interval_ms: 50,
            lease_seconds: 120,
            max_consecutive_failures: 2,
            on_failure: (info) => void failRunDueToLockLoss({ ...info }),
          });
          await fs.rm(path.join(run.runRoot, ".lock"));
          await done.promise;
          heartbeat.stop();
        } else {
          await failRunDueToLockLoss({ code: "WRITE_FAILED" });
        }
        expect(await readManifest(manifestPath)).toMatchObject({
          status: "failed",
          failures: [{ kind: "lock_lost", stage: from }],
        });
        await releaseRunLock(runLockHandle);
      }
    }));
});
