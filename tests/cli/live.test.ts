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
import { under } from "../models/under.ts";
import { taskOf, wellBehaved } from "../live/well-behaved.ts";
import { QUESTION } from "../simulation/run-world.ts";
import { answerIn, CANARY, FEW, LivePlace } from "./live-place.ts";

// Whole runs, on a machine that may be busy.
setDefaultTimeout(600_000);

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
    [["--max-cost-usd", "1"], "--max-cost-usd needs --model"],
    [["--max-calls", "9"], "--max-calls needs --model"],
    [["--audience", "the board"], "--audience needs --model"],
    [["--length", "brief"], "--length needs --model"],
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

test("a local run continues as a live one by a fork, and a live one with another model by a resume", async () => {
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
  expect([unheard.code, unheard.stderr]).toEqual([2, expect.stringContaining("--no-run begins no work")]);
  const { code, stdout } = await place.run(["resume", run_root, ...other, "--jsonl"]);
  expect(code).toBe(0);
  const drift = eventsIn(stdout).find(({ event }) => event === "drift.accepted");
  expect(JSON.stringify(drift?.data)).toContain("compatible:other");
  expect(place.server.requests.every(({ body }) => (body as { model: string }).model === "other")).toBe(true);
});

describe("--model-base-url alone", () => {
  test("says where the run's models answer now: a run continues midway, with no drift and no step done again", async () => {
    await using place = await LivePlace.open();
    await using moved = await LivePlace.open();
    await place.run(["init", QUESTION, "--corpus", "docs", ...FEW, ...place.model, "--on-drift", "refuse"]);
    await place.run(["run", place.runRoot, "--max-ticks", "2"]);
    const asked = place.server.requests.length;
    const url = ["--model-base-url", moved.server.baseUrl];
    expect((await place.run(["resume", place.runRoot, "--no-run", ...url])).code).toBe(0);
    const { code, stdout } = await place.run(["resume", place.runRoot, ...url, "--jsonl"]);
    expect(code).toBe(0);
    expect([asked > 0, place.server.requests.length, moved.server.requests.length > 0]).toEqual([true, asked, true]);
    const events = eventsIn(stdout);
    expect(events.some(({ event }) => event === "drift.accepted")).toBe(false);
    expect(events.filter(({ event, data }) => event === "step.started" && data.key === "perspectives:plan")).toEqual(
      [],
    );
    expect((await place.run(["verify", place.runRoot])).code).toBe(0);
  });

  test("is refused where no model of the run answers at a URL, or where the run may not reach it", async () => {
    await using place = await LivePlace.open();
    const resume = ["resume", place.runRoot, "--no-run", "--model-base-url", "https://models.example/v1"];
    await place.run(["init", QUESTION, "--corpus", "docs", ...FEW]);
    const local = await place.run(resume);
    expect([local.code, local.stderr]).toEqual([2, expect.stringContaining("the run was made without a model")]);
    await using other = await LivePlace.open();
    await other.run(["init", QUESTION, "--corpus", "docs", ...FEW, ...other.model, "--sensitivity", "no_web"]);
    const far = await other.run(["resume", other.runRoot, ...resume.slice(2)]);
    expect([far.code, far.stderr]).toEqual([2, expect.stringContaining("allowed_hosts")]);
  });
});

test("a model that hands in no result: the halt says that another may do better, and the commands stand as they are", async () => {
  await using place = await LivePlace.open(() => says("I would rather not."));
  const { code, stderr } = await place.start();
  expect(code).toBe(3);
  for (const told of [stderr, (await place.run(["triage", "--all"])).stdout])
    expect(told).toContain("--model PROVIDER:NAME takes a model that may do better");
  const commands = stderr.split("\n").filter((line) => line.startsWith("    deep-research "));
  expect(commands[0]).toBe(`    deep-research resume ${place.runRoot}`);
  expect(commands.join(" ")).not.toContain("PROVIDER");
});

test("inspect in the middle of a wave says what is stored so far", async () => {
  await using place = await LivePlace.open();
  await place.start(["--max-calls", "8"]);
  const { stdout } = await place.run(["inspect", place.runRoot]);
  expect(stdout).toMatch(/requested filesystem \(default\); \d+ sources? stored so far\n/);
  await using fresh = await LivePlace.open();
  await fresh.run(["init", QUESTION, "--corpus", "docs", ...FEW, ...fresh.model]);
  await fresh.run(["run", fresh.runRoot, "--max-ticks", "1"]);
  expect((await fresh.run(["inspect", fresh.runRoot])).stdout).toContain("nothing is stored yet");
});

describe("bounds of calls", () => {
  const boundsOf = async (place: LivePlace, runRoot = place.runRoot): Promise<unknown> => {
    const { result } = answerIn(await place.run(["inspect", runRoot, "--json"]));
    const { context_tokens, max_output_tokens } = (
      result as { settings: { models: { context_tokens: number; max_output_tokens: number } } }
    ).settings.models;
    return [context_tokens, max_output_tokens];
  };
  const init = ["init", QUESTION, "--corpus", "docs", ...FEW];

  test.each([
    [[], [100_000, 8_000]],
    [
      ["--context-tokens", "8192"],
      [8_192, 2_048],
    ],
    [
      ["--context-tokens", "32768"],
      [32_768, 8_000],
    ],
    [
      ["--context-tokens", "8192", "--max-output-tokens", "1500"],
      [8_192, 1_500],
    ],
  ])("%j are those of the run that is made", async (argv, bounds) => {
    await using place = await LivePlace.open();
    expect((await place.run([...init, ...place.model, ...argv])).code).toBe(0);
    expect(await boundsOf(place)).toEqual(bounds);
  });

  test("go before what is configured, and a fork keeps what it is not given", async () => {
    await using place = await LivePlace.open();
    place.user({ models: { context_tokens: 9_000, call_timeout_s: 77 } });
    await place.run([...init, ...place.model, "--max-output-tokens", "700"]);
    expect(await boundsOf(place)).toEqual([9_000, 700]);
    const forked = answerIn(await place.run(["fork", place.runRoot, "--context-tokens", "12000", "--json"]));
    expect(await boundsOf(place, (forked.result as { run_root: string }).run_root)).toEqual([12_000, 700]);
  });

  test("with which a reply would take more than half are refused, and a pair that works is named", async () => {
    await using place = await LivePlace.open();
    const refused = async (argv: readonly string[]): Promise<void> => {
      const { code, stderr } = await place.run(argv);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining("replies of 6000 tokens leave too little of the 8192"),
      ]);
      expect(stderr).toContain("--context-tokens 8192 --max-output-tokens 2048");
    };
    const tooMuch = ["--context-tokens", "8192", "--max-output-tokens", "6000"];
    for (const verb of ["init", "start"]) await refused([verb, ...init.slice(1), ...place.model, ...tooMuch]);
    expect(fs.existsSync(`${place.path}/runs`)).toBe(false);
    await place.run([...init, ...place.model]);
    await refused(["resume", place.runRoot, ...tooMuch]);
    await refused(["fork", place.runRoot, ...tooMuch]);
    // Of one that is given alone the other follows.
    await place.run(["resume", place.runRoot, "--until", "perspectives", "--context-tokens", "8192"]);
    expect(await boundsOf(place)).toEqual([8_192, 2_048]);
    await refused(["resume", place.runRoot, "--max-output-tokens", "6000"]);
  });

  test("go with a model", async () => {
    await using place = await LivePlace.open();
    const { code, stderr } = await place.run([...init, "--context-tokens", "8192"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--context-tokens goes with --model")]);
    await place.run(init);
    const forked = await place.run(["fork", place.runRoot, "--context-tokens", "8192"]);
    expect([forked.code, forked.stderr]).toEqual([2, expect.stringContaining("the run that is forked has no model")]);
  });
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
  test("is on --jsonl without seq, and put together is the message", async () => {
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
    expect(stderr).toMatch(/ \| \d+(?: of about \d+)? calls/);
  });

  function stored({ runRoot }: LivePlace, path: string): unknown {
    return JSON.parse(fs.readFileSync(`${runRoot}/${path}`, "utf8"));
  }
});

describe("a key", () => {
  test("goes to the model and is in no output and no file", async () => {
    const isTried = ({ body }: SeenRequest): boolean => [16, 512].includes((body as { max_tokens: number }).max_tokens);
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
  test("a budget: exit 3, and the printed command continues", async () => {
    await using place = await LivePlace.open();
    const { code, stderr } = await place.start(["--max-calls", "8"]);
    expect(code).toBe(3);
    expect(stderr).toContain("[BUDGET_EXCEEDED]");
    const [printed] = /deep-research resume .* --max-calls \d+/.exec(stderr) ?? [""];
    expect(stderr).toContain(`allow more and continue\n    ${printed}\n`);
    expect(stderr).toMatch(/budget: 8 calls, with 2 calls reserved for the report, so 6 calls before it; with/);
    expect(stderr).not.toContain("would be");
    const triage = await place.run(["triage", place.runRoot]);
    expect(triage.stdout).toContain(printed);
    expect(triage.stdout).toMatch(/^ {2}reason .*\n {2}budget /m);
    expect(triage.stdout).toContain("with the next call it would have been 7 calls");
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
    expect(spent.error?.hint).toContain("once the account allows it");
    expect([halt?.next_commands[0], spent.halt?.next_commands[0]].map((command) => command?.split(" ")[1])).toEqual([
      "resume",
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

test("replies that are cut off: exit 3, and the printed command allows more and continues", async () => {
  const cutAfter =
    (tokens?: number) =>
    (request: SeenRequest): Answer => {
      const allowed = (request.body as { max_tokens: number }).max_tokens;
      const answer = wellBehaved(request) as MessageAnswer;
      const usage = { input: 1, output: tokens ?? allowed };
      return allowed > 8_000 ? answer : { ...answer, finish: "length", usage };
    };
  await using place = await LivePlace.open(cutAfter());
  const { code, stderr } = await place.start();
  expect(code).toBe(3);
  const [printed] = /deep-research resume .* --max-output-tokens 16000/.exec(stderr) ?? [""];
  expect((await place.run(["triage", place.runRoot])).stdout).toContain(printed);
  expect((await place.runPrinted(printed)).code).toBe(0);
  await using early = await LivePlace.open(cutAfter(90));
  const told = await early.start();
  expect(told.stderr).toContain("cut off twice after 90 tokens");
  expect(told.stderr).toContain("OLLAMA_CONTEXT_LENGTH");
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

  test.each(["no_web", "restricted", "normal"])(
    "%s: a listed model elsewhere, and a proxy in the environment: what a socket of the proxy gets",
    async (level) => {
      let heard = "";
      // It lets nothing through, so that the run ends soon.
      const refusal = "HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
      using proxy = Bun.listen({
        hostname: "127.0.0.1",
        port: 0,
        socket: {
          data(socket, bytes) {
            heard += bytes.toString();
            socket.end(refusal);
          },
        },
      });
      await using place = await LivePlace.open();
      place.user({ allowed_hosts: ["models.invalid"], sensitivity: level });
      const elsewhere = ["--model", "compatible:x", "--model-base-url", "http://models.invalid/v1"];
      await under("HTTP_PROXY", `http://127.0.0.1:${proxy.port}`, async () => {
        await place.run(["doctor", ...elsewhere]);
        if (level !== "normal") expect(heard).toBe("");
        await place.run(["start", QUESTION, "--corpus", "docs", ...FEW, ...elsewhere]);
      });
      // Control: where it may be used it gets the key and the question.
      expect([heard.includes(CANARY), heard.includes(QUESTION), heard !== ""]).toEqual(
        level === "normal" ? [true, true, true] : [false, false, false],
      );
    },
    30_000,
  );

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
  /** How many checks are not ok; whether this machine has the program on its PATH is another test's. */
  const complaints = (stdout: string): number => stdout.match(/^ {2}(?:warning|problem)(?! +path:)/gm)?.length ?? 0;

  /** Calls the tool; reads at the most so many tokens of about a token a word. */
  const trying =
    (most: number, answer: Partial<MessageAnswer> = { tool_calls: [{ name: "ready", arguments: {} }] }) =>
    ({ body }: SeenRequest): Answer => {
      const [message] = (body as { messages: { content: string }[] }).messages;
      const tokens = (message?.content.split(/\s+/).length ?? 0) + 20;
      return { kind: "message", ...answer, usage: { input: Math.min(tokens, most), output: 3 } };
    };

  test("asks for a call of a tool and sends one long request, says what it cost and where its key is from", async () => {
    await using place = await LivePlace.open(trying(100_000));
    place.user({ prices: PRICES });
    const { code, stdout } = await place.run(["doctor", ...place.model]);
    expect(code).toBe(0);
    expect(stdout).toContain(`compatible:scripted (${place.server.baseUrl}, key from DEEP_RESEARCH_API_KEY): answers`);
    expect(stdout).toMatch(/\d+ tokens, \$0\.\d+; calls the tool that it is given\n/);
    expect(stdout).toContain("reads a request of 9009 tokens whole");
    expect(complaints(stdout)).toBe(0);
    expect(place.server.requests.map(({ body }) => (body as { max_tokens: number }).max_tokens)).toEqual([512, 16]);
  });

  test("says of a model that writes prose that it did not call its tool", async () => {
    await using place = await LivePlace.open(trying(100_000, { text: "I am ready to call the tool!" }));
    const { stdout } = await place.run(["doctor", ...place.model]);
    expect(stdout).toContain("but did not call the tool that it was given: it may not be able to work here");
    expect(complaints(stdout)).toBe(1);
  });

  test.each([
    [8_192, "--context-tokens 8192 --max-output-tokens 2048"],
    [4_000, "--context-tokens 4096 --max-output-tokens 1024"],
  ])("finds a server that reads %d tokens and says nothing", async (context, options) => {
    await using place = await LivePlace.open(trying(context));
    const { stdout } = await place.run(["doctor", ...place.model]);
    expect(stdout).toContain(`reads only ${context} tokens of a request of 9009, and does not say so`);
    expect(stdout).toContain(`OLLAMA_CONTEXT_LENGTH=32768), or give runs ${options}`);
    expect(complaints(stdout)).toBe(1);
    // Runs that keep to it are told nothing.
    place.user({ models: { context_tokens: context } });
    expect(complaints((await place.run(["doctor", ...place.model])).stdout)).toBe(0);
  });

  test("finds a server that refuses a long request, and one that does not say what it read", async () => {
    const message = "This model's maximum context length is 4096 tokens.";
    await using place = await LivePlace.open((request) =>
      request.number % 2 === 1
        ? trying(100_000)(request)
        : { kind: "error", status: 400, type: "invalid_request_error", message },
    );
    const refused = (await place.run(["doctor", ...place.model])).stdout;
    expect(refused).toContain("refuses a request of 9009 tokens");
    expect(refused).toContain("or give runs --context-tokens 4096 --max-output-tokens 1024");
    await using silent = await LivePlace.open((request) => ({ ...(trying(1)(request) as MessageAnswer), usage: null }));
    const { stdout } = await silent.run(["doctor", ...silent.model]);
    expect(stdout).toContain("whether it cuts off what is too long is not known");
    expect(complaints(stdout)).toBe(0);
  });

  test("shows the time limits that a live run gets, and says why they are larger", async () => {
    await using place = await LivePlace.open();
    place.user({ models: { call_timeout_s: 1_000 }, timeouts: { review: 4_000 } });
    const { result } = answerIn(await place.run(["doctor", ...place.model, "--offline", "--json"]));
    const { settings } = result as { settings: { key: string; value: number; origin: string }[] };
    const shown = settings.flatMap(({ key, value }) => (key.startsWith("timeouts.") ? [[key.slice(9), value]] : []));
    await place.run(["init", QUESTION, "--corpus", "docs", ...FEW, ...place.model]);
    const run = answerIn(await place.run(["inspect", place.runRoot, "--json"])).result;
    expect(run).toMatchObject({ settings: { timeouts: Object.fromEntries(shown) } });
    expect(settings.find(({ key }) => key === "timeouts.wave1")?.origin).toContain("models.call_timeout_s");
  });

  test("opens no connection with --offline", async () => {
    await using place = await LivePlace.open();
    const { stdout } = await place.run(["doctor", ...place.model, "--offline"]);
    expect(stdout).toContain("not called");
    expect(place.server.requests).toEqual([]);
  });

  test("tells a missing key and a refused one, with what to do", async () => {
    await using place = await LivePlace.open(() => UNAUTHORIZED);
    const missing = (await place.run(["doctor", "--model", "openai:gpt-5"])).stdout;
    expect(missing).toContain("set OPENAI_API_KEY");
    const refused = (await place.run(["doctor", ...place.model])).stdout;
    expect(refused).toContain("check the key");
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

test("a halt about the drift of models names them again: what it prints continues with them", async () => {
  await using place = await LivePlace.open();
  await place.run(["init", QUESTION, "--corpus", "docs", ...FEW, ...place.model, "--on-drift", "refuse"]);
  await place.run(["run", place.runRoot, "--until", "citations"]);
  const url = ["--model-base-url", place.server.baseUrl];
  const other = ["--model", "compatible:other,effort=low", "--role-model", "verifier=compatible:judge", ...url];
  const halted = answerIn(await place.run(["resume", place.runRoot, ...other, "--context-tokens", "50000", "--json"]));
  expect(halted.error?.code).toBe("SETTINGS_DRIFT");
  const [accept, fork] = halted.halt?.next_commands ?? [];
  expect(accept).toContain("--context-tokens 50000 --on-drift continue");
  expect(fork).toContain("--role-model verifier=compatible:judge");
  const { result } = answerIn(await place.runPrinted(`${accept} --json`));
  expect(result).toMatchObject({ stopped_by: "completed" });
  const asked = new Set(place.server.requests.map(({ body }) => (body as { model: string }).model));
  expect([...asked].sort()).toEqual(["judge", "other", "scripted"]);
});
