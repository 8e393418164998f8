// A model that says nothing for 16 minutes, in the simulated world: the lease is kept, and the run is not late.
import { expect, setDefaultTimeout, test } from "bun:test";
import { liveDriver } from "../../src/drivers/live.ts";
import { startRun } from "../../src/operations/start-run.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { RunStore } from "../../src/ports/run-store.ts";
import { look, MINUTE_MS } from "../orchestrator/at-work.ts";
import { RUNS_ROOT, RunWorld } from "../simulation/run-world.ts";
import { liveOptions, PRICES, RUN_ID } from "./live-run.ts";
import { portModels } from "./port-models.ts";
import { taskOf, wellBehaved } from "./well-behaved.ts";

setDefaultTimeout(60_000);

interface Seen {
  /** As another process finds it when the call has been silent for 15 of its 16 minutes. */
  isHeld: boolean;
  stoppedBy: string;
}

async function silent(wrapStore: (store: RunStore) => RunStore = (store) => store): Promise<Seen> {
  const world = new RunWorld();
  const { ports: given, observer } = world.process("owner", { wrapStore });
  const [reached, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const models = portModels(async (request) => {
    if (taskOf(request).who === "research") {
      reached.resolve();
      await answered.promise;
    }
    return wellBehaved(request);
  });
  const ports: Ports = {
    ...given,
    prices: [PRICES],
    loadDriver: async () => liveDriver,
    loadModels: async () => models,
  };
  const options = liveOptions({ runsRoot: RUNS_ROOT, corpora: ["/corpus"], baseUrl: "http://127.0.0.1:1/v1" });
  const work = startRun(ports, options, observer);
  await reached.promise;
  await world.world.clock.advance(15 * MINUTE_MS);
  const { lease } = await look(world, `${RUNS_ROOT}/${RUN_ID}`);
  await world.world.clock.advance(MINUTE_MS);
  answered.resolve();
  const { result } = await work;
  return { isHeld: lease.held !== null, stoppedBy: result.stopped_by };
}

test("keeps its lease, and the run goes on to its end", async () => {
  expect(await silent()).toEqual({ isHeld: true, stoppedBy: "completed" });
});

test("control: without the heartbeat the lease expires", async () => {
  const withoutHeartbeat = (store: RunStore): RunStore => ({
    ...store,
    async acquire(runRoot, options) {
      const acquired = await store.acquire(runRoot, options);
      if (acquired.kind === "acquired") acquired.writer.refresh = async () => ({ kind: "refreshed", reclaimed: false });
      return acquired;
    },
  });
  expect((await silent(withoutHeartbeat)).isHeld).toBe(false);
});
