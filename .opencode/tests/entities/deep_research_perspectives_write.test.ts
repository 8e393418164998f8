// perspectives_write: a plan from outside becomes the plan of the run, and the run goes on with it.
import { describe, expect, test } from "bun:test";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import { runRun } from "../../../src/operations/change/run-run.ts";
import { tickRun } from "../../../src/operations/change/tick-run.ts";
import { verifyRun } from "../../../src/operations/care/verify-run.ts";
import { perspectives_write } from "../../tools/deep_research_cli/perspectives_write.ts";
import { stage_advance } from "../../tools/deep_research_cli/stage_advance.ts";
import { sha256DigestForJson } from "../../tools/deep_research_cli/wave_tools_shared.ts";
import { call, makeRun, PLAN, readManifest, recordsOf, withTempDir, type SampleRun } from "../helpers/dr-harness.ts";

function write(
  run: SampleRun,
  value: unknown,
  more: Record<string, unknown> = { manifest_path: run.manifestPath },
): ReturnType<typeof call> {
  return call(perspectives_write, { value, reason: "a test", ...more });
}

describe("perspectives_write", () => {
  test("is the plan step of the run: it is not planned again, and its perspectives are researched", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base);
      const answer = await write(run, PLAN);
      expect(answer).toMatchObject({
        ok: true,
        step: "perspectives:plan",
        attempt: 1,
        value_digest: sha256DigestForJson(PLAN),
        manifest_path: run.manifestPath,
      });
      const written = await fs.readFile(path.join(run.runRoot, "perspectives.json"), "utf8");
      expect(sha256DigestForJson(JSON.parse(written))).toBe(sha256DigestForJson(PLAN));
      expect((await verifyRun(run.ports, run.runRoot)).error).toBeNull();
      const [completed] = await recordsOf(run, "step.completed");
      expect(completed).toMatchObject({ key: "perspectives:plan", result_digest: sha256DigestForJson(PLAN) });

      expect(await call(stage_advance, { manifest_path: run.manifestPath, reason: "a test" })).toMatchObject({
        ok: true,
        to: "wave1",
      });
      expect(await fs.readFile(path.join(run.runRoot, "perspectives.json"), "utf8")).toBe(written);
      const done = await runRun(run.ports, run.runRoot, {}, {});
      expect(done.run?.manifest.execution_state).toBe("completed");
      const keys = (await recordsOf(run, "step.completed")).map(({ key }) => String(key));
      expect(keys.filter((key) => key === "perspectives:plan")).toHaveLength(1);
      expect(keys.filter((key) => key.startsWith("wave1:")).sort()).toEqual(["wave1:causes", "wave1:doubts"]);
      expect(await Bun.file(path.join(run.runRoot, "perspectives.json")).json()).toEqual(PLAN);
      expect((await verifyRun(run.ports, run.runRoot)).error).toBeNull();
    }));

  test("has the inputs digest that the run's own planner would have had", () =>
    withTempDir(async (base) => {
      const byHand = await makeRun(path.join(base, "a"));
      await write(byHand, PLAN);
      const byDriver = await makeRun(path.join(base, "b"));
      await tickRun(byDriver.ports, byDriver.runRoot, {});
      const digest = async (run: SampleRun) => (await recordsOf(run, "step.started"))[0]?.["inputs_digest"];
      expect(await digest(byHand)).toBe((await digest(byDriver)) as string);
    }));

  test("does not depend on the order of keys", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base);
      const turned = {
        perspectives: PLAN.perspectives.map((one) => Object.fromEntries(Object.entries(one).reverse())),
        parts: PLAN.parts,
      };
      expect((await write(run, turned))["value_digest"]).toBe(sha256DigestForJson(PLAN));
    }));

  test("finds the run by perspectives_path as well, and refuses paths of two runs", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base);
      const perspectives_path = path.join(run.runRoot, "perspectives.json");
      const elsewhere = path.join(base, "elsewhere/manifest.json");
      expect((await write(run, PLAN, { perspectives_path, manifest_path: elsewhere })).error?.code).toBe(
        "INVALID_ARGS",
      );
      expect((await write(run, PLAN, { perspectives_path: path.join(run.runRoot, "plan.json") })).error?.code).toBe(
        "INVALID_ARGS",
      );
      expect((await write(run, PLAN, {})).error?.code).toBe("INVALID_ARGS");
      expect(await write(run, PLAN, { perspectives_path })).toMatchObject({
        ok: true,
        manifest_path: run.manifestPath,
      });
    }));

  test("refuses a plan that does not fit, or that gate A would refuse, before anything is written", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base);
      const records = (await run.ports.store.records(run.runRoot)).length;
      const [causes, doubts] = PLAN.perspectives;
      for (const value of [
        null,
        [],
        {},
        { ...PLAN, parts: "none" },
        { ...PLAN, extra: 1 },
        { ...PLAN, perspectives: [{ ...causes, id: "../x" }] },
      ]) {
        expect((await write(run, value)).error?.code).toBe("SCHEMA_VALIDATION_FAILED");
      }
      const refused = [
        { ...PLAN, perspectives: [] },
        { ...PLAN, perspectives: [causes, causes] },
        { ...PLAN, perspectives: [{ ...causes, questions: [] }, doubts] },
        { ...PLAN, perspectives: [causes, { ...doubts, part_ids: ["unknown"] }] },
        { ...PLAN, perspectives: Array.from({ length: 4 }, (_, n) => ({ ...doubts, id: `p${n}`, title: `P ${n}` })) },
      ];
      for (const value of refused)
        expect((await write(run, value)).error).toMatchObject({
          code: "GATE_BLOCKED",
          details: { gates: [{ gate: "A", status: "fail" }] },
        });
      expect(await run.ports.store.records(run.runRoot)).toHaveLength(records);
      expect((await readManifest(run.manifestPath)).execution_state).toBe("idle");
    }));

  test("is taken once, and only in its stage", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base);
      expect((await write(run, PLAN)).ok).toBe(true);
      expect((await write(run, PLAN)).error).toMatchObject({
        code: "INVALID_STATE",
        details: { step: "perspectives:plan" },
      });
      await tickRun(run.ports, run.runRoot, {});
      expect((await write(run, PLAN)).error).toMatchObject({ code: "INVALID_STATE", details: { stage: "wave1" } });
    }));
});
