// Money, quotas and stops: what a live run spends is bounded, and what stops it stops the spending.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { abortRun } from "../../src/operations/abort-run.ts";
import { pauseRun } from "../../src/operations/pause-run.ts";
import { tickAll } from "../../src/operations/tick-all.ts";
import type { Models } from "../../src/ports/model.ts";
import { ModelFailure } from "../../src/ports/model.ts";
import type { ModelWait } from "../../src/ports/observer.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { haltKind } from "../../src/run/halt.ts";
import {
  OUT_OF_QUOTA,
  rateLimited,
  UNAUTHORIZED,
  type Answer,
  type MessageAnswer,
  type SeenRequest,
} from "../models/answers.ts";
import { LiveRun } from "./live-run.ts";
import { taskOf, wellBehaved } from "./well-behaved.ts";

setDefaultTimeout(60_000);

const HOUR_MS = 3_600_000;

async function haltOf(live: LiveRun): Promise<string | null> {
  const { halt } = (await live.ports.store.look(live.runRoot)).manifest;
  return halt === null ? null : haltKind(halt);
}

describe("a terminal quota", () => {
  /** Both researchers have asked before the first of them is answered that the quota is used up. */
  function quotaAmongTwo(): { script(request: SeenRequest): Promise<Answer>; live?: LiveRun } {
    const state: { script(request: SeenRequest): Promise<Answer>; live?: LiveRun } = {
      async script(request) {
        const { who } = taskOf(request);
        if (who !== "research" || request.number > 3) return wellBehaved(request);
        await state.live?.server.arrived(3);
        return request.number === 2 ? OUT_OF_QUOTA : ({ ...wellBehaved(request), delay_ms: 50 } as Answer);
      },
    };
    return state;
  }

  async function requestsAfterQuota(
    change: (ports: Ports) => Ports = (ports) => ports,
  ): Promise<[number, string | null]> {
    const state = quotaAmongTwo();
    await using live = await LiveRun.open({ script: (request) => state.script(request) });
    state.live = live;
    live.ports = change(live.ports);
    await live.start();
    return [live.server.requests.length - 3, await haltOf(live)];
  }

  test("lets no further call begin, also not of the step beside it", async () => {
    expect(await requestsAfterQuota()).toEqual([0, "quota"]);
  });

  test("control: a quota that is taken for a passing failure is asked again and again", async () => {
    const [further] = await requestsAfterQuota((ports) => ({
      ...ports,
      loadModels: async () => passing(await ports.loadModels()),
    }));
    expect(further).toBeGreaterThan(0);
  });

  function passing(models: Models): Models {
    return {
      ...models,
      call: (request, options) =>
        models.call(request, options).catch((error: unknown) => {
          throw error instanceof ModelFailure ? new ModelFailure("transient", error.facts) : error;
        }),
    };
  }

  test("with a time: a tick before it asks nothing, a tick after it goes on by itself", async () => {
    let isUsedUp = true;
    await using live = await LiveRun.open({
      script: (request) => (isUsedUp ? rateLimited("3600") : wellBehaved(request)),
    });
    expect((await live.start()).error?.code).toBe("QUOTA_EXCEEDED");
    isUsedUp = false;
    expect((await live.tick()).error?.code).toBe("QUOTA_EXCEEDED");
    expect((await tickAll(live.ports, live.runsRoot, { jobs: 1 }, {})).result.runs).toEqual([]);
    expect(live.server.requests).toHaveLength(1);
    const { clock } = live.ports;
    live.ports = { ...live.ports, clock: { ...clock, nowMs: () => clock.nowMs() + 2 * HOUR_MS } };
    const { result } = await tickAll(live.ports, live.runsRoot, { jobs: 1 }, {});
    expect(result.runs).toMatchObject([{ outcome: "max_ticks", error: null }]);
    expect((await live.tick()).error).toBeNull();
    expect(await haltOf(live)).toBeNull();
  });

  test("a key that is refused is not tried again", async () => {
    await using live = await LiveRun.open({ script: () => UNAUTHORIZED });
    expect((await live.start()).error?.code).toBe("GATE_BLOCKED");
    expect(live.server.requests).toHaveLength(1);
  });
});

describe("a provider that goes on refusing with short waits", () => {
  /** Refuses all requests of the researchers for as long as `isRefused` says so. */
  async function refusing(isRefused: (request: SeenRequest) => boolean): Promise<LiveRun> {
    return await LiveRun.open({
      script: (request) =>
        taskOf(request).who === "research" && isRefused(request) ? rateLimited("0.01") : wellBehaved(request),
    });
  }

  test("halts the run for a while, whoever watches is told of each wait, and a tick after it goes on by itself", async () => {
    let isBusy = true;
    await using live = await refusing(() => isBusy);
    const waits: ModelWait[] = [];
    const { error, run } = await live.start({ onWait: (wait) => void waits.push(wait) });
    expect(error?.code).toBe("QUOTA_EXCEEDED");
    expect(run?.manifest.halt).toMatchObject({ kind: "quota", retry_at: expect.any(String) });
    expect(waits.length).toBe(6);
    expect(waits[0]).toMatchObject({ kind: "rate_limited", status: 429, asked_ms: 10, model: "compatible:scripted" });
    expect(Object.values(run?.manifest.steps ?? {}).flatMap(({ error: failed }) => failed ?? [])).toEqual([]);
    isBusy = false;
    const { clock } = live.ports;
    live.ports = { ...live.ports, clock: { ...clock, nowMs: () => clock.nowMs() + HOUR_MS } };
    expect((await live.tick()).error).toBeNull();
    expect(await haltOf(live)).toBeNull();
    expect((await live.resume()).error).toBeNull();
    expect(await live.isStrict()).toBe(true);
  });

  test("control: one that gives in before that is waited for, and nothing halts", async () => {
    await using live = await refusing(({ number }) => number < 8);
    expect((await live.start()).error).toBeNull();
    expect((await live.dataOf("usage.settled")).filter(({ outcome }) => outcome === "failed").length).toBe(6);
  });
});

test("a reply that is cut at its limit is paid twice at the most, and goes on where it stood with a larger one", async () => {
  let isCut = true;
  const cut = (request: SeenRequest): Answer => {
    const task = taskOf(request);
    const isLate = task.who === "research" && task.messages.some(({ role }) => role === "tool");
    const answer = wellBehaved(request) as MessageAnswer;
    return isCut && isLate ? { ...answer, finish: "length", usage: { input: 100, output: 1_000 } } : answer;
  };
  await using live = await LiveRun.open({ script: cut });
  const { error, run } = await live.start();
  expect(error?.code).toBe("GATE_BLOCKED");
  expect(run?.manifest.halt?.next_commands[0]).toEndWith(`resume ${live.runRoot} --max-output-tokens 2000`);
  const steps = Object.keys(run?.manifest.steps ?? {}).length;
  const failed = (await live.dataOf("usage.settled")).filter(({ outcome }) => outcome === "failed");
  expect(failed.length).toBe(2 * steps);
  isCut = false;
  const searches = (): number =>
    live.server.requests.filter((request) => taskOf(request).messages.every(({ role }) => role !== "tool")).length;
  const before = searches();
  expect((await live.resume({ models: { max_output_tokens: 2_000 }, untilStage: "pivot" })).error).toBeNull();
  expect(searches()).toBe(before);
  expect(live.server.requests.at(-1)?.body).toMatchObject({ max_tokens: 2_000 });
});

describe("budgets", () => {
  test("hit twice, the run still goes on to its end; each time it leaves what it found", async () => {
    await using live = await LiveRun.open({ budgets: { max_calls: 13 } });
    const first = await live.start();
    expect([first.error?.code, first.run?.manifest.report_versions.at(-1)]).toMatchObject([
      "BUDGET_EXCEEDED",
      { trigger_type: "budget", partial: true },
    ]);
    const second = await live.resume({ budgets: { max_calls: 19 } });
    expect(second.error?.code).toBe("BUDGET_EXCEEDED");
    const done = await live.resume({ budgets: { max_calls: 100 } });
    expect(done.error).toBeNull();
    expect(done.run?.manifest.report_versions.at(-1)).toMatchObject({
      trigger_type: "auto_natural_stop",
      partial: false,
    });
    const steps = (await live.dataOf("step.completed")).map(({ key }) => key);
    expect(steps).toHaveLength(new Set(steps).size);
    expect(await live.isStrict()).toBe(true);
  });

  test("hit late, what was held back pays for a partial report by the models", async () => {
    await using live = await LiveRun.open({ budgets: { max_calls: 20 } });
    expect((await live.start()).error?.code).toBe("BUDGET_EXCEEDED");
    expect(live.report()).toContain('"method":"model compatible:scripted"');
  });

  test("of money: whatever runs side by side, it is never exceeded, and calls beyond it are not made", async () => {
    const limit = 0.05;
    await using live = await LiveRun.open({ budgets: { max_cost_usd: limit } });
    const { error, run } = await live.start();
    expect(error?.code).toBe("BUDGET_EXCEEDED");
    const usage = run?.manifest.usage;
    expect((usage?.cost_usd ?? 1) + (usage?.reserved_usd ?? 1)).toBeLessThanOrEqual(limit);
    expect(live.server.requests.length).toBe(usage?.calls ?? 0);
  });

  test("control: where calls cost nothing, the limit is never met", async () => {
    await using live = await LiveRun.open({ budgets: { max_cost_usd: 0.05 } });
    const free = { provider: "compatible" as const, name: "scripted", input: 0, output: 0 };
    live.ports = { ...live.ports, prices: [{ schema_version: "prices.v1", as_of: "2026-01-01", models: [free] }] };
    expect((await live.start()).error).toBeNull();
  });

  test("a limit of money for a model without a price is refused before anything is on disk", async () => {
    await using live = await LiveRun.open({ budgets: { max_cost_usd: 1 } });
    live.ports = { ...live.ports, prices: [] };
    const refused = await live.start().catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "INVALID_ARGS", facts: { option: "--max-cost-usd" } });
  });

  test("an unknown price is said, never counted as zero", async () => {
    await using live = await LiveRun.open();
    live.ports = { ...live.ports, prices: [] };
    const { run } = await live.start();
    const usage = run?.manifest.usage;
    expect([usage?.cost_usd, usage?.unpriced_calls]).toEqual([0, usage?.calls]);
  });
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(5);
}

describe("a run that is asked to stop while a model is silent", () => {
  /** Asks for a stop while a call is in flight; how the work ended, and how many calls were begun after it was asked. */
  async function stopped(ask: (live: LiveRun) => Promise<unknown>, change: (ports: Ports) => Ports = (ports) => ports) {
    const gate = Promise.withResolvers<void>();
    await using live = await LiveRun.open({
      script: async (request) => {
        if (request.number === 1) await gate.promise;
        return wellBehaved(request);
      },
    });
    const outside = live.ports;
    live.ports = change(live.ports);
    const work = live.start();
    await live.server.arrived(1);
    const asking = ask(Object.assign(live, { ports: outside }));
    await until(async () => {
      const { requests } = await outside.store.look(live.runRoot);
      return requests.some(({ kind }) => kind === "pause") || live.server.requests[0]?.ended === "left";
    });
    gate.resolve();
    const { result } = await work;
    await asking;
    return {
      stoppedBy: result.stopped_by,
      further: live.server.requests.length - 1,
      ended: live.server.requests[0]?.ended,
    };
  }

  test("a pause lets the call in flight end, and no other begins", async () => {
    const ended = await stopped((live) => pauseRun(live.ports, live.runRoot, { reason: "test", waitSeconds: 10 }));
    expect(ended).toEqual({ stoppedBy: "paused", further: 0, ended: "answered" });
  });

  test("an abort leaves the call in flight, and no other begins", async () => {
    const ended = await stopped((live) => abortRun(live.ports, live.runRoot, { reason: "test", waitSeconds: 10 }));
    expect(ended).toEqual({ stoppedBy: "aborted", further: 0, ended: "left" });
  });

  test("control: a run that never looks for requests goes on spending", async () => {
    const deaf = (ports: Ports): Ports => ({
      ...ports,
      store: {
        ...ports.store,
        async acquire(runRoot, options) {
          const acquired = await ports.store.acquire(runRoot, options);
          if (acquired.kind === "acquired") acquired.writer.requests = async () => [];
          return acquired;
        },
      },
    });
    const ended = await stopped(
      (live) => pauseRun(live.ports, live.runRoot, { reason: "test", waitSeconds: 0.1 }),
      deaf,
    );
    expect(ended.further).toBeGreaterThan(5);
  });
});
