// Tests of operations on live runs: refusing runs that could make no call, inspecting, settling and reporting.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { inspectStepText } from "../../src/cli/text/inspect-text.ts";
import { PLAIN } from "../../src/cli/terminal/style.ts";
import { openModels } from "../../src/models/models.ts";
import { conversationsOf } from "../../src/operations/look/conversations.ts";
import { initRun } from "../../src/operations/make/init-run.ts";
import { generateReport } from "../../src/operations/report/generate-report.ts";
import { inspectRun } from "../../src/operations/look/inspect-run.ts";
import { inspectStep } from "../../src/operations/look/inspect-step.ts";
import type { InitOptions } from "../../src/operations/options.ts";
import { settleCall } from "../../src/operations/change/settle-call.ts";
import type { RunError } from "../../src/kernel/errors.ts";
import { OUT_OF_QUOTA } from "../models/answers.ts";
import { LiveRun } from "./live-run.ts";
import { taskOf, wellBehaved } from "./well-behaved.ts";

setDefaultTimeout(600_000);

async function refusal(work: Promise<unknown>): Promise<[code: string, facts: Record<string, unknown>]> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown as RunError,
  );
  return error === null ? ["ok", {}] : [error.code, error.facts];
}

describe("init", () => {
  const cases: [name: string, options: Partial<InitOptions>, facts: Record<string, unknown>][] = [
    ["a live run without a model", { models: undefined } as unknown as Partial<InitOptions>, { option: "--model" }],
    [
      "a model of another driver",
      { driver: "local", models: { default: { provider: "openai", name: "gpt-5" } } },
      { option: "--model" },
    ],
    [
      "a model without its key, by the name of the variable",
      { models: { default: { provider: "openai", name: "gpt-5" } } },
      { unset_variable: "OPENAI_API_KEY" },
    ],
    [
      "a model elsewhere under no_web",
      {
        sensitivity: "no_web",
        models: { default: { provider: "compatible", name: "m", base_url: "https://models.example/v1" } },
      },
      { option: "--sensitivity" },
    ],
  ];
  for (const [name, options, facts] of cases) {
    test(`refuses ${name}, and leaves nothing behind`, async () => {
      await using live = await LiveRun.open(options);
      expect(await refusal(live.start())).toMatchObject(["INVALID_ARGS", facts]);
      expect(await Array.fromAsync(live.ports.runs.list(live.runsRoot))).toEqual([]);
      expect(live.server.requests).toEqual([]);
    });
  }

  test("takes a model on this machine under no_web", async () => {
    await using live = await LiveRun.open({ sensitivity: "no_web" });
    expect((await live.start()).error).toBeNull();
  });

  test("names a missing key again before anything is done", async () => {
    const openai = { provider: "openai" as const, name: "gpt-5" };
    await using live = await LiveRun.open({ models: { default: openai }, script: () => OUT_OF_QUOTA });
    const environment = { OPENAI_API_KEY: "sk-canary", OPENAI_BASE_URL: live.server.baseUrl };
    const withoutKey = live.ports;
    live.ports = { ...live.ports, loadModels: async () => openModels({ environment, clock: withoutKey.clock }) };
    await live.start();
    live.ports = withoutKey;
    expect(await refusal(live.resume())).toMatchObject(["INVALID_ARGS", { unset_variable: "OPENAI_API_KEY" }]);
    for (const path of readdirSync(live.folder, { recursive: true, encoding: "utf8" })) {
      const file = Bun.file(join(live.folder, path));
      if ((await file.stat()).isFile()) expect(await file.text(), path).not.toContain("sk-canary");
    }
  });
});

test("the day of the question is that on which the run was made, whenever it is worked on", async () => {
  await using live = await LiveRun.open({ mode: "quick", audience: "the board" });
  const { clock } = live.ports;
  const midnight = Date.parse("2026-02-01T00:00:00Z");
  live.ports = { ...live.ports, clock: { ...clock, nowMs: () => midnight - 1 } };
  const { result } = await initRun(live.ports, live.initOptions(), {});
  live.ports = { ...live.ports, clock: { ...clock, nowMs: () => midnight + 1_000 } };
  // The same line on another day names the same run.
  expect((await initRun(live.ports, live.initOptions(), {})).result.created).toBe(false);
  expect((await live.resume()).error).toBeNull();
  expect(result.created).toBe(true);
  const writer = live.server.requests.map(taskOf).find(({ who }) => who === "draft");
  expect(writer?.messages[0]?.content).toContain("It was asked on 2026-01-31");
  expect(JSON.parse(writer?.user ?? "{}")).toMatchObject({ audience: "the board" });
});

describe("inspect", () => {
  test("shows what was spent by the run, its stages and its steps: the same sums", async () => {
    await using live = await LiveRun.open();
    await live.start();
    const { usage, spending } = (await inspectRun(live.ports, live.runRoot)).result;
    const sum = (spent: Record<string, { calls: number; tokens: number }>): number[] => [
      Object.values(spent).reduce((calls, one) => calls + one.calls, 0),
      Object.values(spent).reduce((tokens, one) => tokens + one.tokens, 0),
    ];
    expect(usage.calls).toBe(live.server.requests.length);
    expect(sum(spending.stages)).toEqual([usage.calls, usage.tokens]);
    expect(sum(spending.steps)).toEqual([usage.calls, usage.tokens]);
  });

  test("shows the messages, tool calls and repairs of a step", async () => {
    await using live = await LiveRun.open();
    await live.start();
    const { conversations, usage } = (await inspectStep(live.ports, live.runRoot, "wave1:overview")).result;
    expect(conversations.map(({ conversation, repairs, orphans }) => [conversation, repairs, orphans])).toEqual([
      ["research", [], []],
    ]);
    const [{ messages, tool_calls } = { messages: [], tool_calls: [] }] = conversations;
    expect(messages[0]?.role).toBe("system");
    expect(tool_calls.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
      "search done",
      "open done",
      "open done",
      "quote done",
      "quote done",
      "submit done",
    ]);
    const said = conversations.flatMap((one) => one.messages.filter(({ role }) => role === "assistant"));
    expect(usage.calls).toBe(said.length);
    const look = await live.ports.store.look(live.runRoot);
    expect((await conversationsOf(live.ports, look)).length).toBeGreaterThan(conversations.length);
  });
});

describe("a result that no call waits for", () => {
  const KEY = "wave1:overview";

  /** Halts in the middle of research; with an orphan somebody stores a result that nothing asked for. */
  async function halted(live: LiveRun, hasOrphan: boolean): Promise<number | null> {
    expect((await live.start()).error?.code).toBe("QUOTA_EXCEEDED");
    const stored = (await live.dataOf("message.stored")).filter(({ key }) => key === KEY);
    const last = stored.at(-1);
    if (!hasOrphan || last === undefined) return null;
    const acquired = await live.ports.store.acquire(live.runRoot);
    if (acquired.kind !== "acquired") throw new Error("the run is held");
    const { key, stage, inputs_digest, conversation } = last;
    const message_id = last.message_id + 1;
    const content = "Nobody asked for this.";
    const message = { role: "tool" as const, message_id, tool_call_id: "nobody", name: "search", content };
    const place = { key, stage, inputs_digest, conversation };
    await acquired.writer.commit([{ kind: "message.stored", data: { ...place, message_id, role: "tool", message } }]);
    await acquired.writer.release();
    return message_id;
  }

  for (const hasOrphan of [true, false]) {
    test(hasOrphan ? "is left out, and inspect says so" : "control: without one nothing is said", async () => {
      let isUsedUp = true;
      await using live = await LiveRun.open({
        script: (request) =>
          isUsedUp && taskOf(request).messages.some(({ role }) => role === "tool")
            ? OUT_OF_QUOTA
            : wellBehaved(request),
      });
      const orphan = await halted(live, hasOrphan);
      const { result } = await inspectStep(live.ports, live.runRoot, KEY);
      expect(result.conversations.map(({ orphans }) => orphans)).toEqual([orphan === null ? [] : [orphan]]);
      const text = inspectStepText(result, PLAIN);
      expect(text.includes("results that no call waits for, left out:")).toBe(hasOrphan);
      if (orphan !== null) expect(text).toContain(`left out: ${orphan}\n`);
      expect(text).not.toContain("Nobody asked for this.");
      isUsedUp = false;
      expect((await live.resume()).error).toBeNull();
      expect(await live.isStrict()).toBe(true);
      for (const { body } of live.server.requests) expect(JSON.stringify(body)).not.toContain("Nobody asked for this.");
    });
  }
});

test("settle: no call waits, another one waits, and a run that has ended", async () => {
  await using live = await LiveRun.open({ script: () => OUT_OF_QUOTA });
  await live.start();
  const settle = (): Promise<unknown> => settleCall(live.ports, live.runRoot, { call: "a/b/1/c", as: "replay" }, {});
  expect((await refusal(settle()))[0]).toBe("INVALID_STATE");
  live.server.script = wellBehaved;
  await live.resume();
  expect((await refusal(settle()))[0]).toBe("RUN_TERMINAL");
});

test("a report on request asks the models, and says why when none answers", async () => {
  await using live = await LiveRun.open({
    mode: "quick",
    script: (request) => (taskOf(request).who === "draft" ? OUT_OF_QUOTA : wellBehaved(request)),
  });
  await live.start();
  const { abortRun } = await import("../../src/operations/change/stop-run.ts");
  await abortRun(live.ports, live.runRoot, { waitSeconds: 5 });
  expect((await refusal(generateReport(live.ports, live.runRoot, {})))[0]).toBe("QUOTA_EXCEEDED");
  live.server.script = wellBehaved;
  const { result } = await generateReport(live.ports, live.runRoot, {});
  expect([result.trigger_type, result.partial]).toEqual(["manual", true]);
});
