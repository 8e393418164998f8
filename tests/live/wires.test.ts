// Tests that live runs over other wires, or one tick at a time, give the same report.
import { expect, setDefaultTimeout, test } from "bun:test";
import { openModels } from "../../src/models/models.ts";
import { initRun } from "../../src/operations/make/init-run.ts";
import { tickRun } from "../../src/operations/change/tick-run.ts";
import type { MessageAnswer } from "../models/answers.ts";
import { fromAnthropic } from "./anthropic-request.ts";
import { LiveRun } from "./live-run.ts";
import { wellBehaved } from "./well-behaved.ts";

setDefaultTimeout(600_000);

/** What a report says, whoever wrote and judged it. */
function saidIn(live: LiveRun): string {
  return live.report().replaceAll(/[a-z]+:scripted/g, "scripted");
}

async function overCompatible(): Promise<string> {
  await using live = await LiveRun.open();
  await live.start();
  return saidIn(live);
}

test("over Anthropic's wire signed reasoning is stored, and sent back as it came", async () => {
  await using live = await LiveRun.open({
    models: { default: { provider: "anthropic", name: "scripted" }, max_output_tokens: 1_000 },
    script: (request) => {
      const answer = wellBehaved({ body: fromAnthropic(request.body) }) as MessageAnswer;
      return { ...answer, reasoning: "I think about it.", reasoning_signature: "signed-by-the-provider" };
    },
  });
  const environment = { ANTHROPIC_API_KEY: "canary-0123456789abcdef", ANTHROPIC_BASE_URL: live.server.baseUrl };
  const { clock } = live.ports;
  live.ports = { ...live.ports, loadModels: async () => openModels({ environment, clock }) };
  expect((await live.start()).error).toBeNull();
  expect(new Set(live.server.requests.map(({ wire }) => wire))).toEqual(new Set(["anthropic"]));
  expect(saidIn(live)).toBe(await overCompatible());
  const stored = (await live.histories()).flat().filter((message) => message.role === "assistant");
  expect(stored.every(({ reasoning }) => reasoning?.[0]?.text === "I think about it.")).toBe(true);
  const later = live.server.requests.filter(({ body }) => (body as { messages: unknown[] }).messages.length > 1);
  expect(later.length).toBeGreaterThan(0);
  for (const { body } of later) expect(JSON.stringify(body)).toContain("signed-by-the-provider");
});

test("a run of single ticks does one step in each", async () => {
  await using live = await LiveRun.open();
  await initRun(live.ports, live.initOptions(), {});
  let ticks = 0;
  for (let state = ""; state !== "completed" && ticks < 100; ticks++) {
    const { run, error } = await tickRun(live.ports, live.runRoot, { maxSteps: 1 });
    expect(error).toBeNull();
    state = run?.state ?? "";
  }
  expect(ticks).toBeGreaterThan(10);
  expect(saidIn(live)).toBe(await overCompatible());
});
