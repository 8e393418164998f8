// Tests of the estimate of calls to come: near to what was measured, and falling with each stage.
import { expect, test } from "bun:test";
import { expectedCalls } from "../../src/run/money/expected-calls.ts";
import { LIMITS_BY_MODE } from "../../src/run/settings/settings.ts";
import { STAGES } from "../../src/run/stage.ts";

const NONE = { planned: 0, open: 0 };

test("a quick run makes some 16 calls, a standard one some 40", () => {
  const whole = (mode: "quick" | "standard"): number =>
    expectedCalls({ mode, limits: LIMITS_BY_MODE[mode], stage: "init", steps: NONE });
  expect([whole("quick"), whole("standard")]).toEqual([16, 42]);
});

test("fewer calls come with each stage and each step, and none at the end", () => {
  const limits = LIMITS_BY_MODE.standard;
  const left = STAGES.map((stage) => expectedCalls({ mode: "standard", limits, stage, steps: NONE }));
  expect(left).toEqual(left.toSorted((a, b) => b - a));
  expect(left.at(-1)).toBe(0);
  const inWave = (open: number): number =>
    expectedCalls({ mode: "standard", limits, stage: "wave1", steps: { planned: 5, open } });
  expect([inWave(5), inWave(2), inWave(0)]).toEqual([41, 30, 22]);
});

test("one wave and one round make less", () => {
  const limits = { ...LIMITS_BY_MODE.standard, max_depth: 1, max_rounds: 1 };
  expect(expectedCalls({ mode: "standard", limits, stage: "pivot", steps: NONE })).toBe(9);
});
