// `approve` on a command line: what it takes with the run, and what it refuses.
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { temporaryFolder } from "../operations/made-run.ts";
import { cli } from "./fake-host.ts";

test("a sentence needs words and a planner, and goes with no edited plan; without one the plan is approved by any name of its run", async () => {
  using folder = temporaryFolder();
  const docs = `${folder.path}/docs`;
  mkdirSync(docs);
  writeFileSync(`${docs}/kiln.md`, "# Kiln\n\nThe kiln is fired with beech wood.\n");
  const at = ["--runs-root", folder.path];
  const start = ["start", "What is the kiln fired with?", "--corpus", docs, "--run-id", "kiln", "--approve-plan"];
  expect((await cli([...start, ...at])).code).toBe(3);
  const approve = async (...words: string[]) => await cli(["approve", ...words, ...at]);
  const refusals: [string[], number, string][] = [
    [["kiln", "..."], 2, "put your own between the quotes"],
    [["kiln", "also look at costs", "--input", `${folder.path}/kiln/operator/drafts/plan.1.json`], 2, "not both"],
    [["kiln", "also look at costs"], 1, "this run has no planner who reads a sentence"],
    [["kiln", "also", "look"], 2, "look"],
  ];
  for (const [words, code, reason] of refusals) {
    const shown = await approve(...words);
    expect([words, shown.code, shown.stderr]).toEqual([words, code, expect.stringContaining(reason)]);
  }
  const approved = await approve("--run-id", "kiln");
  expect([approved.code, approved.stdout]).toEqual([0, expect.stringContaining("approved")]);
});
