// Configuration: where each value comes from, what is refused, and what a workspace may not say.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import { makeCompletedRun, temporaryFolder, testPorts } from "../operations/made-run.ts";
import { readConfiguration } from "../../src/cli/configuration/load.ts";
import { GROUPS } from "../../src/cli/configuration/groups.ts";
import { SETTINGS } from "../../src/cli/configuration/keys.ts";
import { cli, FakeHost, type Told } from "./fake-host.ts";
import { envelopeIn } from "./envelope.ts";

const QUESTION = "How are command line options parsed?";

interface Place extends Disposable {
  path: string;
  work: string;
  home: string;
  workspace(settings: unknown): void;
  user(settings: unknown): void;
  run(argv: string[], environment?: Record<string, string>): Promise<Told>;
  settingsOf(argv: string[], environment?: Record<string, string>): Promise<Record<string, unknown>>;
}

/** A home and a working folder two levels down, with a small corpus in it. */
function place(): Place {
  const folder = temporaryFolder();
  const [work, home] = [`${folder.path}/project/deep/down`, `${folder.path}/home`];
  fs.mkdirSync(`${work}/docs`, { recursive: true });
  fs.mkdirSync(`${home}/.config/deep-research`, { recursive: true });
  fs.writeFileSync(`${work}/docs/a.md`, "# Options\n\nCommand line options are parsed from left to right.\n");
  const text = (settings: unknown): string => (typeof settings === "string" ? settings : JSON.stringify(settings));
  const run: Place["run"] = async (argv, environment = {}) =>
    await cli(argv, { workingFolder: work, environment: { HOME: home, ...environment } });
  return {
    path: folder.path,
    work,
    home,
    workspace: (settings) => fs.writeFileSync(`${folder.path}/project/deep-research.json`, text(settings)),
    user: (settings) => fs.writeFileSync(`${home}/.config/deep-research/config.json`, text(settings)),
    run,
    async settingsOf(argv, environment) {
      const told = await run(["init", QUESTION, "--json", ...argv], environment);
      const { contract, error } = envelopeIn(told.stdout);
      if (contract.run_root === null || error !== null) throw new Error(told.stdout);
      const { manifest } = await testPorts().store.look(contract.run_root);
      const { mode, settings, limits, query } = manifest;
      return { run_root: contract.run_root, mode, limits, sensitivity: query.sensitivity, ...settings };
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const CORPUS = ["--corpus", "docs"];

async function refusal(here: Place, argv: string[] = []): Promise<Record<string, unknown> & { hint: string }> {
  const { code, stdout } = await here.run(["list", "--json", ...argv]);
  const { error } = envelopeIn(stdout);
  expect([code, error?.code]).toEqual([2, "INVALID_ARGS"]);
  return { ...error?.details, hint: error?.hint ?? "" };
}

describe("the order of origins", () => {
  test("flag, variable, workspace, user, built-in", async () => {
    using here = place();
    const mode = async (argv: string[] = [], environment: Record<string, string> = {}): Promise<unknown> =>
      (await here.settingsOf([...CORPUS, ...argv], environment))["mode"];
    expect(await mode()).toBe("standard");
    here.user({ mode: "deep" });
    expect(await mode()).toBe("deep");
    here.workspace({ mode: "quick" });
    expect(await mode()).toBe("quick");
    expect(await mode([], { DEEP_RESEARCH_MODE: "standard" })).toBe("standard");
    expect(await mode(["--mode", "deep"], { DEEP_RESEARCH_MODE: "standard" })).toBe("deep");
  });

  test("what one file leaves open the next one says", async () => {
    using here = place();
    here.user({ max_rounds: 7, limits: { max_gaps: 1, max_perspectives: 2 }, timeouts: { wave1: 60 } });
    here.workspace({ limits: { max_gaps: 4, max_rounds: 6 }, timeouts: { review: 70 }, corpus: "deep/down/docs" });
    const settings = await here.settingsOf([]);
    expect(settings["limits"]).toMatchObject({ max_rounds: 6, max_gaps: 4, max_perspectives: 2, max_depth: 2 });
    expect(settings["timeouts"]).toMatchObject({ wave1: 60, review: 70, init: 120 });
    expect(settings["corpora"]).toMatchObject([{ path: `${here.work}/docs` }]);
    const strict = await here.settingsOf(["--max-rounds", "2"], { DEEP_RESEARCH_STAGE_TIMEOUT_SECONDS: "9" });
    expect(strict).toMatchObject({ limits: { max_rounds: 2 }, timeouts: { wave1: 9, init: 9 } });
  });

  test("--config replaces the workspace's file, and is trusted like the command line", async () => {
    using here = place();
    here.workspace({ mode: "quick" });
    fs.writeFileSync(`${here.work}/other.json`, JSON.stringify({ on_halt: ["true"], max_rounds: 4 }));
    const settings = await here.settingsOf([...CORPUS, "--config", "other.json"]);
    expect(settings).toMatchObject({ mode: "standard", limits: { max_rounds: 4 } });
    const { code, stderr } = await here.run(["list", "--config", "none.json"]);
    expect([code, stderr.includes(`${here.work}/none.json`)]).toEqual([2, true]);
  });

  test("policies, providers and sensitivity are frozen into the run", async () => {
    using here = place();
    here.workspace({
      on_interrupt: "hold",
      on_drift: "refuse",
      providers: ["filesystem"],
      provider: "filesystem",
      sensitivity: "no_web",
    });
    expect(await here.settingsOf(CORPUS)).toMatchObject({
      policies: { on_interrupt: "hold", on_drift: "refuse" },
      providers: { run: [], workspace: ["filesystem"] },
      sensitivity: "no_web",
    });
  });

  test("a fork keeps what its run had, whatever is configured since", async () => {
    using here = place();
    const { run_root } = (await here.settingsOf(CORPUS)) as { run_root: string };
    here.user({ mode: "deep", max_rounds: 9, timeouts: { wave1: 5 }, on_drift: "refuse" });
    const { stdout } = await here.run(["fork", run_root, "--json"]);
    const { manifest } = await testPorts().store.look((envelopeIn(stdout).result as { run_root: string }).run_root);
    expect(manifest).toMatchObject({ mode: "standard", limits: { max_rounds: 3 } });
    expect(manifest.settings).toMatchObject({ timeouts: { wave1: 1800 }, policies: { on_drift: "continue" } });
  });
});

describe("the runs root", () => {
  test("is found by looks, too; relative paths are relative to the file", async () => {
    using here = place();
    const root = async (argv: string[] = [], environment: Record<string, string> = {}): Promise<string> =>
      (envelopeIn((await here.run(["list", "--json", ...argv], environment)).stdout).result as { runs_root: string })
        .runs_root;
    expect(await root()).toBe(`${here.home}/.local/share/deep-research/runs`);
    here.user({ runs_root: "runs" });
    expect(await root()).toBe(`${here.home}/.config/deep-research/runs`);
    here.workspace({ runs_root: "../elsewhere" });
    expect(await root()).toBe(`${here.path}/elsewhere`);
    expect(await root([], { DEEP_RESEARCH_RUNS_ROOT: "here" })).toBe(`${here.work}/here`);
    expect(await root(["--runs-root", "/x"], { DEEP_RESEARCH_RUNS_ROOT: "here" })).toBe("/x");
  });

  test("common options may be before the command", async () => {
    using here = place();
    here.workspace({ on_halt: ["true"] });
    const { code } = await here.run(["--trust-workspace", "--runs-root", "r", "list"]);
    expect(code).toBe(0);
    fs.writeFileSync(`${here.work}/c.json`, JSON.stringify({ runs_root: "r2" }));
    expect((await here.run(["--config", "c.json", "list", "--json"])).stdout).toContain(`${here.work}/r2`);
  });
});

test("quiet and no_color are heeded", async () => {
  using here = place();
  here.user({ quiet: true, no_color: true });
  const { code, stderr, stdout } = await here.run(["start", QUESTION, ...CORPUS]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).not.toContain("\u001b[");
  const options = { workingFolder: here.work, environment: { HOME: here.home }, terminals: ["stderr"] as const };
  expect((await cli(["status", "none"], options)).stderr).not.toContain("\u001b[");
  here.user({});
  expect((await cli(["status", "none"], options)).stderr).toContain("\u001b[");
});

describe("what is refused", () => {
  test("each with the file, the key and what was meant", async () => {
    for (const [settings, key, words] of [
      [{ mod: "quick" }, "mod", "mode"],
      [{ limits: { max_gap: 1 } }, "limits.max_gap", "max_gaps"],
      [{ timeouts: { wave3: 1 } }, "timeouts.wave3", "wave1"],
      [{ mode: "Quick" }, "mode", "quick, standard or deep"],
      [{ max_rounds: 11 }, "max_rounds", "1 to 10"],
      [{ max_rounds: "3" }, "max_rounds", "a number"],
      [{ max_rounds: 2.5 }, "max_rounds", "whole number"],
      [{ limits: { max_gaps: 21 } }, "limits.max_gaps", "20"],
      [{ limits: [] }, "limits", "an object"],
      [{ limits: { max_rounds: 3 }, max_rounds: 2 }, "max_rounds", "twice"],
      [{ timeouts: { wave1: 0 } }, "timeouts.wave1", "seconds"],
      [{ quiet: "yes" }, "quiet", "true or false"],
      [{ corpus: [] }, "corpus", "at least one"],
      [{ corpus: [3] }, "corpus", "text"],
      [{ on_halt: "echo" }, "on_halt", "a list of words"],
      [{ on_halt: [] }, "on_halt", "a list of words"],
      [{ retention: { older_than: "a month" } }, "retention.older_than", "30d"],
      [{ retention: { keep: -1 } }, "retention.keep", "whole number"],
      [{ retention: { states: ["gone"] } }, "retention.states", "completed"],
      [{ run_id: "mine" }, "run_id", "no such key"],
      [{ json: true }, "json", "no such key"],
    ] as const) {
      using here = place();
      here.user(settings);
      const facts = await refusal(here);
      expect([facts["file"], facts["key"]]).toEqual([`${here.home}/.config/deep-research/config.json`, key]);
      expect(JSON.stringify(facts)).toContain(words);
    }
  });

  test("a member of a group with the value that it has, and no value that may be a secret", async () => {
    for (const [settings, found] of [
      [{ limits: { max_gaps: 21 } }, "21"],
      [{ timeouts: { wave1: 0 } }, "0"],
      [{ retention: { older_than: "a month" } }, '"a month"'],
      [{ retention: { older_than: 5 } }, "5"],
      [{ retention: { states: ["gone"] } }, '["gone"]'],
      [{ on_halt: "echo" }, '"echo"'],
      [{ allowed_hosts: ["http://x/"] }, '["http://x/"]'],
      [{ providers: { web: { brave: { key: 3 } } } }, undefined],
    ] as const) {
      using here = place();
      here.user(settings);
      const { found: shown, reason } = await refusal(here);
      expect(shown).toBe(found);
      expect(reason).not.toContain("expected string");
    }
  });

  test("a file that is no JSON is called as the user wrote it, with line and column", async () => {
    using here = place();
    here.workspace('{\n  "mode": "deep",\n}');
    expect((await refusal(here))["reason"]).toBe(
      "../../deep-research.json (line 2, column 17): not valid JSON: a comma with nothing behind it",
    );
    fs.writeFileSync(`${here.work}/own.json`, '{"mode": depe}');
    const { stderr } = await here.run(["list", "--config", "./own.json"]);
    expect(stderr).toStartWith("error: ./own.json (line 1, column 10): not valid JSON: a value is expected here");
    fs.writeFileSync(`${here.work}/own.json`, '{"mode": "depe"}');
    const { stderr: value } = await here.run(["list", "--config", "own.json"]);
    expect(value).toStartWith('error: own.json, mode "depe": use quick, standard or deep [INVALID_ARGS]\n');
    expect(value).toContain("next: did you mean deep?");
  });

  test("what is no file", async () => {
    for (const text of ["", "{", "[]", "null", '{"mode":"quick","mode":"deep"}', "\ufeff{}", '"x"']) {
      using here = place();
      here.workspace(text);
      expect((await refusal(here))["file"]).toBe(`${here.path}/project/deep-research.json`);
    }
    using here = place();
    here.workspace(" ".repeat(1024 * 1024 + 1));
    expect((await refusal(here))["reason"]).toContain("larger");
    fs.rmSync(`${here.path}/project/deep-research.json`);
    fs.mkdirSync(`${here.path}/project/deep-research.json`);
    expect((await refusal(here))["reason"]).toContain("regular file");
    fs.rmdirSync(`${here.path}/project/deep-research.json`);
    // Whoever wrote the link meant it: settings that are lost unsaid would be looser ones.
    fs.symlinkSync("nowhere.json", `${here.path}/project/deep-research.json`);
    expect((await refusal(here))["reason"]).toContain("link to nothing");
  });

  test("a long key is cut in the message", async () => {
    using here = place();
    here.workspace({ ["k".repeat(10_000)]: 1 });
    expect(JSON.stringify(await refusal(here)).length).toBeLessThan(2000);
  });

  test("a pipe in place of a file is refused, not waited for", async () => {
    using here = place();
    Bun.spawnSync(["mkfifo", `${here.path}/project/deep-research.json`]);
    expect((await refusal(here))["reason"]).toContain("regular file");
  });

  test("what stands deep inside a value, with its place", async () => {
    for (const [settings, key] of [
      [{ providers: { web: { searxngurl: "http://localhost" } } }, "providers.web.searxngurl"],
      [
        { providers: { mcp: { servers: [{ name: "x", kind: "stdio", comand: "y" }] } } },
        "providers.mcp.servers.0.command",
      ],
      [{ prices: { schema_version: "prices.v1", as_of: "today", models: [] } }, "prices.as_of"],
      [{ models: { max_output_tokens: 1 } }, "models.max_output_tokens"],
      [{ models: { temperature: 1 } }, "models.temperature"],
      [{ allowed_hosts: ["http://example.org/x"] }, "allowed_hosts"],
      [{ model: "llama" }, "model"],
      [{ role_model: ["boss=openai:gpt-5"] }, "role_model"],
      [{ model_base_url: "http://user:secret@localhost/v1" }, "model_base_url"],
      [{ max_cost_usd: 0 }, "max_cost_usd"],
      [{ provider: ["wb"] }, "provider"],
    ] as const) {
      using here = place();
      here.user(settings);
      const facts = await refusal(here);
      expect(facts["key"]).toBe(key);
      expect(JSON.stringify(facts)).not.toContain("secret");
    }
  });

  test("a variable that cannot be read, with its name", async () => {
    using here = place();
    for (const [name, value] of [
      ["DEEP_RESEARCH_MODE", "wide"],
      ["DEEP_RESEARCH_MAX_ROUNDS", "0"],
      ["DEEP_RESEARCH_QUIET", "maybe"],
    ] as const) {
      const { code, stdout } = await here.run(["init", QUESTION, ...CORPUS, "--json"], { [name]: value });
      expect([code, envelopeIn(stdout).error?.details["variable"]]).toEqual([2, name]);
    }
  });
});

describe("the trust rule", () => {
  const UNTRUSTED: Record<string, unknown> = {
    on_halt: ["touch", "x"],
    retention: { keep: 1 },
    allowed_hosts: ["example.org"],
    model_base_url: "http://example.org",
    providers: { mcp: { servers: [{ name: "x", kind: "stdio", command: "x" }] } },
    driver: "live",
    model: "openai:gpt-5",
    role_model: ["verifier=openai:gpt-5"],
    prices: { schema_version: "prices.v1", as_of: "2026-01-01", models: [] },
  };

  test("a workspace starts no program and sends nothing; the user's own file may", async () => {
    for (const [key, value] of Object.entries(UNTRUSTED)) {
      using here = place();
      here.workspace({ [key]: value });
      const facts = await refusal(here);
      expect([facts["key"], facts["trust"]]).toEqual([key, true]);
      expect(facts.hint).toContain("--trust-workspace");
    }
    for (const key of Object.keys(UNTRUSTED)) {
      using here = place();
      here.user({ [key]: UNTRUSTED[key] });
      expect((await here.run(["list"])).code).toBe(0);
      here.workspace({ [key]: UNTRUSTED[key] });
      expect((await here.run(["list", "--trust-workspace"])).code).toBe(0);
    }
  });

  test("a workspace names corpora and a cache inside its folder only, also through links", async () => {
    using here = place();
    fs.symlinkSync(here.home, `${here.path}/project/link`);
    for (const folder of ["../home", here.home, "link", "link/below", "/"]) {
      for (const key of ["corpus", "cache_dir"]) {
        here.workspace({ [key]: folder });
        expect((await refusal(here))["trust"]).toBe(true);
        expect((await here.run(["list", "--trust-workspace"])).code).toBe(0);
      }
    }
    here.workspace({ corpus: [".", "deep/../deep"], cache_dir: "not/there/yet" });
    expect((await here.run(["list"])).code).toBe(0);
  });

  test("a link that leads to where nothing is yet leads out all the same", async () => {
    using here = place();
    fs.symlinkSync(`${here.home}/not-yet`, `${here.path}/project/cache`);
    here.workspace({ cache_dir: "cache/below" });
    expect(await refusal(here)).toMatchObject({ key: "cache_dir", trust: true });
  });

  test("a workspace sends the question nowhere that the user does not; what the user says it may repeat", async () => {
    using here = place();
    for (const brought of [{ provider: ["web"] }, { provider: "mcp" }, { providers: ["filesystem", "web"] }]) {
      here.workspace(brought);
      expect(await refusal(here)).toMatchObject({ key: Object.keys(brought)[0], trust: true });
      expect((await here.run(["list", "--trust-workspace"])).code).toBe(0);
    }
    for (const said of [{ provider: ["web", "mcp"] }, { providers: ["mcp", "web"] }]) {
      here.user({ ...said, model: "openai:gpt-5" });
      for (const repeated of [{ provider: ["web"] }, { providers: ["web", "filesystem"], model: "openai:gpt-5" }]) {
        here.workspace({ ...repeated, driver: "live" });
        expect((await here.run(["list"])).code).toBe(0);
      }
    }
    here.user({});
    for (const harmless of [{ provider: "filesystem" }, { driver: "task" }, { driver: "local" }]) {
      here.workspace(harmless);
      expect((await here.run(["list"])).code).toBe(0);
    }
  });

  test("a workspace file that is a link out of its folder is not read", async () => {
    using here = place();
    fs.writeFileSync(`${here.home}/secret`, JSON.stringify({ mode: "quick" }));
    fs.symlinkSync(`${here.home}/secret`, `${here.path}/project/deep-research.json`);
    expect((await refusal(here))["trust"]).toBe(true);
    expect(await here.settingsOf([...CORPUS, "--trust-workspace"])).toMatchObject({ mode: "quick" });
  });

  test("a workspace keeps more on this machine than the user wants, never less", async () => {
    using here = place();
    here.user({ sensitivity: "restricted" });
    here.workspace({ sensitivity: "normal" });
    expect(await refusal(here)).toMatchObject({ key: "sensitivity", trust: true });
    here.workspace({ sensitivity: "no_web" });
    expect(await here.settingsOf(CORPUS)).toMatchObject({ sensitivity: "no_web" });
  });

  test("a workspace spends less than the user allows, never more", async () => {
    using here = place();
    here.user({ max_cost_usd: 2, max_calls: 100 });
    here.workspace({ max_cost_usd: 3 });
    expect(await refusal(here)).toMatchObject({ key: "max_cost_usd", trust: true });
    here.workspace({ max_cost_usd: 1, max_tokens: 1000, driver: "local" });
    expect((await here.run(["list"])).code).toBe(0);
  });

  test("control: the same keys are taken where they are trusted", async () => {
    using here = place();
    fs.writeFileSync(`${here.work}/t.json`, JSON.stringify({ on_halt: ["./hook", "x"], retention: { keep: 3 } }));
    const host = new FakeHost([], { workingFolder: here.work });
    const { configuration, problems } = await readConfiguration(host, { config: "t.json" });
    expect(problems).toEqual([]);
    expect(configuration.inFiles("on_halt")?.value).toEqual([`${here.work}/hook`, "x"]);
    expect(configuration.inFiles("retention.keep")?.value).toBe(3);
  });
});

test("no key is both a setting and a group", () => {
  const keys = [...Object.keys(SETTINGS), ...Object.keys(GROUPS)];
  expect(keys).toHaveLength(new Set(keys).size);
});

test("retention is what prune goes by where no option says otherwise", async () => {
  using here = place();
  const ports = testPorts();
  const runs = `${here.home}/.local/share/deep-research/runs`;
  for (const id of ["dr_1", "dr_2", "dr_3"]) await makeCompletedRun(ports, runs, id);
  const pruned = async (...argv: string[]): Promise<number> => {
    const { stdout } = await here.run(["prune", "--dry-run", "--json", ...argv]);
    return (envelopeIn(stdout).result as { runs: unknown[] }).runs.length;
  };
  expect((await here.run(["prune", "--dry-run"])).code).toBe(2);
  here.user({ retention: { keep: 1 } });
  expect(await pruned()).toBe(2);
  expect(await pruned("--keep", "2")).toBe(1);
  here.user({ retention: { older_than: "30d" } });
  expect(await pruned()).toBe(0);
  here.user({ retention: { states: ["failed"] } });
  expect([await pruned(), await pruned("--state", "completed")]).toEqual([0, 3]);
});
