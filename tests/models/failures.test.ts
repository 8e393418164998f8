// Every way in which a call fails, over real HTTP: each has its kind, and none leaves half a reply behind.
import { describe, expect, test } from "bun:test";
import { ModelFailure, type ModelFailureKind } from "../../src/ports/model.ts";
import { realClock } from "../../src/system/clock.ts";
import {
  asksFor,
  OUT_OF_QUOTA,
  OVERLOADED,
  rateLimited,
  says,
  SERVER_ERROR,
  UNAUTHORIZED,
  type Answer,
  type ErrorAnswer,
} from "./answers.ts";
import { ask, modelsAt, requestTo, thrownBy } from "./asking.ts";
import { scriptedServer, type ScriptedServer } from "./scripted-server.ts";

const WIRES = ["compatible", "anthropic"] as const;
const NOW = Date.UTC(2026, 0, 1);
const clock = { ...realClock, nowMs: () => NOW };

const error = (status: number, more: Partial<ErrorAnswer> = {}): ErrorAnswer => ({
  kind: "error",
  status,
  type: "invalid_request_error",
  message: "No.",
  ...more,
});
const html: Answer = { kind: "raw", headers: { "content-type": "text/html" }, body: "<html>Log in</html>" };
const json = (body: unknown, status = 200): Answer => ({
  kind: "raw",
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

async function kindOf(answer: Answer, provider: (typeof WIRES)[number]): Promise<ModelFailureKind | undefined> {
  await using server = await scriptedServer([answer]);
  const { failure } = await ask(server, { provider, clock });
  expect(server.requests).toHaveLength(1);
  return failure?.kind;
}

describe("what waiting does not cure is not called a limit of the rate", () => {
  const tooLarge = "Request too large for model m on tokens per minute (TPM): Limit 6000, Requested 9,112. Reduce it.";
  test.each<[string, Answer, ModelFailureKind]>([
    ["a request above the limit", error(429, { code: "rate_limit_exceeded", message: tooLarge }), "context_too_long"],
    ["the same as 413", error(413, { code: "rate_limit_exceeded", message: tooLarge }), "context_too_long"],
    ["the same as an event", { ...error(429, { message: tooLarge }), in_stream: true }, "context_too_long"],
    [
      "a limit before the request",
      error(429, { message: "Requested 8000 tokens, the limit is 4000." }),
      "context_too_long",
    ],
    [
      "control: a request that fits later",
      error(429, { message: "Limit 6000, Used 4000, Requested 3000." }),
      "rate_limited",
    ],
    [
      "control: a bare limit",
      error(429, { message: "Rate limit of 10,000 tokens per minute reached." }),
      "rate_limited",
    ],
    ["a context that is too short", error(429, { code: "context_length_exceeded" }), "context_too_long"],
    ["an account that is used up", error(429, { message: "You exceeded your current quota." }), "quota"],
    [
      "control: a quota per minute",
      error(429, { message: "You exceeded your current quota per minute." }),
      "rate_limited",
    ],
    ["a limit of money", error(400, { message: "Billing hard limit has been reached." }), "quota"],
    ["a limit of the month", error(400, { message: "You have reached your specified API usage limits." }), "quota"],
    ["a key that is none", error(400, { message: "Incorrect API key provided." }), "auth"],
    ["a key that was not found, as 429", error(429, { message: "API key not valid." }), "auth"],
    ["a region", error(400, { message: "User location is not supported for the API use." }), "auth"],
    ["451", error(451), "auth"],
    ["a model that is not there, as 400", error(400, { message: "The model `m` does not exist." }), "no_such_model"],
    ["a model that is gone", error(400, { code: "model_decommissioned" }), "no_such_model"],
  ])("%s", async (_what, answer, kind) => {
    expect(await kindOf(answer, "compatible")).toBe(kind);
  });

  test("the limit is told, so that the hint can name the option", async () => {
    await using server = await scriptedServer([error(429, { message: tooLarge })]);
    expect((await ask(server, { clock })).failure?.facts.context_tokens).toBe(6000);
  });
});

/** How the first request ended, once it did. */
async function endOf(server: ScriptedServer): Promise<string | undefined> {
  while (server.requests[0]?.ended === "open") await realClock.turn();
  return server.requests[0]?.ended;
}

describe.each(WIRES)("over the wire of %s", (provider) => {
  const cutFinish = provider === "anthropic" ? "max_tokens" : "length";
  test.each<[string, Answer, ModelFailureKind]>([
    ["429", rateLimited(), "rate_limited"],
    ["429 that asks to wait an hour", rateLimited("3600"), "rate_limited"],
    ["an empty account", error(400, { message: "Your credit balance is too low to use this." }), "quota"],
    ["401", UNAUTHORIZED, "auth"],
    ["402", error(402), "auth"],
    ["403", error(403, { type: "permission_error" }), "auth"],
    ["401 as an event", { ...UNAUTHORIZED, in_stream: true }, "auth"],
    [
      "400 that means the key",
      json({ error: { code: 400, message: "Not valid.", details: [{ reason: "API_KEY_INVALID" }] } }, 400),
      "auth",
    ],
    ["400", error(400), "bad_request"],
    ["404", error(404, { type: "not_found_error", message: "There is no such model." }), "no_such_model"],
    [
      "404 as an event",
      error(404, { type: "not_found_error", code: "model_not_found", in_stream: true }),
      "no_such_model",
    ],
    ["400 that means the name", error(400, { type: "model_not_found", code: "model_not_found" }), "no_such_model"],
    ["a model without tools", error(400, { message: '"small:latest" does not support tools' }), "no_tools"],
    ["a gateway without tools", error(404, { message: "No endpoints found that support tool use." }), "no_tools"],
    [
      "a prompt that is too long",
      error(400, { message: "prompt is too long: 9 tokens > 8 maximum" }),
      "context_too_long",
    ],
    ["413", error(413, { type: "request_too_large" }), "context_too_long"],
    ["500", SERVER_ERROR, "transient"],
    ["503", error(503), "transient"],
    ["529", OVERLOADED, "transient"],
    ["408", error(408), "transient"],
    ["an error without a body", { kind: "raw", status: 502, headers: {}, body: "" }, "transient"],
    ["an error page", { ...html, status: 503 }, "transient"],
    ["overload as an event", { ...OVERLOADED, in_stream: true }, "transient"],
    ["a rate limit as an event", { ...rateLimited(), in_stream: true }, "rate_limited"],
    ["an error of JSON with status 200", json({ error: { code: 429, message: "Slow down." } }), "rate_limited"],
    ["a page where a stream belongs", html, "malformed"],
    ["JSON where a stream belongs", json({ choices: [] }), "malformed"],
    ["garbage in the stream", { kind: "raw", body: "data: {garbage\n\n" }, "malformed"],
    [
      "bytes that are no text",
      { kind: "raw", body: Uint8Array.of(100, 97, 116, 97, 58, 255, 254, 10, 10) },
      "malformed",
    ],
    ["JSON of another wire", { kind: "raw", body: 'data: {"hello":1}\n\n' }, "malformed"],
    ["nothing at all", { kind: "raw", body: "" }, "truncated"],
    ["an empty reply", says(""), "empty"],
    ["white space alone", says(" \n "), "empty"],
    ["reasoning alone", { kind: "message", reasoning: "Hm." }, "empty"],
    ["reasoning cut at the limit", { kind: "message", reasoning: "Hm.", finish: cutFinish }, "reply_too_long"],
    [
      "a call cut at the limit",
      asksFor([{ name: "search", arguments: '{"que' }], { finish: cutFinish }),
      "reply_too_long",
    ],
    ["a reply without an end", says("Half", { finish: null }), "truncated"],
    ["a tool with an endless name", asksFor([{ name: "x".repeat(201), arguments: "{}" }]), "malformed"],
    ["a redirect", { kind: "raw", status: 307, headers: { location: "http://127.0.0.1:9/" }, body: "" }, "bad_request"],
  ])("%s fails", async (_name, answer, kind) => {
    expect(await kindOf(answer, provider)).toBe(kind);
  });

  test("a stream that breaks or ends at any byte is truncated or, in its last bytes, whole", async () => {
    const answer = asksFor([{ name: "search", arguments: { query: "journal" } }], { text: "I look." });
    await using whole = await scriptedServer([answer]);
    const expected = JSON.stringify((await ask(whole, { provider })).reply?.message);
    let cut_at = 0;
    await using server = await scriptedServer((request) => ({
      ...answer,
      cut_at,
      cut: request.number % 2 === 0 ? "break" : "end",
    }));
    const kinds = new Set<string>();
    for (cut_at = 1; cut_at < 2_200; cut_at += 13) {
      const { reply, failure } = await ask(server, { provider });
      kinds.add(failure?.kind ?? "whole");
      if (reply !== null) {
        // The id of a call is made from the number of the request.
        expect(JSON.stringify(reply.message).replace(/_\d+_0/, "_1_0")).toBe(expected);
      }
    }
    expect([...kinds].toSorted()).toEqual(["truncated", "whole"]);
  });

  test("a refusal is no content", async () => {
    const finish = provider === "anthropic" ? "refusal" : "content_filter";
    expect(await kindOf(says("I cannot", { finish }), provider)).toBe("refused");
  });

  test("a reply without an end ends at its limit of bytes, and the connection with it", async () => {
    await using server = await scriptedServer([
      { kind: "endless", repeated: `: ${"x".repeat(1_000)}\n\n`, most_bytes: 50_000_000 },
    ]);
    const { failure } = await ask(server, { provider, maxReplyBytes: 100_000 });
    expect(failure?.kind).toBe("malformed");
    expect(failure?.message).toContain("larger than 100000 bytes");
    expect(await endOf(server)).toBe("left");
  });

  test("an error without an end is read as far as it matters", async () => {
    await using server = await scriptedServer([
      {
        kind: "endless",
        status: 500,
        headers: { "content-type": "text/plain" },
        repeated: "x".repeat(10_000),
        most_bytes: 50_000_000,
      },
    ]);
    expect((await ask(server, { provider })).failure?.kind).toBe("transient");
    expect(await endOf(server)).toBe("left");
  });

  test("an error is read to its 65,536th byte, and nothing is waited for behind it", async () => {
    const long = { status: 500, headers: { "content-type": "text/plain" }, body: "x".repeat(65_537) };
    await using server = await scriptedServer([{ kind: "raw", ...long, hold_at: 65_536 }]);
    expect((await ask(server, { provider })).failure?.kind).toBe("transient");
    expect(await endOf(server)).toBe("left");
  });

  test("who fails in the middle of a stream does not stay for the rest of it", async () => {
    const garbage = "data: {garbage\n\n";
    await using server = await scriptedServer([{ kind: "raw", body: garbage.repeat(2), hold_at: garbage.length }]);
    expect((await ask(server, { provider })).failure?.kind).toBe("malformed");
    expect(await endOf(server)).toBe("left");
  });
});

test("a reply that outgrew the context is too long, not whole", async () => {
  expect(await kindOf(says("Half", { finish: "model_context_window_exceeded" }), "anthropic")).toBe("context_too_long");
});

describe("a failure says", () => {
  async function factsOf(answer: Answer, provider: (typeof WIRES)[number] = "compatible") {
    await using server = await scriptedServer([answer]);
    return (await ask(server, { provider, clock })).failure?.facts;
  }

  test.each([
    ["seconds", { "retry-after": "3" }, 3_000],
    ["a fraction of them", { "retry-after": "0.25" }, 250],
    ["milliseconds", { "retry-after-ms": "1500", "retry-after": "9" }, 1_500],
    ["a date", { "retry-after": new Date(NOW + 20_000).toUTCString() }, 20_000],
    ["a date that is over", { "retry-after": new Date(NOW - 20_000).toUTCString() }, undefined],
    ["no time at all", { "retry-after": "0" }, undefined],
    ["less than none", { "retry-after": "-5" }, undefined],
    ["nonsense", { "retry-after": "soon" }, undefined],
    ["nonsense with a number", { "retry-after": "soon 5" }, undefined],
    ["a list", { "retry-after": "3,4" }, undefined],
  ])("how long to wait, given as %s", async (_name, headers, expected) => {
    expect((await factsOf({ ...rateLimited(), headers }))?.retry_after_ms).toBe(expected as number);
  });

  test("when a quota is there again, if the provider does", async () => {
    expect(await factsOf({ ...OUT_OF_QUOTA, headers: { "retry-after": "7200" } })).toMatchObject({
      retry_at: "2026-01-01T02:00:00.000Z",
    });
    expect(await factsOf(OUT_OF_QUOTA)).not.toHaveProperty("retry_at");
  });

  test("what was used all the same", async () => {
    const malformed = asksFor([{ name: "search\n", arguments: {} }], { usage: { input: 70, output: 9 } });
    expect((await factsOf(malformed))?.usage).toEqual({ input_tokens: 70, output_tokens: 9 });
    expect(await factsOf(SERVER_ERROR)).not.toHaveProperty("usage");
  });

  test("what Google means by an exhausted resource: by the minute or by the day", async () => {
    const exhausted = (quotaId: string): Answer =>
      json(
        {
          error: {
            code: 429,
            message: "Quota exceeded.",
            status: "RESOURCE_EXHAUSTED",
            details: [{ violations: [{ quotaId }] }, { retryDelay: "34.5s" }],
          },
        },
        429,
      );
    await using server = await scriptedServer([
      exhausted("RequestsPerMinutePerProject"),
      exhausted("RequestsPerDayPerProject"),
    ]);
    const perMinute = (await ask(server, { provider: "compatible", clock })).failure;
    const perDay = (await ask(server, { provider: "compatible", clock })).failure;
    expect(perMinute).toMatchObject({ kind: "rate_limited", facts: { retry_after_ms: 34_500 } });
    expect(perDay).toMatchObject({ kind: "quota", facts: { retry_at: "2026-01-01T00:00:34.500Z" } });
  });

  test("what the provider said, in a shape of its own", async () => {
    const said = await factsOf({ kind: "raw", body: 'data: {"error":"The engine is gone."}\n\n' });
    expect(said?.reason).toContain("The engine is gone.");
  });

  test("that nobody listens", async () => {
    const gone = await scriptedServer([]);
    await gone[Symbol.asyncDispose]();
    const { failure } = await ask(gone);
    expect(failure).toMatchObject({ kind: "transient", facts: { unreachable: true } });
    expect(failure?.facts.reason).toContain(`${gone.baseUrl} cannot be reached`);
  });
});

describe("a call that is stopped", () => {
  test("while the server is silent ends with the reason of its signal, and the server sees the client leave", async () => {
    await using server = await scriptedServer([{ kind: "silence" }]);
    const stop = new AbortController();
    const called = ask(server, { signal: stop.signal });
    await server.arrived(1);
    stop.abort(new Error("paused by a person"));
    expect(await thrownBy(called)).toContain("paused by a person");
    expect(await endOf(server)).toBe("left");
  });

  test("in the middle of a reply hands on no more of it", async () => {
    await using server = await scriptedServer([says("One two three.", { hold_at: 400 })]);
    const stop = new AbortController();
    const chunks: string[] = [];
    const called = modelsAt(server).call(requestTo(server), {
      signal: stop.signal,
      timeout_ms: 60_000,
      onChunk: (chunk) => {
        chunks.push(chunk.type);
        stop.abort(new Error("aborted"));
      },
    });
    expect(await thrownBy(called)).toContain("aborted");
    server.release();
    expect(chunks).toHaveLength(1);
  });

  test("before it began sends nothing", async () => {
    await using server = await scriptedServer([says("Yes.")]);
    expect(await thrownBy(ask(server, { signal: AbortSignal.abort(new Error("over")) }))).toContain("over");
    expect(server.requests).toHaveLength(0);
  });

  test("by its time limit, on the clock of the port, is a passing failure", async () => {
    const late = Promise.withResolvers<void>();
    const slept_ms: number[] = [];
    const slowClock = {
      ...realClock,
      sleep: async (ms: number) => {
        slept_ms.push(ms);
        await late.promise;
      },
    };
    await using server = await scriptedServer([{ kind: "silence" }]);
    const called = ask(server, { clock: slowClock, timeout_ms: 960_000 });
    await server.arrived(1);
    late.resolve();
    expect((await called).failure).toMatchObject({ kind: "transient", facts: { timed_out: true } });
    expect(slept_ms).toEqual([960_000]);
  });

  test("by an error of whoever watches ends with that error, which is no failure of the model", async () => {
    await using server = await scriptedServer([says("Yes.")]);
    const called = modelsAt(server).call(requestTo(server), {
      signal: new AbortController().signal,
      timeout_ms: 60_000,
      onChunk: () => {
        throw new TypeError("a bug of the terminal");
      },
    });
    expect(await thrownBy(called)).toContain("a bug of the terminal");
    expect(await called.catch((thrown: unknown) => thrown instanceof ModelFailure)).toBe(false);
  });
});

test("kinds that another attempt may help are told from those that it cannot", () => {
  const kinds = ["rate_limited", "transient", "truncated", "empty", "malformed"] as const;
  const lasting = [
    "quota",
    "auth",
    "no_such_model",
    "no_tools",
    "bad_request",
    "refused",
    "context_too_long",
    "reply_too_long",
  ] as const;
  const isRetryable = (kind: ModelFailureKind): boolean => new ModelFailure(kind, { reason: "x" }).isRetryable;
  expect(kinds.map(isRetryable)).toEqual(kinds.map(() => true));
  expect(lasting.map(isRetryable)).toEqual(lasting.map(() => false));
});

describe("how much a model takes is read out of its refusal", () => {
  const messages: [string, number | undefined][] = [
    ["This model's maximum context length is 8192 tokens. However, your messages resulted in 10290 tokens.", 8_192],
    ["prompt is too long: 210000 tokens > 200000 maximum", 200_000],
    ["request (9001 tokens) exceeds the available context size (4096 tokens), try increasing it", 4_096],
    ["The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576],
    ["Prompt contains 40000 tokens, too large for model with 32768 maximum context length", 32_768],
    ["The prompt is longer than the context length of 16,384 tokens.", 16_384],
    ["The context length was exceeded; please send less than in request 12345678.", undefined],
    ["prompt is too long", undefined],
  ];
  for (const [message, most] of messages)
    test(message, async () => {
      await using server = await scriptedServer([
        { kind: "error", status: 400, type: "invalid_request_error", message },
      ]);
      const { failure } = await ask(server);
      expect([failure?.kind, failure?.facts.context_tokens]).toEqual(["context_too_long", most]);
    });
});
