// One call: what is a failure of the attempt, what halts the run, and what is charged for it.
import { describe, expect, test } from "bun:test";
import {
  ModelFailure,
  type ModelFailureFacts,
  type ModelFailureKind,
  type ModelReply,
  type Models,
} from "../../src/ports/model.ts";
import { UNKNOWN_USAGE, type Usage } from "../../src/run/model.ts";
import type { RecordData } from "../../src/run/record.ts";
import { portModels } from "../live/port-models.ts";
import { newMemory, recordsOf, talk, type Ended } from "./talking-run.ts";

interface Called {
  ended: Ended;
  calls: number;
  settled: RecordData<"usage.settled">[];
  reserved: RecordData<"usage.reserved">[];
}

async function calling(call: (nth: number) => ModelReply): Promise<Called> {
  let calls = 0;
  const models: Models = { ...portModels(() => ({ kind: "message" })), call: async () => call(++calls) };
  const memory = await newMemory();
  const ended = await talk(memory, { models, tools: [] });
  const settled = recordsOf(memory).flatMap((record) => (record.kind === "usage.settled" ? [record.data] : []));
  const reserved = recordsOf(memory).flatMap((record) => (record.kind === "usage.reserved" ? [record.data] : []));
  return { ended, calls, settled, reserved };
}

function reply(more: Partial<ModelReply> = {}): ModelReply {
  return {
    message: { role: "assistant", content: "All is said.", tool_calls: [] },
    usage: { input_tokens: 60, output_tokens: 40 },
    finish_reason: "stop",
    model_id: "m",
    ...more,
  };
}

async function failing(kind: ModelFailureKind, facts: Partial<ModelFailureFacts> = {}): Promise<Called> {
  return await calling(() => {
    throw new ModelFailure(kind, { reason: kind, ...facts });
  });
}

describe("what a call comes to", () => {
  test("a reply that was cut by its length is a failure of the attempt, and paid for", async () => {
    const { ended, settled } = await calling(() => reply({ finish_reason: "length" }));
    expect(ended).toMatchObject({
      kind: "failed",
      error: { code: "MODEL_FAILED", facts: { kind: "truncated", goes_on: true } },
    });
    expect(settled).toMatchObject([{ outcome: "failed", tokens: 100, cost_usd: 0.001 }]);
  });

  test("rate limits in a row are asked again a few times, then the attempt has failed", async () => {
    const { ended, calls } = await failing("rate_limited", { retry_after_ms: 0 });
    expect(calls).toBe(6);
    expect(ended).toMatchObject({ kind: "failed", error: { facts: { kind: "rate_limited", retryable: true } } });
  });

  test("one rate limit is waited out, and the same request is sent again", async () => {
    const { ended, calls, settled } = await calling((nth) => {
      if (nth === 1) throw new ModelFailure("rate_limited", { reason: "slower", retry_after_ms: 0 });
      return reply();
    });
    expect([ended.kind, calls, settled.map(({ outcome }) => outcome)]).toEqual(["done", 2, ["failed", "answered"]]);
  });

  test("a quota, a long wait and a refused key halt the run; each was asked once", async () => {
    const quota = await failing("quota", { retry_at: "2036-01-01T00:00:00.000Z" });
    const long = await failing("rate_limited", { retry_after_ms: 3_600_000 });
    const auth = await failing("auth", { status: 402 });
    expect([quota, long, auth].map(({ calls }) => calls)).toEqual([1, 1, 1]);
    expect([quota, long, auth].map(({ ended }) => ended)).toMatchObject([
      { kind: "halted", halt: { kind: "quota", retryAt: "2036-01-01T00:00:00.000Z" } },
      { kind: "halted", halt: { kind: "quota", retryAt: expect.any(String) } },
      { kind: "halted", halt: { kind: "gate_blocked", details: { status: 402 } } },
    ]);
  });
});

describe("what is charged", () => {
  test("what the provider says; where it says nothing, what was reserved", async () => {
    const said = await calling(() => reply());
    expect(said.settled).toMatchObject([{ outcome: "answered", tokens: 100, cost_usd: 0.001 }]);
    const unsaid = await calling(() => reply({ usage: UNKNOWN_USAGE }));
    expect(unsaid.settled).toMatchObject(unsaid.reserved.map(({ tokens, cost_usd }) => ({ tokens, cost_usd })));
  });

  const cases: [ModelFailureKind, Partial<ModelFailureFacts>, "nothing" | "reserved" | Usage][] = [
    ["bad_request", { status: 400 }, "nothing"],
    ["transient", { status: 503 }, "nothing"],
    ["transient", { timed_out: true }, "reserved"],
    ["truncated", {}, "reserved"],
    ["malformed", {}, "reserved"],
    ["empty", { usage: { input_tokens: 10, output_tokens: 0 } }, { input_tokens: 10, output_tokens: 0 }],
  ];
  for (const [kind, facts, charged] of cases) {
    test(`a failed call (${kind}, ${JSON.stringify(facts)}) is charged ${typeof charged === "string" ? charged : "as said"}`, async () => {
      const { settled, reserved } = await failing(kind, facts);
      const expected = charged === "nothing" ? 0 : charged === "reserved" ? (reserved[0]?.tokens ?? -1) : 10;
      expect(settled.map(({ outcome, tokens }) => [outcome, tokens])).toEqual([["failed", expected]]);
    });
  }
});
