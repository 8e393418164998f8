// What a failed call comes to: who is told of a wait, when the run halts, and which option or setting may help.
import { describe, expect, test } from "bun:test";
import { RunError } from "../../src/kernel/errors.ts";
import { HaltWanted } from "../../src/orchestrator/halt-wanted.ts";
import { judgeFailure, type FailedCall } from "../../src/orchestrator/model-failures.ts";
import { ModelGate } from "../../src/orchestrator/model-gate.ts";
import { ModelFailure, type ModelFailureFacts, type ModelFailureKind } from "../../src/ports/model.ts";
import type { ModelWait } from "../../src/ports/observer.ts";
import { DEFAULT_MODEL_SETTINGS } from "../../src/run/settings.ts";
import { SimulatedClock } from "../simulation/clock.ts";

const NO_ABORT = new AbortController().signal;
const NOW = Date.UTC(2026, 0, 1);
const LOCAL = { provider: "compatible" as const, name: "small", base_url: "http://127.0.0.1:11434/v1" };

function calledAt(more: Partial<FailedCall> = {}) {
  const clock = new SimulatedClock({ nowMs: NOW, uptimeMs: 0, autoAdvance: true });
  const gate = new ModelGate(clock, { bytes: (count) => new Uint8Array(count) }, () => false);
  const told: ModelWait[] = [];
  const session = { ports: { clock }, observer: { onWait: (wait: ModelWait) => void told.push(wait) } };
  const settings = { ...DEFAULT_MODEL_SETTINGS, default: LOCAL, roles: {} };
  const call: FailedCall = { session, gate, model: LOCAL, role: "researcher", settings, ...more };
  /** Null when the same request may be sent again. */
  const judged = (kind: ModelFailureKind, facts: Partial<ModelFailureFacts> = {}): unknown => {
    try {
      judgeFailure(new ModelFailure(kind, { reason: "No.", ...facts }), call);
      return null;
    } catch (error) {
      return error;
    }
  };
  return { clock, gate, told, judged };
}

function helpOf(error: unknown): unknown {
  return error instanceof RunError ? error.facts["help"] : error;
}

describe("whoever watches is told of a wait", () => {
  test("with who asked for it, why, how long and until when", async () => {
    const { told, judged, gate } = calledAt();
    expect(judged("rate_limited", { status: 429, retry_after_ms: 20_000 })).toBeNull();
    expect(told).toEqual([]);
    await gate.pass(NO_ABORT);
    expect(told).toEqual([
      {
        model: "compatible:small",
        kind: "rate_limited",
        reason: "No.",
        status: 429,
        asked_ms: 20_000,
        wait_ms: 20_000,
        until: "2026-01-01T00:00:20.000Z",
      },
    ]);
  });

  test("once, however many calls are refused side by side", async () => {
    const { told, judged, gate } = calledAt();
    for (let call = 0; call < 8; call++) judged("rate_limited");
    await Promise.all([gate.pass(NO_ABORT), gate.pass(NO_ABORT)]);
    expect(told.map(({ wait_ms }) => wait_ms)).toEqual([1_000]);
  });

  test("also after a failure that another attempt follows, and of nothing else", async () => {
    const { told, judged, gate } = calledAt();
    for (const kind of ["malformed", "bad_request"] as const) judged(kind);
    await gate.pass(NO_ABORT);
    expect(told).toEqual([]);
    expect(judged("transient", { status: 503 })).toMatchObject({ code: "MODEL_FAILED" });
    await gate.pass(NO_ABORT);
    expect(told).toMatchObject([{ kind: "transient", status: 503, wait_ms: 1_000 }]);
    expect(told[0]).not.toHaveProperty("asked_ms");
  });
});

describe("a provider that goes on refusing", () => {
  async function refusedOften({ judged, gate }: ReturnType<typeof calledAt>, between = () => {}): Promise<unknown[]> {
    const ends: unknown[] = [];
    for (let time = 0; time < 9; time++) {
      ends.push(judged("rate_limited"));
      between();
      if (ends.at(-1) === null) await gate.pass(NO_ABORT);
    }
    return ends;
  }

  test("is left alone after six waits in a row, for as long as the next would be", async () => {
    const call = calledAt();
    const ends = await refusedOften(call);
    expect(ends.findIndex((end) => end !== null)).toBe(6);
    const waitedMs = 63_000;
    expect(ends[6]).toMatchObject({
      kind: "quota",
      retryAt: new Date(NOW + waitedMs + 60_000).toISOString(),
      details: { model: "compatible:small", waits_in_a_row: 6 },
    });
    expect(call.gate.refusal).toBe(ends[6] as HaltWanted);
  });

  test("control: who is answered now and then is waited for again and again", async () => {
    const call = calledAt();
    expect(await refusedOften(call, () => call.gate.answered())).toEqual(Array.from({ length: 9 }, () => null));
  });

  test("control: also by a reply that is none", async () => {
    const call = calledAt();
    const ends = await refusedOften(call, () => void call.judged("malformed"));
    expect(ends).toEqual(Array.from({ length: 9 }, () => null));
  });

  test("with a wait of more than two minutes is left alone at once, also by a failure of the server", () => {
    for (const kind of ["rate_limited", "transient"] as const) {
      const { judged, told } = calledAt();
      expect(judged(kind, { retry_after_ms: 120_001 })).toMatchObject({
        kind: "quota",
        retryAt: "2026-01-01T00:02:00.001Z",
      });
      expect(told).toEqual([]);
      expect(calledAt().judged(kind, { retry_after_ms: 120_000 })).not.toBeInstanceOf(HaltWanted);
    }
  });
});

describe("a failed attempt says what may help", () => {
  const cases: [ModelFailureKind, Partial<ModelFailureFacts>, string][] = [
    ["no_such_model", { status: 404 }, "http://127.0.0.1:11434/v1/models"],
    ["no_tools", { status: 400 }, "--model"],
    ["context_too_long", { status: 400 }, "resume --context-tokens 50000"],
    ["context_too_long", { unsent: true }, "resume --context-tokens 200000"],
    ["transient", { unreachable: true }, "start the server of the model, or correct --model-base-url"],
    ["transient", { timed_out: true }, "models.call_timeout_s"],
    ["refused", {}, "--role-model"],
  ];
  for (const [kind, facts, named] of cases)
    test(`${kind} ${JSON.stringify(facts)}`, () => {
      expect(helpOf(calledAt().judged(kind, facts))).toContain(named);
    });

  test("of a verifier whose reply was cut off", () => {
    const { judged } = calledAt({ role: "verifier" });
    expect(helpOf(judged("reply_too_long"))).toContain("resume --max-output-tokens 16000");
  });

  test("of a hosted model: no server to start", () => {
    const { judged } = calledAt({ model: { provider: "openai", name: "gpt-5" } });
    expect(helpOf(judged("transient", { unreachable: true }))).toContain(
      "--model compatible:NAME --model-base-url URL",
    );
  });

  test("and nothing where trying again is all there is", () => {
    expect(helpOf(calledAt().judged("transient", { status: 500 }))).toBeUndefined();
  });
});
