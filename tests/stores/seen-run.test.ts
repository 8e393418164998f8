// A run that is opened by what a look saw a moment before, which may stand no more by then.
import { expect, test } from "bun:test";
import { repairRun } from "../../src/operations/care/repair-run.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import { startRun } from "../../src/operations/change/start-run.ts";
import type { RunLog } from "../../src/ports/run-log.ts";
import { codeOf, endingOf, RUN_ROOT, RunWorld, startOptions } from "../simulation/run-world.ts";

const JOURNAL = `${RUN_ROOT}/journal.jsonl`;

test("records that a repair gives up between the look and the lease are not missed", async () => {
  const world = new RunWorld();
  const { ports, observer } = world.process("first");
  await startRun(ports, { ...startOptions(), untilStage: "pivot" }, observer);
  const bytes = world.world.disk.read(JOURNAL) ?? new Uint8Array();
  // A look reads the end of the journal alone.
  bytes[bytes.length >> 1] = 0x7f;
  world.world.disk.plantFile(JOURNAL, bytes);
  let dropped = 0;
  const wrapStore = (store: RunLog): RunLog => ({
    ...store,
    async acquire(runRoot, options) {
      const repaired = await repairRun(world.process("repairer").ports, RUN_ROOT, { dryRun: false });
      dropped += repaired.result.dropped_records;
      return await store.acquire(runRoot, options);
    },
  });
  const runner = world.process("runner", { wrapStore });
  const ending = await endingOf(() => runRun(runner.ports, RUN_ROOT, {}, runner.observer, runner.signals));
  expect(dropped).toBeGreaterThan(0);
  expect(codeOf(ending)).toBe("ok");
});
