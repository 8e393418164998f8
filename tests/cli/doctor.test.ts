// doctor: every setting with its origin, what is wrong, and no secret; it looks also where the configuration is broken.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import { temporaryFolder } from "../operations/made-run.ts";
import type { DoctorResult } from "../../src/cli/commands/doctor.ts";
import { checkSetUp, type CheckedPlaces } from "../../src/operations/setup/doctor.ts";
import { realSetUp } from "../../src/system/set-up.ts";
import type { SetUp } from "../../src/ports/set-up.ts";
import { cli } from "./fake-host.ts";
import { envelopeIn } from "./envelope.ts";

interface Place extends Disposable {
  path: string;
  write(path: string, settings: unknown): string;
  doctor(argv?: string[], environment?: Record<string, string>): Promise<DoctorResult>;
}

function place(): Place {
  const folder = temporaryFolder();
  const { path } = folder;
  fs.mkdirSync(`${path}/project`);
  fs.mkdirSync(`${path}/.config/deep-research`, { recursive: true });
  return {
    path,
    write(name, settings) {
      fs.writeFileSync(`${path}/${name}`, typeof settings === "string" ? settings : JSON.stringify(settings));
      return `${path}/${name}`;
    },
    async doctor(argv = [], environment = {}) {
      const options = { workingFolder: `${path}/project`, environment: { HOME: path, ...environment } };
      const { code, stdout } = await cli(["doctor", "--json", ...argv], options);
      expect(code).toBe(0);
      return envelopeIn(stdout).result as DoctorResult;
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const USER = ".config/deep-research/config.json";
const WORKSPACE = "project/deep-research.json";

function settingIn({ settings }: DoctorResult, key: string): { value: unknown; origin: string } {
  const { value, origin } = settings.find((setting) => setting.key === key) ?? { value: undefined, origin: "" };
  return { value, origin };
}

describe("settings", () => {
  test("that are addresses are shown without what may be a secret in them", async () => {
    using here = place();
    const web = {
      searxng_url: "http://127.0.0.1:8888/search?key=canary",
      seeds: ["https://me:canary@example.org/page#canary"],
    };
    here.write(USER, { providers: { web } });
    const found = await here.doctor();
    expect(settingIn(found, "providers.web").value).toMatchObject({
      searxng_url: "http://127.0.0.1:8888/search?...",
      seeds: ["https://example.org/page"],
    });
    expect(JSON.stringify(found)).not.toContain("canary");
  });

  test("come with their origin", async () => {
    using here = place();
    const user = here.write(USER, { mode: "deep", timeouts: { wave1: 5 }, on_drift: "fork", quiet: true });
    const workspace = here.write(WORKSPACE, { on_drift: "refuse", limits: { max_gaps: 1 }, runs_root: "runs" });
    const found = await here.doctor(["--no-color"], { DEEP_RESEARCH_MAX_DEPTH: "1", DEEP_RESEARCH_LEASE_SECONDS: "8" });
    for (const [key, value, origin] of [
      ["mode", "deep", `user ${user}`],
      ["on_drift", "refuse", `workspace ${workspace}`],
      ["limits.max_gaps", 1, `workspace ${workspace}`],
      ["limits.max_perspectives", 8, "built-in (mode deep)"],
      ["max_rounds", 5, "built-in (mode deep)"],
      ["max_depth", 1, "environment DEEP_RESEARCH_MAX_DEPTH"],
      ["timeouts.wave1", 5, `user ${user}`],
      ["timeouts.review", 1200, "built-in"],
      ["lease_seconds", 8, "environment DEEP_RESEARCH_LEASE_SECONDS"],
      ["heartbeat_seconds", 2, "environment DEEP_RESEARCH_LEASE_SECONDS"],
      ["runs_root", `${here.path}/project/runs`, `workspace ${workspace}`],
      ["cache_dir", `${here.path}/.cache/deep-research`, "built-in"],
      ["no_color", true, "flag --no-color"],
      ["quiet", true, `user ${user}`],
      ["on_halt", null, "built-in"],
    ] as const)
      expect([key, settingIn(found, key)]).toEqual([key, { value, origin }]);
    // The program that runs this test is none that the PATH leads to.
    expect(found.checks.flatMap(({ name, status }) => (status === "ok" ? [] : [name]))).toEqual(["path"]);
    const flagged = await here.doctor(["--runs-root", "elsewhere"]);
    expect(settingIn(flagged, "runs_root")).toEqual({
      value: `${here.path}/project/elsewhere`,
      origin: "flag --runs-root",
    });
  });

  test("what its own options say of models is shown as said there", async () => {
    using here = place();
    const flags = {
      model: "compatible:m",
      model_base_url: "http://127.0.0.1:9/v1",
      role_model: ["writer=compatible:w"],
    };
    const argv = ["--offline", "--model", flags.model, "--model-base-url", flags.model_base_url];
    const found = await here.doctor([...argv, "--role-model", ...flags.role_model]);
    for (const [key, value] of Object.entries(flags))
      expect(settingIn(found, key)).toEqual({ value, origin: `flag --${key.replaceAll("_", "-")}` });
  });

  test("of how long a reply may be, follow the context that is configured", async () => {
    using here = place();
    const reply = async () => settingIn(await here.doctor(), "models.max_output_tokens").value;
    expect(await reply()).toBe(8_000);
    here.write(USER, { models: { context_tokens: 8_192 } });
    expect(await reply()).toBe(2_048);
    here.write(USER, { models: { context_tokens: 8_192, max_output_tokens: 600 } });
    expect(await reply()).toBe(600);
  });

  test("in text, every key is shown once, and the end counts what is wrong", async () => {
    using here = place();
    const options = { environment: { HOME: here.path }, isOnPath: true };
    const { stdout, code } = await cli(["doctor", "--all"], options);
    expect(code).toBe(0);
    for (const { key } of (await here.doctor()).settings)
      expect(stdout.split("\n").filter((line) => line.startsWith(`  ${key} `))).toHaveLength(1);
    expect(stdout).toMatch(/0 problems, \d warnings?\n/);
    expect(stdout).toContain(`${here.path}/${USER}`);
    expect(stdout).not.toMatch(/undefined|NaN|\[object/);
    // Without --all the checks are alone.
    expect((await cli(["doctor"], options)).stdout).toStartWith("  ok       bun: ");
    expect((await cli(["doctor"], options)).stdout).not.toContain("  runs_root  ");
  });

  test("in text, commands are as short as elsewhere", async () => {
    using here = place();
    here.write(USER, { nothing_reads_this: 1 });
    const options = { environment: { HOME: here.path }, cliInvocation: "/test/deep-research" };
    const long = (await cli(["doctor"], options)).stdout;
    expect(long).toContain("/test/deep-research doctor");
    const { stdout } = await cli(["doctor"], { ...options, isOnPath: true });
    expect(stdout).toContain("deep-research doctor");
    expect(stdout).not.toContain("/test/deep-research");
  });

  test("the arguments of on_halt and the values of strange variables stay hidden", async () => {
    using here = place();
    here.write(USER, { on_halt: ["sh", "-c", "curl -H 'Authorization: hush'"] });
    const found = await here.doctor([], { DEEP_RESEARCH_API_KEYS: "hush" });
    expect(settingIn(found, "on_halt").value).toEqual(["sh", "(2 more, not shown)"]);
    expect(JSON.stringify(found)).not.toContain("hush");
    expect(JSON.stringify(found)).toContain("did you mean DEEP_RESEARCH_API_KEY?");
  });
});

describe("what is set up to be asked", () => {
  const checkOf = ({ checks }: DoctorResult, name: string) => checks.filter((check) => check.name === name);
  const wiki = { name: "wiki", kind: "http", headers: { Authorization: "Bearer ${WIKI_KEY}" } };

  test("a variable that an MCP server names and nobody set is found now, not by the run", async () => {
    using here = place();
    const files = { name: "files", kind: "stdio", command: "sh", env: { KEY: "${FILES_KEY}" } };
    const servers = [{ ...wiki, url: "https://${WIKI_HOST}/mcp?key=${WIKI_KEY}" }, files];
    here.write(USER, { providers: { mcp: { servers } } });
    const missing = checkOf(await here.doctor([], { WIKI_HOST: "wiki.example", WIKI_KEY: "canary\n2" }), "mcp_server");
    expect(missing.map(({ status, next }) => [status, next])).toEqual([
      ["problem", "set WIKI_KEY in the environment"],
      ["problem", "set FILES_KEY in the environment"],
    ]);
    const set = { WIKI_HOST: "wiki.example", WIKI_KEY: "canary-1", FILES_KEY: "canary-2" };
    const found = await here.doctor([], set);
    expect(checkOf(found, "mcp_server").map(({ status }) => status)).toEqual(["ok", "ok"]);
    expect(checkOf(found, "mcp_server")[0]?.detail).toBe("wiki at https://${WIKI_HOST} (with WIKI_HOST, WIKI_KEY)");
    expect(JSON.stringify([missing, found])).not.toContain("canary");
  });

  test("an address that is no URL, or that holds a password", async () => {
    using here = place();
    for (const url of ["wiki.example/mcp", "ftp://wiki.example/", "https://me:canary@wiki.example/", "${WIKI}"]) {
      here.write(USER, { providers: { mcp: { servers: [{ ...wiki, url }] }, web: { searxng_url: url } } });
      const found = await here.doctor([], { WIKI_KEY: "k", WIKI: "canary", EXA_API_KEY: "can\nary" });
      expect([url, ...checkOf(found, "mcp_server").map(({ status }) => status)]).toEqual([url, "problem"]);
      expect(checkOf(found, "search_engine").map(({ status }) => status)).toEqual(["problem", "problem"]);
      expect(JSON.stringify(found.checks)).not.toContain("canary");
    }
  });

  test("an engine that is asked for by name and has no key", async () => {
    using here = place();
    here.write(USER, { providers: { web: { engines: ["brave", "exa"] } } });
    const found = checkOf(await here.doctor([], { EXA_API_KEY: "k" }), "search_engine");
    expect(found.map(({ status, detail }) => [status, detail])).toEqual([
      ["problem", "brave (key from BRAVE_API_KEY): it is not set"],
      ["ok", "exa (key from EXA_API_KEY)"],
    ]);
  });

  test("an allowed host that is no host", async () => {
    using here = place();
    here.write(USER, { allowed_hosts: ["wiki.example", "*"] });
    expect(checkOf(await here.doctor(), "configuration")).toMatchObject([
      { status: "problem", detail: expect.stringContaining("allowed_hosts") },
    ]);
  });

  test("a telemetry sink that does not exist", async () => {
    using here = place();
    const telemetry = async (sink: string, more = {}) =>
      checkOf(await here.doctor([], { DEEP_RESEARCH_TELEMETRY_SINK: sink, ...more }), "telemetry");
    expect(await telemetry("off")).toEqual([]);
    expect(await telemetry("stdout")).toMatchObject([
      { status: "problem", detail: expect.stringContaining("console, file:PATH, otlp or off") },
    ]);
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: "collector.example" };
    expect(await telemetry("otlp", collector)).toMatchObject([
      { status: "problem", detail: expect.stringContaining("OTEL_EXPORTER_OTLP_ENDPOINT") },
    ]);
    expect(await telemetry(`file:${here.path}/t.jsonl`)).toMatchObject([{ status: "ok" }]);
    expect(fs.existsSync(`${here.path}/t.jsonl`)).toBe(false);
  });
});

describe("what is wrong", () => {
  test("is told all together, with exit 0", async () => {
    using here = place();
    here.write(USER, { mod: "deep", max_rounds: 99, quiet: true });
    here.write(WORKSPACE, { on_halt: ["touch", "x"], sensitivity: "none" });
    const found = await here.doctor([], {
      DEEP_RESEARCH_MODE: "wide",
      DEEP_RESEARCH_LEASE_SECONDS: "never",
      DEEP_RESEARCH_RUNS_ROT: "/x",
    });
    const problems = found.checks.filter(({ status }) => status === "problem").map(({ detail }) => detail);
    for (const words of ["mod:", "max_rounds 99:", "on_halt:", 'sensitivity "none":', "_MODE", "_LEASE_SECONDS"])
      expect(problems.filter((detail) => detail.includes(words))).toHaveLength(1);
    expect(found.problems).toBe(6);
    expect(found.checks).toContainEqual(
      expect.objectContaining({ name: "variables", status: "warning", next: "did you mean DEEP_RESEARCH_RUNS_ROOT?" }),
    );
    // What is right in a file with mistakes is still shown.
    expect(settingIn(found, "quiet").value).toBe(true);
    expect(settingIn(found, "mode").origin).toBe("cannot be read");
  });

  test("a configuration that is no file, and a home that is no folder", async () => {
    using here = place();
    here.write(WORKSPACE, "{");
    expect((await here.doctor()).problems).toBe(1);
    const { stdout, code } = await cli(["doctor", "--json"], { environment: { HOME: "" } });
    expect(code).toBe(0);
    expect((envelopeIn(stdout).result as DoctorResult).problems).toBe(1);
  });

  test("a runs root that cannot be one", async () => {
    using here = place();
    const file = here.write("file", "x");
    const { checks } = await here.doctor(["--runs-root", `${file}/runs`]);
    const check = checks.find(({ name }) => name === "runs_root");
    expect(check).toMatchObject({ status: "problem", detail: expect.stringContaining(file) });
  });
});

describe("checks of the machine", () => {
  const places: CheckedPlaces = {
    runsRoot: "/runs",
    indexFolder: "/cache",
    lease: { lease_seconds: 120, heartbeat_seconds: 30 },
    onHalt: ["hook"],
    engines: [{ id: "brave", from: "key from BRAVE_API_KEY", wrong: null }],
    environment: {},
    telemetry: { sink: "console", wrong: null },
    mcpServers: [
      { name: "files", kind: "stdio", command: "npx" },
      { name: "wiki", kind: "http", url: "https://wiki.example/mcp" },
    ],
    cliInvocation: "/bin/dr",
    isOnPath: true,
  };
  const folder = { nearest: "/", exists: false, isFolder: true, isWritable: true, network: null, freeBytes: 1e12 };
  const sound: SetUp = { ...realSetUp, folder: () => folder, program: (name) => `/bin/${name}` };
  const statusOf = (setUp: Partial<SetUp>, name: string): string | undefined =>
    checkSetUp({ ...sound, ...setUp }, places, null).find((check) => check.name === name)?.status;

  test("nothing is wrong with a sound one", () => {
    expect(checkSetUp(sound, places, null).map(({ status }) => status)).toEqual(Array.from({ length: 11 }, () => "ok"));
  });

  test("the PATH leads to this program, to none, to another, or to one that bun is missing for", () => {
    const pathCheck = (isOnPath: boolean, program: SetUp["program"]) =>
      checkSetUp({ ...sound, home: "/opt/dr", program }, { ...places, isOnPath }, null).find(
        ({ name }) => name === "path",
      );
    expect(pathCheck(true, (name) => `/npm/${name}`)).toMatchObject({
      status: "ok",
      detail: expect.stringContaining("PATH=/npm:/usr/local/bin:/usr/bin:/bin"),
    });
    const next = "npm install -g /opt/dr";
    const without = (missing: string) => (name: string) => (name === missing ? null : `/npm/${name}`);
    expect(pathCheck(false, without("deep-research"))).toMatchObject({ status: "warning", next });
    expect(pathCheck(false, without(""))).toMatchObject({ status: "warning", next });
    expect(pathCheck(false, without("bun"))).toMatchObject({ next: expect.stringContaining("npm install -g bun@") });
  });

  test("a telemetry file that cannot be written is a warning, a sink that is none a problem", () => {
    const of = (telemetry: CheckedPlaces["telemetry"], facts: Partial<typeof folder> = {}): string | undefined =>
      checkSetUp({ ...sound, folder: () => ({ ...folder, ...facts }) }, { ...places, telemetry }, null).find(
        ({ name }) => name === "telemetry",
      )?.status;
    expect(of(null)).toBeUndefined();
    expect(of({ sink: "file:/logs/a", wrong: null }, { exists: true })).toBe("ok");
    expect(of({ sink: "file:/logs/a", wrong: null })).toBe("warning");
    expect(of({ sink: "stdout", wrong: "it is none" })).toBe("problem");
  });

  test("each fault is found", () => {
    const faulty = (facts: Partial<typeof folder> | { network: string }) => ({
      folder: () => ({ ...folder, ...facts }),
    });
    expect(statusOf(faulty({ network: "nfs" }), "runs_root")).toBe("problem");
    expect(statusOf(faulty({ network: "nfs" }), "cache_dir")).toBe("warning");
    expect(statusOf(faulty({ isWritable: false }), "runs_root")).toBe("problem");
    expect(statusOf(faulty({ isWritable: false }), "cache_dir")).toBe("warning");
    expect(statusOf(faulty({ freeBytes: 1000 }), "runs_root")).toBe("warning");
    const full = checkSetUp({ ...sound, ...faulty({ freeBytes: 1000 }) }, places, null);
    expect(full.flatMap(({ next }) => next ?? [])).toEqual([
      "make room: /bin/dr prune --older-than 30d --dry-run --runs-root /runs",
      "make room: /bin/dr cache clear",
    ]);
    expect(checkSetUp(sound, places, "it did not start").find(({ name }) => name === "documents")).toMatchObject({
      status: "problem",
      detail: expect.stringContaining("it did not start"),
    });
    expect(statusOf({ program: () => null }, "on_halt")).toBe("problem");
    expect(statusOf({ program: () => null }, "mcp_server")).toBe("problem");
    expect(statusOf({ bun: { version: "1.0.0", pinned: "1.4.5", is: "older" } }, "bun")).toBe("problem");
    expect(statusOf({ bun: { version: "9.0.0", pinned: "1.4.5", is: "newer" } }, "bun")).toBe("warning");
    expect(checkSetUp(sound, { ...places, runsRoot: null }, null)[2]?.status).toBe("problem");
    expect(checkSetUp(sound, { ...places, indexFolder: null }, null)[3]?.status).toBe("warning");
  });
});
