// Endpoints that put passages in order: the forms of Jina, vLLM and TEI, and their faults, each of which is a typed failure.
import { describe, expect, test } from "bun:test";
import { ModelFailure, type ModelFailureKind } from "../../src/ports/model.ts";
import { rerankModel } from "../../src/run/settings/rank.ts";
import type { Answer } from "./answers.ts";
import { CANARY_KEYS, conversation, modelsAt } from "./asking.ts";
import { scriptedServer, type ScriptedServer } from "./scripted-server.ts";

const DOCUMENTS = ["Oslo is cold.", "Rome is warm.", "Snow is white."];
const QUERY = "Where is it warm?";

const json = (value: unknown, status = 200, headers: Record<string, string> = {}): Answer => ({
  kind: "raw",
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
});
const jina = (...scores: readonly [index: number, score: number][]): Answer =>
  json({
    model: "jina-reranker-v2",
    usage: { total_tokens: 38 },
    results: scores.map(([index, relevance_score]) => ({
      index,
      relevance_score,
      document: { text: DOCUMENTS[index] },
    })),
  });

async function ranked(server: ScriptedServer, model?: string): Promise<string | ModelFailure> {
  const request = {
    model: rerankModel({ base_url: server.baseUrl, ...(model === undefined ? {} : { model }) }),
    messages: conversation({ role: "user", content: JSON.stringify({ query: QUERY, documents: DOCUMENTS }) }),
    tools: [],
    max_output_tokens: 256,
  };
  const { signal } = new AbortController();
  try {
    return (await modelsAt(server).call(request, { signal, timeout_ms: 10_000 })).message.content;
  } catch (error) {
    if (error instanceof ModelFailure) return error;
    throw error;
  }
}

describe("an endpoint that ranks", () => {
  test("of Jina's form, which Cohere, vLLM and llama.cpp speak, gets the model, and gives the order whatever the order of its lines", async () => {
    await using server = await scriptedServer([jina([0, 0.1], [2, -0.4], [1, 0.97])]);
    expect(await ranked(server, "jina-reranker-v2")).toBe('{"order":[2,1,3]}');
    const [request] = server.requests;
    expect(request?.path).toBe("/v1/rerank");
    expect(request?.body).toEqual({ model: "jina-reranker-v2", query: QUERY, documents: DOCUMENTS, top_n: 3 });
    expect(request?.headers["authorization"]).toBe(`Bearer ${CANARY_KEYS.DEEP_RESEARCH_RERANK_API_KEY}`);
    expect(JSON.stringify(request)).not.toContain(CANARY_KEYS.DEEP_RESEARCH_API_KEY);
  });

  test("of TEI's form gets no model, and answers with a list", async () => {
    const list = [
      { index: 1, score: 0.9 },
      { index: 0, score: 0.9 },
      { index: 2, score: 0.1 },
    ];
    await using server = await scriptedServer([json(list)]);
    expect(await ranked(server)).toBe('{"order":[1,2,3]}');
    expect(server.requests[0]?.body).toEqual({ query: QUERY, texts: DOCUMENTS });
  });

  const faults: [string, Answer, ModelFailureKind][] = [
    ["without one index", jina([0, 1], [1, 0.5]), "malformed"],
    ["with one index twice", jina([0, 1], [1, 0.5], [1, 0.4]), "malformed"],
    ["with an index of no document", jina([0, 1], [1, 0.5], [7, 0.4]), "malformed"],
    ["without scores", json({ results: [{ index: 0 }, { index: 1 }, { index: 2 }] }), "malformed"],
    ["with no result", json({ results: [] }), "malformed"],
    ["in HTML", { kind: "raw", headers: { "content-type": "text/html" }, body: "<h1>Welcome</h1>" }, "malformed"],
    ["with nothing", { kind: "raw", body: "" }, "malformed"],
    ["that broke off", { ...jina([0, 1], [1, 0.5], [2, 0.4]), cut_at: 20, cut: "break" } as Answer, "transient"],
    ["of status 413", json({ error: "batch size 30 > maximum allowed batch size 8" }, 413), "context_too_long"],
    ["of status 429", json({ detail: "Rate limit" }, 429, { "retry-after": "2" }), "rate_limited"],
    ["of status 500", json({ error: "CUDA out of memory" }, 500), "transient"],
    ["of status 422", json({ error: "unknown field" }, 422), "bad_request"],
    [
      "of status 302",
      { kind: "raw", status: 302, headers: { location: "http://127.0.0.1:1/" }, body: "" },
      "bad_request",
    ],
  ];
  test.each(faults)("gives no order by an answer %s", async (_what, answer, kind) => {
    await using server = await scriptedServer([answer]);
    const failure = await ranked(server, "m");
    expect(failure).toBeInstanceOf(ModelFailure);
    expect((failure as ModelFailure).kind).toBe(kind);
  });

  test("shows no key that it repeats", async () => {
    const echo = `your key is ${CANARY_KEYS.DEEP_RESEARCH_RERANK_API_KEY}`;
    await using server = await scriptedServer([json({ error: echo }, 400)]);
    expect(String(await ranked(server, "m"))).not.toContain(CANARY_KEYS.DEEP_RESEARCH_RERANK_API_KEY);
  });
});
