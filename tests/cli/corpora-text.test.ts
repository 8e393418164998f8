// Documents that were not read are counted as in the report, apart from those that nobody expects to be read.
import { expect, test } from "bun:test";
import { corpusRows } from "../../src/cli/text/evidence-text.ts";
import { TemporaryFolder } from "../corpus/temporary-folder.ts";
import { testPorts } from "../operations/made-run.ts";

test("the counts of a corpus", async () => {
  using folder = new TemporaryFolder({
    "a.md": "text",
    "b.dat": new Uint8Array([0]),
    "c.dat": new Uint8Array([0]),
    "node_modules/d.md": "text",
    "empty.md": "",
    ".hidden": "text",
  });
  const { signal } = new AbortController();
  const { provider, reports } = await testPorts().openCorpora([{ name: "docs", path: folder.path }], { signal });
  provider.close();
  const [report] = reports;
  expect(report?.corpus.left_out?.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  expect(report?.skipped).toHaveLength(5);
  expect(corpusRows(reports, "; --json names each")).toEqual([
    [
      "corpus",
      `${folder.path}: 1 document, 3 not read (2 binary, 1 called node_modules), 2 passed over (1 hidden, 1 empty); --json names each`,
    ],
  ]);
});
