// Tests of a model server that goes away and comes back: the run waits for it, and goes on without a person.
import { expect, setDefaultTimeout, test } from "bun:test";
import { initRun } from "../../src/operations/make/init-run.ts";
import { tickAll } from "../../src/operations/change/tick-all.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { ModelWait } from "../../src/ports/observer.ts";
import { later } from "../operations/later.ts";
import { SERVER_ERROR, type SeenRequest } from "../models/answers.ts";
import { LiveRun } from "./live-run.ts";
import { wellBehaved } from "./well-behaved.ts";

setDefaultTimeout(600_000);

const HASTE = 100;
const MINUTE_MS = 60_000;

/** Waits are as long as ever by this clock, and a hundredth of it for who watches it. */
function hasty(clock: Clock): Clock {
  return {
    ...clock,
    uptimeMs: () => clock.uptimeMs() * HASTE,
    sleep: (ms, signal) => clock.sleep(ms / HASTE, signal),
  };
}

/** The server closes when this request comes. */
async function closingAt(number: number): Promise<LiveRun> {
  const state: { live?: LiveRun } = {};
  const live = await LiveRun.open({
    script: async (request: SeenRequest) => {
      if (request.number === number) await state.live?.server.close();
      return wellBehaved(request);
    },
  });
  state.live = live;
  live.ports = { ...live.ports, clock: hasty(live.ports.clock) };
  return live;
}

async function failedSteps(live: LiveRun): Promise<string[]> {
  return (await live.dataOf("step.failed")).map(({ key }) => key);
}

test("the run waits for a server that comes back soon, tells its watchers, and no attempt fails", async () => {
  await using live = await closingAt(4);
  const waits: ModelWait[] = [];
  const { error } = await live.start({
    onWait: (wait) => {
      waits.push(wait);
      if (waits.length === 4) void live.server.listen();
    },
  });
  expect(error).toBeNull();
  expect(await failedSteps(live)).toEqual([]);
  expect(waits).toMatchObject(Array.from({ length: 4 }, () => ({ kind: "transient" })));
  expect(await live.isStrict()).toBe(true);
});

test("a server that stays away halts the run for some minutes, and a tick after them goes on", async () => {
  await using live = await closingAt(4);
  const { error, run } = await live.start();
  expect(error).toMatchObject({ code: "QUOTA_EXCEEDED" });
  expect(run?.manifest.halt).toMatchObject({
    kind: "quota",
    retry_at: expect.any(String),
    details: { reason: expect.stringContaining("cannot be reached now") },
  });
  expect(await failedSteps(live)).toEqual([]);
  await live.server.listen();
  const asked = live.server.requests.length;
  await tickAll(live.ports, live.runsRoot, { jobs: 1 }, {});
  expect(live.server.requests).toHaveLength(asked);
  live.ports = later(live.ports, 6 * MINUTE_MS);
  const { result } = await tickAll(live.ports, live.runsRoot, { jobs: 1 }, {});
  expect(result.runs).toMatchObject([{ outcome: "max_ticks", error: null }]);
  expect((await live.resume()).error).toBeNull();
});

test("the next process waits for a server that answered an earlier one", async () => {
  await using live = await LiveRun.open();
  live.ports = { ...live.ports, clock: hasty(live.ports.clock) };
  await initRun(live.ports, live.initOptions(), {});
  expect((await live.tick()).error).toBeNull();
  await live.server.close();
  expect((await live.tick()).error).toMatchObject({ code: "QUOTA_EXCEEDED" });
});

test("control: a server that never answered halts the run for a person, since its URL may be wrong", async () => {
  await using live = await closingAt(1);
  await live.server.close();
  const { error, run } = await live.start();
  expect(error).toMatchObject({ code: "GATE_BLOCKED" });
  expect(JSON.stringify(run?.manifest.steps)).toContain("correct --model-base-url");
  await live.server.listen();
});

test("control: a server that always answers 500 fails the step", async () => {
  await using live = await LiveRun.open({
    script: (request) => (request.number < 4 ? wellBehaved(request) : SERVER_ERROR),
  });
  live.ports = { ...live.ports, clock: hasty(live.ports.clock) };
  expect((await live.start()).error).toMatchObject({ code: "GATE_BLOCKED" });
});

test("control: another URL than the one that answered halts the run for a person", async () => {
  await using live = await LiveRun.open();
  live.ports = { ...live.ports, clock: hasty(live.ports.clock) };
  await initRun(live.ports, live.initOptions(), {});
  expect((await live.tick()).error).toBeNull();
  const wrong = { provider: "compatible" as const, name: "scripted", base_url: "http://127.0.0.1:1/v1" };
  expect((await live.resume({ models: { default: wrong } })).error).toMatchObject({ code: "GATE_BLOCKED" });
  expect(await live.resume({ models: live.initOptions().models ?? {} })).toMatchObject({ error: null });
});
