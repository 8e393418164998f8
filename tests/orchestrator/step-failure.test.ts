// The failure of an attempt: which steps the run goes on without, and which ones wait for a person.
import { describe, expect, test } from "bun:test";
import { RunError } from "../../src/kernel/errors.ts";
import { stepFailure } from "../../src/orchestrator/step-failure.ts";

const ATTEMPT = { isLast: true, mayFail: true, hasActed: false };
const NO_RESULT = new RunError("MODEL_FAILED", { reason: "it answered nothing", retryable: false });
const PASSING = new RunError("MODEL_FAILED", { reason: "something broke", goes_on: true });

function isLeftOut(error: unknown, attempt: Partial<typeof ATTEMPT> = {}): boolean {
  return stepFailure(error, { ...ATTEMPT, ...attempt }).left_out === true;
}

describe("a step that the stage can do without", () => {
  test("is left out after its last attempt, or one that will not go better", () => {
    expect([isLeftOut(NO_RESULT), isLeftOut(PASSING), isLeftOut(new Error("a bug"))]).toEqual([true, true, true]);
    expect([isLeftOut(NO_RESULT, { isLast: false }), isLeftOut(PASSING, { isLast: false })]).toEqual([true, false]);
  });

  test("halts the run where a person or time mends it", () => {
    const away = new RunError("MODEL_FAILED", { reason: "connection refused", unreachable: true });
    const refused = new RunError("PROVIDER_FAILED", { reason: "unauthorized: no such key", retryable: false });
    expect([isLeftOut(away), isLeftOut(refused)]).toEqual([false, false]);
  });
});

test("a step that the stage needs is never left out", () => {
  expect([isLeftOut(NO_RESULT, { mayFail: false }), isLeftOut(PASSING, { mayFail: false })]).toEqual([false, false]);
});
