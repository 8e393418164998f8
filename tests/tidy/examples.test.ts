// The worked examples: what is stored is what the tool makes now, and their pages show the commands that made it.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { endingOfUnanswered, EXAMPLES, EXAMPLES_FOLDER, reportsOf } from "./examples.ts";

// On a machine that may be busy.
setDefaultTimeout(600_000);

function stored(folder: string, name: string): string {
  return fs.readFileSync(path.join(EXAMPLES_FOLDER, folder, name), "utf8");
}

describe.each(EXAMPLES.map((example) => [example.folder, example] as const))("the example %s", (folder, example) => {
  test("has the reports that the tool makes now", async () => {
    for (const [name, content] of await reportsOf(example))
      expect(stored(folder, name) === content, `docs/examples/${folder}/${name} is old: bun run examples`).toBe(true);
  });

  test("shows the question that was asked, over documents that are there", () => {
    const page = stored(folder, "README.md");
    const { question, unanswered, live } = example;
    for (const asked of [question, unanswered, live?.question].filter((one) => one !== undefined))
      expect(page).toContain(`deep-research start "${asked}" --corpus documents`);
    expect(fs.readdirSync(path.join(EXAMPLES_FOLDER, folder, "documents")).length).toBeGreaterThan(2);
  });
});

test("a question that no document answers ends with what came nearest", async () => {
  const unanswerable = EXAMPLES.filter(({ unanswered }) => unanswered !== undefined);
  expect(unanswerable).toHaveLength(1);
  for (const example of unanswerable)
    expect(await endingOfUnanswered(example)).toEqual({ code: 0, answered: "nearest" });
});

test("no example is left out", () => {
  const folders = fs.readdirSync(EXAMPLES_FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(EXAMPLES.map(({ folder }) => folder).sort());
});

test("the check by hand in docs/reports.md finds the sentence that it speaks of", () => {
  const page = fs.readFileSync(path.resolve(EXAMPLES_FOLDER, "../reports.md"), "utf8");
  const [, hex, start, end] = /hex=([0-9a-f]{64})\nstart=(\d+) end=(\d+)/.exec(page) ?? [];
  const bytes = fs.readFileSync(path.join(EXAMPLES_FOLDER, "tablefold/documents/options.md"));
  expect(digestOfBytes(bytes)).toBe(`sha256:${hex ?? ""}`);
  expect(bytes.subarray(Number(start), Number(end)).toString()).toMatch(/^Columns are folded from the right: .*\.$/);
});

test("what the README shows of the examples stands in their reports", () => {
  const readme = fs.readFileSync(path.resolve(EXAMPLES_FOLDER, "../../README.md"), "utf8");
  const [, shown = ""] = readme.split("### What comes out\n");
  const plain = (text: string): string => text.replace(/^(> ?)+|[*|\s]/gm, "");
  const reports = ["report.md", "live-report.md"].map((name) => plain(stored("queue", name))).join("");
  const lines = shown.split("\n## ")[0]?.match(/(?:^>.*\n)+/gm) ?? [];
  const words = lines.flatMap((block) => block.split(/\n>\n|\n(?=> \|)/)).filter((one) => !one.includes("---"));
  expect(words.length).toBeGreaterThan(6);
  for (const one of words) expect(reports).toContain(plain(one));
});
