// Wave 1 from the question to its findings, through the command line of this folder: with a live driver, whose model is a
// scripted server on this machine, and with the local driver, which asks no model.
import { describe, expect, test } from "bun:test";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import { findingsSchema } from "../../../src/run/report/research.ts";
import { wellBehaved } from "../../../tests/live/well-behaved.ts";
import { ScriptedServer } from "../../../tests/models/scripted-server.ts";
import { DOCUMENTS, QUESTION } from "../../../tests/simulation/run-world.ts";
import { makeRun, readManifest, withTempDir } from "../helpers/dr-harness.ts";

const CLI = path.join(import.meta.dir, "../../pai-tools/deep-research-cli.ts");

/** The command line as a process of its own, with its home and cache below `base`. */
async function cli(base: string, ...argv: string[]): Promise<{ exitCode: number; envelope: Record<string, unknown> }> {
  const env = { ...process.env, HOME: base, XDG_CACHE_HOME: path.join(base, "cache"), DEEP_RESEARCH_API_KEY: "no-key" };
  const child = Bun.spawn([process.execPath, CLI, ...argv, "--json"], { env, cwd: base, stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if (stdout === "") throw new Error(stderr);
  return { exitCode: await child.exited, envelope: JSON.parse(stdout) as Record<string, unknown> };
}

/** Gates A and B passed, and each quote of wave 1 is in its stored source, byte for byte, and on a page beside it. */
async function expectFindings(runRoot: string): Promise<void> {
  const { gates, stage } = await readManifest(path.join(runRoot, "manifest.json"));
  expect(stage.history.map(({ to }) => to)).toEqual(["perspectives", "wave1", "pivot"]);
  expect([gates.A.status, gates.B.status]).toEqual(["pass", "pass"]);

  const names = (await fs.readdir(path.join(runRoot, "wave-1"))).filter((name) => name.endsWith(".json"));
  const read = (name: string): Promise<string> => fs.readFile(path.join(runRoot, "wave-1", name), "utf8");
  const all = await Promise.all(names.map(async (name) => findingsSchema.parse(JSON.parse(await read(name)))));
  const quotes = all.flatMap((findings) => findings.quotes);
  expect(quotes.length).toBeGreaterThan(0);
  for (const { source_digest, start, end, text } of quotes) {
    const stored = await fs.readFile(path.join(runRoot, "sources", `${source_digest.slice("sha256:".length)}.txt`));
    expect(stored.subarray(start, end).toString("utf8")).toBe(text);
  }
  const [first] = quotes;
  const pages = await Promise.all(names.map((name) => read(name.replace(/json$/, "md"))));
  expect(pages.some((page) => page.includes(first?.text ?? "nothing"))).toBe(true);
}

test("wave 1 with a live driver ends with findings from what the model searched and quoted", () =>
  withTempDir(async (base) => {
    await fs.mkdir(path.join(base, "docs"));
    for (const [name, text] of DOCUMENTS) await fs.writeFile(path.join(base, "docs", name), text);
    await using server = new ScriptedServer(wellBehaved);
    await server.listen();
    const runRoot = path.join(base, "runs", "dr_live");
    const model = ["--model", "compatible:scripted", "--model-base-url", server.baseUrl];
    const where = ["--corpus", "docs", "--runs-root", path.join(base, "runs"), "--run-id", "dr_live"];
    expect((await cli(base, "init", QUESTION, ...where, ...model)).exitCode).toBe(0);
    const { exitCode, envelope } = await cli(base, "run", runRoot, "--until", "pivot");
    expect(envelope).toMatchObject({ ok: true, contract: { stage_current: "pivot", execution_state: "running" } });
    expect(exitCode).toBe(0);
    await expectFindings(runRoot);
    // Not the local driver: the model was asked, and what it said is stored.
    expect(server.requests.length).toBeGreaterThan(3);
    expect((await readManifest(path.join(runRoot, "manifest.json"))).settings.driver).toBe("live");
  }));

describe("wave 1 with the local driver", () => {
  test("ends with findings whose quotes stand in stored sources, and gates A and B passed", () =>
    withTempDir(async (base) => {
      const { runRoot } = await makeRun(base);
      const { exitCode, envelope } = await cli(base, "run", runRoot, "--until", "pivot");
      expect(envelope).toMatchObject({
        ok: true,
        contract: { run_root: runRoot, stage_current: "pivot", execution_state: "running" },
      });
      expect(exitCode).toBe(0);
      await expectFindings(runRoot);
    }));

  test("what it tells people to type starts with this file", () =>
    withTempDir(async (base) => {
      const { runRoot } = await makeRun(base);
      const { exitCode, envelope } = await cli(base, "report", "show", runRoot);
      expect(exitCode).toBe(10);
      const { hint } = envelope["error"] as { hint: string };
      expect(hint).toMatch(new RegExp(`${RegExp.escape(CLI)} [a-z ]+ ${RegExp.escape(runRoot)}`));
    }));
});
