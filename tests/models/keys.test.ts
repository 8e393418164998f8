// Keys come from the environment, go to their own endpoint, and are found nowhere else.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { RunError } from "../../src/kernel/errors.ts";
import { ReplyBuilder } from "../../src/models/reply.ts";
import { secretsOf } from "../../src/models/secrets.ts";
import type { ModelChunk } from "../../src/ports/model.ts";
import { MODEL_PROVIDERS, type ModelProvider } from "../../src/run/model/model-provider.ts";
import { asksFor, says, type Answer } from "./answers.ts";
import { ask, CANARY_KEYS, modelAt, modelsAt, type AskOptions, thrownBy } from "./asking.ts";
import { makeCertificate } from "../providers/web/certificate.ts";
import { scriptedServer, type ScriptedServer } from "./scripted-server.ts";
import { under } from "./under.ts";

const KEY_OF: Record<ModelProvider, keyof typeof CANARY_KEYS> = {
  compatible: "DEEP_RESEARCH_API_KEY",
  openai: "OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  google: "GOOGLE_GENERATIVE_AI_API_KEY",
  rerank: "DEEP_RESEARCH_RERANK_API_KEY",
};
const OWN = ["openai", "anthropic", "google"] as const;

/** Whatever any library prints while a test runs. */
const printed: string[] = [];
const PRINTERS = ["log", "info", "warn", "error", "debug"] as const;
const real = Object.fromEntries(PRINTERS.map((name) => [name, console[name]]));
beforeEach(() => {
  printed.length = 0;
  for (const name of PRINTERS) console[name] = (...words: unknown[]) => void printed.push(Bun.inspect(words));
});
afterEach(() => Object.assign(console, real));

/** All that a caller gets to see, and could store or print, of a call. */
async function traces(server: ScriptedServer, options: AskOptions): Promise<string> {
  const { reply, failure } = await ask(server, options);
  return [
    JSON.stringify({ reply, failure }),
    String(failure),
    failure?.stack,
    Bun.inspect(failure, { depth: 20 }),
    ...printed,
  ].join("\n");
}

describe.each(MODEL_PROVIDERS)("the key of %s", (provider) => {
  const key = CANARY_KEYS[KEY_OF[provider]];
  const echo = `You sent ${key}, Bearer ${key}, ${encodeURIComponent(key)} and ${btoa(key)}.`;
  const body = { error: { message: echo, type: echo, code: echo, status: "INVALID_ARGUMENT" } };
  const withBody = (status: number, type = "application/json"): Answer => ({
    kind: "raw",
    status,
    headers: { "content-type": type, "x-echo": echo, "retry-after": "5" },
    body: JSON.stringify(body),
  });

  test("goes to its endpoint, and no other key does", async () => {
    await using server = await scriptedServer([withBody(500)]);
    await ask(server, { provider });
    const sent = JSON.stringify(server.requests);
    for (const [variable, value] of Object.entries(CANARY_KEYS))
      expect(sent.includes(value)).toBe(variable === KEY_OF[provider]);
  });

  test.each<[string, Answer]>([
    ["401", withBody(401)],
    ["429", withBody(429)],
    ["500", withBody(500)],
    ["an error without JSON", { ...withBody(500, "text/plain"), body: echo } as Answer],
    ["status 200", withBody(200)],
    ["a type that is a key", withBody(200, `text/${key}`)],
    ["an event", { kind: "raw", body: `event: error\ndata: ${JSON.stringify({ type: "error", ...body })}\n\n` }],
    ["garbage", { kind: "raw", body: `data: {${echo}\n\n` }],
    ["a redirect", { ...withBody(302), headers: { location: `http://127.0.0.1:9/?key=${key}` } } as Answer],
    ["a cut stream", { kind: "raw", body: `data: {"${echo}`, cut_at: 20 }],
  ])("is in nothing that a failure holds when %s repeats it", async (_name, answer) => {
    await using server = await scriptedServer([answer]);
    const found = await traces(server, { provider });
    expect(server.requests).toHaveLength(1);
    expect(found).toContain("ModelFailure");
    for (const form of [key, encodeURIComponent(key), btoa(key)]) expect(found).not.toContain(form);
  });

  test("is in nothing that a failure holds when nobody answers", async () => {
    const gone = await scriptedServer([]);
    await gone[Symbol.asyncDispose]();
    expect(await traces(gone, { provider })).not.toContain(key);
  });

  test("is never sent along a redirect", async () => {
    await using elsewhere = await scriptedServer(() => says("Thank you for the key."));
    for (const status of [301, 302, 303, 307, 308]) {
      const location = `${elsewhere.origin}/v1/chat/completions`;
      await using server = await scriptedServer([{ kind: "raw", status, headers: { location }, body: "" }]);
      expect((await ask(server, { provider })).failure).toMatchObject({ kind: "bad_request", facts: { status } });
    }
    expect(elsewhere.requests).toEqual([]);
  });

  test("that no header can hold is refused by the name of its variable", async () => {
    await using server = await scriptedServer([]);
    for (const odd of [`${key}\n`, `${key}\r\nx-evil: 1`, `a ${key}`, `${key}é`]) {
      const options = { environment: { [KEY_OF[provider]]: odd } };
      const refused = refusalOf(() => modelsAt(server, options).check(modelAt(server, provider)));
      expect(refused.facts).toMatchObject({ variable: KEY_OF[provider] });
      expect(JSON.stringify([refused.facts, refused.message])).not.toContain(key);
      expect(await thrownBy(ask(server, { provider, ...options }))).toContain(KEY_OF[provider]);
    }
    expect(server.requests).toEqual([]);
  });
});

describe.each(["compatible", "anthropic"] as const)("a reply of %s that repeats the key", (provider) => {
  const key = CANARY_KEYS[KEY_OF[provider]];
  test.each<[string, Answer]>([
    ["as text", says(`The key is ${key}.`)],
    ["as arguments", asksFor([{ name: "search", arguments: { query: key } }])],
    ["as reasoning", says("Yes.", { reasoning: key })],
    ["in another form", says(btoa(key))],
  ])("%s is kept nowhere", async (_name, answer) => {
    await using server = await scriptedServer([answer]);
    const { reply, failure, chunks } = await ask(server, { provider });
    expect(reply).toBeNull();
    expect(failure?.kind).toBe("malformed");
    expect(JSON.stringify(failure)).not.toContain(key);
    expect(heard(chunks)).toContain("[key]");
    for (const form of [key, btoa(key)]) expect(heard(chunks)).not.toContain(form);
  });

  test("shows none of it while it comes, however it is cut", async () => {
    const text = `Keys begin with ${key.slice(0, 9)}, as ${key.slice(0, -1)}: ${key}, ${key}${key} and ${key.slice(0, 5)}`;
    const shown = text.replaceAll(key, "[key]");
    let delta_length = 1;
    await using server = await scriptedServer(() => says(text, { delta_length, reasoning: text }));
    for (; delta_length <= key.length + 1; delta_length++) {
      const { chunks } = await ask(server, { provider });
      const texts = chunks.flatMap((chunk) => (chunk.type === "text" ? [chunk.text] : []));
      expect(texts.join("")).toBe(shown);
      expect(heard(chunks)).not.toContain(key);
    }
  });

  test("that holds only the beginning of a key is kept, and its pieces add up to it", async () => {
    const text = `It begins with ${key.slice(0, 12)}`;
    const query = key.slice(0, 20);
    await using server = await scriptedServer([
      asksFor([{ name: "search", arguments: { query } }], { text, reasoning: query, delta_length: 1 }),
    ]);
    const { reply, chunks } = await ask(server, { provider });
    expect(reply?.message.content).toBe(text);
    expect(heard(chunks)).toBe(`${query}|${text}|${reply?.message.tool_calls[0]?.arguments}`);
  });
});

test("what was held back since a key may begin there is shown at the end, also where no block was ended", () => {
  const chunks: ModelChunk[] = [];
  const key = CANARY_KEYS.OPENAI_API_KEY;
  const builder = new ReplyBuilder({
    modelId: "scripted",
    takenCallIds: new Set(),
    tools: [],
    jsonTool: null,
    secrets: secretsOf([key]),
    onChunk: (chunk) => chunks.push(chunk),
  });
  const delta = key.slice(0, 6);
  builder.take({ type: "reasoning-delta", id: "r", delta });
  builder.take({ type: "text-delta", id: "t", delta });
  expect(heard(chunks)).toBe("||");
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
  const usage = { inputTokens: tokens, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  builder.take({ type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage });
  expect(builder.reply().message).toMatchObject({ content: delta, reasoning: [{ text: delta }] });
  expect(heard(chunks)).toBe(`${delta}|${delta}|`);
});

/** What was shown of a reply: its reasoning, its text, the arguments of its calls. */
function heard(chunks: readonly ModelChunk[]): string {
  const said = { reasoning: "", text: "", tool_call_delta: "" };
  for (const chunk of chunks) said[chunk.type] += chunk.type === "tool_call_delta" ? chunk.arguments : chunk.text;
  return Object.values(said).join("|");
}

describe("without a key", () => {
  test.each(OWN)("%s is refused by the name of the variable, and nothing is sent", async (provider) => {
    await using server = await scriptedServer([]);
    for (const value of [undefined, ""]) {
      const options = { environment: { [KEY_OF[provider]]: value } };
      const refused = refusalOf(() => modelsAt(server, options).check(modelAt(server, provider)));
      expect(refused.facts).toMatchObject({ unset_variable: KEY_OF[provider] });
      expect(await thrownBy(ask(server, { provider, ...options }))).toContain(KEY_OF[provider]);
    }
    expect(server.requests).toEqual([]);
  });

  test.each(OWN)("%s takes none from the environment of the process behind our back", async (provider) => {
    const before = process.env[KEY_OF[provider]];
    process.env[KEY_OF[provider]] = "a-key-of-the-process";
    try {
      await using server = await scriptedServer([]);
      const options = { provider, environment: { [KEY_OF[provider]]: undefined } };
      expect(await thrownBy(ask(server, options))).toContain(KEY_OF[provider]);
      expect(server.requests).toEqual([]);
    } finally {
      if (before === undefined) delete process.env[KEY_OF[provider]];
      else process.env[KEY_OF[provider]] = before;
    }
  });

  test("a local model is asked without one", async () => {
    await using server = await scriptedServer([says("Yes.")]);
    const { reply } = await ask(server, { environment: { DEEP_RESEARCH_API_KEY: undefined } });
    expect(reply?.message.content).toBe("Yes.");
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
  });

  test("a word that local servers take for one may be part of a reply", async () => {
    await using server = await scriptedServer([says("Run it with ollama.")]);
    const { reply } = await ask(server, { environment: { DEEP_RESEARCH_API_KEY: "ollama" } });
    expect(reply?.message.content).toBe("Run it with ollama.");
  });
});

describe("endpoints", () => {
  test("are the providers' own, unless the environment moves them", async () => {
    await using server = await scriptedServer([]);
    const moved = modelsAt(server);
    const own = modelsAt(server, {
      environment: { OPENAI_BASE_URL: "", ANTHROPIC_BASE_URL: undefined, GOOGLE_GENERATIVE_AI_BASE_URL: "" },
    });
    expect(OWN.map((provider) => new URL(own.endpointOf(modelAt(server, provider))).host)).toEqual([
      "api.openai.com",
      "api.anthropic.com",
      "generativelanguage.googleapis.com",
    ]);
    for (const provider of MODEL_PROVIDERS) expect(moved.endpointOf(modelAt(server, provider))).toBe(server.baseUrl);
  });

  test("that hold a password are refused without repeating it", async () => {
    await using server = await scriptedServer([]);
    const models = modelsAt(server, { environment: { OPENAI_BASE_URL: "https://me:hunter2secret@host/v1" } });
    const refused = refusalOf(() => models.check(modelAt(server, "openai")));
    expect(JSON.stringify([refused.facts, refused.message])).not.toContain("hunter2secret");
  });
});

describe("scrubbing", () => {
  const secrets = secretsOf(["k3y-of-mine-0123456789"]);

  test.each([
    ["Incorrect API key provided: sk-proj-abc***********wxyz.", "sk-proj"],
    ["header Authorization: Bearer abcdef123456", "abcdef123456"],
    ["GET https://host/v1?key=abcdef&x=1", "abcdef"],
    ["GET https://me:hunter2@host/v1", "hunter2"],
    ["AIzaSyA1234567890abcdef is not valid", "AIzaSyA"],
    ["k3y-of-mine-0123456789k3y-of-mine-0123456789", "mine"],
  ])("%s loses its secret", (text, secret) => {
    expect(secrets.scrub(text)).not.toContain(secret);
  });

  test("leaves the rest, on one line, and not too long", () => {
    expect(secrets.scrub("There is no\nmodel \u001b[31m`m`\u0000.")).toBe("There is no model [31m`m` .");
    expect(secrets.scrub("x".repeat(10_000))).toHaveLength(500);
  });
});

function refusalOf(act: () => void): RunError {
  try {
    act();
  } catch (error) {
    if (error instanceof RunError && error.code === "INVALID_ARGS") return error;
    throw error;
  }
  throw new Error("it was not refused");
}

test("nothing that goes to a model on this machine passes a proxy of the environment", async () => {
  const seen: string[] = [];
  const proxy = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      seen.push(request.url);
      return new Response("", { status: 502 });
    },
  });
  await using server = await scriptedServer([says("Hello.")]);
  const { reply } = await under("HTTP_PROXY", proxy.url.href, () => ask(server, { mayUseProxy: true }));
  await proxy.stop(true);
  expect(seen).toEqual([]);
  expect(reply?.message.content).toBe("Hello.");
});

test("an endpoint with a wrong certificate gets no key, whatever the environment says", async () => {
  const seen: string[] = [];
  const impostor = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: makeCertificate("somebody.example"),
    fetch(request) {
      seen.push(request.headers.get("authorization") ?? "");
      return new Response("");
    },
  });
  await using server = await scriptedServer([]);
  const model = { ...modelAt(server), base_url: `https://127.0.0.1:${impostor.port}/v1` };
  const { failure } = await under("NODE_TLS_REJECT_UNAUTHORIZED", "0", () => ask(server, { request: { model } }));
  await impostor.stop(true);
  expect(seen).toEqual([]);
  expect(failure?.kind).toBe("transient");
});
