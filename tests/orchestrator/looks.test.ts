// Looking at a run in any state changes no byte of it; reports on demand add exactly one version.
import { describe, expect, test } from "bun:test";
import { abortRun } from "../../src/operations/change/stop-run.ts";
import { diffReports } from "../../src/operations/report/diff-reports.ts";
import { exportReport } from "../../src/operations/report/export-report.ts";
import { generateReport } from "../../src/operations/report/generate-report.ts";
import { initRun } from "../../src/operations/make/init-run.ts";
import { inspectRun } from "../../src/operations/look/inspect-run.ts";
import { listReports } from "../../src/operations/report/read-report.ts";
import { listRuns } from "../../src/operations/look/list-runs.ts";
import { pauseRun } from "../../src/operations/change/stop-run.ts";
import { selectReport } from "../../src/operations/report/select-report.ts";
import { statusOf } from "../../src/operations/look/status.ts";
import { triageAll } from "../../src/operations/look/triage-all.ts";
import { triageRun } from "../../src/operations/look/triage-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { RunError } from "../../src/kernel/errors.ts";
import { owning } from "../../src/orchestrator/owning.ts";
import { raiseHalt } from "../../src/orchestrator/stopping.ts";
import { startOptions } from "../simulation/run-world.ts";
import {
  holdStep,
  look,
  MINUTE_MS,
  resume,
  RUN_ROOT,
  RUNS_ROOT,
  RunWorld,
  start,
  startIn,
  takeTime,
} from "./at-work.ts";

/** A run in each state, with evidence where the state comes after the waves. */
const STATES: Record<string, (world: RunWorld) => Promise<unknown>> = {
  idle: async (world) => {
    const { ports, observer } = world.process("init");
    await initRun(ports, startOptions(), observer);
  },
  running: (world) => start(world, { untilStage: "citations" }),
  paused: async (world) => {
    await start(world, { untilStage: "citations" });
    await pauseRun(world.process("pause").ports, RUN_ROOT, { waitSeconds: 1 });
  },
  interrupted: async (world) => {
    const owner = world.process("owner");
    const held = holdStep(world, "synthesis:draft-1");
    const ending = startIn(owner);
    await held.reached;
    owner.actor.kill();
    held.release();
    await ending;
  },
  completed: (world) => start(world),
  aborted: async (world) => {
    await start(world, { untilStage: "citations" });
    await abortRun(world.process("abort").ports, RUN_ROOT, { waitSeconds: 1 });
  },
  failed: async (world) => {
    takeTime(world, 10 * MINUTE_MS, "synthesis:draft-1");
    await start(world, { stageTimeoutSeconds: 60 });
    world.outside.beforeStep = () => undefined;
  },
};

async function runThatIs(state: string): Promise<RunWorld> {
  const world = new RunWorld();
  await STATES[state]?.(world);
  expect((await look(world)).state as string).toBe(state);
  return world;
}

async function errorOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "no error";
  } catch (error) {
    return error instanceof RunError ? error.code : String(error);
  }
}

describe("looking", () => {
  for (const state of Object.keys(STATES)) {
    test(`at a run that is ${state} changes no byte and makes no file`, async () => {
      const world = await runThatIs(state);
      const before = world.world.disk.snapshot();
      const { ports } = world.process("looker");
      await statusOf(ports, RUN_ROOT);
      await inspectRun(ports, RUN_ROOT);
      await triageRun(ports, RUN_ROOT);
      await triageAll(ports, RUNS_ROOT);
      await listRuns(ports, RUNS_ROOT, {});
      await verifyRun(ports, RUN_ROOT);
      const { report_versions } = (await listReports(ports, RUN_ROOT)).result;
      if (report_versions.length > 0) {
        for (const format of ["md", "html", "json"] as const) await exportReport(ports, RUN_ROOT, { format });
        await diffReports(ports, RUN_ROOT, { from: 1, to: 1 });
      }
      expect(world.world.disk.snapshot()).toEqual(before);
    });
  }

  test("control: the comparison sees a byte that a writer changed", async () => {
    const world = await runThatIs("paused");
    const before = world.world.disk.snapshot();
    await resume(world, { noRun: true });
    expect(world.world.disk.snapshot()).not.toEqual(before);
  });
});

describe("report generate", () => {
  const generate = (world: RunWorld) => {
    const { ports, observer } = world.process("reporter");
    return generateReport(ports, RUN_ROOT, observer);
  };

  for (const state of ["paused", "interrupted", "completed", "aborted", "failed"]) {
    test(`of a run that is ${state} makes exactly one more version`, async () => {
      const world = await runThatIs(state);
      const before = (await look(world)).manifest.report_versions.length;
      const { result } = await generate(world);
      expect(result).toMatchObject({
        trigger_type: "manual",
        version_index: before + 1,
        partial: state !== "completed",
      });
      const { manifest, state: after } = await look(world);
      expect([manifest.report_versions.length, after as string]).toEqual([before + 1, state]);
      await verifyRun(world.process("verifier").ports, RUN_ROOT);
    });
  }

  for (const state of ["idle", "running"]) {
    test(`of a run that is ${state} is refused`, async () => {
      const world = await runThatIs(state);
      const before = world.world.disk.snapshot();
      expect(await errorOf(generate(world))).toBe("INVALID_STATE");
      expect(world.world.disk.snapshot()).toEqual(before);
    });
  }

  test("of a run that halted makes a version, and the halt stays", async () => {
    const world = await runThatIs("running");
    await owning(world.process("owner").ports, RUN_ROOT, { reason: "test", observer: {} }, async (ownership) => {
      await raiseHalt(ownership, { kind: "gate_blocked", details: { gate: "E", reasons: ["test"] } });
    });
    expect((await generate(world)).result).toMatchObject({ trigger_type: "manual", partial: true });
    const { manifest, state } = await look(world);
    expect([state as string, manifest.halt === null, manifest.report_versions.length]).toEqual(["running", false, 1]);
  });

  test("without any evidence is NO_EVIDENCE", async () => {
    const world = new RunWorld();
    world.outside.documents = new Map([["soup.md", "# Soup\n\nA good soup needs an onion and enough time.\n"]]);
    await start(world);
    await pauseRun(world.process("pause").ports, RUN_ROOT, { waitSeconds: 1 });
    expect(await errorOf(generate(world))).toBe("NO_EVIDENCE");
    expect((await look(world)).manifest.report_versions).toEqual([]);
  });

  test("before the plan stands is NO_EVIDENCE as well", async () => {
    const world = new RunWorld();
    await start(world, { untilStage: "perspectives" });
    await pauseRun(world.process("pause").ports, RUN_ROOT, { waitSeconds: 1 });
    expect(await errorOf(generate(world))).toBe("NO_EVIDENCE");
  });

  test("of an accepted draft gives the same evidence as the natural end", async () => {
    const world = await runThatIs("completed");
    const [first] = (await look(world)).manifest.report_versions;
    expect((await generate(world)).result.evidence_digest).toBe(
      first?.evidence_digest as NonNullable<typeof first>["evidence_digest"],
    );
  });
});

describe("report select", () => {
  for (const state of ["paused", "interrupted", "completed", "aborted", "failed"]) {
    test(`of a run that is ${state} changes the current version and nothing else`, async () => {
      const world = await runThatIs(state);
      for (const name of ["reporter", "second reporter"]) {
        const { ports, observer } = world.process(name);
        await generateReport(ports, RUN_ROOT, observer);
      }
      const { ports } = world.process("selector");
      const { result } = await selectReport(ports, RUN_ROOT, 1);
      expect(result.version.version_index).toBe(1);
      const { manifest, state: after } = await look(world);
      expect([manifest.current_report_version_index, after as string]).toEqual([1, state]);
      await verifyRun(world.process("verifier").ports, RUN_ROOT);
    });
  }

  test("of a run that goes on again is refused", async () => {
    const world = await runThatIs("paused");
    for (const name of ["reporter", "second reporter"]) {
      const { ports, observer } = world.process(name);
      await generateReport(ports, RUN_ROOT, observer);
    }
    await resume(world, { noRun: true });
    expect((await look(world)).state as string).toBe("running");
    expect(await errorOf(selectReport(world.process("selector").ports, RUN_ROOT, 1))).toBe("INVALID_STATE");
    expect((await look(world)).manifest.current_report_version_index).toBe(2);
  });

  test("of a version that is not there changes no byte", async () => {
    const world = await runThatIs("running");
    const before = world.world.disk.snapshot();
    expect(await errorOf(selectReport(world.process("selector").ports, RUN_ROOT, 1))).toBe("NOT_FOUND");
    expect(world.world.disk.snapshot()).toEqual(before);
  });
});
