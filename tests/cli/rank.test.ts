// Excerpts chosen by a model or ordered by an endpoint, from the command line: who may say so, what is sent, kept, replayed and refused.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fs from "node:fs";

import type { Answer, SeenRequest } from "../models/answers.ts";
import { ranksBy } from "../drivers/ranking/scripted-ranker.ts";
import { QUESTION } from "../simulation/run-world.ts";
import { answerIn, CANARY, FEW, LivePlace } from "./live-place.ts";

setDefaultTimeout(600_000);

const RIGHT = "keeps every value as a string";

/** An endpoint of Jina's form that puts the passages with these words first. */
function reranksBy(words: string): (request: SeenRequest) => Answer {
  return ({ body }) => {
    const { documents } = body as { documents: string[] };
    const results = documents.map((text, index) => ({
      index,
      relevance_score: text.includes(words) ? 1 : -index / 100,
    }));
    return { kind: "raw", headers: { "content-type": "application/json" }, body: JSON.stringify({ results }) };
  };
}

async function settingsOf(place: LivePlace): Promise<Record<string, unknown>> {
  const { settings } = answerIn(await place.run(["inspect", place.runRoot, "--json"])).result as {
    settings: Record<string, unknown>;
  };
  return settings;
}

function errorIn(told: Parameters<typeof answerIn>[0]): { code: string; message: string } {
  const { error } = answerIn(told);
  return { code: error?.code ?? "", message: JSON.stringify(error) };
}

function page(place: LivePlace): string {
  return fs.readFileSync(`${place.runRoot}/reports/1/report.md`, "utf8");
}

const start = (...said: string[]): string[] => ["start", QUESTION, "--corpus", "docs", ...FEW, ...said];

describe("--rank model", () => {
  test("chooses excerpts by the model, which is checked once, and writes nothing", async () => {
    await using place = await LivePlace.open(ranksBy(RIGHT));
    const { code, stderr } = await place.run(start("--rank", "model", ...place.model, "--max-calls", "40"));
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    const calls = place.server.requests.length;
    expect(calls).toBeLessThanOrEqual(12 + 4);
    expect(await settingsOf(place)).toMatchObject({ driver: "local", rank: { by: "model" } });
    const shown = page(place);
    expect(shown).toContain(RIGHT);
    expect(shown).toContain("Ranker of the passages: compatible:scripted");
    expect((await place.run(["verify", place.runRoot])).code).toBe(0);
    // The next run knows how the model did, and so does its manifest.
    fs.renameSync(place.runRoot, `${place.runRoot}-before`);
    await place.run(start("--rank", "model", ...place.model));
    expect(place.server.requests.length - calls).toBe(calls - 12);
    expect(await settingsOf(place)).toMatchObject({ rank: { by: "model", gate: { first: 8, verdicts: 12 } } });
  });

  test("is replayed from its bundle without the model", async () => {
    await using place = await LivePlace.open(ranksBy(RIGHT));
    await place.run(start("--rank", "model", ...place.model));
    expect((await place.run(["capture", place.runRoot, "--output", `${place.path}/bundle`])).code).toBe(0);
    const before = page(place);
    fs.renameSync(place.runRoot, `${place.runRoot}-before`);
    const calls = place.server.requests.length;
    expect((await place.run(["start", "--bundle", `${place.path}/bundle`, "--run-id", "dr_live"])).code).toBe(0);
    expect(page(place)).toBe(before);
    expect(place.server.requests).toHaveLength(calls);
  });

  test("halts where a budget is spent, and continues without a call twice", async () => {
    await using place = await LivePlace.open(ranksBy(RIGHT));
    const halted = await place.run(start("--rank", "model", ...place.model, "--max-calls", "8", "--json"));
    expect(errorIn(halted).code).toBe("BUDGET_EXCEEDED");
    const before = place.server.requests.length;
    expect((await place.run(["resume", place.runRoot, "--max-calls", "100"])).code).toBe(0);
    const sent = place.server.requests.map(({ body }) => JSON.stringify((body as { messages?: unknown }).messages));
    expect(new Set(sent).size).toBe(sent.length);
    expect(place.server.requests.length).toBeGreaterThan(before);
  });

  test("goes by the drift of its model, which is checked anew", async () => {
    await using place = await LivePlace.open(ranksBy(RIGHT));
    await place.run(start("--rank", "model", ...place.model, "--max-calls", "8"));
    const said = ["resume", place.runRoot, "--model", "compatible:other", "--model-base-url", place.server.baseUrl];
    expect((await place.run([...said, "--max-calls", "100", "--on-drift", "refuse", "--json"])).code).not.toBe(0);
    expect((await place.run([...said, "--max-calls", "100", "--on-drift", "continue"])).code).toBe(0);
    expect(page(place)).toContain("Ranker of the passages: compatible:other");
  });

  test.each([
    ["without a model", ["--rank", "model"], "needs a model"],
    ["with the task driver", ["--driver", "task", "--rank", "model"], "goes with the driver local or live"],
    [
      "of a model elsewhere under no_web",
      [
        "--rank",
        "model",
        "--model",
        "compatible:m",
        "--model-base-url",
        "https://models.example/v1",
        "--sensitivity",
        "no_web",
      ],
      "on this machine",
    ],
  ])("is refused %s", async (_how, said, reason) => {
    await using place = await LivePlace.open();
    const refused = await place.run(start(...said, "--json"));
    expect(refused.code).toBe(2);
    expect(JSON.stringify(errorIn(refused))).toContain(reason);
  });
});

describe("--driver local alone asks no model, whatever is configured", () => {
  const configured = (place: LivePlace) => ({
    rank: "model",
    model: "compatible:scripted",
    model_base_url: place.server.baseUrl,
    rerank: { base_url: place.server.baseUrl, model: "m" },
  });

  test.each(["model", "endpoint"])("as rank: %s, in the user's file or a variable", async (rank) => {
    await using place = await LivePlace.open();
    place.user({ ...configured(place), rank });
    const environment = { DEEP_RESEARCH_RANK: rank };
    expect((await place.run(start("--driver", "local"), { environment })).code).toBe(0);
    expect(place.server.requests).toHaveLength(0);
    expect(await settingsOf(place)).not.toHaveProperty("rank");
  });

  test("control: what the user's file says counts where the run does not name its driver", async () => {
    await using place = await LivePlace.open(ranksBy(RIGHT));
    place.user({ ...configured(place), driver: "local" });
    expect((await place.run(start())).code).toBe(0);
    expect(await settingsOf(place)).toMatchObject({ driver: "local", rank: { by: "model" } });
  });

  test("and a workspace cannot say more than the user", async () => {
    await using place = await LivePlace.open();
    place.workspace({ rank: "model" });
    expect((await place.run(start("--json"))).code).toBe(2);
    place.workspace({ rank: "none" });
    expect((await place.run(start())).code).toBe(0);
    expect(place.server.requests).toHaveLength(0);
  });
});

describe("--rank endpoint", () => {
  test("sends passages to the endpoint of the user's file with its key, and keeps the key nowhere", async () => {
    await using place = await LivePlace.open(reranksBy(RIGHT));
    place.user({ rerank: { base_url: place.server.baseUrl, model: "jina-reranker-v2" } });
    const environment = { DEEP_RESEARCH_RERANK_API_KEY: CANARY };
    expect((await place.run(start("--rank", "endpoint"), { environment })).code).toBe(0);
    expect(new Set(place.server.requests.map(({ path }) => path))).toEqual(new Set(["/v1/rerank"]));
    expect(place.server.requests[0]?.headers["authorization"]).toBe(`Bearer ${CANARY}`);
    const shown = page(place);
    expect(shown).toContain("Ranker of the passages: rerank:jina-reranker-v2");
    const { stdout } = await place.run(["inspect", place.runRoot, "--json"]);
    expect(stdout + shown).not.toContain(CANARY);
    expect((await place.run(["verify", place.runRoot])).code).toBe(0);
  });

  const html: Answer = { kind: "raw", headers: { "content-type": "text/html" }, body: "<h1>Hello</h1>" };
  const status = (code: number): Answer => ({
    kind: "raw",
    status: code,
    headers: { "content-type": "application/json", "retry-after-ms": "1" },
    body: '{"error":"no"}',
  });
  const results = (list: object[]): Answer => ({
    kind: "raw",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ results: list }),
  });
  const faults: [string, Answer][] = [
    ["in HTML", html],
    ["with fewer results", results([{ index: 0, relevance_score: 1 }])],
    ["with a missing index", results([{ relevance_score: 1 }])],
    ["with nothing", { kind: "raw", body: "" }],
    ["of status 413", status(413)],
    ["of status 429", status(429)],
    ["of status 500", status(500)],
  ];
  test.each(faults)("leaves the order of the search by an answer %s, with a note", async (_how, answer) => {
    await using place = await LivePlace.open(() => answer);
    place.user({ rerank: { base_url: place.server.baseUrl, model: "m" } });
    expect((await place.run(start("--rank", "endpoint"))).code).toBe(0);
    const ranked = page(place);
    fs.renameSync(place.runRoot, `${place.runRoot}-before`);
    expect((await place.run(start())).code).toBe(0);
    const plain = page(place);
    const above = (text: string): string => text.slice(0, text.indexOf("## How this report was made"));
    expect(above(ranked)).toBe(above(plain));
    expect(ranked).toContain("in the order of the search");
    expect(plain).not.toContain("in the order of the search");
  });

  test("is drift where the endpoint is another one later, and the user's is the one that is sent to", async () => {
    await using place = await LivePlace.open(reranksBy(RIGHT));
    place.user({ rerank: { base_url: "http://127.0.0.1:1/v1", model: "m" } });
    await place.run(["init", QUESTION, "--corpus", "docs", ...FEW, "--rank", "endpoint", "--on-drift", "refuse"]);
    place.user({ rerank: { base_url: place.server.baseUrl, model: "m" } });
    const refused = await place.run(["run", place.runRoot, "--json"]);
    expect(errorIn(refused).code).toBe("SETTINGS_DRIFT");
    expect(place.server.requests).toHaveLength(0);
    expect((await place.run(["resume", place.runRoot, "--on-drift", "continue"])).code).toBe(0);
    expect(place.server.requests.length).toBeGreaterThan(0);
  });

  test("is refused without an endpoint, and by any file but the user's own", async () => {
    await using place = await LivePlace.open();
    const none = await place.run(start("--rank", "endpoint", "--json"));
    expect([none.code, errorIn(none).message]).toEqual([2, expect.stringContaining("endpoint")]);
    const rerank = { base_url: place.server.baseUrl };
    place.workspace({ rerank });
    for (const further of [[], ["--trust-workspace"]]) {
      const refused = await place.run(start("--rank", "endpoint", "--json", ...further));
      expect([refused.code, JSON.stringify(errorIn(refused))]).toEqual([
        2,
        expect.stringContaining("where documents are sent"),
      ]);
    }
    fs.rmSync(`${place.path}/deep-research.json`);
    fs.writeFileSync(`${place.path}/given.json`, JSON.stringify({ rerank }));
    expect((await place.run(start("--rank", "endpoint", "--config", "given.json"))).code).toBe(2);
    place.user({ rerank: { base_url: "https://me:secret@example.org/v1" } });
    const secret = await place.run(start("--rank", "endpoint", "--json"));
    expect([secret.code, secret.stdout.includes("me:secret")]).toEqual([2, false]);
  });

  test("goes to no endpoint elsewhere under restricted and no_web, unless its host is listed", async () => {
    await using place = await LivePlace.open();
    const rerank = { base_url: "https://rerank.example/v1" };
    for (const sensitivity of ["restricted", "no_web"]) {
      place.user({ rerank });
      const said = ["init", QUESTION, "--corpus", "docs", "--rank", "endpoint", "--sensitivity", sensitivity];
      expect((await place.run(said)).code).toBe(2);
      place.user({ rerank, allowed_hosts: ["rerank.example"] });
      expect((await place.run(said)).code).toBe(0);
    }
  });
});

describe("doctor", () => {
  test("--rank model checks the model, and the next run knows how it did", async () => {
    await using place = await LivePlace.open(ranksBy(RIGHT));
    const { stdout } = await place.run(["doctor", "--rank", "model", ...place.model]);
    expect(stdout).toContain("rank: compatible:scripted: 8 of 8 passages first, 12 of 12 verdicts right");
    const calls = place.server.requests.length;
    await place.run(start("--rank", "model", ...place.model));
    expect(place.server.requests.length - calls).toBeLessThan(5);
    expect(await settingsOf(place)).toMatchObject({ rank: { gate: { first: 8, verdicts: 12 } } });
  });

  test("--rank endpoint has it rank three passages; without --rank nothing is sent for it", async () => {
    await using place = await LivePlace.open(reranksBy("Rome"));
    place.user({ rerank: { base_url: place.server.baseUrl, model: "m" } });
    expect((await place.run(["doctor", "--rank", "endpoint"])).stdout).toContain("rank: rerank:m: ranks passages");
    expect(place.server.requests).toHaveLength(1);
    await place.run(["doctor"]);
    expect(place.server.requests).toHaveLength(1);
  });
});
