// A stop that was asked for and came in another way leaves no request behind.
import { expect, test } from "bun:test";
import { pauseRun } from "../../src/operations/change/stop-run.ts";
import { makeRun, temporaryFolder, testPorts, TO_PAUSED, TO_RUNNING, withWriter } from "./made-run.ts";

test("a run that its owner paused by itself, while somebody asked for it, has nothing waiting", async () => {
  using folder = temporaryFolder();
  const ports = testPorts();
  const runRoot = await makeRun(ports, folder.path, "dr_1");
  await withWriter(ports, runRoot, async (writer) => {
    await writer.commit([TO_RUNNING]);
    const asking = pauseRun(ports, runRoot, { waitSeconds: 30 });
    while ((await ports.store.look(runRoot)).requests.length === 0) await Bun.sleep(2);
    await writer.commit([TO_PAUSED]);
    expect((await asking).result).toEqual({ state: "paused", already: false });
  });
  expect((await ports.store.look(runRoot)).requests).toEqual([]);
});
