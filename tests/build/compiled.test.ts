// The compiled binary and the entry file, as people start them: in whatever folder they stand, with what lies in it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { PROGRAM } from "../program.ts";
import packageJson from "../../package.json" with { type: "json" };

const ROOT = path.resolve(import.meta.dir, "../..");
const ENTRY = path.join(ROOT, "src/main.ts");
const BUILD_TIMEOUT_MS = 600_000;

let folder: string;
let binary: string;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "deep-research-build-"));
  binary = path.join(folder, "deep-research");
  const [built, source] = PROGRAM;
  if (source === undefined) return fs.copyFileSync(built, binary);
  const words = packageJson.scripts.build.split(" && ").at(-1)?.split(" ") ?? [];
  const outfile = words.indexOf("--outfile");
  const building = [process.execPath, ...words.slice(1, outfile), "--outfile", binary];
  const { exitCode, stderr } = Bun.spawnSync(building, { cwd: ROOT });
  expect(`${exitCode} ${exitCode === 0 ? "" : stderr.toString()}`).toBe("0 ");
}, BUILD_TIMEOUT_MS);

afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

function run(command: readonly string[], workingFolder: string, environment: Record<string, string> = {}): Finished {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], {
    cwd: workingFolder,
    env: { HOME: folder, PATH: `${path.dirname(process.execPath)}:${process.env.PATH ?? ""}`, ...environment },
  });
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** A folder whose files ask Bun to run a program of theirs and to set variables. */
function hostileFolder(): { hostile: string; trace: string } {
  const hostile = fs.mkdtempSync(path.join(folder, "hostile-"));
  const trace = path.join(hostile, "trace");
  fs.writeFileSync(path.join(hostile, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
  fs.writeFileSync(path.join(hostile, "preload.ts"), `await Bun.write(${JSON.stringify(trace)}, "ran");\n`);
  fs.writeFileSync(path.join(hostile, ".env"), `DEEP_RESEARCH_RUNS_ROOT=${path.join(hostile, "theirs")}\n`);
  return { hostile, trace };
}

describe("the compiled binary", () => {
  test("serves agents, and what they begin is worked on by the binary itself", async () => {
    const place = path.join(folder, "served");
    fs.mkdirSync(path.join(place, "docs"), { recursive: true });
    fs.writeFileSync(path.join(place, "docs/leases.md"), "# Leases\n\nA lease is a right that ends after a time.\n");
    const client = new Client({ name: "tests", version: "1" });
    const env = { HOME: place, PATH: "/nowhere" };
    await client.connect(new StdioClientTransport({ command: binary, args: ["mcp"], cwd: place, env }));
    try {
      const given = { question: "What is a lease?", corpus: ["docs"], wait: 50 };
      const { structuredContent } = await client.callTool({ name: "run_start", arguments: given });
      expect(structuredContent).toMatchObject({ ok: true, contract: { execution_state: "completed" } });
    } finally {
      await client.close();
    }
  });

  test("serves the page of the console with the program alone", async () => {
    const place = path.join(folder, "console");
    fs.mkdirSync(place);
    const words = [binary, "serve", "--port", "0", "--json", "--runs-root", place];
    const child = Bun.spawn(words, { cwd: place, env: { HOME: place, PATH: "/nowhere" }, stdout: "pipe" });
    try {
      const { value } = await child.stdout.getReader().read();
      const { result } = JSON.parse(new TextDecoder().decode(value)) as { result: { url: string; token: string } };
      const page = await fetch(new URL("/", result.url), { headers: { authorization: `Bearer ${result.token}` } });
      const html = await page.text();
      expect([page.status, html]).toEqual([200, expect.stringContaining("<title>deep-research</title>")]);
      const [, script = ""] = /<script [^>]*src="([^"]+)"/.exec(html) ?? [];
      const part = await fetch(new URL(script, result.url), { headers: { authorization: `Bearer ${result.token}` } });
      expect([part.status, part.headers.get("content-type")]).toEqual([200, expect.stringContaining("javascript")]);
    } finally {
      child.kill();
      expect(await child.exited).toBe(0);
    }
  });

  test("says its version", () => {
    expect(run([binary, "--version"], folder)).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: "" });
  });

  test("researches a folder, and its printed commands are its own", () => {
    const corpus = path.join(folder, "corpus");
    fs.mkdirSync(corpus);
    fs.writeFileSync(
      path.join(corpus, "storage.md"),
      "# Storage of seeds\n\nDry seeds of beans keep for three years in a sealed jar at ten degrees.\n\nThe storage of moist seeds ends with mould on most beans within a few weeks.\n",
    );
    fs.writeFileSync(
      path.join(corpus, "jars.html"),
      "<html><body><main><h1>Jars</h1><p>Storage in a jar of clay keeps dry bean seeds for two years.</p></main></body></html>",
    );
    const runsRoot = path.join(folder, "runs");
    const started = run(
      [
        binary,
        "start",
        "How long does the storage of dry bean seeds last?",
        "--corpus",
        corpus,
        "--runs-root",
        runsRoot,
      ],
      folder,
    );
    expect(started.stderr).not.toContain("error");
    expect(started.code).toBe(0);
    expect(started.stdout).toContain(`${binary} verify `);
    expect(started.stdout).toContain(": 2 documents\n");
    const verified = run([binary, "verify", "--runs-root", runsRoot, "--json"], folder);
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, contract: { cli_invocation: binary } });
  });

  test("brings the files for OpenCode with it, and they call it", () => {
    const project = fs.mkdtempSync(path.join(folder, "project-"));
    expect(run([binary, "opencode", "install", "--quiet"], project).code).toBe(0);
    const tools = fs.readFileSync(path.join(project, ".opencode/tools/deep_research.ts"), "utf8");
    expect(tools).toContain(`\nconst INVOCATION = ${JSON.stringify(binary)};\n`);
    const skill = ".opencode/skills/deep-research/SKILL.md";
    expect(fs.readFileSync(path.join(project, skill))).toEqual(fs.readFileSync(path.join(ROOT, skill)));
  });

  test("runs nothing and believes nothing that lies in the working folder", () => {
    const { hostile, trace } = hostileFolder();
    const listed = run([binary, "list", "--json"], hostile);
    expect(listed.code).toBe(0);
    expect(fs.existsSync(trace)).toBe(false);
    expect(listed.stdout).not.toContain("theirs");
  });
});

describe("the entry file", () => {
  test("started by itself, runs nothing and believes nothing that lies in the working folder", () => {
    const { hostile, trace } = hostileFolder();
    const listed = run([ENTRY, "list", "--json"], hostile);
    expect(listed.code).toBe(0);
    expect(fs.existsSync(trace)).toBe(false);
    expect(listed.stdout).not.toContain("theirs");
  });

  test("control: Bun itself would have run it", () => {
    const { hostile, trace } = hostileFolder();
    run([process.execPath, ENTRY, "--version"], hostile);
    expect(fs.readFileSync(trace, "utf8")).toBe("ran");
  });
});
