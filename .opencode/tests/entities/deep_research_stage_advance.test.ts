// stage_advance: a stage is left only when its steps are done and its gates pass.
import { describe, expect, test } from "bun:test";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import { digestOfJson } from "../../../src/kernel/digest.ts";
import { pauseRun } from "../../../src/operations/change/stop-run.ts";
import { resumeRun } from "../../../src/operations/change/resume-run.ts";
import { runRun } from "../../../src/operations/change/run-run.ts";
import { tickRun } from "../../../src/operations/change/tick-run.ts";
import { verifyRun } from "../../../src/operations/care/verify-run.ts";
import type { Driver, TaskKind } from "../../../src/ports/driver.ts";
import { stage_advance } from "../../tools/deep_research_cli/stage_advance.ts";
import { call, makeRun, readManifest, recordsOf, withTempDir, type SampleRun } from "../helpers/dr-harness.ts";

function advance(run: SampleRun, more: Record<string, unknown> = {}): ReturnType<typeof call> {
  return call(stage_advance, { manifest_path: run.manifestPath, reason: "a test", ...more });
}

/**
 * A run whose stage has every step done and is not left yet: a pause that is asked for during the stage's first step lets
 * the steps that run side by side finish, and stops there; then the pause is lifted.
 */
async function doneIn(base: string, task: TaskKind): Promise<SampleRun> {
  const run = await makeRun(base);
  const { store } = run.ports;
  const real = await run.ports.loadDriver("local");
  let isAsked = false;
  const driver: Driver = {
    ...real,
    async perform(kind, input, tools) {
      if (kind === task && !isAsked) {
        isAsked = true;
        const requested_at = "2026-01-01T00:00:00.000Z";
        await store.request(run.runRoot, {
          schema_version: "request.v1",
          request_id: "pause-1",
          kind: "pause",
          reason: "a test",
          requested_at,
        });
      }
      return await real.perform(kind, input, tools);
    },
  };
  await runRun({ ...run.ports, loadDriver: async () => driver }, run.runRoot, {}, {});
  await resumeRun(run.ports, run.runRoot, { noRun: true }, {});
  const { execution_state, steps } = await readManifest(run.manifestPath);
  if (execution_state !== "running") throw new Error(`the run is ${execution_state}`);
  if (Object.values(steps).some(({ state }) => state !== "completed")) throw new Error("a step is open");
  return run;
}

const doneInWave1 = (base: string): Promise<SampleRun> => doneIn(base, "research");

describe("stage_advance", () => {
  test("refuses while steps are open, and names them; the run stays as it is", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base);
      const before = await readManifest(run.manifestPath);
      expect((await advance(run)).error).toMatchObject({
        code: "GATE_BLOCKED",
        details: { stage: "perspectives", steps: ["perspectives:plan"] },
      });
      expect(await readManifest(run.manifestPath)).toEqual(before);
      expect(await run.ports.store.records(run.runRoot)).toHaveLength(before.revision);
      const { stage, execution_state } = (await run.ports.store.look(run.runRoot)).manifest;
      expect({ stage: stage.current, execution_state }).toEqual({ stage: "perspectives", execution_state: "idle" });
    }));

  test("judges the gates, enters the next stage and journals a canonical inputs digest", () =>
    withTempDir(async (base) => {
      const run = await doneInWave1(base);
      const answer = await advance(run, { requested_next: "pivot", gates_path: "/nowhere/gates.json" });
      expect(answer).toMatchObject({
        ok: true,
        from: "wave1",
        to: "pivot",
        stage: "pivot",
        manifest_path: run.manifestPath,
      });
      const manifest = await readManifest(run.manifestPath);
      expect(manifest.revision).toBe(Number(answer["revision"]));
      expect(manifest.stage).toMatchObject({ current: "pivot" });
      expect(manifest.gates.B.status).toBe("pass");
      const entered = (await recordsOf(run, "stage.entered")).at(-1);
      expect(entered).toMatchObject({
        from: "wave1",
        to: "pivot",
        reason: "a test",
        inputs_digest: answer["inputs_digest"] as string,
      });
      expect(answer["inputs_digest"]).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect(await fs.readdir(path.join(run.runRoot, "stages"))).toContain("wave1.json");
      expect((await verifyRun(run.ports, run.runRoot)).error).toBeNull();
    }));

  test("leads to the same report as a tick", () =>
    withTempDir(async (base) => {
      const byHand = await doneInWave1(path.join(base, "a"));
      await advance(byHand);
      const byTick = await doneInWave1(path.join(base, "b"));
      await tickRun(byTick.ports, byTick.runRoot, {});
      expect((await recordsOf(byTick, "stage.entered")).at(-1)?.["to"]).toBe("pivot");
      expect((await recordsOf(byTick, "stage.entered")).at(-1)?.["from"]).toBe("wave1");
      const ends = await Promise.all(
        [byHand, byTick].map(async ({ ports, runRoot }) => (await runRun(ports, runRoot, {}, {})).run?.manifest),
      );
      expect(ends.map((manifest) => manifest?.execution_state)).toEqual(["completed", "completed"]);
      expect(ends[0]?.report_versions[0]?.digest).toBe(
        ends[1]?.report_versions[0]?.digest ?? digestOfJson("no report"),
      );
    }));

  test("equal runs give equal decision digests, made at other times", () =>
    withTempDir(async (base) => {
      const digests = [];
      for (const name of ["a", "b"]) {
        const run = await makeRun(path.join(base, name));
        await runRun(run.ports, run.runRoot, {}, {});
        digests.push((await recordsOf(run, "stage.entered")).map(({ to, inputs_digest }) => [to, inputs_digest]));
      }
      expect(digests[0]?.length).toBeGreaterThan(5);
      expect(digests[1]).toEqual(digests[0]);
    }));

  test("goes nowhere but where the run goes", () =>
    withTempDir(async (base) => {
      const run = await doneInWave1(base);
      for (const requested_next of ["wave1", "wave2", "citations", "finalize", "completed", "nowhere"]) {
        expect((await advance(run, { requested_next })).error).toMatchObject({
          code: "REQUESTED_NEXT_NOT_ALLOWED",
          details: { requested_next, allowed: ["pivot"] },
        });
      }
    }));

  test("follows the decision of the pivot, not only the order of the stages", () =>
    withTempDir(async (base) => {
      const run = await doneIn(base, "pivot");
      // `quick` has no second wave: the pivot decided against it, although the order of stages would allow it.
      const refused = await advance(run, { requested_next: "wave2" });
      expect(refused.error).toMatchObject({ code: "REQUESTED_NEXT_NOT_ALLOWED", details: { allowed: ["citations"] } });
      expect(await advance(run)).toMatchObject({ ok: true, from: "pivot", to: "citations" });
    }));

  test("the last stage is left by a tick only", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base);
      await runRun(run.ports, run.runRoot, { untilStage: "finalize" }, {});
      expect((await advance(run)).error).toMatchObject({
        code: "REQUESTED_NEXT_NOT_ALLOWED",
        details: { from: "finalize", allowed: [] },
      });
      expect((await readManifest(run.manifestPath)).report_versions).toEqual([]);
    }));

  test("refuses what a tick would not touch either", () =>
    withTempDir(async (base) => {
      const run = await doneInWave1(base);
      await pauseRun(run.ports, run.runRoot, { waitSeconds: 5 });
      expect((await advance(run)).error?.code).toBe("PAUSED");
    }).then(() =>
      withTempDir(async (base) => {
        const run = await makeRun(base, { question: "Which zygomorphic quokkas yodel?" });
        await runRun(run.ports, run.runRoot, {}, {});
        expect((await readManifest(run.manifestPath)).halt).toMatchObject({ kind: "no_evidence" });
        expect((await advance(run)).error?.code).toBe("NO_EVIDENCE");
      }),
    ));

  test("a gate that fails blocks and leaves no record", () =>
    withTempDir(async (base) => {
      const run = await doneInWave1(base);
      // A tick would never keep more than the limit: the limit is lowered behind its back.
      const acquired = await run.ports.store.acquire(run.runRoot);
      if (acquired.kind === "held") throw new Error("held");
      const { settings, settings_digest, limits } = acquired.writer.manifest;
      await acquired.writer.commit([
        {
          kind: "settings.changed",
          data: {
            settings,
            settings_digest,
            limits: { ...limits, max_words_per_subject: 50, max_sources_per_subject: 1, max_quotes_per_subject: 1 },
            reason: "a test",
          },
        },
        { kind: "drift.accepted", data: { differences: [], reason: "a test" } },
      ]);
      await acquired.writer.release();
      const before = await readManifest(run.manifestPath);
      const { error } = await advance(run);
      expect(error).toMatchObject({
        code: "GATE_BLOCKED",
        details: { stage: "wave1", gates: [{ gate: "B", status: "fail" }] },
      });
      expect((await run.ports.store.look(run.runRoot)).manifest).toEqual(before);
    }));
});
