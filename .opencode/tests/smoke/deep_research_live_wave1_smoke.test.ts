// Wave 1 from the question to its findings, through the command line of this folder, with the local driver over real files.
// What the seed asks of a live driver is tested in tests/live, against a scripted model server.
import { describe, expect, test } from "bun:test";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import { findingsSchema } from "../../../src/run/research.ts";
import { makeRun, readManifest, withTempDir } from "../helpers/dr-harness.ts";

const CLI = path.join(import.meta.dir, "../../pai-tools/deep-research-cli.ts");

/** The command line as a process of its own, with its cache below `base`. */
function cli(base: string, ...argv: string[]): { exitCode: number; envelope: Record<string, unknown> } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, CLI, ...argv, "--json"], {
    env: { ...process.env, XDG_CACHE_HOME: path.join(base, "cache") },
  });
  if (stdout.length === 0) throw new Error(stderr.toString());
  return { exitCode, envelope: JSON.parse(stdout.toString()) as Record<string, unknown> };
}

describe("wave 1 with the local driver", () => {
  test("ends with findings whose quotes stand in stored sources, and gates A and B passed", () =>
    withTempDir(async (base) => {
      const { runRoot, manifestPath } = await makeRun(base);
      const { exitCode, envelope } = cli(base, "run", runRoot, "--until", "pivot");
      expect(envelope).toMatchObject({
        ok: true,
        contract: { run_root: runRoot, stage_current: "pivot", execution_state: "running" },
      });
      expect(exitCode).toBe(0);

      const { gates, stage } = await readManifest(manifestPath);
      expect(stage.history.map(({ to }) => to)).toEqual(["perspectives", "wave1", "pivot"]);
      expect([gates.A.status, gates.B.status]).toEqual(["pass", "pass"]);

      const names = (await fs.readdir(path.join(runRoot, "wave-1"))).filter((name) => name.endsWith(".json"));
      const all = await Promise.all(
        names.map(async (name) =>
          findingsSchema.parse(JSON.parse(await fs.readFile(path.join(runRoot, "wave-1", name), "utf8"))),
        ),
      );
      const quotes = all.flatMap((findings) => findings.quotes);
      expect(quotes.length).toBeGreaterThan(0);
      for (const { source_digest, start, end, text } of quotes) {
        const stored = await fs.readFile(path.join(runRoot, "sources", `${source_digest.slice("sha256:".length)}.txt`));
        expect(stored.subarray(start, end).toString("utf8")).toBe(text);
      }
      // What people read beside it names the same quotes.
      const [first] = quotes;
      const pages = await Promise.all(
        names.map((name) => fs.readFile(path.join(runRoot, "wave-1", name.replace(/json$/, "md")), "utf8")),
      );
      expect(pages.some((page) => page.includes(first?.text ?? "nothing"))).toBe(true);
    }));

  test("what it tells people to type starts with this file", () =>
    withTempDir(async (base) => {
      const { runRoot } = await makeRun(base);
      const { exitCode, envelope } = cli(base, "report", "show", runRoot);
      expect(exitCode).toBe(10);
      const { hint } = envelope["error"] as { hint: string };
      expect(hint).toMatch(new RegExp(`${RegExp.escape(CLI)} [a-z ]+ ${RegExp.escape(runRoot)}`));
    }));
});
