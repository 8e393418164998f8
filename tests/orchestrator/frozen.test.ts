// A process that takes the lease, sleeps past it and then finds nothing to do: what it saw is not what the run is now.
import { describe, expect, test } from "bun:test";
import { pauseRun } from "../../src/operations/change/stop-run.ts";
import { resumeRun } from "../../src/operations/change/resume-run.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import type { RunLog } from "../../src/ports/run-log.ts";
import { changed, withWriters } from "../simulation/changed.ts";
import { endingOf } from "../simulation/run-world.ts";
import { codeOf, look, MINUTE_MS, resume, run, RUN_ROOT, RunWorld, start } from "./at-work.ts";

/** `before` happens between the look and the lease, `asleep` once the lease that was taken has run out. */
function sleepingBehindLease(
  world: RunWorld,
  asleep: () => Promise<unknown>,
  before = async (): Promise<unknown> => null,
) {
  return (store: RunLog): RunLog => ({
    ...store,
    async acquire(runRoot, options) {
      await before();
      const acquired = await store.acquire(runRoot, options);
      await world.world.clock.advance(10 * MINUTE_MS);
      await asleep();
      return acquired;
    },
  });
}

describe("asleep right behind the lease, while a rival finishes the run", () => {
  test("a run that has reached its stage already is not said to stand there (L1)", async () => {
    const world = new RunWorld();
    await start(world, { untilStage: "pivot" });
    const wrapStore = sleepingBehindLease(world, () => run(world));
    const { ports, observer, signals } = world.process("sleeper", { wrapStore });
    const ending = await endingOf(() => runRun(ports, RUN_ROOT, { untilStage: "pivot" }, observer, signals));
    expect((await look(world)).state).toBe("completed");
    expect(codeOf(ending)).toBe("LOCK_LOST");
  });

  test("a run that has nothing to lift is not said to go on (L1)", async () => {
    const world = new RunWorld();
    await start(world, { untilStage: "pivot" });
    const wrapStore = sleepingBehindLease(world, () => run(world));
    const { ports, observer, signals } = world.process("sleeper", { wrapStore });
    const ending = await endingOf(() => resumeRun(ports, RUN_ROOT, { noRun: true }, observer, signals));
    expect(codeOf(ending)).toBe("LOCK_LOST");
  });

  test("a run that was paused before the lease was taken is not said to be so (L1)", async () => {
    const world = new RunWorld();
    await start(world, { untilStage: "pivot" });
    const pause = () => pauseRun(world.process("pauser").ports, RUN_ROOT, { waitSeconds: 1 });
    const wrapStore = sleepingBehindLease(world, () => resume(world), pause);
    const { ports, observer, signals } = world.process("sleeper", { wrapStore });
    const ending = await endingOf(() => runRun(ports, RUN_ROOT, {}, observer, signals));
    expect((await look(world)).state).toBe("completed");
    expect(codeOf(ending)).toBe("LOCK_LOST");
  });

  test("control: a writer that believes itself is told that the run stands at its stage", async () => {
    const world = new RunWorld();
    await start(world, { untilStage: "pivot" });
    const sleeping = sleepingBehindLease(world, () => run(world));
    const wrapStore = (store: RunLog): RunLog =>
      withWriters(sleeping(store), (writer) => changed(writer, { isSuperseded: async () => false }));
    const { ports, observer, signals } = world.process("sleeper", { wrapStore });
    const ending = await endingOf(() => runRun(ports, RUN_ROOT, { untilStage: "pivot" }, observer, signals));
    expect(codeOf(ending)).toBe("ok");
  });
});
