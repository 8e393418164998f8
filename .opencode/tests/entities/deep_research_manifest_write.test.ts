// manifest_write: what may be patched, under which conditions, and what the journal keeps of it.
import { describe, expect, test } from "bun:test";
import * as fs from "node:fs/promises";
import { abortRun } from "../../../src/operations/change/stop-run.ts";
import { patchManifest } from "../../../src/operations/change/patch-manifest.ts";
import { tickRun } from "../../../src/operations/change/tick-run.ts";
import { verifyRun } from "../../../src/operations/care/verify-run.ts";
import { manifestSchema } from "../../../src/run/log/manifest.ts";
import { manifest_write } from "../../tools/deep_research_cli/manifest_write.ts";
import { sha256DigestForJson } from "../../tools/deep_research_cli/wave_tools_shared.ts";
import { call, makeRun, readManifest, recordsOf, withTempDir, type SampleRun } from "../helpers/dr-harness.ts";

async function runAtWork(base: string): Promise<SampleRun> {
  const run = await makeRun(base);
  await tickRun(run.ports, run.runRoot, {});
  return run;
}

function failure(message: string): Record<string, unknown> {
  return {
    kind: "network",
    stage: "wave1",
    message,
    retryable: true,
    ts: "2026-01-01T00:00:00.000Z",
    details: { status: 503 },
  };
}

function write(run: SampleRun, patch: unknown, more: Record<string, unknown> = {}): ReturnType<typeof call> {
  return call(manifest_write, { manifest_path: run.manifestPath, patch, reason: "a test", ...more });
}

describe("manifest_write", () => {
  test("journals the patch with its canonical digest and appends failures", () =>
    withTempDir(async (base) => {
      const run = await runAtWork(base);
      const before = await readManifest(run.manifestPath);
      const patch = { failures: [failure("first")] };
      const answer = await write(run, patch, { expected_revision: before.revision });
      expect(answer).toMatchObject({
        ok: true,
        patch_digest: sha256DigestForJson(patch),
        manifest_path: run.manifestPath,
      });
      expect((await write(run, { failures: [failure("second")] })).ok).toBe(true);
      const after = await readManifest(run.manifestPath);
      expect(after.failures).toMatchObject([failure("first"), failure("second")]);
      expect(after.revision).toBeGreaterThan(Number(answer["revision"]));
      expect(after.status).toBe("running");
      expect((await recordsOf(run, "manifest.patched"))[0]).toEqual({
        patch,
        patch_digest: sha256DigestForJson(patch),
        reason: "a test",
      });
      expect((await verifyRun(run.ports, run.runRoot)).error).toBeNull();
    }));

  test("a patch that is sent again adds no failure twice, and its digest does not depend on the order of keys", () =>
    withTempDir(async (base) => {
      const run = await runAtWork(base);
      const turned = Object.fromEntries(Object.entries(failure("once")).reverse());
      const first = await write(run, { failures: [failure("once")] });
      const second = await write(run, { failures: [turned] });
      expect(second["patch_digest"]).toBe(first["patch_digest"]);
      expect((await readManifest(run.manifestPath)).failures).toHaveLength(1);
    }));

  test("changes the state by the table and no other way", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base);
      expect((await write(run, { status: "failed" })).error).toMatchObject({
        code: "INVALID_STATE",
        details: { state: "idle", wanted: "failed" },
      });
      expect((await write(run, { status: "paused" })).error?.code).toBe("INVALID_STATE");
      expect(await write(run, { status: "running" })).toMatchObject({ ok: true, execution_state: "running" });
      expect((await readManifest(run.manifestPath)).provenance).toMatchObject([
        { resolved_provider_id: "filesystem", resolved_from: "default" },
      ]);
      expect(await write(run, { execution_state: "paused", status: "paused" })).toMatchObject({
        ok: true,
        execution_state: "paused",
      });
      expect((await write(run, { status: "completed" })).error?.code).toBe("INVALID_STATE");
      expect(await write(run, { status: "running" })).toMatchObject({ ok: true });
      expect((await write(run, { status: "completed" })).error?.code).toBe("INVALID_STATE");
      expect(await write(run, { status: "failed", failures: [failure("the end")] })).toMatchObject({
        ok: true,
        execution_state: "failed",
      });
      const ended = await readManifest(run.manifestPath);
      expect(ended.state_history.map(({ to }) => to)).toEqual(["running", "paused", "running", "failed"]);
      expect(ended.failures).toMatchObject([{ message: "the end" }]);
      expect(ended.ended_at).toBeDefined();
      for (const patch of [{ status: "running" }, { status: "failed" }, { failures: [failure("late")] }]) {
        expect((await write(run, patch)).error?.code).toBe("RUN_TERMINAL");
      }
      expect(await readManifest(run.manifestPath)).toEqual(ended);
    }));

  test("an aborted run stays aborted", () =>
    withTempDir(async (base) => {
      const run = await runAtWork(base);
      await abortRun(run.ports, run.runRoot, { waitSeconds: 5 });
      expect((await write(run, { status: "running" })).error).toMatchObject({
        code: "RUN_TERMINAL",
        details: { state: "aborted" },
      });
    }));

  test("refuses every field that follows from the journal, and names it", () =>
    withTempDir(async (base) => {
      const run = await runAtWork(base);
      const before = await fs.readFile(run.manifestPath, "utf8");
      const journal = await run.ports.store.records(run.runRoot);
      const fields = [...Object.keys(manifestSchema.shape), "digest"].filter(
        (field) => !["status", "execution_state", "failures"].includes(field),
      );
      expect(fields.length).toBeGreaterThan(25);
      for (const field of fields) {
        expect((await write(run, { status: "paused", [field]: null })).error).toMatchObject({
          code: "IMMUTABLE_FIELD",
          details: { fields: [field] },
        });
      }
      for (const patch of [
        {},
        { surprise: 1 },
        { status: "queued" },
        { failures: [{ kind: "x" }] },
        { failures: {} },
        { status: "paused", execution_state: "failed" },
      ]) {
        expect((await write(run, patch)).error?.code).toBe("SCHEMA_VALIDATION_FAILED");
      }
      expect((await write(run, null)).error?.code).toBe("INVALID_ARGS");
      expect(await fs.readFile(run.manifestPath, "utf8")).toBe(before);
      expect(await run.ports.store.records(run.runRoot)).toHaveLength(journal.length);
    }));

  test("is a compare-and-set when a revision is given", () =>
    withTempDir(async (base) => {
      const run = await runAtWork(base);
      const { revision } = await readManifest(run.manifestPath);
      const stale = await write(run, { status: "paused" }, { expected_revision: revision - 1 });
      expect(stale.error).toMatchObject({
        code: "REVISION_MISMATCH",
        details: { expected_revision: revision - 1, revision },
      });
      const rivals = await Promise.all(
        [1, 2, 3].map((n) => write(run, { failures: [failure(`rival ${n}`)] }, { expected_revision: revision })),
      );
      expect(rivals.filter(({ ok }) => ok)).toHaveLength(1);
      for (const { error } of rivals)
        if (error !== undefined) expect(["REVISION_MISMATCH", "LOCK_HELD"]).toContain(error.code);
      expect((await readManifest(run.manifestPath)).failures).toHaveLength(1);
      const winner = rivals.find(({ ok }) => ok);
      expect((await readManifest(run.manifestPath)).revision).toBe(Number(winner?.["revision"]));
    }));

  test("takes the revision that manifest.json shows where an owner was killed before it wrote the fold", () =>
    withTempDir(async (base) => {
      const run = await runAtWork(base);
      const { revision } = await readManifest(run.manifestPath);
      const shown = await fs.readFile(run.manifestPath);
      expect(await write(run, { failures: [failure("one")] })).toMatchObject({ ok: true });
      await fs.writeFile(run.manifestPath, shown);
      const answer = await write(run, { failures: [failure("two")] }, { expected_revision: revision });
      expect(answer).toMatchObject({ ok: true });
      expect((await readManifest(run.manifestPath)).failures).toHaveLength(2);
      // From now on manifest.json shows more: what was read before it is old.
      expect((await write(run, { status: "failed" }, { expected_revision: revision })).error?.code).toBe(
        "REVISION_MISMATCH",
      );
    }));

  test("finds a rival that was quicker between the look and the lease", () =>
    withTempDir(async (base) => {
      const run = await runAtWork(base);
      const { revision } = await readManifest(run.manifestPath);
      const { store } = run.ports;
      const slow = {
        ...store,
        async acquire(...args: Parameters<typeof store.acquire>) {
          expect(await write(run, { failures: [failure("the rival")] })).toMatchObject({ ok: true });
          return await store.acquire(...args);
        },
      };
      const patch = { failures: [failure("too late")] };
      const error = await patchManifest({ ...run.ports, store: slow }, run.runRoot, {
        patch,
        expectedRevision: revision,
        reason: "a test",
      }).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: "REVISION_MISMATCH" });
      const { manifest, shownRevision } = await run.ports.store.look(run.runRoot);
      expect(manifest.failures).toMatchObject([{ message: "the rival" }]);
      // The one that was refused left no record behind the rival's.
      expect(shownRevision).toBe(manifest.revision);
      expect((await run.ports.store.records(run.runRoot)).at(-1)?.kind).toBe("manifest.patched");
    }));

  test("is refused while a live owner holds the lease", () =>
    withTempDir(async (base) => {
      const run = await runAtWork(base);
      const owner = await run.ports.store.acquire(run.runRoot);
      if (owner.kind === "held") throw new Error("held");
      expect((await write(run, { status: "paused" })).error).toMatchObject({
        code: "LOCK_HELD",
        details: { pid: process.pid },
      });
      await owner.writer.release();
      expect((await write(run, { status: "paused" })).ok).toBe(true);
    }));

  test("notes an owner that was gone before it changes the state", () =>
    withTempDir(async (base) => {
      const run = await runAtWork(base);
      const acquired = await run.ports.store.acquire(run.runRoot);
      if (acquired.kind === "held") throw new Error("held");
      const { boot_id } = run.ports.processes.self();
      await acquired.writer.commit([
        { kind: "tick.started", data: { tick: 9, tool_version: "0.0.0", uptime_ms: 1, boot_id } },
      ]);
      await acquired.writer.release();
      expect((await run.ports.store.look(run.runRoot)).state).toBe("interrupted");
      expect(await write(run, { status: "paused" })).toMatchObject({ ok: true, execution_state: "paused" });
      expect((await readManifest(run.manifestPath)).state_history.map(({ to }) => to)).toEqual([
        "running",
        "interrupted",
        "paused",
      ]);
    }));
});
