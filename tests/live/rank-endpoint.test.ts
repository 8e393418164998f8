// Live runs with an endpoint that ranks what their researchers find: calls inside of a tool, each stored once, and its faults.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Answer, SeenRequest } from "../models/answers.ts";
import { rerankModel } from "../../src/run/settings/rank.ts";
import { LiveRun, type LiveOptions } from "./live-run.ts";
import { wellBehaved } from "./well-behaved.ts";

setDefaultTimeout(600_000);

const PATH = "/v1/rerank";

/** The last passage of the search first. */
function reversed({ body }: SeenRequest): Answer {
  const { documents } = body as { documents: string[] };
  const results = documents.map((_, index) => ({ index, relevance_score: index }));
  return { kind: "raw", headers: { "content-type": "application/json" }, body: JSON.stringify({ results }) };
}

async function rankedRun(answer: (request: SeenRequest) => Answer, options: LiveOptions = {}): Promise<LiveRun> {
  const run = await LiveRun.open({
    rank: "endpoint",
    ...options,
    script: (request) => (request.path === PATH ? answer(request) : wellBehaved(request)),
  });
  run.ports = { ...run.ports, reranker: rerankModel({ base_url: run.server.baseUrl, model: "m" }) };
  return run;
}

function requestsOf(run: LiveRun): string[] {
  return run.server.requests.filter(({ path }) => path === PATH).map(({ body }) => JSON.stringify(body));
}

describe("a live run with an endpoint that ranks", () => {
  test("has its researchers' searches ranked, each call stored and charged to the ranker", async () => {
    await using run = await rankedRun(reversed);
    expect((await run.start()).error).toBeNull();
    expect(requestsOf(run).length).toBeGreaterThan(0);
    expect(await run.isStrict()).toBe(true);
    const reserved = await run.dataOf("usage.reserved");
    expect(reserved.filter(({ role }) => role === "ranker")).toHaveLength(requestsOf(run).length);
    expect(run.report()).toContain("Ranker of the passages: rerank:m");
  });

  test("that a budget halts continues without a call twice", async () => {
    await using run = await rankedRun(reversed, { budgets: { max_calls: 9 } });
    expect((await run.start()).error?.code).toBe("BUDGET_EXCEEDED");
    expect((await run.resume({ budgets: { max_calls: 500 } })).error).toBeNull();
    const sent = requestsOf(run);
    // Two researchers may search for the same words.
    const steps = await run.dataOf("message.stored");
    const replies = steps.filter(({ role, conversation }) => role === "assistant" && conversation.startsWith("rank-"));
    expect(sent).toHaveLength(replies.length);
  });

  test("whose endpoint fails comes to a report in the order of the search, and its findings say so", async () => {
    await using run = await rankedRun(() => ({
      kind: "raw",
      headers: { "content-type": "text/html" },
      body: "<p>x</p>",
    }));
    expect((await run.start()).error).toBeNull();
    const folder = `${run.runRoot}/wave-1`;
    const findings = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, "utf8"));
    expect(findings.some((text) => text.includes("in the order of the search"))).toBe(true);
  });
});
