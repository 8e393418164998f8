// Tests of a model that says nothing for 16 minutes, in the simulated world: the lease is kept, and the run is not late.
import { expect, setDefaultTimeout, test } from "bun:test";
import { liveDriver } from "../../src/drivers/live.ts";
import { initRun } from "../../src/operations/make/init-run.ts";
import type { InitOptions } from "../../src/operations/options.ts";
import { startRun } from "../../src/operations/change/start-run.ts";
import { ModelFailure, type Models } from "../../src/ports/model.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { RunLog } from "../../src/ports/run-log.ts";
import type { Stage } from "../../src/run/stage.ts";
import { look, MINUTE_MS } from "../orchestrator/at-work.ts";
import { changed, withWriters } from "../simulation/changed.ts";
import { RUNS_ROOT, RunWorld } from "../simulation/run-world.ts";
import { liveOptions, PRICES, RUN_ID } from "./live-run.ts";
import { portModels } from "./port-models.ts";
import { taskOf, wellBehaved } from "./well-behaved.ts";

setDefaultTimeout(600_000);

const PLACE = { runsRoot: RUNS_ROOT, corpora: ["/corpus"], baseUrl: "http://127.0.0.1:1/v1" };

interface Seen {
  /** As another process finds it when the call has been silent for 15 of its 16 minutes. */
  isHeld: boolean;
  stoppedBy: string;
}

async function silent(wrapStore: (store: RunLog) => RunLog = (store) => store): Promise<Seen> {
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
  const options = liveOptions(PLACE);
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
  const withoutHeartbeat = (store: RunLog): RunLog =>
    withWriters(store, (writer) => changed(writer, { refresh: async () => ({ kind: "refreshed", reclaimed: false }) }));
  expect((await silent(withoutHeartbeat)).isHeld).toBe(false);
});

// --- past the limit of one call -------------------------------------------------------------------------------------

/** Each call of a researcher is answered after so many minutes, or not at all. */
async function researching(
  call: { minutes: number } | "past its limit",
  timeouts: Partial<Record<Stage, number>> = {},
): Promise<{ code: unknown; state: unknown }> {
  const world = new RunWorld();
  const { ports: given, observer } = world.process("owner");
  const answering = portModels((request) => wellBehaved(request));
  const models: Models = {
    ...answering,
    async call(request, options) {
      const isResearch = request.tools.some(({ name }) => name === "quote");
      const isPast = call === "past its limit";
      if (isResearch) await given.clock.sleep(isPast ? options.timeout_ms : call.minutes * MINUTE_MS, options.signal);
      if (isResearch && isPast) throw new ModelFailure("transient", { reason: "no whole reply", timed_out: true });
      return await answering.call(request, options);
    },
  };
  const ports: Ports = {
    ...given,
    prices: [PRICES],
    loadDriver: async () => liveDriver,
    loadModels: async () => models,
  };
  const over = new AbortController();
  const work = startRun(ports, liveOptions(PLACE, { timeouts }), observer).finally(() => over.abort());
  while (!over.signal.aborted) await world.world.clock.advance(MINUTE_MS);
  const { error, run } = await work;
  return { code: error?.code, state: run?.state };
}

test("calls within their limit are progress, however long the stage takes", async () => {
  expect(await researching({ minutes: 19 })).toEqual({ code: undefined, state: "completed" });
});

test("a call over its limit is a failed attempt, and after three the run halts and is not late", async () => {
  expect(await researching("past its limit")).toEqual({ code: "GATE_BLOCKED", state: "running" });
});

test("control: under a limit of two calls the run is late", async () => {
  expect(await researching("past its limit", { wave1: 2400 })).toMatchObject({ state: "failed" });
});

test("a limit shorter than one call is refused with the names of both settings", async () => {
  const refused = (timeouts: Partial<InitOptions>): Promise<unknown> =>
    pastInit(timeouts).then(
      () => null,
      (error: unknown) => error,
    );
  expect(await refused({ timeouts: { review: 1259 } })).toMatchObject({
    code: "INVALID_ARGS",
    facts: {
      reason: expect.stringMatching(
        /timeouts\.review is 1259 s.*models\.call_timeout_s, 1200 s .*; give it 1260 s at least$/,
      ),
      least_s: 1260,
    },
  });
  expect(await refused({ stageTimeoutSeconds: 600 })).toMatchObject({
    code: "INVALID_ARGS",
    facts: { reason: expect.stringMatching(/DEEP_RESEARCH_STAGE_TIMEOUT_SECONDS is 600 s/) },
  });
  expect(await refused({ timeouts: { review: 1260, init: 1, finalize: 5 } })).toBeNull();
});

async function pastInit(more: Partial<InitOptions>): Promise<unknown> {
  const { ports: given, observer } = new RunWorld().process("owner");
  const models = portModels((request) => wellBehaved(request));
  const ports: Ports = { ...given, loadDriver: async () => liveDriver, loadModels: async () => models };
  return await initRun(ports, liveOptions(PLACE, more), observer);
}
