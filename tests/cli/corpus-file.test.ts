// One file as the corpus, from the command line: researched, moved, changed, forked and searched.
import { expect, test } from "bun:test";
import fs from "node:fs";
import { linesAt, pdfOf } from "../corpus/extract/pdf-writer.ts";
import { temporaryFolder } from "../operations/made-run.ts";
import { envelopeIn } from "./envelope.ts";
import { cli } from "./fake-host.ts";

const QUESTION = "How are command line options parsed?";
const PAGE = linesAt(72, 100, [
  "Command line options are parsed from left to right.",
  "Options that take a value are parsed with the next word.",
]);

test("a run over one PDF verifies, follows it to another place, sees it change, and is forked", async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/paper.pdf`;
  fs.writeFileSync(file, pdfOf([PAGE]));
  fs.writeFileSync(`${folder.path}/other.md`, "# Options\n\nCommand line options are parsed by magic.\n");
  const runs = ["--runs-root", `${folder.path}/runs`];
  const told = async (...argv: string[]) => {
    const { code, stdout } = await cli([...argv, ...runs, "--json"]);
    return { code, envelope: envelopeIn(stdout) };
  };

  const made = await told("init", QUESTION, "--corpus", file, "--run-id", "one");
  expect(made.envelope.result).toMatchObject({
    corpora: [{ corpus: { name: "paper.pdf", documents: 1, path: file }, skipped: [] }],
  });
  fs.mkdirSync(`${folder.path}/elsewhere`);
  const moved = `${folder.path}/elsewhere/paper.pdf`;
  fs.renameSync(file, moved);
  expect(await told("run", "one")).toMatchObject({ code: 1, envelope: { error: { code: "READ_FAILED" } } });
  expect((await told("resume", "one", "--corpus", moved)).code).toBe(0);
  expect((await told("verify", "one")).code).toBe(0);
  const { stdout: report } = await cli(["report", "show", "one", ...runs]);
  expect(report).toContain("parsed from left to right");
  expect(report).not.toContain("magic");

  const forked = await told("fork", "one", "--run-id", "two", "--on-drift", "refuse");
  expect(forked.code).toBe(0);
  fs.writeFileSync(moved, pdfOf([linesAt(72, 100, ["Command line options are parsed from right to left."])]));
  expect((await told("run", "two")).envelope.error).toMatchObject({ code: "SETTINGS_DRIFT" });
});

test("search reads one file, and says so of one that is not there", async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/kettle.md`;
  fs.writeFileSync(file, "# Kettle\n\nA kettle boils water.\n");
  const { stdout } = await cli(["search", "kettle", "--corpus", file, "--json"]);
  expect(envelopeIn(stdout).result).toMatchObject({
    passages: [{ path: "kettle.md", corpus: "kettle.md" }],
    corpora: [{ name: "kettle.md", documents: 1, skipped: [] }],
  });
  const { code, stderr } = await cli(["search", "kettle", "--corpus", `${folder.path}/missing.pdf`]);
  expect(code).toBe(2);
  expect(stderr).toContain("the corpus does not exist");
  expect(stderr).toContain("name a folder or a file that exists");
});
