// The trust rule for agents over MCP: each option that reaches a host, spends money or reads files, against configuration and run.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import { AgentJudge } from "../../src/cli/agent-trust.ts";
import { COMMANDS, findCommand } from "../../src/cli/command-table.ts";
import { makeContext } from "../../src/cli/context.ts";
import type { InputOf } from "../../src/kernel/field.ts";
import { type COMMON } from "../../src/cli/options/options.ts";
import { RunError } from "../../src/kernel/errors.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import {
  LIMITS_BY_MODE,
  DEFAULT_SETTINGS,
  DEFAULT_MODEL_SETTINGS,
  settingsDigest,
} from "../../src/run/settings/settings.ts";
import type { Settings } from "../../src/run/settings/settings.ts";
import { makePorts } from "../../src/wiring.ts";
import { temporaryFolder, testPorts } from "../operations/made-run.ts";
import { FakeHost } from "./fake-host.ts";

const NOTHING: InputOf<typeof COMMON> = {
  json: false,
  runs_root: undefined,
  store: undefined,
  store_file: undefined,
  store_schema: undefined,
  quiet: false,
  no_color: false,
  config: undefined,
  trust_workspace: false,
};
const LOCAL = "http://127.0.0.1:4998/v1";
const QUESTION = "What is a lease?";

interface MadeRun extends Partial<Settings> {
  sensitivity?: "normal" | "restricted" | "no_web";
  at?: string;
}

/** A home, a project that the server is started in, and documents elsewhere. */
function place(configured: object = {}) {
  const folder = temporaryFolder();
  const { path } = folder;
  for (const name of ["home/.config/deep-research", "project/docs", "project/.git", "elsewhere", "extra/below"])
    fs.mkdirSync(`${path}/${name}`, { recursive: true });
  fs.writeFileSync(`${path}/home/.config/deep-research/config.json`, JSON.stringify(configured));
  const runs = `${path}/home/.local/share/deep-research/runs`;
  const at = { workingFolder: `${path}/project`, environment: { HOME: `${path}/home` } };
  const judge = async (tool: string, given: object, options: { roots?: string[]; workingFolder?: string } = {}) => {
    const { workingFolder = at.workingFolder, roots = [] } = options;
    const host = new FakeHost([], { ...at, workingFolder });
    const entry = await findCommand("mcp")?.load();
    const asked = TOOLS.find(({ name }) => name === tool);
    if (entry === undefined || asked === undefined) throw new Error(tool);
    const known = { command: "mcp", ports: null, runRoot: null, noColor: true, idsFoundIn: null };
    const context = await makeContext(host, makePorts, NOTHING, entry.command, known, COMMANDS);
    const trust = { roots, addsRoots: "--corpus-root DIR" };
    const judging = new AgentJudge(context, trust).judge(asked, given as never);
    return await judging.then(
      () => null,
      (error: unknown) => {
        if (error instanceof RunError && error.code === "INVALID_ARGS" && error.facts["trust"] === true)
          return error.facts;
        throw error;
      },
    );
  };
  const made = async (
    id: string,
    { sensitivity = "normal", at: root = runs, ...said }: MadeRun = {},
  ): Promise<string> => {
    const settings: Settings = {
      driver: "local",
      providers: { run: ["filesystem"], workspace: [] },
      corpora: [corpusOf(`${path}/elsewhere`)],
      ...DEFAULT_SETTINGS,
      ...said,
    };
    const data = {
      schema_version: "journal.v1" as const,
      run_id: id,
      tool_version: "0.0.0",
      query: { text: QUESTION, sensitivity },
      mode: "standard" as const,
      settings,
      settings_digest: settingsDigest(settings),
      limits: LIMITS_BY_MODE.standard,
    };
    await testPorts().store.create(`${root}/${id}`, [{ kind: "run.created", data }], []);
    return id;
  };
  return { path, runs, judge, made, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const corpusOf = (path: string) => ({ name: "docs", digest: `sha256:${"0".repeat(64)}` as const, documents: 1, path });
const modelsOf = (name: string, base_url?: string): Pick<Settings, "driver" | "models"> => {
  const model =
    base_url === undefined
      ? { provider: "openai" as const, name }
      : { provider: "compatible" as const, name, base_url };
  return { driver: "live", models: { default: model, roles: {}, ...DEFAULT_MODEL_SETTINGS } };
};

const USER = {
  sensitivity: "restricted",
  model: "compatible:local",
  model_base_url: LOCAL,
  role_model: ["reviewer=compatible:small"],
  allowed_hosts: ["127.0.0.1"],
  provider: ["filesystem", "web"],
  max_cost_usd: 2,
  max_calls: 100,
};

describe("a start", () => {
  const REFUSED: [argument: string, given: object][] = [
    ["model", { model: "openai:gpt-5" }],
    ["model", { model: "compatible:other" }],
    ["model", { model: "compatible:local,effort=high" }],
    ["role_model", { role_model: ["writer=openai:gpt-5"] }],
    ["role_model", { role_model: ["reviewer=compatible:small", "verifier=compatible:small"] }],
    ["model_base_url", { model_base_url: "http://127.0.0.1:4997/v1" }],
    ["driver", { driver: "fixture" }],
    ["rank", { rank: "model" }],
    ["rank", { rank: "endpoint" }],
    ["sensitivity", { sensitivity: "normal" }],
    ["provider", { provider: ["mcp"] }],
    ["provider", { provider: ["filesystem", "mcp"] }],
    ["max_cost_usd", { max_cost_usd: 2.01 }],
    ["max_calls", { max_calls: 101 }],
    ["bundle", { bundle: "../elsewhere" }],
    ["corpus", { corpus: ["/"] }],
    ["corpus", { corpus: ["docs", "../elsewhere"] }],
    ["corpus", { corpus: [".."] }],
  ];
  for (const [argument, given] of REFUSED)
    test(`may not say ${JSON.stringify(given)}`, async () => {
      using here = place(USER);
      const facts = await here.judge("run_start", { question: QUESTION, ...given });
      expect(facts).toMatchObject({ argument, trust: true, adds: expect.any(String) as string });
      // Control: the same is no matter of trust where the user says it.
      const users = place({
        ...USER,
        sensitivity: "normal",
        max_cost_usd: 3,
        max_calls: 200,
        ...given,
        bundle: undefined,
      });
      if (!["corpus", "bundle"].includes(argument))
        expect(await users.judge("run_start", { question: QUESTION, ...given })).toBeNull();
      users[Symbol.dispose]();
    });

  const TAKEN: object[] = [
    {},
    { corpus: ["docs"] },
    { corpus: ["docs/../docs"] },
    { model: "compatible:local", model_base_url: `${LOCAL}/`, role_model: ["reviewer=compatible:small"] },
    { driver: "live" },
    { driver: "local" },
    { rank: "none" },
    { driver: "task" },
    { sensitivity: "restricted" },
    { sensitivity: "no_web" },
    { provider: ["web"] },
    { provider: ["filesystem"] },
    { max_cost_usd: 2, max_calls: 1, max_tokens: 5, max_minutes: 1 },
    { bundle: "docs" },
    { mode: "deep", max_rounds: 4, audience: "a\u0007b", role_driver: ["reviewer=task"] },
  ];
  for (const given of TAKEN)
    test(`may say ${JSON.stringify(given)}`, async () => {
      using here = place(USER);
      expect(await here.judge("run_start", { question: "what\u001b[2J is\na lease?", ...given })).toBeNull();
    });

  test("without a configuration there is no model, no web, and no documents but those of the working folder", async () => {
    using here = place();
    for (const given of [
      { model: "openai:gpt-5" },
      { driver: "live" },
      { provider: ["web"] },
      { provider: ["mcp"] },
      { corpus: [`${here.path}/elsewhere`] },
    ])
      expect(await here.judge("run_start", { question: QUESTION, ...given })).toMatchObject({ trust: true });
    expect(await here.judge("run_start", { question: QUESTION, sensitivity: "normal", max_cost_usd: 9 })).toBeNull();
  });

  test("a search engine that the user has set up may be asked, unless his list of providers says otherwise", async () => {
    const providers = { web: { searxng_url: "http://127.0.0.1:9" } };
    using open = place({ providers });
    expect(await open.judge("run_start", { question: QUESTION, provider: ["web"] })).toBeNull();
    expect(await open.judge("run_start", { question: QUESTION, provider: ["mcp"] })).toMatchObject({ trust: true });
    using closed = place({ providers, provider: "filesystem" });
    expect(await closed.judge("run_start", { question: QUESTION, provider: ["web"] })).toMatchObject({ trust: true });
  });

  test("a model of the user's is not asked where the user says that none thinks", async () => {
    using here = place({ ...USER, driver: "local" });
    expect(await here.judge("run_start", { question: QUESTION, model: "compatible:local" })).toMatchObject({
      argument: "driver",
    });
  });

  test("links are followed, also those that lead to nothing yet; more folders come from the person alone", async () => {
    using here = place({ corpus: ["../../../extra/below"] });
    fs.symlinkSync(`${here.path}/elsewhere`, `${here.path}/project/link`);
    fs.symlinkSync(`${here.path}/elsewhere/not-yet`, `${here.path}/project/dangling`);
    fs.symlinkSync("loop", `${here.path}/project/loop`);
    const start = async (corpus: string, options?: object) =>
      await here.judge("run_start", { question: QUESTION, corpus: [corpus] }, options);
    for (const outside of ["link", "link/below", "dangling", "../extra", `${here.path}/project-2`])
      expect([outside, await start(outside)]).toMatchObject([outside, { argument: "corpus" }]);
    for (const inside of ["docs", ".", "not/there", "loop", `${here.path}/extra/below`, `${here.path}/extra/below/x`])
      expect([inside, await start(inside)]).toEqual([inside, null]);
    expect(await start("link", { roots: [`${here.path}/elsewhere`] })).toBeNull();
    // Everything is inside of /.
    expect(await start("/home", { workingFolder: "/" })).toMatchObject({ argument: "corpus" });
  });

  test("a search reads where a start may", async () => {
    using here = place();
    expect(await here.judge("search", { query: "x", corpus: ["../elsewhere"] })).toMatchObject({ argument: "corpus" });
    expect(await here.judge("search", { query: "x", corpus: ["docs"] })).toBeNull();
  });
});

describe("a run that is there", () => {
  test("of the user continues as it is, however loose it was made, and nothing of it gets looser", async () => {
    using here = place({ ...USER, sensitivity: "no_web" });
    const run = await here.made("mine", { ...modelsOf("gpt-5"), budgets: { max_cost_usd: 1 } });
    for (const tool of ["run_resume", "run_tick"])
      expect([tool, await here.judge(tool, { run })]).toEqual([tool, null]);
    expect(await here.judge("run_resume", { run, model: "openai:gpt-5" })).toBeNull();
    expect(await here.judge("run_resume", { run, max_cost_usd: 0.5 })).toBeNull();
    expect(await here.judge("run_resume", { run, corpus: [`${here.path}/elsewhere/below`] })).toBeNull();
    for (const given of [
      // More than the run may, less than the configuration says.
      { max_cost_usd: 1.5 },
      { model: "openai:gpt-5-pro" },
      // Other documents for a model that the configuration does not have.
      { corpus: [`${here.path}/project/docs`] },
      { corpus: ["/etc"], model: "compatible:local", model_base_url: LOCAL },
    ])
      expect([given, await here.judge("run_resume", { run, ...given })]).toMatchObject([given, { trust: true }]);
  });

  test("without a budget is without a limit: what it becomes anew keeps every budget of the user's", async () => {
    const MODEL = { model: "compatible:small", model_base_url: LOCAL };
    for (const [name, other] of [
      ["max_cost_usd", "max_calls"],
      ["max_tokens", "max_minutes"],
      ["max_calls", "max_tokens"],
      ["max_minutes", "max_cost_usd"],
    ] as const) {
      using here = place({ ...MODEL, corpus: ["../../../elsewhere"], [name]: 5 });
      const corpora = [corpusOf(`${here.path}/project/docs`)];
      const within = { ...modelsOf("small", LOCAL), corpora, budgets: { [name]: 5 } };
      const free = { ...modelsOf("small", LOCAL), corpora, budgets: { [other]: 1 } };
      const question = "What is the gas?";
      expect(await here.judge("run_fork", { run: await here.made("within", within), question })).toBeNull();
      const refused = { trust: true, argument: name, adds: expect.stringContaining("no limit") };
      expect(await here.judge("run_fork", { run: await here.made("free", free), question })).toMatchObject(refused);
      // With a limit of its own it may.
      expect(await here.judge("run_fork", { run: "free", question, [name]: 4 })).toBeNull();
      // As it is, the run is the user's own word; in another folder it is nobody's.
      expect(await here.judge("run_resume", { run: "free" })).toBeNull();
      const at = `${here.path}/project/runs`;
      await here.made("planted", { ...free, at });
      for (const tool of ["run_resume", "run_tick"])
        expect(await here.judge(tool, { run: `${at}/planted` })).toMatchObject(refused);
    }
  });

  test("what the person would add is in the refusal as it would be in the file", async () => {
    using here = place({ max_calls: 5 });
    const run = await here.made("mine");
    const file = `${here.path}/home/.config/deep-research/config.json`;
    for (const [tool, given, adds] of [
      ["run_start", { question: QUESTION, provider: ["web"] }, `"provider": ["web"] to ${file}`],
      ["run_fork", { run, max_calls: 9 }, `"max_calls": 9 to ${file}`],
      ["run_fork", { run, model: "openai:gpt-5" }, `"model": "openai:gpt-5" to ${file}`],
      ["search", { query: "x", corpus: ["/etc"] }, "--corpus-root DIR"],
    ] as [string, object, string][])
      expect([tool, await here.judge(tool, given)]).toMatchObject([tool, { adds }]);
  });

  test("another model that the user has gets only documents that the agent may name", async () => {
    using here = place({ ...USER, role_model: undefined, sensitivity: "normal" });
    const ours = { model: "compatible:local", model_base_url: LOCAL };
    const secret = await here.made("secret", modelsOf("small", LOCAL));
    expect(await here.judge("run_resume", { run: secret, ...ours })).toMatchObject({ trust: true });
    const open = await here.made("open", {
      ...modelsOf("small", LOCAL),
      corpora: [corpusOf(`${here.path}/project/docs`)],
      budgets: { max_cost_usd: 1, max_calls: 1 },
    });
    expect(await here.judge("run_resume", { run: open, ...ours })).toBeNull();
  });

  test("in a folder that is not the user's runs root its settings are nobody's word", async () => {
    using here = place();
    const at = `${here.path}/project/runs`;
    const hostile = { ...modelsOf("x", "http://evil.example/v1"), at };
    const run = `${at}/${await here.made("hostile", hostile)}`;
    for (const tool of ["run_resume", "run_tick"])
      expect([tool, await here.judge(tool, { run })]).toMatchObject([tool, { trust: true }]);
    // A link in the runs root makes it no run of the user's.
    fs.mkdirSync(here.runs, { recursive: true });
    fs.symlinkSync(run, `${here.runs}/hostile`);
    expect(await here.judge("run_tick", { run: `${here.runs}/hostile` })).toMatchObject({ trust: true });
    // Each role's model is sent the documents, wherever the others are asked.
    using mine = place({ model: "compatible:m", model_base_url: LOCAL, role_model: ["writer=compatible:w"] });
    const planted = `${mine.path}/project/runs`;
    const asked = (base_url: string) => ({
      ...modelsOf("m", LOCAL),
      models: {
        default: { provider: "compatible" as const, name: "m", base_url: LOCAL },
        roles: { writer: { provider: "compatible" as const, name: "w", base_url } },
        ...DEFAULT_MODEL_SETTINGS,
      },
      corpora: [corpusOf(`${mine.path}/project/docs`)],
      at: planted,
    });
    await mine.made("same", asked(LOCAL));
    await mine.made("evil", asked("http://evil.example/v1"));
    for (const tool of ["run_resume", "run_tick"]) {
      expect([tool, await mine.judge(tool, { run: `${planted}/same` })]).toEqual([tool, null]);
      const refused = { trust: true, argument: "model_base_url", found: "http://evil.example/v1" };
      expect([tool, await mine.judge(tool, { run: `${planted}/evil` })]).toMatchObject([tool, refused]);
    }
    // To look at it does no harm.
    expect(await here.judge("run_status", { run })).toBeNull();
    // Nor does work that sends nothing and reads what the agent may read.
    await here.made("plain", { at, corpora: [corpusOf(`${here.path}/project/docs`)] });
    expect(await here.judge("run_tick", { run: `${at}/plain` })).toBeNull();
  });

  test("the runs root of a workspace holds nobody's word, unless the workspace is trusted", async () => {
    using here = place();
    fs.writeFileSync(`${here.path}/project/deep-research.json`, JSON.stringify({ runs_root: "theirs" }));
    const run = await here.made("hostile", {
      ...modelsOf("x", "http://evil.example/v1"),
      at: `${here.path}/project/theirs`,
    });
    expect(await here.judge("run_resume", { run })).toMatchObject({ trust: true });
  });

  test("elsewhere on the disk is not even looked at", async () => {
    using here = place();
    const run = `${here.path}/elsewhere/${await here.made("other", { at: `${here.path}/elsewhere` })}`;
    for (const tool of ["run_status", "report_show", "run_abort", "run_tick"])
      for (const named of [run, "/etc/passwd", "../elsewhere/other"])
        expect([tool, await here.judge(tool, { run: named })]).toMatchObject([tool, { argument: "run" }]);
    expect(await here.judge("run_status", { run: `${here.runs}/any` })).toBeNull();
  });

  test("takes files from where documents may be, and pages where there is the web", async () => {
    using here = place();
    const run = await here.made("mine");
    const online = await here.made("online", { providers: { run: ["web"], workspace: [] } });
    const hand = async (id: string, ...source: string[]) => await here.judge("agent_result", { run: id, source });
    for (const source of ["/etc/passwd", "../extra/x", "https://example.org/x", "HTTP://example.org"])
      expect([source, await hand(run, "docs/a.md", source)]).toMatchObject([source, { argument: "source" }]);
    expect(await hand(run, "docs/a.md", `${here.path}/elsewhere/b.md`)).toBeNull();
    expect(await hand(online, "https://example.org/x")).toBeNull();
  });
});

test("docs/security.md has the table as the options have it", async () => {
  const rows = new Map<string, Set<string>>();
  for (const { verb, without = [] } of TOOLS) {
    const { command } = (await findCommand(verb)?.load()) ?? {};
    for (const [key, spec] of Object.entries(command?.fields ?? {})) {
      if (spec.kind === "flag" || spec.trust === undefined || without.includes(key)) continue;
      const { may, why, free = [] } = spec.trust;
      const cell = `${may}${free.length === 0 ? "" : `, or ${free.map((one) => `\`${one}\``).join(", ")}`} | ${why}`;
      rows.set(cell, (rows.get(cell) ?? new Set()).add(key));
    }
  }
  const page = fs.readFileSync(`${import.meta.dir}/../../docs/security.md`, "utf8").replace(/ +/g, " ");
  for (const [cell, names] of rows)
    expect(page).toContain(`| ${[...names].map((name) => `\`${name}\``).join(", ")} | ${cell} |`);
  expect(rows.size).toBeGreaterThan(6);
});
