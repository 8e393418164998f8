// A corpus that is gone between two ticks, as with an unmounted disk: every look says so, and nothing is halted.
import { expect, test } from "bun:test";
import fs from "node:fs";
import { temporaryFolder } from "../operations/made-run.ts";
import { envelopeIn } from "./envelope-schema.ts";
import { cli } from "./fake-host.ts";

test("every look says which corpus is gone, tick --all tells it of each run, and the run goes on once it is back", async () => {
  using folder = temporaryFolder();
  const runs = `${folder.path}/runs`;
  const corpora = ["a", "b"].map((id) => ({ id, docs: `${folder.path}/${id}-docs` }));
  for (const { id, docs } of corpora) {
    const text = "# Options\n\nCommand line options are parsed from left to right. An option begins with a dash.\n";
    await Bun.write(`${docs}/options.md`, text);
    await cli(["init", "How are options parsed?", "--run-id", id, "--corpus", docs, "--runs-root", runs]);
    expect((await cli(["tick", id, "--runs-root", runs, "--max-steps", "1"])).code).toBe(0);
    fs.renameSync(docs, `${docs}.away`);
  }
  fs.mkdirSync(`${folder.path}/b-docs`);

  const ticked = await cli(["tick", "--all", "--runs-root", runs]);
  expect(ticked.code).toBe(1);
  expect(ticked.stdout).toContain(`READ_FAILED: the corpus does not exist: ${folder.path}/a-docs`);
  expect(ticked.stdout).toContain(`${folder.path}/b-docs`);

  const status = (await cli(["status", "a", "--runs-root", runs])).stdout;
  expect(status).toContain(`waits for its corpus: ${folder.path}/a-docs is not there`);
  expect(status).toContain("--corpus PATH");
  expect((await cli(["triage", "b", "--runs-root", runs])).stdout).toContain(`${folder.path}/b-docs is empty`);
  const { result } = envelopeIn((await cli(["triage", "--all", "--runs-root", runs, "--json"])).stdout);
  expect(result).toMatchObject({ counts: { need_somebody: 2, by_condition: { corpus_missing: 2 } } });
  expect((await cli(["triage", "--all", "--runs-root", runs])).stdout).toContain("waits for its corpus");

  fs.rmdirSync(`${folder.path}/b-docs`);
  for (const { docs } of corpora) fs.renameSync(`${docs}.away`, docs);
  expect((await cli(["tick", "--all", "--runs-root", runs])).code).toBe(0);
  expect((await cli(["status", "a", "--runs-root", runs])).stdout).not.toContain("waits for its corpus");
});
