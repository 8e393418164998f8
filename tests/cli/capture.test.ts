// capture and replays as people and programs meet them on the command line.
import { expect, setDefaultTimeout, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUNDLES, CORPUS, QUESTION } from "../fixtures/recorded-runs.ts";
import { temporaryFolder } from "../operations/made-run.ts";
import { bundleIn, copyOf } from "../operations/replayed.ts";
import { envelopeIn } from "./envelope.ts";
import { cli } from "./fake-host.ts";

setDefaultTimeout(600_000);

const LOCAL = join(BUNDLES, "local");

test("a run is captured and replayed by the command lines of the help, from another folder", async () => {
  using folder = temporaryFolder();
  const there = { workingFolder: folder.path };
  const runs = ["--runs-root", folder.path];
  const made = await cli(["start", QUESTION, "--corpus", CORPUS, "--run-id", "mine", ...runs], there);
  expect(made.code).toBe(0);
  const captured = await cli(["capture", "mine", "--output", "./bundle", ...runs], there);
  expect([captured.code, captured.stdout.split("\n")[0]]).toEqual([0, "bundle  written"]);
  expect((await cli(["capture", "mine", "--output", "./bundle", ...runs], there)).stdout).toContain("is there already");
  const { report_digest, digest } = bundleIn(join(folder.path, "bundle"));
  const replayed = await cli(["start", "--bundle", "bundle", "--run-id", "again", "--json", ...runs], there);
  const { ok, contract } = envelopeIn(replayed.stdout);
  expect([ok, contract.execution_state]).toEqual([true, "completed"]);
  const listed = await cli(["report", "list", "again", "--json", ...runs], there);
  expect(envelopeIn(listed.stdout).result).toMatchObject({ report_versions: [{ digest: report_digest }] });
  const shown = await cli(["capture", "again", "--output", join(folder.path, "third"), "--json", ...runs], there);
  expect(envelopeIn(shown.stdout).result).toMatchObject({ digest, report_digest, written: true });
});

test("init takes what the bundle has, and a configured mode, limit or model is for other runs", async () => {
  using folder = temporaryFolder();
  const environment = { DEEP_RESEARCH_MODE: "deep", DEEP_RESEARCH_MAX_ROUNDS: "1", DEEP_RESEARCH_MODEL: "openai:none" };
  const line = ["init", QUESTION, "--driver", "fixture", "--bundle", LOCAL, "--runs-root", folder.path, "--json"];
  const { code, stdout } = await cli(line, { environment });
  expect([code, envelopeIn(stdout).ok]).toEqual([0, true]);
});

test.each<[string[], string]>([
  [["--bundle", LOCAL, "--corpus", "docs"], "a replay has the documents of its bundle"],
  [["--bundle", LOCAL, "--mode", "deep"], "another mode"],
  [["--bundle", LOCAL, "--max-rounds", "1"], "another max_rounds"],
  [["What is a lease?", "--bundle", LOCAL], "another question"],
  [["--bundle", LOCAL, "--model", "openai:any"], "a replay calls no model"],
  [["--bundle", LOCAL, "--max-calls", "3"], "--max-calls needs --model"],
  [["--bundle", LOCAL, "--audience", "all"], "--audience needs --model"],
  [["--bundle", CORPUS], "it holds no bundle.json"],
  [["--driver", "fixture"], "a replay needs a bundle"],
  [["q?", "--bundle", LOCAL, "--driver", "local", "--corpus", "docs"], "--bundle needs --driver fixture"],
])("start %p is refused: %s", async (given, words) => {
  using folder = temporaryFolder();
  const { code, stderr } = await cli(["start", ...given, "--runs-root", folder.path]);
  expect(code).toBe(2);
  expect(stderr).toContain(words);
});

test("what is wrong with a bundle is said with what to do, and exits as damage does", async () => {
  using folder = temporaryFolder();
  const bundle = copyOf("local", folder.path);
  const start = ["start", "--bundle", bundle, "--runs-root", join(folder.path, "runs")];
  const [{ text_digest, source_digest } = { text_digest: "", source_digest: "" }] = bundleIn(bundle).sources;
  const text = join(bundle, "sources", `${source_digest.slice("sha256:".length)}.txt`);
  writeFileSync(text, "altered");
  const altered = await cli(start);
  expect(altered.code).toBe(12);
  expect(altered.stderr).toContain("the bundle does not verify");
  expect(altered.stderr).toContain("capture the run again");
  expect(altered.stderr).not.toContain("repair");
  expect(altered.stderr.replace(/\s+/g, "")).toContain(text_digest.slice(0, 19));
  rmSync(text);
  expect((await cli(start)).code).toBe(12);
  writeFileSync(join(bundle, "bundle.json"), '{"schema_version":"bundle.v9"}');
  const newer = await cli(start);
  expect([newer.code, newer.stderr.includes("upgrade deep-research")]).toEqual([2, true]);
});

test("a fork of another run does not become a replay", async () => {
  using folder = temporaryFolder();
  await cli(["init", QUESTION, "--corpus", CORPUS, "--run-id", "mine", "--runs-root", folder.path]);
  const { code, stderr } = await cli(["fork", "mine", "--driver", "fixture", "--runs-root", folder.path]);
  expect([code, stderr.includes("make one with start --bundle")]).toEqual([2, true]);
});
