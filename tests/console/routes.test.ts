// Every route of the console over runs that real processes made: what each answers, and that none is left out.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findRoute, ROUTES } from "../../src/console/routes.ts";
import { hexOf } from "../../src/kernel/digest.ts";
import { makeRun, TO_RUNNING, withWriter } from "../operations/made-run.ts";
import { DOCUMENTS, QUESTION } from "../simulation/run-world.ts";
import { type CalledConsole, openConsole, until } from "./called-console.ts";

const TIMEOUT_MS = 600_000;
const asked = new Set<string>();
let console: CalledConsole;
let corpus: string;

/** As the console is asked, and remembered as the route that it is. */
async function ask(method: "GET" | "POST", path: string, body?: object) {
  const found = findRoute(method, path.split("?")[0] ?? "");
  if (found !== null && "does" in found) asked.add(found.does);
  return await console.ask(method, path, body);
}
const get = (path: string) => ask("GET", path);
const post = (path: string, body?: object) => ask("POST", path, body);

const stopped = (path: string) =>
  until(
    () => get(path),
    ({ body }) => (body["execution_state"] ?? "running") !== "running" || (body["halt"] ?? null) !== null,
  );

beforeAll(async () => {
  console = await openConsole();
  corpus = join(console.runsRoot, "../corpus");
  mkdirSync(corpus);
  for (const [name, text] of DOCUMENTS) writeFileSync(join(corpus, name), text);
  const { status, body } = await post("/api/runs", {
    question: QUESTION,
    corpus: [corpus],
    run_id: "whole",
    max_rounds: 2,
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({ run_id: "whole", resumed: false, question: QUESTION });
  await stopped("/api/runs/whole");
}, TIMEOUT_MS);

afterAll(async () => {
  await console[Symbol.asyncDispose]();
  // Those of chats are asked in agents.test.ts.
  const others = ROUTES.map(({ does }) => does).filter((does) => !does.startsWith("agents"));
  expect([...asked].toSorted()).toEqual(others.toSorted());
});

describe("a run that is completed", () => {
  test("is listed with what a list needs", async () => {
    const { body } = await get("/api/runs?state=completed&limit=5");
    expect(body).toMatchObject({
      matched: 1,
      runs: [{ run_id: "whole", question: QUESTION, driver: "local", mode: "standard", report_versions: 1 }],
    });
    const [run] = body["runs"] as unknown as { next_commands: string[] }[];
    expect(run?.next_commands[0]).toContain("report show");
    expect((await get("/api/runs?limit=x")).body["error"]).toMatchObject({ code: "INVALID_ARGS" });
    expect((await get("/api/runs?state=asleep")).status).toBe(400);
  });

  test("has a session that restores everything a page shows", async () => {
    const { body } = await get("/api/runs/whole?text=1");
    expect(body).toMatchObject({
      run_id: "whole",
      execution_state: "completed",
      headline: { words: "completed", tone: "good" },
      research: { max_depth: 2, max_rounds: 2, results_per_query: 10 },
      interrupted_run_id: null,
      halt_detail: null,
      current_report_version_index: 1,
      settings: { driver: "local", mode: "standard", model: null, corpora: [{ path: corpus, documents: 3 }] },
      provenance: expect.arrayContaining([expect.objectContaining({ requested_provider_id: "filesystem" })]),
      verification: null,
    });
    const [version] = body["report_versions"] as unknown as Record<string, unknown>[];
    expect(version).toMatchObject({ version_index: 1, trigger_type: "auto_natural_stop" });
    expect(version?.["report_text"]).toContain("standard error stream");
    const { body: plain } = await get("/api/runs/whole");
    expect(JSON.stringify(plain["report_versions"])).not.toContain("report_text");
    expect(Number.isInteger(plain["revision"])).toBe(true);
  });

  test("is inspected, judged and verified, and the session keeps the verdict", async () => {
    expect((await get("/api/runs/whole/inspect")).body).toMatchObject({ settings: { driver: "local" } });
    expect((await get("/api/runs/whole/inspect?step=wave1:overview")).status).toBe(200);
    expect((await get("/api/runs/whole/inspect?step=nothing")).status).toBe(404);
    expect((await get("/api/runs/whole/triage")).body).toMatchObject({ findings: [{ condition: "completed" }] });
    const { body: verified } = await post("/api/runs/whole/verify");
    expect(verified).toMatchObject({
      ok: true,
      reports: 1,
      words: expect.stringMatching(/^Verified: \d+ quotes? in \d+ sources?$/),
    });
    expect((await get("/api/runs/whole")).body["verification"]).toEqual(verified as never);
    expect((await post("/api/runs/whole/verify", { retry: true })).status).toBe(400);
  });

  test("gives its report in every form, its body as a page, and the text behind a mark", async () => {
    for (const [format, type] of [
      ["md", "text/markdown"],
      ["html", "text/html"],
      ["json", "application/json"],
      ["docx", "application/vnd.openxmlformats"],
      ["bibtex", "application/x-bibtex"],
    ]) {
      const { status, headers, text } = await get(`/api/runs/whole/reports/current.${format}`);
      expect([status, headers.get("content-type")]).toEqual([200, expect.stringContaining(type ?? "")]);
      expect(headers.get("content-disposition")).toStartWith('attachment; filename="whole-report-1.');
      expect(text.length).toBeGreaterThan(100);
    }
    expect((await get("/api/runs/whole/reports/1.html")).text).not.toContain('class="timeline"');
    expect((await get("/api/runs/whole/reports/1.html?timeline=1")).text).toContain('class="timeline"');
    expect((await get("/api/runs/whole/reports/2.md")).status).toBe(404);
    const { text: page, headers } = await get("/api/runs/whole/reports/1/page");
    expect(page).toStartWith("<h1");
    expect(page).not.toContain("<script");
    expect(headers.get("content-security-policy")).toStartWith("sandbox;");
    const [, hex = ""] = /data-source="([0-9a-f]{64})"/.exec(page) ?? [];
    const { body: source } = await get(`/api/runs/whole/sources/${hex}`);
    expect(hexOf(String(source["source_digest"]))).toBe(hex);
    expect([...DOCUMENTS.values()]).toContain(String(source["text"]));
    expect((await get(`/api/runs/whole/sources/${"0".repeat(64)}`)).status).toBe(404);
  });

  test("gets a further report, which is compared and selected, and each event of it says which", async () => {
    const before = (await get("/api/runs/whole")).body["revision"];
    const { status, body } = await post("/api/runs/whole/generate", { expected_revision: before });
    expect([status, body["current_report_version_index"]]).toEqual([200, 2] as never);
    expect((await get("/api/runs/whole/diff?from=1&to=2")).body).toMatchObject({
      from: 1,
      to: 2,
      evidence_equal: true,
    });
    const selected = await post("/api/runs/whole/select", { version: 1 });
    expect(selected.body).toMatchObject({ current_report_version_index: 1, work: "ended" });
    const stale = await post("/api/runs/whole/select", { version: 2, expected_revision: before });
    expect([stale.status, stale.body["error"]]).toEqual([
      409,
      expect.objectContaining({
        code: "REVISION_MISMATCH",
        details: expect.objectContaining({ expected_revision: before, revision: selected.body["revision"] }),
      }),
    ]);
    expect((await post("/api/runs/whole/select")).status).toBe(400);
    expect((await post("/api/runs/whole/select", { version: 2, expected_revision: "2" })).status).toBe(400);
    const brief = await post("/api/runs/whole/generate", { template: "brief" });
    const versions = brief.body["report_versions"] as unknown as Record<string, unknown>[];
    expect(versions.at(-1)).toMatchObject({ version_index: 3, template: { name: "brief" } });
    expect((await post("/api/runs/whole/verify")).body).toMatchObject({ ok: true, reports: 3 });
    expect((await post("/api/runs/whole/select", { version: 1 })).status).toBe(200);
    // The event of every published version says which one it is.
    const { body: events } = await console.send(`/api/runs/whole/events?after=${String(before)}`, {
      headers: { authorization: `Bearer ${console.token}` },
    });
    asked.add("events");
    const reader = events?.pipeThrough(new TextDecoderStream()).getReader();
    let read = "";
    while (!read.includes("event: report.selected")) read += (await reader?.read())?.value ?? "";
    await reader?.cancel();
    const [, published = ""] = /event: report\.published\ndata: (.*)\n/.exec(read) ?? [];
    expect(JSON.parse(published)).toMatchObject({
      data: {
        count: 2,
        report: {
          version_index: 2,
          trigger_type: "manual",
          created_at: expect.any(String),
          report_file_path: "reports/2/report.md",
          digest: expect.stringMatching(/^sha256:/),
        },
      },
    });
  });

  test("is asked on: the next question has a run of its own, which says what it follows", async () => {
    const answer = await post("/api/runs/whole/ask", { question: "And how are errors reported?", run_id: "next" });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ run_id: "next", question: "And how are errors reported?" });
    expect((await stopped("/api/runs/next")).body["execution_state"]).toBe("completed" as never);
    const { text: page } = await get("/api/runs/next/reports/current/page");
    expect(page).toStartWith('<nav aria-label="Questions before"><ol>');
    expect(page).toContain('<a href="#whole">');
    expect((await post("/api/runs/whole/ask", {})).status).toBe(400);
  });

  test("cannot be paused, resumed, aborted or settled, and is forked into a new run", async () => {
    expect((await post("/api/runs/whole/pause")).body["error"]).toMatchObject({ code: "RUN_TERMINAL" });
    expect((await post("/api/runs/whole/abort")).body["error"]).toMatchObject({ code: "INVALID_ARGS" });
    const aborted = await post("/api/runs/whole/abort", { confirm: true });
    expect([aborted.status, aborted.body["error"]]).toEqual([409, expect.objectContaining({ code: "RUN_TERMINAL" })]);
    expect((await post("/api/runs/whole/settle", { call: "x", replay: true })).status).toBeGreaterThanOrEqual(400);
    expect((await post("/api/runs/whole/resume")).body).toMatchObject({ execution_state: "completed" });
    const forked = await post("/api/runs/whole/fork", { run_id: "forked", max_rounds: 3 });
    expect([forked.status, forked.body["run_id"], forked.body["forked_from"]]).toEqual([
      201,
      "forked",
      "whole",
    ] as never);
    expect(forked.body).toMatchObject({ execution_state: "idle", did: { command: "fork" } });
    await post("/api/runs/forked/resume");
    expect((await stopped("/api/runs/forked")).body["execution_state"]).toBe("completed" as never);
  });

  test("of two changes that rest on one revision, one is made", async () => {
    const expected_revision = (await get("/api/runs/whole")).body["revision"];
    const both = await Promise.all([
      post("/api/runs/whole/generate", { expected_revision }),
      post("/api/runs/whole/generate", { expected_revision }),
    ]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body["error"]).toMatchObject({ code: "REVISION_MISMATCH" });
    expect((await get("/api/runs/whole")).body).toMatchObject({ current_report_version_index: 4 });
  });

  test("a start that is repeated continues with its run, another question does not", async () => {
    const again = await post("/api/runs", { question: QUESTION, corpus: [corpus], run_id: "whole", max_rounds: 2 });
    expect([again.status, again.body["run_id"]]).toEqual([200, "whole"] as never);
    const other = await post("/api/runs", { question: "What else?", corpus: [corpus], run_id: "whole", max_rounds: 2 });
    expect([other.status, other.body["error"]]).toEqual([409, expect.objectContaining({ code: "ALREADY_EXISTS" })]);
  });
});

describe("a run that is on its way", () => {
  test("is paused, continues, and is ended for good", async () => {
    await post("/api/runs", { question: QUESTION, corpus: [corpus], run_id: "way", driver: "task" });
    const halted = await until(
      () => get("/api/runs/way"),
      ({ body }) => body["halt"] !== null && body["halt"] !== undefined,
    );
    expect(halted.body).toMatchObject({
      execution_state: "running",
      halt: "agent_required",
      halt_detail: { kind: "agent_required", headline: "an outside agent has to do a step", since: expect.any(String) },
    });
    const { next_commands } = halted.body["halt_detail"] as unknown as { next_commands: string[] };
    expect(next_commands.length).toBeGreaterThan(0);
    const paused = await post("/api/runs/way/pause", { reason: "lunch" });
    expect(paused.body).toMatchObject({ execution_state: "paused", did: { command: "pause", error: null } });
    // It halts again at once, and that is no failure of the request, whether or not it is quicker than the answer.
    expect((await post("/api/runs/way/resume")).status).toBe(200);
    await stopped("/api/runs/way");
    // The process that halted it may not have left yet.
    const refused = await until(
      () => post("/api/runs/way/generate"),
      ({ status }) => status !== 409,
    );
    expect([refused.status, refused.body["error"]]).toEqual([422, expect.objectContaining({ code: "NO_EVIDENCE" })]);
    expect((await post("/api/runs/way/abort", { confirm: true })).body).toMatchObject({ execution_state: "aborted" });
    const over = await post("/api/runs/way/resume");
    expect([over.status, over.body["error"]]).toEqual([409, expect.objectContaining({ code: "RUN_TERMINAL" })]);
  });

  test(
    "continues by its question where it was interrupted, and begins afresh where none was",
    async () => {
      const runRoot = await makeRun(console.ports, console.runsRoot, "left");
      await withWriter(console.ports, runRoot, async (writer) => {
        await writer.commit([
          TO_RUNNING,
          { kind: "state.changed", data: { from: "running", to: "interrupted", reason: "the owner is gone" } },
        ]);
      });
      const question = "How are options parsed?";
      expect((await get("/api/runs/left")).body).toMatchObject({ interrupted_run_id: "left" });
      const resumed = await post("/api/runs", { question, resume: true });
      expect(resumed.body).toMatchObject({ run_id: "left", resumed: true });
      await stopped("/api/runs/left");
      const fresh = await post("/api/runs", { question, resume: true, corpus: [corpus] });
      expect(fresh.body).toMatchObject({ resumed: false, question });
      expect(fresh.body["run_id"]).not.toBe("left" as never);
    },
    TIMEOUT_MS,
  );

  test("waits for its plan to be approved, and continues with it as it is", async () => {
    await post("/api/runs", { question: QUESTION, corpus: [corpus], run_id: "planned", approve_plan: true });
    const halted = await stopped("/api/runs/planned");
    expect(halted.body).toMatchObject({ halt: "human_review" });
    const waiting = halted.body["ways_on"] as unknown as { why: string; request: object | null }[];
    expect(waiting.slice(0, 2)).toEqual([
      expect.objectContaining({ request: { action: "approve", label: "Approve", body: {} } }),
      expect.objectContaining({
        request: null,
        why: expect.stringMatching(/^continue with an edited copy of .+\.json$/),
      }),
    ]);
    expect((await post("/api/runs/planned/approve", { input: "plan.json" })).status).toBe(400);
    // Control: a sentence reaches the verb, which finds no planner to read it.
    expect((await post("/api/runs/planned/approve", { instruction: "also look at costs" })).body).toMatchObject({
      error: { code: "INVALID_STATE", message: expect.stringContaining("no planner") },
    });
    const approved = await until(
      () => post("/api/runs/planned/approve"),
      ({ status }) => status !== 409,
    );
    expect(approved.body).toMatchObject({ halt: null, did: { command: "approve", error: null } });
    const again = await post("/api/runs/planned/approve");
    expect([again.status, again.body["revision"]]).toEqual([200, approved.body["revision"]]);
    await post("/api/runs/planned/resume");
    expect((await stopped("/api/runs/planned")).body["execution_state"]).toBe("completed" as never);
  });

  test("a start that is sent twice makes one run, and neither is refused", async () => {
    const twice = { question: QUESTION, corpus: [corpus], run_id: "twice" };
    const both = await Promise.all([post("/api/runs", twice), post("/api/runs", twice)]);
    for (const { status, body } of both) {
      expect([status < 300, body["error"]]).toEqual([true, undefined]);
      expect(body).toMatchObject({ run_id: "twice" });
    }
    await stopped("/api/runs/twice");
  });

  test("a start that is refused is refused here, with its code", async () => {
    const { status, body } = await post("/api/runs", { question: QUESTION, corpus: [join(corpus, "nothing")] });
    expect([status >= 400, typeof body["error"]]).toEqual([true, "object"]);
    expect((await post("/api/runs", { question: QUESTION, colour: "red" })).status).toBe(400);
    expect((await post("/api/runs", { resume: "yes", question: QUESTION })).status).toBe(400);
  });
});

test("a server of one's own lists its models, and what it is not is said", async () => {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json({ data: [{ id: "small" }] }) });
  const found = await post("/api/models", { base_url: `http://127.0.0.1:${server.port}/v1` });
  await server.stop(true);
  expect([found.status, found.body]).toEqual([
    200,
    { models: ["compatible:small"], words: "1 model there: compatible:small" } as never,
  ]);
  expect((await post("/api/models", { base_url: "http://127.0.0.1:9/v1" })).body["error"]).toMatchObject({
    code: "MODEL_FAILED",
  });
  for (const body of [{}, { base_url: 1 }, { base_url: "x" }, { base_url: "http://127.0.0.1:9", more: 1 }])
    expect([body, (await post("/api/models", body)).status]).toEqual([body, 400]);
});

test("the OpenAPI page names every route, and the arguments of each", async () => {
  const { body } = await get("/openapi.json");
  const paths = body["paths"] as unknown as Record<string, Record<string, { operationId: string }>>;
  const named = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  expect(named.toSorted()).toEqual(ROUTES.map(({ does }) => does).toSorted());
  expect(JSON.stringify(paths["/api/runs"])).toContain("max_rounds");
  expect(JSON.stringify(paths["/api/runs/{run}/abort"])).toContain('"required":["confirm"]');
});

test("the MCP server answers over HTTP, with the tools of mcp", async () => {
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "tests", version: "1" } },
  };
  const response = await console.send("/mcp", {
    method: "POST",
    headers: {
      authorization: `Bearer ${console.token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify(initialize),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"deep-research"')]);
});
