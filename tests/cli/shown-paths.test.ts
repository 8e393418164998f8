// The path of a run reaches no terminal raw: whoever made the folder chose its name. The printed commands still run.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { shownText } from "../../src/kernel/shown-text.ts";
import { makeCompletedRun, makeRun, temporaryFolder, testPorts } from "../operations/made-run.ts";
import { cli } from "./fake-host.ts";

const NAMES = ["a\u001b[2Jb", "a\u202eb", "a\u0007\u009bb", "a\u001b[8mb", "two\nlines"];

test.each(NAMES)("%j", async (name) => {
  using folder = temporaryFolder();
  const root = join(folder.path, name);
  await makeRun(testPorts(), root, "dr_idle");
  await makeCompletedRun(testPorts(), root, "dr_done");
  for (const run of ["dr_idle", "dr_done"])
    for (const verb of ["status", "inspect", "triage", "verify", "report list", "resume", "fork", "repair"]) {
      const words = [...verb.split(" "), "--run-root", join(root, run)];
      const { stdout, stderr } = await cli(words, { isOnPath: true });
      for (const text of [stdout, stderr]) expect([verb, shownText(text)]).toEqual([verb, text]);
      expect(stdout + stderr).not.toContain("\nlines");
    }
  for (const verb of ["list", "triage --all", "watchdog", "prune --dry-run"]) {
    const { stdout, stderr } = await cli([...verb.split(" "), "--runs-root", root]);
    expect([verb, shownText(stdout + stderr)]).toEqual([verb, stdout + stderr]);
  }
});

test("a printed command of such a run names it", async () => {
  using folder = temporaryFolder();
  const root = join(folder.path, "a\u001b[2Jb");
  const run = await makeRun(testPorts(), root, "dr_idle");
  const { stdout } = await cli(["status", "--run-root", run]);
  const printed = stdout.split("\n").find((line) => line.includes("deep-research run ")) ?? "";
  const told = Bun.spawnSync(["sh", "-c", printed.replace(/.*deep-research run/, "printf %s")]);
  expect(told.stdout.toString()).toBe(run);
});
