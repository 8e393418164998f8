// The acceptance criteria of the seeds about sessions: life cycle, one automatic report, manual versions, restore, provenance.
import { describe, expect, test } from "bun:test";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import { RunError } from "../../../src/kernel/errors.ts";
import { abortRun } from "../../../src/operations/change/stop-run.ts";
import { generateReport } from "../../../src/operations/report/generate-report.ts";
import { inspectRun } from "../../../src/operations/look/inspect-run.ts";
import { listReports } from "../../../src/operations/report/read-report.ts";
import { pauseRun } from "../../../src/operations/change/stop-run.ts";
import { resumeRun } from "../../../src/operations/change/resume-run.ts";
import { runRun } from "../../../src/operations/change/run-run.ts";
import { showReport } from "../../../src/operations/report/read-report.ts";
import { tickRun } from "../../../src/operations/change/tick-run.ts";
import { verifyRun } from "../../../src/operations/care/verify-run.ts";
import type { Stage } from "../../../src/run/stage.ts";
import { manifest_write } from "../../tools/deep_research_cli/manifest_write.ts";
import { call, makeRun, recordsOf, withTempDir, type SampleRun } from "../helpers/dr-harness.ts";

async function runUntil(base: string, untilStage: Stage): Promise<SampleRun> {
  const run = await makeRun(base);
  await runRun(run.ports, run.runRoot, { untilStage }, {});
  return run;
}

const pause = ({ ports, runRoot }: SampleRun) => pauseRun(ports, runRoot, { waitSeconds: 5 });
const abort = ({ ports, runRoot }: SampleRun) => abortRun(ports, runRoot, { waitSeconds: 5 });
const generate = ({ ports, runRoot }: SampleRun) => generateReport(ports, runRoot, {});
const stateOf = async ({ ports, runRoot }: SampleRun) => (await ports.store.look(runRoot)).state;

async function codeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return "no error";
  } catch (error) {
    if (error instanceof RunError) return error.code;
    throw error;
  }
}

/** Brings a run that is at work to one of the states in which a report may be asked for. */
const BROUGHT_TO: Record<string, (run: SampleRun) => Promise<unknown>> = {
  paused: pause,
  interrupted: ({ manifestPath }) =>
    call(manifest_write, { manifest_path: manifestPath, patch: { status: "interrupted" }, reason: "a test" }),
  aborted: abort,
  failed: ({ manifestPath }) =>
    call(manifest_write, { manifest_path: manifestPath, patch: { status: "failed" }, reason: "a test" }),
  completed: ({ ports, runRoot }) => runRun(ports, runRoot, {}, {}),
};

describe("life cycle", () => {
  test("start, pause, resume; abort from running and from paused is for good", () =>
    withTempDir(async (base) => {
      const paused = await runUntil(path.join(base, "a"), "pivot");
      await pause(paused);
      expect((await tickRun(paused.ports, paused.runRoot, {})).error?.code).toBe("PAUSED");
      await resumeRun(paused.ports, paused.runRoot, { untilStage: "citations" }, {});
      expect(await stateOf(paused)).toBe("running");
      await pause(paused);
      await abort(paused);
      const running = await runUntil(path.join(base, "b"), "pivot");
      await abort(running);
      for (const run of [paused, running]) {
        expect(await stateOf(run)).toBe("aborted");
        const before = (await run.ports.store.records(run.runRoot)).length;
        expect((await tickRun(run.ports, run.runRoot, {})).error?.code).toBe("RUN_TERMINAL");
        for (const work of [runRun, resumeRun])
          expect((await work(run.ports, run.runRoot, {}, {})).error?.code).toBe("RUN_TERMINAL");
        expect(await codeOf(() => pause(run))).toBe("RUN_TERMINAL");
        expect(await run.ports.store.records(run.runRoot)).toHaveLength(before);
      }
    }));
});

describe("reports", () => {
  test("a natural end makes exactly one, in the record that completes the run", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base);
      await runRun(run.ports, run.runRoot, {}, {});
      expect((await tickRun(run.ports, run.runRoot, {})).result).toMatchObject({ already: "already_completed" });
      await runRun(run.ports, run.runRoot, {}, {});
      const changes = (await recordsOf(run, "state.changed")).filter(({ to }) => to === "completed");
      expect(changes).toMatchObject([
        { from: "running", report: { version_index: 1, trigger_type: "auto_natural_stop", partial: false } },
      ]);
      expect(await recordsOf(run, "report.published")).toEqual([]);
    }));

  for (const [state, bring] of Object.entries(BROUGHT_TO)) {
    test(`may be asked for while ${state}: each adds one version and changes none`, () =>
      withTempDir(async (base) => {
        const run = await runUntil(base, "citations");
        await bring(run);
        expect(await stateOf(run)).toBe(state as Awaited<ReturnType<typeof stateOf>>);
        const before = (await run.ports.store.look(run.runRoot)).manifest.report_versions;
        expect(before).toHaveLength(state === "completed" ? 1 : 0);
        await generate(run);
        const first = await fs.readFile(path.join(run.runRoot, "reports/1/report.json"));
        await generate(run);
        expect(await stateOf(run)).toBe(state as Awaited<ReturnType<typeof stateOf>>);
        const { report_versions, current_report_version_index } = (await run.ports.store.look(run.runRoot)).manifest;
        expect(report_versions.map(({ version_index }) => version_index)).toEqual(
          state === "completed" ? [1, 2, 3] : [1, 2],
        );
        expect(report_versions.slice(-2)).toMatchObject([
          { trigger_type: "manual", partial: state !== "completed" },
          { trigger_type: "manual", partial: state !== "completed" },
        ]);
        expect(current_report_version_index).toBe(report_versions.length);
        expect(await fs.readFile(path.join(run.runRoot, "reports/1/report.json"))).toEqual(first);
        expect((await verifyRun(run.ports, run.runRoot)).error).toBeNull();
      }));
  }

  test("may not be asked for while idle or running", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base);
      expect(await codeOf(() => generate(run))).toBe("INVALID_STATE");
      await runRun(run.ports, run.runRoot, { untilStage: "citations" }, {});
      expect(await codeOf(() => generate(run))).toBe("INVALID_STATE");
      expect((await run.ports.store.look(run.runRoot)).manifest.report_versions).toEqual([]);
    }));

  test("can be listed, and an older one be read", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base);
      await runRun(run.ports, run.runRoot, {}, {});
      await generate(run);
      const { result } = await listReports(run.ports, run.runRoot);
      expect(result.current_report_version_index).toBe(2);
      expect(result.report_versions.map(({ trigger_type }) => trigger_type)).toEqual(["auto_natural_stop", "manual"]);
      expect((await showReport(run.ports, run.runRoot)).result.version.version_index).toBe(2);
      expect((await showReport(run.ports, run.runRoot, { versionIndex: 1 })).result.version.version_index).toBe(1);
    }));
});

describe("restore", () => {
  test("a look at the run gives back its state, its options and its reports", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base, { mode: "standard", limits: { max_rounds: 2, results_per_query: 7 } });
      await runRun(run.ports, run.runRoot, { untilStage: "citations" }, {});
      await pause(run);
      await generate(run);
      const { status, limits, report_versions, question } = (await inspectRun(run.ports, run.runRoot)).result;
      expect(status).toMatchObject({ execution_state: "paused", current_report_version_index: 1, mode: "standard" });
      expect(limits).toMatchObject({ max_rounds: 2, max_depth: 2, results_per_query: 7 });
      expect(report_versions).toHaveLength(1);
      expect(question.text).toContain("tides");
    }));
});

describe("provenance", () => {
  test("the provider is fixed when the run begins, and what it brought is counted when a wave is over", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base, { providers: ["filesystem"] });
      expect((await inspectRun(run.ports, run.runRoot)).result.provenance).toEqual([]);
      await tickRun(run.ports, run.runRoot, {});
      const [resolved] = (await inspectRun(run.ports, run.runRoot)).result.provenance;
      expect(resolved).toEqual({
        requested_provider_id: "filesystem",
        resolved_provider_id: "filesystem",
        resolved_from: "run",
        source_count: 0,
        quote_count: 0,
      });
      await runRun(run.ports, run.runRoot, { untilStage: "pivot" }, {});
      const { provenance } = (await inspectRun(run.ports, run.runRoot)).result;
      expect(provenance).toMatchObject([
        {},
        { resolved_provider_id: "filesystem", answered_provider_id: "filesystem" },
      ]);
      expect(provenance[1]?.quote_count).toBeGreaterThan(0);
      expect(provenance[1]?.source_count).toBe((await recordsOf(run, "source.stored")).length);
    }));
});
