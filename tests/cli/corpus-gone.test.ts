// A corpus that is gone between two ticks, as with an unmounted disk: every look says so, and nothing is halted.
import { expect, test } from "bun:test";
import fs from "node:fs";
import { listRuns } from "../../src/operations/look/list-runs.ts";
import { temporaryFolder, testPorts } from "../operations/made-run.ts";
import { envelopeIn } from "./envelope.ts";
import { cli } from "./fake-host.ts";

const QUESTION = "How are options parsed?";
const TEXT = "# Options\n\nCommand line options are parsed from left to right. An option begins with a dash.\n";

test("every read-only command says which corpus is gone, tick --all reports it of each run, and the run continues once it is back", async () => {
  using folder = temporaryFolder();
  const runs = `${folder.path}/runs`;
  const corpora = ["a", "b"].map((id) => ({ id, docs: `${folder.path}/${id}-docs` }));
  for (const { id, docs } of corpora) {
    await Bun.write(`${docs}/options.md`, TEXT);
    await cli(["init", QUESTION, "--run-id", id, "--corpus", docs, "--runs-root", runs]);
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
  const listed = (await cli(["list", "--runs-root", runs])).stdout;
  expect(listed).toMatch(/^a +waiting for its corpus/m);
  expect(listed).toMatch(/^b +waiting for its corpus/m);
  expect((await cli(["triage", "b", "--runs-root", runs])).stdout).toContain(`${folder.path}/b-docs is empty`);
  const { result } = envelopeIn((await cli(["triage", "--all", "--runs-root", runs, "--json"])).stdout);
  expect(result).toMatchObject({ counts: { need_somebody: 2, by_condition: { corpus_missing: 2 } } });
  expect((await cli(["triage", "--all", "--runs-root", runs])).stdout).toContain("waiting for its corpus");

  fs.rmdirSync(`${folder.path}/b-docs`);
  for (const { docs } of corpora) fs.renameSync(`${docs}.away`, docs);
  expect((await cli(["tick", "--all", "--runs-root", runs])).code).toBe(0);
  expect((await cli(["status", "a", "--runs-root", runs])).stdout).not.toContain("waits for its corpus");
  expect((await cli(["list", "--runs-root", runs])).stdout).not.toContain("waiting for its corpus");
});

test("a run that has not begun says that its corpus is gone, and begins with one that lies elsewhere", async () => {
  using folder = temporaryFolder();
  const runRoot = `${folder.path}/runs/a`;
  await Bun.write(`${folder.path}/docs/options.md`, TEXT);
  const named = ["--run-id", "a", "--corpus", `${folder.path}/docs`, "--runs-root", `${folder.path}/runs`];
  await cli(["init", QUESTION, ...named]);
  const shown = async (): Promise<string[]> => {
    const looks = [
      ["status", runRoot],
      ["list", "--runs-root", `${folder.path}/runs`],
    ];
    return await Promise.all(looks.map(async (look) => (await cli(look)).stdout));
  };
  for (const words of await shown()) expect(words).toMatch(/^a +not started/m);
  fs.renameSync(`${folder.path}/docs`, `${folder.path}/moved`);
  const [status = "", listed] = await shown();
  expect(status).toContain(`Not started yet: it waits for its corpus: ${folder.path}/docs is not there.`);
  expect(status).toContain(`deep-research run ${runRoot}\n`);
  for (const words of [status, listed]) expect(words).toMatch(/^a +waiting for its corpus/m);
  expect((await cli(["resume", runRoot, "--corpus", `${folder.path}/moved`])).code).toBe(0);
  expect((await shown())[0]).toMatch(/^a +completed/m);
});

test("list asks only for the corpora of the runs that it shows", async () => {
  using folder = temporaryFolder();
  const runs = `${folder.path}/runs`;
  await Bun.write(`${folder.path}/docs/options.md`, TEXT);
  for (const id of ["a", "b", "c"])
    await cli(["init", QUESTION, "--run-id", id, "--corpus", `${folder.path}/docs`, "--runs-root", runs]);
  let asked = 0;
  const ports = { ...testPorts(), corpusAt: () => (asked++, "absent" as const) };
  const { result } = await listRuns(ports, runs, { limit: 2 });
  expect([asked, result.runs.map(({ condition }) => condition)]).toEqual([2, ["corpus_missing", "corpus_missing"]]);
});
