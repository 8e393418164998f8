// A tick whose owner is gone: what it worked counts, up to the last thing that it wrote.
import { expect, test } from "bun:test";
import { generateReport } from "../../src/operations/generate-report.ts";
import { patchManifest } from "../../src/operations/patch-manifest.ts";
import { pauseRun } from "../../src/operations/pause-run.ts";
import { codeOf, look, MINUTE_MS, records, resume, RUN_ROOT, run, RunWorld, start, STEP } from "./at-work.ts";

/** The owner is killed in wave 1: one step is done after five minutes, the other is not after six. */
async function killedAtWork(): Promise<RunWorld> {
  const world = new RunWorld();
  world.outside.beforeStep = async ({ key, nth, actor, tools: { signal } }) => {
    if (nth > 1 || !key.startsWith("wave1:")) return;
    await actor.clock.sleep((key === STEP ? 5 : 6) * MINUTE_MS, signal);
    if (key !== STEP) actor.kill();
  };
  expect(codeOf(await start(world))).toBe("crashed");
  return world;
}

async function workedMs(world: RunWorld): Promise<number> {
  return (await look(world)).manifest.usage.worked_ms ?? 0;
}

async function expectCounted(world: RunWorld): Promise<void> {
  const worked = await workedMs(world);
  expect(worked).toBeGreaterThanOrEqual(5 * MINUTE_MS);
  expect(worked).toBeLessThan(6 * MINUTE_MS);
}

test("counts for the run, whoever finds it", async () => {
  const waysOn: ((world: RunWorld) => Promise<unknown>)[] = [
    (world) => run(world),
    (world) => resume(world),
    (world) => pauseRun(world.process("pauser").ports, RUN_ROOT, { waitSeconds: 60 }),
    (world) => generateReport(world.process("reporter").ports, RUN_ROOT, {}),
    (world) =>
      patchManifest(world.process("patcher").ports, RUN_ROOT, { patch: { status: "paused" }, reason: "a test" }),
  ];
  for (const goOn of waysOn) {
    const world = await killedAtWork();
    expect(await workedMs(world)).toBeLessThan(MINUTE_MS);
    world.world.clock.suspend(60 * MINUTE_MS);
    await goOn(world);
    await expectCounted(world);
    expect((await look(world)).manifest.state_history.map(({ to }) => to)).toContain("interrupted");
  }
});

test("counts once, also where who found it is killed, too", async () => {
  const world = await killedAtWork();
  world.outside.beforeStep = ({ nth, actor }) => {
    if (nth === 2) actor.kill();
  };
  expect(codeOf(await run(world))).toBe("crashed");
  world.outside.beforeStep = () => undefined;
  expect(codeOf(await run(world))).toBe("ok");
  await expectCounted(world);
  const lost = (await records(world)).filter(
    (record) => record.kind === "tick.ended" && record.data.stopped_by === "owner_gone",
  );
  expect(lost).toHaveLength(2);
});
