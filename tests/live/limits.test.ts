// Tests of money, quotas and stops: what a live run spends is limited, and a stop ends the spending.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { abortRun } from "../../src/operations/change/stop-run.ts";
import { pauseRun } from "../../src/operations/change/stop-run.ts";
import { tickAll } from "../../src/operations/change/tick-all.ts";
import { RunError } from "../../src/kernel/errors.ts";
import type { Driver } from "../../src/ports/driver.ts";
import type { Models } from "../../src/ports/model.ts";
import { ModelFailure } from "../../src/ports/model.ts";
import type { ModelWait } from "../../src/ports/observer.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { RunWriter } from "../../src/ports/run-log.ts";
import { haltKind } from "../../src/run/log/halt.ts";
import {
  OUT_OF_QUOTA,
  rateLimited,
  UNAUTHORIZED,
  type Answer,
  type MessageAnswer,
  type SeenRequest,
} from "../models/answers.ts";
import { withWriters } from "../simulation/changed.ts";
import { later } from "../operations/later.ts";
import { Board } from "./board.ts";
import { crashingPorts } from "./crashes.ts";
import { LiveRun } from "./live-run.ts";
import { postsNotes } from "./risky-model.ts";
import { taskOf, wellBehaved } from "./well-behaved.ts";

setDefaultTimeout(600_000);

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

  test("lets no further call begin, not even of another step", async () => {
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
    live.ports = later(live.ports, 2 * HOUR_MS);
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

describe("a step that was given up while another met a quota", () => {
  /** One researcher has posted notes and fails for good; the other is told to wait for an hour. */
  async function afterTheHour(goOn: (live: LiveRun) => Promise<unknown>) {
    using board = new Board();
    let isIll = true;
    await using live = await LiveRun.open({
      script: async (request) => {
        const { who, user } = taskOf(request);
        if (!isIll || who !== "research" || !user.includes("Your angle: What speaks against it"))
          return postsNotes(request);
        while ((await live.dataOf("step.failed")).length === 0) await Bun.sleep(5);
        return rateLimited("3600");
      },
    });
    const ports = crashingPorts(live.ports, { riskyUrl: board.url });
    const driver = failingOnce(await ports.loadDriver("live"));
    live.ports = { ...ports, loadDriver: async () => driver };
    expect((await live.start()).error?.code).toBe("QUOTA_EXCEEDED");
    const [given] = await live.dataOf("step.failed");
    expect(given?.error.retryable).toBe(false);
    isIll = false;
    live.ports = later(live.ports, 2 * HOUR_MS);
    await goOn(live);
    const { manifest } = await live.ports.store.look(live.runRoot);
    return {
      halt: await haltOf(live),
      failures: manifest.steps[given?.key ?? ""]?.failures_since_resume,
      posted: board.notes.filter((note) => note.includes("How it works")).length,
    };
  }

  function failingOnce(driver: Driver): Driver {
    let hasFailed = false;
    const perform: Driver["perform"] = async (kind, input, tools) => {
      const result = await driver.perform(kind, input, tools);
      if (kind !== "research" || hasFailed) return result;
      hasFailed = true;
      throw new RunError("PROVIDER_FAILED", { reason: "it broke" });
    };
    return { ...driver, perform };
  }

  test("is not tried again when time alone ends the halt, and a person is asked", async () => {
    expect(await afterTheHour((live) => live.tick())).toEqual({ halt: "gate_blocked", failures: 1, posted: 2 });
  });

  test("control: is tried again when a person lifts the halt", async () => {
    expect(await afterTheHour((live) => live.resume({ untilStage: "pivot" }))).toMatchObject({
      halt: null,
      posted: 4,
    });
  });
});

describe("an error in the middle of a stream", () => {
  /** What the first call is charged, when so much of its reply came before the error. */
  async function chargedAfter(words: number) {
    const chunk = { id: "x", object: "chat.completion.chunk", created: 1, model: "scripted" };
    const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
    const said = event({ ...chunk, choices: [{ index: 0, delta: { content: "word " }, finish_reason: null }] });
    const broken = event({ error: { message: "Something broke.", type: "server_error", code: 500 } });
    await using live = await LiveRun.open({
      script: (request) =>
        request.number > 1
          ? wellBehaved(request)
          : { kind: "raw", headers: { "content-type": "text/event-stream" }, body: said.repeat(words) + broken },
    });
    await live.start();
    const [settled] = await live.dataOf("usage.settled");
    return settled;
  }

  test("is charged as reserved when part of the reply had come", async () => {
    const settled = await chargedAfter(50);
    expect(settled).toMatchObject({ outcome: "failed", usage: null, ...settled?.reserved });
    expect(settled?.tokens).toBeGreaterThan(0);
  });

  test("control: is free when nothing of the reply had come", async () => {
    expect(await chargedAfter(0)).toMatchObject({ outcome: "failed", tokens: 0, cost_usd: 0 });
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
    // Two that ask at the same time may both be refused before either waits.
    expect([6, 7]).toContain(waits.length);
    expect(waits[0]).toMatchObject({ kind: "rate_limited", status: 429, asked_ms: 10, model: "compatible:scripted" });
    expect(Object.values(run?.manifest.steps ?? {}).flatMap(({ error: failed }) => failed ?? [])).toEqual([]);
    isBusy = false;
    live.ports = later(live.ports, HOUR_MS);
    expect((await live.tick()).error).toBeNull();
    expect(await haltOf(live)).toBeNull();
    expect((await live.resume()).error).toBeNull();
    expect(await live.isStrict()).toBe(true);
  });

  test("control: does not halt the run when it answers in time", async () => {
    await using live = await refusing(({ number }) => number < 8);
    expect((await live.start()).error).toBeNull();
    expect((await live.dataOf("usage.settled")).filter(({ outcome }) => outcome === "failed").length).toBe(6);
  });
});

test("a reply that is cut at its limit is paid for at most twice, and the step goes on with a larger limit", async () => {
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
  const isNoResult = ({ role }: { role: string }): boolean => role !== "tool";
  const searches = (): number =>
    live.server.requests.map(taskOf).filter(({ who, messages }) => who === "research" && messages.every(isNoResult))
      .length;
  const before = searches();
  expect((await live.resume({ models: { max_output_tokens: 2_000 }, untilStage: "pivot" })).error).toBeNull();
  expect(searches()).toBe(before);
  expect(live.server.requests.at(-1)?.body).toMatchObject({ max_tokens: 2_000 });
});

describe("budgets", () => {
  test("that are spent twice leave a report each time, and the run still reaches its end", async () => {
    await using live = await LiveRun.open({ budgets: { max_calls: 12 } });
    const first = await live.start();
    expect([first.error?.code, first.run?.manifest.report_versions.at(-1)]).toMatchObject([
      "BUDGET_EXCEEDED",
      { trigger_type: "budget", partial: true },
    ]);
    const second = await live.resume({ budgets: { max_calls: 15 } });
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

  test("control: that are not raised halt the run again without a call, and keep what was done", async () => {
    await using live = await LiveRun.open({ budgets: { max_calls: 13 } });
    await live.start();
    const asked = live.server.requests.length;
    const again = await live.resume();
    expect([again.error?.code, again.run?.state]).toEqual(["BUDGET_EXCEEDED", "running"]);
    const less = await live.resume({ budgets: { max_calls: asked } });
    expect([less.error?.code, live.server.requests.length]).toEqual(["BUDGET_EXCEEDED", asked]);
    expect((await live.resume({ budgets: { max_calls: 100 } })).error).toBeNull();
  });

  test("that are spent late leave enough for a partial report by the models", async () => {
    await using live = await LiveRun.open({ budgets: { max_calls: 12 } });
    expect((await live.start()).error?.code).toBe("BUDGET_EXCEEDED");
    expect(live.report()).toContain('"method":"model compatible:scripted"');
  });

  test("of money are never exceeded, even by steps that run side by side", async () => {
    const limit = 0.05;
    await using live = await LiveRun.open({ budgets: { max_cost_usd: limit } });
    const { error, run } = await live.start();
    expect(error?.code).toBe("BUDGET_EXCEEDED");
    const usage = run?.manifest.usage;
    expect((usage?.cost_usd ?? 1) + (usage?.reserved_usd ?? 1)).toBeLessThanOrEqual(limit);
    expect(live.server.requests.length).toBe(usage?.calls ?? 0);
  });

  test("control: of money are never met when calls cost nothing", async () => {
    await using live = await LiveRun.open({ budgets: { max_cost_usd: 0.05 } });
    const free = { provider: "compatible" as const, name: "scripted", input: 0, output: 0 };
    live.ports = { ...live.ports, prices: [{ schema_version: "prices.v1", as_of: "2026-01-01", models: [free] }] };
    expect((await live.start()).error).toBeNull();
  });

  test("of money are refused for a model without a price, before anything is on disk", async () => {
    await using live = await LiveRun.open({ budgets: { max_cost_usd: 1 } });
    live.ports = { ...live.ports, prices: [] };
    const refused = await live.start().catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "INVALID_ARGS", facts: { option: "--max-cost-usd" } });
  });

  test("do not count an unknown price as zero, and say so", async () => {
    await using live = await LiveRun.open();
    live.ports = { ...live.ports, prices: [] };
    const { run } = await live.start();
    const usage = run?.manifest.usage;
    expect([usage?.cost_usd, usage?.unpriced_calls]).toEqual([0, usage?.calls]);
  });
});

describe("a run that is asked to stop while a model is silent", () => {
  /** Of the planner, then one of each researcher, who would all go on with others. */
  const IN_FLIGHT = 3;

  /** Tells when the owner of the run has seen a request; a deaf one has looked and takes none for what it is. */
  function watched(ports: Ports, onSeen: () => void, isDeaf: boolean): Ports {
    const watching = (writer: RunWriter): RunWriter => {
      const look = writer.requests.bind(writer);
      writer.requests = async () => {
        const requests = await look();
        // After whoever asked has taken the answer.
        if (requests.length > 0) setTimeout(onSeen);
        return isDeaf ? [] : requests;
      };
      return writer;
    };
    return { ...ports, store: withWriters(ports.store, watching) };
  }

  /** Asks for a stop while calls are in flight; how the work ended, and how many calls were begun after it was seen. */
  async function stopped(ask: (live: LiveRun) => Promise<unknown>, { isDeaf = false, answersWhenSeen = true } = {}) {
    const gate = Promise.withResolvers<void>();
    await using live = await LiveRun.open({
      script: async (request) => {
        if (taskOf(request).who === "research") await gate.promise;
        return wellBehaved(request);
      },
    });
    const outside = live.ports;
    live.ports = watched(outside, () => answersWhenSeen && gate.resolve(), isDeaf);
    const work = live.start();
    await live.server.arrived(IN_FLIGHT);
    const asking = ask(Object.assign(live, { ports: outside }));
    const { result } = await work;
    gate.resolve();
    await asking;
    return {
      stoppedBy: result.stopped_by,
      further: live.server.requests.length - IN_FLIGHT,
      ended: await endsOfResearch(live),
    };
  }

  /** As the run settled them: a server only hears of a connection that is gone when it writes. */
  async function endsOfResearch({ ports, runRoot }: LiveRun): Promise<string[]> {
    const records = await ports.store.records(runRoot);
    return records.flatMap(({ kind, data }) =>
      kind === "usage.settled" && data.stage === "wave1" ? [data.outcome] : [],
    );
  }

  test("a pause lets the calls in flight end, and no other begins", async () => {
    const ended = await stopped((live) => pauseRun(live.ports, live.runRoot, { reason: "test", waitSeconds: 10 }));
    expect(ended).toEqual({ stoppedBy: "paused", further: 0, ended: ["answered", "answered"] });
  });

  test("an abort leaves the calls in flight, and no other begins", async () => {
    const abort = (live: LiveRun) => abortRun(live.ports, live.runRoot, { reason: "test", waitSeconds: 10 });
    // The models are silent until the run is over: what cut the calls off was the abort.
    const ended = await stopped(abort, { answersWhenSeen: false });
    expect(ended).toEqual({ stoppedBy: "aborted", further: 0, ended: ["lost", "lost"] });
  });

  test("control: a run that never looks for requests goes on spending", async () => {
    const ended = await stopped((live) => pauseRun(live.ports, live.runRoot, { reason: "test", waitSeconds: 0.1 }), {
      isDeaf: true,
    });
    expect(ended.further).toBeGreaterThan(5);
  });
});
