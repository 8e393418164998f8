// The watchdog: fair by default, strict on request, and final for a run that is late.
import { describe, expect, test } from "bun:test";
import { abortRun } from "../../src/operations/change/stop-run.ts";
import { initRun } from "../../src/operations/make/init-run.ts";
import { pauseRun } from "../../src/operations/change/stop-run.ts";
import { watchAll, watchRun } from "../../src/operations/change/watchdog.ts";
import { parseStrictJson } from "../../src/kernel/strict-json.ts";
import { judgeTimeout } from "../../src/orchestrator/watchdog.ts";
import { timestamp } from "../../src/ports/clock.ts";
import { timeoutHaltSchema } from "../../src/run/log/halt.ts";
import { overwritten } from "../simulation/frozen-owner.ts";
import { endingOf, startOptions } from "../simulation/run-world.ts";
import { startRun } from "../../src/operations/change/start-run.ts";
import {
  codeOf,
  factsOf,
  heldRun,
  holdStep,
  look,
  MINUTE_MS,
  records,
  run,
  RUN_ID,
  RUN_ROOT,
  RUNS_ROOT,
  RunWorld,
  start,
  STEP,
  stoppedBy,
  takeTime,
  tick,
} from "./at-work.ts";

const LIMIT_S = 60;
const DAY_MS = 24 * 60 * MINUTE_MS;
const YEARS_MS = 20 * 365 * DAY_MS;

async function watch(world: RunWorld, strict = false) {
  const { result, error } = await watchRun(world.process("watchdog").ports, RUN_ROOT, { strict });
  return { isLate: result.runs[0]?.timed_out, code: error?.code ?? "ok", watched: result.runs[0] };
}

/** An owner that hangs in a step and keeps its lease: alive, and without progress. */
const hungRun = () => heldRun({ stageTimeoutSeconds: LIMIT_S }, STEP, false);

describe("a hung owner that is alive", () => {
  test("is not late before its limit, and late behind it", async () => {
    const { world } = await hungRun();
    await world.world.clock.advance((LIMIT_S - 5) * 1000);
    expect(await watch(world)).toMatchObject({ isLate: false, code: "ok" });
    await world.world.clock.advance(10_000);
    expect(await watch(world)).toMatchObject({ isLate: true, code: "WATCHDOG_TIMEOUT" });
  });

  test("loses the run: checkpoint files, failed with timeout, and nothing it writes later counts", async () => {
    const { world, ending, held } = await hungRun();
    await world.world.clock.advance((LIMIT_S + 5) * 1000);
    const { watched } = await watch(world);
    const { state, manifest } = await look(world);
    expect(state).toBe("failed");
    expect(manifest.failures).toMatchObject([{ kind: "timeout", stage: "wave1", retryable: false }]);
    const json = world.world.disk.read(watched?.checkpoint_json_path ?? "");
    const halt = timeoutHaltSchema.parse(parseStrictJson(json ?? new Uint8Array()));
    expect(halt).toMatchObject({
      run_id: RUN_ID,
      stage: "wave1",
      timeout_s: LIMIT_S,
      last_step: { key: STEP, state: "started" },
    });
    expect(halt.last_good_checkpoint.digest).toBe(
      (await records(world))[halt.last_good_checkpoint.seq - 1]?.digest as typeof halt.last_good_checkpoint.digest,
    );
    expect(halt.next_commands).toEqual(
      [`inspect ${RUN_ROOT}`, `triage ${RUN_ROOT}`, `fork ${RUN_ROOT} --stage-timeout 1800`].map(
        (command) => `deep-research ${command}`,
      ),
    );
    expect(world.world.disk.text(watched?.checkpoint_path ?? "")).toContain(STEP);
    const before = world.world.disk.snapshot();
    held.release();
    expect(codeOf(await ending)).toBe("LOCK_LOST");
    expect(overwritten(world, before)).toEqual([]);
    expect((await look(world)).manifest).toEqual(manifest);
  });

  test("is found by the sweep over all runs", async () => {
    const { world } = await hungRun();
    await world.world.clock.advance((LIMIT_S + 5) * 1000);
    const { error } = await watchAll(world.process("sweep").ports, RUNS_ROOT, { strict: false });
    expect(error?.toJSON()).toEqual({
      code: "WATCHDOG_TIMEOUT",
      facts: { runs: [RUN_ID], run_roots: [`${RUNS_ROOT}/${RUN_ID}`] },
    });
    expect((await watchAll(world.process("sweep").ports, RUNS_ROOT, { strict: false })).error).toBe(null);
  });
});

describe("a tick that finds itself late", () => {
  test("stops there: the step is told to stop, the run is failed, the checkpoint is written", async () => {
    const world = new RunWorld();
    takeTime(world, 10 * MINUTE_MS);
    const ending = await start(world, { stageTimeoutSeconds: LIMIT_S });
    expect([codeOf(ending), stoppedBy(ending)]).toEqual(["WATCHDOG_TIMEOUT", "failed"]);
    expect(factsOf(ending)).toMatchObject({ timeout_s: LIMIT_S });
    expect((await look(world)).manifest.failures).toMatchObject([{ kind: "timeout" }]);
    expect(world.world.disk.paths()).toContain(`${RUN_ROOT}/logs/halt.timeout.v1.json`);
    expect([codeOf(await tick(world)), codeOf(await run(world))]).toEqual(["RUN_TERMINAL", "RUN_TERMINAL"]);
  });

  test("counts only what was worked since the last progress, over several ticks", async () => {
    const world = new RunWorld();
    world.outside.beforeStep = ({ actor, tools }) => actor.clock.sleep((LIMIT_S - 10) * 1000, tools.signal);
    expect(codeOf(await start(world, { stageTimeoutSeconds: LIMIT_S }))).toBe("ok");
  });
});

describe("nobody is late", () => {
  test("who has not begun, is paused, or was aborted", async () => {
    const world = new RunWorld();
    const { ports, observer } = world.process("init");
    await initRun(ports, startOptions({ stageTimeoutSeconds: LIMIT_S }), observer);
    world.world.clock.suspend(DAY_MS);
    expect([(await watch(world)).isLate, (await watch(world, true)).isLate]).toEqual([false, false]);
    await start(world, { stageTimeoutSeconds: LIMIT_S, untilStage: "pivot" });
    await pauseRun(ports, RUN_ROOT, { waitSeconds: 1 });
    world.world.clock.suspend(DAY_MS);
    expect([(await watch(world)).isLate, (await watch(world, true)).isLate]).toEqual([false, false]);
    await abortRun(ports, RUN_ROOT, { waitSeconds: 1 });
    world.world.clock.suspend(DAY_MS);
    expect([(await watch(world)).isLate, (await watch(world, true)).isLate]).toEqual([false, false]);
  });

  test("whose run is halted and waits for a person", async () => {
    const world = new RunWorld();
    world.outside.beforeStep = ({ key }) => {
      if (key === STEP) throw new Error("it fails");
    };
    expect(codeOf(await start(world, { stageTimeoutSeconds: LIMIT_S }))).toBe("GATE_BLOCKED");
    world.world.clock.suspend(DAY_MS);
    expect((await watch(world)).isLate).toBe(false);
  });

  test("whose owner is dead; strict judges by the wall clock alone", async () => {
    const { world, held, owner, ending } = await heldRun({ stageTimeoutSeconds: LIMIT_S });
    owner.actor.kill();
    held.release();
    await ending;
    world.world.clock.suspend(DAY_MS);
    expect((await watch(world)).isLate).toBe(false);
    expect((await look(world)).state).toBe("interrupted");
    expect(await watch(world, true)).toMatchObject({ isLate: true, code: "WATCHDOG_TIMEOUT" });
    expect((await look(world)).state).toBe("failed");
  });

  test("whose cron was stopped between two ticks", async () => {
    const world = new RunWorld();
    await start(world, { stageTimeoutSeconds: LIMIT_S, maxTicks: 1 });
    world.world.clock.suspend(DAY_MS);
    expect((await watch(world)).isLate).toBe(false);
    expect([codeOf(await tick(world)), codeOf(await run(world))]).toEqual(["ok", "ok"]);
  });

  test("whose laptop slept in the middle of a step: it goes on and completes", async () => {
    const world = new RunWorld();
    const held = holdStep(world);
    const ending = start(world, { stageTimeoutSeconds: 10 * LIMIT_S });
    await held.reached;
    world.world.clock.suspend(DAY_MS);
    await world.world.clock.advance(MINUTE_MS);
    expect((await watch(world)).isLate).toBe(false);
    held.release();
    expect(codeOf(await ending)).toBe("ok");
  });

  test("because a clock jumps 20 years either way while it works, and no run is locked by it", async () => {
    for (const offMs of [YEARS_MS, -YEARS_MS]) {
      const { world, held, owner, ending } = await heldRun({ stageTimeoutSeconds: LIMIT_S });
      world.world.clock.setNow(world.world.clock.nowMs() + offMs);
      await world.world.clock.advance(35_000);
      expect((await watch(world)).isLate).toBe(false);
      expect((await look(world)).lease.held).not.toBe(null);
      owner.actor.kill();
      held.release();
      await ending;
      expect(codeOf(await run(world))).toBe("ok");
    }
  });
});

describe("a clock that jumps in a tick that has worked for two hours", () => {
  const HOURS = 60 * MINUTE_MS;

  /** Whether the run is called late that long after its last progress, which came before or after the jump. */
  async function isLate(
    jumpMs: number,
    at: "before progress" | "after progress",
    idleS: number,
    strict = false,
  ): Promise<boolean> {
    const { world } = await hungRun();
    const { manifest } = await look(world);
    const startedMs = Date.parse(manifest.tick.started_at ?? "");
    const progressMs = startedMs + 2 * HOURS + (at === "before progress" ? jumpMs : 0);
    const judged = judgeTimeout(
      { ...manifest, stage: { ...manifest.stage, last_progress_at: timestamp(progressMs) } },
      {
        nowMs: startedMs + 2 * HOURS + jumpMs + idleS * 1000,
        uptimeMs: manifest.tick.uptime_ms + 2 * HOURS + idleS * 1000,
        bootId: manifest.tick.boot_id,
        heldSinceMs: startedMs,
        strict,
      },
    );
    return judged.timed_out;
  }

  for (const at of ["before progress", "after progress"] as const) {
    for (const jumpMs of [HOURS, -HOURS, YEARS_MS, -YEARS_MS]) {
      test(`by ${jumpMs / HOURS} hours ${at} makes nobody late who has just moved on`, async () => {
        expect(await isLate(jumpMs, at, 5)).toBe(false);
      });
      test(`by ${jumpMs / HOURS} hours ${at} does not hide for ever who hangs`, async () => {
        expect(await isLate(jumpMs, at, 3_600 + LIMIT_S + 5)).toBe(true);
      });
    }
  }

  test("control: judged by the wall clock alone, a jump makes late who has just moved on", async () => {
    expect(await isLate(YEARS_MS, "after progress", 5, true)).toBe(true);
  });
});

test("reading a corpus before the tick begins is nobody's stage: it makes no run late", async () => {
  const world = new RunWorld();
  const { ports, observer, signals } = world.process("owner");
  const slowly: typeof ports.openCorpora = async (corpora, options) => {
    await ports.clock.sleep(5 * MINUTE_MS);
    return await ports.openCorpora(corpora, options);
  };
  const ended = await endingOf(() =>
    startRun({ ...ports, openCorpora: slowly }, startOptions({ stageTimeoutSeconds: 60 }), observer, signals),
  );
  expect(stoppedBy(ended)).toBe("completed");
});
