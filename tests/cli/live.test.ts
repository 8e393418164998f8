// A live run from the command line: what is asked for, what streams by, what is spent, and that no key is kept.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fs from "node:fs";
import {
  says,
  OUT_OF_QUOTA,
  rateLimited,
  UNAUTHORIZED,
  type Answer,
  type MessageAnswer,
  type SeenRequest,
} from "../models/answers.ts";
import { taskOf, wellBehaved } from "../live/well-behaved.ts";
import { QUESTION } from "../simulation/run-world.ts";
import { answerIn, CANARY, FEW, LivePlace } from "./live-place.ts";

// Whole runs, on a machine that may be busy.
setDefaultTimeout(60_000);

interface Line {
  event: string;
  seq?: number;
  data: Record<string, unknown> & { key: string };
}

const PRICES = {
  schema_version: "prices.v1",
  as_of: "2026-01-01",
  models: [{ provider: "compatible", name: "scripted", input: 10, output: 10 }],
};

function eventsIn(stdout: string): Line[] {
  const lines = stdout.trimEnd().split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line);
}

function filesBelow(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [`${entry.parentPath}/${entry.name}`] : []));
}

describe("a model on the command line", () => {
  test("means a live run, which verifies, and shows what it spent", async () => {
    await using place = await LivePlace.open();
    place.user({ prices: PRICES });
    const { code, stdout } = await place.start(["--max-cost-usd", "5"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/spent +\d+ calls, [\d,]+ tokens, \$0\.\d+/);
    expect(stdout).toMatch(/budget +\$0\.\d+ of \$5/);
    const { settings, usage } = answerIn(await place.run(["inspect", place.runRoot, "--json"])).result as {
      settings: Record<string, unknown>;
      usage: { calls: number };
    };
    expect(settings).toMatchObject({
      driver: "live",
      budgets: { max_cost_usd: 5 },
      models: { default: { provider: "compatible", name: "scripted", base_url: place.server.baseUrl } },
    });
    expect(usage.calls).toBe(place.server.requests.length);
    expect((await place.run(["verify", place.runRoot])).code).toBe(0);
  });

  test("is read from the user's file and from variables; what is configured of models bothers no local run", async () => {
    await using place = await LivePlace.open();
    place.user({ model: "compatible:scripted", max_calls: 50, models: { max_output_tokens: 700 } });
    const environment = { DEEP_RESEARCH_MODEL_BASE_URL: place.server.baseUrl };
    const init = ["init", QUESTION, "--corpus", "docs", "--json"];
    const made = answerIn(await place.run([...init, "--run-id", "dr_live"], { environment }));
    expect(made.error).toBeNull();
    const { result } = answerIn(await place.run(["inspect", place.runRoot, "--json"]));
    expect(result).toMatchObject({
      settings: { driver: "live", budgets: { max_calls: 50 }, models: { max_output_tokens: 700 } },
    });
    expect((await place.run([...init, "--driver", "local"], { environment })).code).toBe(0);
    expect(place.server.requests).toEqual([]);
  });

  test("each role may have its own", async () => {
    await using place = await LivePlace.open();
    await place.start(["--role-model", "verifier=compatible:careful", "writer=compatible:eloquent"]);
    const asked = new Set(
      place.server.requests.map((request) => `${taskOf(request).who} ${(request.body as { model: string }).model}`),
    );
    expect(asked).toContain("verify careful");
    expect(asked).toContain("draft eloquent");
    expect(asked).toContain("research scripted");
    const { stdout } = await place.run(["status", place.runRoot]);
    expect(stdout).toMatch(/ model +compatible:scripted; writer compatible:eloquent; verifier compatible:careful\n/);
  });

  test.each([
    [["--model", "openai:gpt-5"], "OPENAI_API_KEY"],
    [["--model", "anthropic:claude-haiku-4-5"], "ANTHROPIC_API_KEY"],
    [["--model", "google:gemini-2.5-pro"], "GOOGLE_GENERATIVE_AI_API_KEY"],
    [["--model", "compatible:x"], "--model-base-url"],
    [["--model", "opnai:x"], "openai"],
    [["--driver", "live"], "--model"],
    [["--driver", "local", "--model", "openai:gpt-5"], "--model"],
    [["--max-cost-usd", "1"], "--max-cost-usd"],
    [["--role-model", "verifier=openai:gpt-5"], "--model"],
    [["--model", "compatible:unknown", "--model-base-url", "http://127.0.0.1:9/v1", "--max-cost-usd", "1"], "price"],
  ] as const)("%j is refused, and what is missing is named", async (argv, named) => {
    await using place = await LivePlace.open();
    const { code, stderr } = await place.run(["init", QUESTION, "--corpus", "docs", ...argv]);
    expect(code).toBe(2);
    expect(stderr).toContain(named);
    expect(fs.existsSync(`${place.path}/runs`)).toBe(false);
  });
});

test("a local run goes on as a live one by a fork, and a live one with another model by a resume", async () => {
  await using place = await LivePlace.open();
  await place.run(["init", QUESTION, "--corpus", "docs", ...FEW]);
  const forked = answerIn(await place.run(["fork", place.runRoot, ...place.model, "--max-calls", "9", "--json"]));
  const { run_root } = forked.result as { run_root: string };
  const settingsOf = async (): Promise<unknown> =>
    (answerIn(await place.run(["inspect", run_root, "--json"])).result as { settings: unknown }).settings;
  expect(await settingsOf()).toMatchObject({ driver: "live", budgets: { max_calls: 9 } });
  const other = ["--model", "compatible:other", "--model-base-url", place.server.baseUrl];
  await place.run(["resume", run_root, "--no-run", "--max-calls", "500", "--max-tokens", "900000"]);
  expect(await settingsOf()).toMatchObject({ budgets: { max_calls: 500, max_tokens: 900_000 } });
  const unheard = await place.run(["resume", run_root, "--no-run", ...other]);
  expect([unheard.code, unheard.stderr]).toEqual([2, expect.stringContaining("--no-run begins none")]);
  const { code, stdout } = await place.run(["resume", run_root, ...other, "--jsonl"]);
  expect(code).toBe(0);
  const drift = eventsIn(stdout).find(({ event }) => event === "drift.accepted");
  expect(JSON.stringify(drift?.data)).toContain("compatible:other");
  expect(place.server.requests.every(({ body }) => (body as { model: string }).model === "other")).toBe(true);
});

test("bounds of calls are changed by a resume, and stay as they are under another model", async () => {
  await using place = await LivePlace.open();
  place.user({ models: { max_output_tokens: 700, context_tokens: 9_000 } });
  await place.run(["init", QUESTION, "--corpus", "docs", ...FEW, ...place.model]);
  const resumed = async (...argv: string[]): Promise<unknown> => {
    expect((await place.run(["resume", place.runRoot, "--until", "perspectives", ...argv])).code).toBe(0);
    const { result } = answerIn(await place.run(["inspect", place.runRoot, "--json"]));
    return (result as { settings: { models: unknown } }).settings.models;
  };
  const other = ["--model", "compatible:other", "--model-base-url", place.server.baseUrl];
  expect(await resumed(...other)).toMatchObject({
    default: { name: "other" },
    max_output_tokens: 700,
    context_tokens: 9_000,
  });
  expect(await resumed("--max-output-tokens", "1400", "--context-tokens", "18000")).toMatchObject({
    default: { name: "other" },
    max_output_tokens: 1_400,
    context_tokens: 18_000,
  });
  expect(place.server.requests).toEqual([]);
});

describe("what a model says as it comes", () => {
  test("stands on --jsonl without seq, and put together is the message", async () => {
    const script = (request: SeenRequest): Answer => {
      const answer = wellBehaved(request);
      return answer.kind === "message" ? { ...answer, text: "Let me look. ", reasoning: "Hm, well." } : answer;
    };
    await using place = await LivePlace.open(script);
    const { code, stdout } = await place.start(["--jsonl"]);
    expect(code).toBe(0);
    const events = eventsIn(stdout);
    const heard = new Map<string, { text: string; reasoning: string; calls: Map<string, string> }>();
    let compared = 0;
    for (const { event, seq, data } of events) {
      const said = heard.get(data?.key) ?? { text: "", reasoning: "", calls: new Map<string, string>() };
      if (event === "text" || event === "reasoning") said[event] += String(data["text"]);
      if (event === "tool_call_delta") {
        const id = String(data["tool_call_id"]);
        said.calls.set(id, `${said.calls.get(id) ?? ""}${String(data["arguments"])}`);
      }
      if (["text", "reasoning", "tool_call_delta"].includes(event)) {
        expect(seq).toBeUndefined();
        heard.set(data.key, said);
      }
      if (event !== "message.stored" || data["role"] !== "assistant") continue;
      heard.delete(data.key);
      const message = (data["message"] ?? stored(place, String(data["content_path"]))) as {
        content: string;
        reasoning: { text: string }[];
        tool_calls: { tool_call_id: string; arguments: string }[];
      };
      expect(said.text).toBe(message.content);
      expect(said.reasoning).toBe(message.reasoning.map(({ text }) => text).join(""));
      expect([...said.calls]).toEqual(message.tool_calls.map((call) => [call.tool_call_id, call.arguments]));
      compared++;
    }
    expect(compared).toBe(place.server.requests.length);
  });

  test("never steers the terminal", async () => {
    const script = (request: SeenRequest): Answer => {
      const answer = wellBehaved(request);
      return answer.kind === "message" ? { ...answer, text: "\u001b]0;owned\u0007\u001b[2J" } : answer;
    };
    await using place = await LivePlace.open(script);
    const { stdout, stderr } = await place.start([], { terminals: ["stdout", "stderr"] });
    const inside = await place.run(["inspect", place.runRoot, "--step", "wave1:overview"]);
    for (const text of [stdout, stderr, inside.stdout]) {
      expect(text).not.toContain("\u001b]0;");
      expect(text).not.toContain("\u001b[2J");
    }
    expect(inside.stdout).toContain("owned");
    expect(stderr).toMatch(/ \| \d+ calls/);
  });

  function stored({ runRoot }: LivePlace, path: string): unknown {
    return JSON.parse(fs.readFileSync(`${runRoot}/${path}`, "utf8"));
  }
});

describe("a key", () => {
  test("goes to the model and stands in no output and no file", async () => {
    const isTried = ({ body }: SeenRequest): boolean => (body as { max_tokens: number }).max_tokens === 16;
    await using place = await LivePlace.open((request) => (isTried(request) ? says("ready") : wellBehaved(request)));
    const told = [
      await place.start(["--jsonl"]),
      await place.run(["inspect", place.runRoot, "--json"]),
      await place.run(["inspect", place.runRoot, "--step", "wave1:overview"]),
      await place.run(["doctor", ...place.model]),
      await place.run(["doctor", ...place.model, "--json"]),
    ];
    expect(place.server.requests[0]?.headers["authorization"]).toBe(`Bearer ${CANARY}`);
    for (const { stdout, stderr } of told) expect(stdout + stderr).not.toContain(CANARY);
    const files = filesBelow(place.path);
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) expect(fs.readFileSync(file).includes(CANARY)).toBe(false);
  });

  test("that the model repeats is masked while it streams, on --jsonl and on the terminal", async () => {
    await using place = await LivePlace.open(() => says(`the key is ${CANARY}`, { reasoning: CANARY }));
    const { code, stdout } = await place.start(["--jsonl"]);
    expect(code).toBe(3);
    const said = eventsIn(stdout).filter(({ event }) => event === "text" || event === "reasoning");
    const joined = said.map(({ data }) => data["text"]).join("");
    expect(joined).toContain("the key is [key]");
    expect(joined).not.toContain(CANARY);
    const { stderr } = await place.run(["resume", place.runRoot], { terminals: ["stderr"] });
    expect(stderr).not.toContain(CANARY);
  });

  test("that the server repeats in its error is not shown", async () => {
    await using place = await LivePlace.open(() => ({ ...UNAUTHORIZED, message: `the key ${CANARY} is wrong` }));
    const { code, stdout, stderr } = await place.start();
    expect(code).toBe(3);
    expect(stdout + stderr).not.toContain(CANARY);
  });
});

describe("halts", () => {
  test("a budget: exit 3, and the printed command goes on", async () => {
    await using place = await LivePlace.open();
    const { code, stdout, stderr } = await place.start(["--max-calls", "8"]);
    expect(code).toBe(3);
    expect(stderr).toContain("[BUDGET_EXCEEDED]");
    expect(stderr).toContain("--max-calls N");
    const [printed] = /deep-research resume .* --max-calls \d+/.exec(stdout) ?? [""];
    const triage = await place.run(["triage", place.runRoot]);
    expect(triage.stdout).toContain(printed);
    await place.runPrinted(printed);
    expect((await place.runPrinted(printed.replace(/\d+$/, "500"))).code).toBe(0);
    expect(place.server.unexpected).toEqual([]);
  });

  test("a quota with a time: exit 4 and when; without one: what to do", async () => {
    await using place = await LivePlace.open(() => rateLimited("3600"));
    const { code, stdout } = await place.start(["--json"]);
    expect(code).toBe(4);
    const { halt, error } = answerIn({ stdout });
    expect(halt).toMatchObject({ kind: "quota", retry_at: expect.stringMatching(/^20\d\d-/) });
    expect(error?.hint).toContain("by itself");
    await using other = await LivePlace.open(() => OUT_OF_QUOTA);
    const spent = answerIn(await other.start(["--json"]));
    expect([spent.error?.code, spent.halt?.retry_at]).toEqual(["QUOTA_EXCEEDED", undefined]);
    expect(spent.error?.hint).toContain("see to the account");
    expect([halt?.next_commands[0], spent.halt?.next_commands[0]].map((command) => command?.split(" ")[1])).toEqual([
      "tick",
      "resume",
    ]);
    const attention = async (where: LivePlace): Promise<unknown> =>
      (
        answerIn(await where.run(["triage", where.runRoot, "--json"])).result as {
          findings: { needs_attention: boolean }[];
        }
      ).findings[0]?.needs_attention;
    expect([await attention(place), await attention(other)]).toEqual([false, true]);
  });
});

test("replies that are cut off: exit 3, and the printed command allows more and goes on", async () => {
  const cutAfter =
    (tokens?: number) =>
    (request: SeenRequest): Answer => {
      const allowed = (request.body as { max_tokens: number }).max_tokens;
      const answer = wellBehaved(request) as MessageAnswer;
      const usage = { input: 1, output: tokens ?? allowed };
      return allowed > 8_000 ? answer : { ...answer, finish: "length", usage };
    };
  await using place = await LivePlace.open(cutAfter());
  const { code, stdout, stderr } = await place.start();
  expect(code).toBe(3);
  const [printed] = /deep-research resume .* --max-output-tokens 16000/.exec(stdout) ?? [""];
  expect(stderr).toContain(printed);
  expect((await place.runPrinted(printed)).code).toBe(0);
  await using early = await LivePlace.open(cutAfter(90));
  const told = await early.start();
  expect(told.stderr).toContain("cut off twice after 90 tokens");
  expect(told.stderr).toContain("OLLAMA_CONTEXT_LENGTH");
  expect(told.stdout).toContain("OLLAMA_CONTEXT_LENGTH");
});

describe("sensitivity", () => {
  test("no_web and restricted ask only models on this machine or listed", async () => {
    await using place = await LivePlace.open();
    const elsewhere = ["--model", "compatible:x", "--model-base-url", "https://models.example/v1"];
    for (const level of ["no_web", "restricted"]) {
      const refused = await place.run(["init", QUESTION, "--corpus", "docs", ...elsewhere, "--sensitivity", level]);
      expect([refused.code, refused.stderr.includes("allowed_hosts")]).toEqual([2, true]);
    }
    expect((await place.start(["--sensitivity", "no_web"])).code).toBe(0);
    place.user({ allowed_hosts: ["models.example"] });
    const init = ["init", QUESTION, "--corpus", "docs", ...elsewhere, "--sensitivity", "no_web"];
    expect((await place.run(init)).code).toBe(0);
  });

  test("no provider that could reach nothing is taken", async () => {
    await using place = await LivePlace.open();
    place.user({ providers: { web: { searxng_url: "https://search.example" } } });
    const init = ["init", QUESTION, "--provider", "web", "--sensitivity", "no_web"];
    const { code, stderr } = await place.run(init);
    expect([code, stderr.includes("allowed_hosts is empty")]).toEqual([2, true]);
    expect((await place.run([...init.slice(0, 4), "--json"])).code).toBe(0);
  });
});

describe("doctor", () => {
  test("asks the model once, says what it cost and where its key is from", async () => {
    await using place = await LivePlace.open([says("ready")]);
    place.user({ prices: PRICES });
    const { code, stdout } = await place.run(["doctor", ...place.model]);
    expect(code).toBe(0);
    expect(stdout).toContain(`compatible:scripted (${place.server.baseUrl}, key from DEEP_RESEARCH_API_KEY): answers`);
    expect(stdout).toMatch(/\d+ tokens, \$0\.\d+/);
    expect(place.server.requests.map(({ body }) => (body as { max_tokens: number }).max_tokens)).toEqual([16]);
  });

  test("opens no connection with --offline", async () => {
    await using place = await LivePlace.open();
    const { stdout } = await place.run(["doctor", ...place.model, "--offline"]);
    expect(stdout).toContain("not asked");
    expect(place.server.requests).toEqual([]);
  });

  test("tells a missing key and a refused one, with what to do", async () => {
    await using place = await LivePlace.open(() => UNAUTHORIZED);
    const missing = (await place.run(["doctor", "--model", "openai:gpt-5"])).stdout;
    expect(missing).toContain("set OPENAI_API_KEY");
    const refused = (await place.run(["doctor", ...place.model])).stdout;
    expect(refused).toContain("see that the key is the right one");
    expect(refused).toContain("1 problem");
  });

  test("finds out that a model cannot call tools", async () => {
    const refusal = { kind: "error" as const, status: 400, type: "invalid_request_error" };
    const message = '"scripted" does not support tools';
    await using place = await LivePlace.open(({ body }) =>
      Array.isArray((body as { tools?: unknown }).tools) ? { ...refusal, message } : says("ready"),
    );
    const { stdout } = await place.run(["doctor", ...place.model]);
    expect(stdout).toContain("does not support tools");
    expect(stdout).toContain("name a model that can call tools");
  });

  test("names search engines and MCP servers, and starts none", async () => {
    await using place = await LivePlace.open();
    const servers = [{ name: "notes", kind: "stdio", command: "no-such-program-here" }];
    place.user({ providers: { web: { searxng_url: "http://me:hush@localhost:8888" }, mcp: { servers } } });
    const { stdout } = await place.run(["doctor"], { environment: { BRAVE_API_KEY: CANARY } });
    expect(stdout).toContain("brave (key from BRAVE_API_KEY)");
    expect(stdout).toContain("notes: there is no program no-such-program-here");
    expect(stdout).not.toContain(CANARY);
  });
});
