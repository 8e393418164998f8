// `inspect --step`: the calls of models that a step made, one by one.
import { expect, setDefaultTimeout, test } from "bun:test";
import type { StepView } from "../../src/operations/look/inspect-step.ts";
import { taskOf, wellBehaved } from "../live/well-behaved.ts";
import { rateLimited, type MessageAnswer } from "../models/answers.ts";
import { answerIn, LivePlace } from "./live-place.ts";

setDefaultTimeout(600_000);

const PRICES = {
  schema_version: "prices.v1",
  as_of: "2026-01-01",
  models: [{ provider: "compatible", name: "scripted", input: 10, output: 10 }],
};
const KEY = "perspectives:plan";

test("each call with its tokens, its cost, how it ended and when; together they are what the step has spent", async () => {
  let calls = 0;
  await using place = await LivePlace.open((request) => {
    if (taskOf(request).who !== "plan") return wellBehaved(request);
    if (++calls === 1) return rateLimited("0.01");
    return { ...(wellBehaved(request) as MessageAnswer), usage: { input: 1_234, output: 567, cached: 200 } };
  });
  place.user({ prices: PRICES });
  await place.start();
  const shown = ["inspect", place.runRoot, "--step", KEY];
  const view = answerIn(await place.run([...shown, "--json"])).result as StepView;
  const [refused, answered] = view.calls;
  expect(refused).toMatchObject({ outcome: "failed", input_tokens: null, tokens: 0, cost_usd: 0 });
  expect(answered).toMatchObject({
    role: "planner",
    model: "compatible:scripted",
    outcome: "answered",
    input_tokens: 1_234,
    output_tokens: 567,
    cached_input_tokens: 200,
    tokens: 1_801,
    cost_usd: 0.01801,
  });
  expect(view.calls).toHaveLength(view.usage.calls);
  expect(view.calls.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0)).toBe(view.usage.tokens);
  for (const { begun_at, ended_at } of view.calls) expect(begun_at <= (ended_at ?? "")).toBe(true);
  const { stdout } = await place.run(shown);
  expect(stdout).toMatch(/\nCalls\n.*planner compatible:scripted +failed +charged as 0 tokens +\$0\n/);
  expect(stdout).toMatch(/planner compatible:scripted +answered +1,234 in \(200 cached\), 567 out +\$0.018\n/);
});

test("a call that nobody settled says so, with what is reserved for it", async () => {
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  await using place = await LivePlace.open(async (request) => {
    asked();
    await gate.promise;
    return wellBehaved(request);
  });
  place.user({ prices: PRICES });
  const work = place.start();
  await isAsked;
  const shown = ["inspect", place.runRoot, "--step", KEY];
  const { calls } = answerIn(await place.run([...shown, "--json"])).result as StepView;
  const { stdout } = await place.run(shown);
  gate.resolve();
  await work;
  expect(calls).toMatchObject([{ outcome: null, ended_at: null, tokens: null, cost_usd: null }]);
  expect(stdout).toMatch(/planner compatible:scripted +not settled +[\d,]+ tokens reserved +\$[\d.]+ reserved\n/);
});
