// A failed call leads to a wait that is told, to a halt, or to an option or setting that may help.
import { describe, expect, test } from "bun:test";
import { RunError } from "../../src/kernel/errors.ts";
import { Interrupted } from "../../src/ports/interruption.ts";
import { judgeFailure, type FailedCall } from "../../src/conversations/model-failures.ts";
import { CallThrottle } from "../../src/conversations/call-throttle.ts";
import { ModelFailure, type ModelFailureFacts, type ModelFailureKind } from "../../src/ports/model.ts";
import type { ModelWait } from "../../src/ports/observer.ts";
import { DEFAULT_MODEL_SETTINGS } from "../../src/run/settings/settings.ts";
import { SimulatedClock } from "../simulation/clock.ts";

const NO_ABORT = new AbortController().signal;
const NOW = Date.UTC(2026, 0, 1);
const LOCAL = { provider: "compatible" as const, name: "small", base_url: "http://127.0.0.1:11434/v1" };

function calledAt(more: Partial<FailedCall> = {}) {
  const clock = new SimulatedClock({ nowMs: NOW, uptimeMs: 0, autoAdvance: true });
  const throttle = new CallThrottle(clock, { bytes: (count) => new Uint8Array(count) }, () => null);
  const told: ModelWait[] = [];
  const run = { ports: { clock }, observer: { onWait: (wait: ModelWait) => void told.push(wait) } };
  const settings = { ...DEFAULT_MODEL_SETTINGS, default: LOCAL, roles: {} };
  const call: FailedCall = {
    run,
    throttle,
    model: LOCAL,
    role: "researcher",
    settings,
    hasAnswered: false,
    sentBefore: 0,
    ...more,
  };
  /** Null when the same request may be sent again. */
  const judged = (kind: ModelFailureKind, facts: Partial<ModelFailureFacts> = {}): unknown => {
    try {
      judgeFailure(new ModelFailure(kind, { reason: "No.", ...facts }), call);
      return null;
    } catch (error) {
      return error;
    }
  };
  return { clock, throttle, told, judged };
}

function haltOf(error: unknown): unknown {
  return error instanceof Interrupted && error.interruption.kind === "halt" ? error.interruption.halt : error;
}

function helpOf(error: unknown): unknown {
  return error instanceof RunError ? error.facts["help"] : error;
}

describe("whoever watches is told of a wait", () => {
  test("with who asked for it, why, how long and until when", async () => {
    const { told, judged, throttle } = calledAt();
    expect(judged("rate_limited", { status: 429, retry_after_ms: 20_000 })).toBeNull();
    expect(told).toEqual([]);
    await throttle.pass(NO_ABORT);
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
    const { told, judged, throttle } = calledAt();
    for (let call = 0; call < 8; call++) judged("rate_limited");
    await Promise.all([throttle.pass(NO_ABORT), throttle.pass(NO_ABORT)]);
    expect(told.map(({ wait_ms }) => wait_ms)).toEqual([1_000]);
  });

  test("also after a failure that another attempt follows, and of nothing else", async () => {
    const { told, judged, throttle } = calledAt();
    for (const kind of ["malformed", "bad_request"] as const) judged(kind);
    await throttle.pass(NO_ABORT);
    expect(told).toEqual([]);
    expect(judged("transient", { status: 503 })).toMatchObject({ code: "MODEL_FAILED" });
    await throttle.pass(NO_ABORT);
    expect(told).toMatchObject([{ kind: "transient", status: 503, wait_ms: 1_000 }]);
    expect(told[0]).not.toHaveProperty("asked_ms");
  });
});

describe("a provider that keeps refusing", () => {
  async function refusedOften(
    { judged, throttle }: ReturnType<typeof calledAt>,
    between = () => {},
  ): Promise<unknown[]> {
    const ends: unknown[] = [];
    for (let time = 0; time < 9; time++) {
      ends.push(judged("rate_limited"));
      between();
      if (ends.at(-1) === null) await throttle.pass(NO_ABORT);
    }
    return ends;
  }

  test("is left alone after six waits in a row, for as long as the next would be", async () => {
    const call = calledAt();
    const ends = await refusedOften(call);
    expect(ends.findIndex((end) => end !== null)).toBe(6);
    const waitedMs = 63_000;
    expect(haltOf(ends[6])).toMatchObject({
      kind: "quota",
      retry_at: new Date(NOW + waitedMs + 60_000).toISOString(),
      details: { model: "compatible:small", waits_in_a_row: 6 },
    });
    expect(call.throttle.refusal).toBe(ends[6] as Interrupted);
  });

  test("control: who is answered now and then is waited for again and again", async () => {
    const call = calledAt();
    expect(await refusedOften(call, () => call.throttle.answered())).toEqual(Array.from({ length: 9 }, () => null));
  });

  test("control: also by a reply that is none", async () => {
    const call = calledAt();
    const ends = await refusedOften(call, () => void call.judged("malformed"));
    expect(ends).toEqual(Array.from({ length: 9 }, () => null));
  });

  test("with a wait of more than two minutes is left alone at once, also by a failure of the server", () => {
    for (const kind of ["rate_limited", "transient"] as const) {
      const { judged, told } = calledAt();
      expect(haltOf(judged(kind, { retry_after_ms: 120_001 }))).toMatchObject({
        kind: "quota",
        retry_at: "2026-01-01T00:02:00.001Z",
      });
      expect(told).toEqual([]);
      expect(calledAt().judged(kind, { retry_after_ms: 120_000 })).not.toBeInstanceOf(Interrupted);
    }
  });
});

describe("a server that has answered this run and is away now", () => {
  const AWAY: Partial<ModelFailureFacts>[] = [{ unreachable: true }, { status: 503 }, { status: 502 }];

  for (const facts of AWAY)
    test(`is waited for, then the run halts for some minutes: ${JSON.stringify(facts)}`, async () => {
      for (const role of ["researcher", "verifier"] as const) {
        const { judged, throttle, told, clock } = calledAt({ hasAnswered: true, role });
        for (let time = 0; time < 6; time++) {
          expect(judged("transient", facts)).toBeNull();
          await throttle.pass(NO_ABORT);
        }
        expect(told.map(({ wait_ms }) => wait_ms)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000]);
        const halt = judged("transient", facts);
        expect(haltOf(halt)).toMatchObject({
          kind: "quota",
          retry_at: new Date(clock.nowMs() + 300_000).toISOString(),
          details: { reason: expect.stringContaining("cannot be reached now: No."), waits_in_a_row: 6 },
        });
        expect(throttle.refusal).toBe(halt as Interrupted);
      }
    });

  test("control: one that never answered is a failed attempt at once", () => {
    for (const facts of AWAY)
      expect(calledAt().judged("transient", facts)).toMatchObject({ code: "MODEL_FAILED", facts: { retryable: true } });
  });

  test("control: so is what may be about the request: a time limit, other 5xx, a reply that had begun", () => {
    for (const facts of [{ timed_out: true }, { status: 500 }, { status: 504 }, { unreachable: true, begun: true }])
      expect(calledAt({ hasAnswered: true }).judged("transient", facts)).toMatchObject({ code: "MODEL_FAILED" });
  });

  test("and a request that it does not survive, while others are answered", () => {
    const { judged, throttle } = calledAt({ hasAnswered: true, sentBefore: 6 });
    throttle.answered();
    expect(judged("transient", { unreachable: true })).toMatchObject({ code: "MODEL_FAILED" });
  });
});

describe("a failed attempt says what may help", () => {
  const cases: [ModelFailureKind, Partial<ModelFailureFacts>, string][] = [
    ["no_such_model", { status: 404 }, "http://127.0.0.1:11434/v1/models"],
    ["no_tools", { status: 400 }, "--model"],
    ["context_too_long", { status: 400 }, "resume --context-tokens 50000"],
    ["context_too_long", { context_tokens: 8_192 }, "with resume --context-tokens 8192 --max-output-tokens 2048"],
    ["context_too_long", { context_tokens: 32_768 }, "with resume --context-tokens 32768"],
    ["context_too_long", { context_tokens: 200_000 }, "with resume --context-tokens 50000"],
    ["context_too_long", { context_tokens: 512 }, "with resume --context-tokens 2000 --max-output-tokens 500"],
    [
      "context_too_long",
      { context_tokens: 7_463, held_tokens: 8_735 },
      "OLLAMA_CONTEXT_LENGTH=32768), or let requests be shorter, with resume --context-tokens 8192 --max-output-tokens 2048",
    ],
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

describe("a ranker that fails halts no run", () => {
  const failures: [string, ModelFailureKind, Partial<ModelFailureFacts>][] = [
    ["with a wait of an hour", "rate_limited", { retry_after_ms: 3_600_000 }],
    ["since it is away", "transient", { unreachable: true }],
    ["with a 503", "transient", { status: 503 }],
    ["with an answer that is no order", "malformed", {}],
  ];
  test.each(failures)("%s", (_how, kind, facts) => {
    const { judged } = calledAt({ role: "ranker", hasAnswered: true, sentBefore: 9 });
    expect(judged(kind, facts)).toBeInstanceOf(RunError);
  });

  test("control: for a researcher the run halts", () => {
    const { judged } = calledAt({ hasAnswered: true });
    expect(haltOf(judged("rate_limited", { retry_after_ms: 3_600_000 }))).toMatchObject({ kind: "quota" });
  });

  test("but for its key and its account it does", () => {
    expect(haltOf(calledAt({ role: "ranker" }).judged("auth"))).toMatchObject({ kind: "gate_blocked" });
    expect(haltOf(calledAt({ role: "ranker" }).judged("quota"))).toMatchObject({ kind: "quota" });
  });
});
