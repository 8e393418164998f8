// deep-research search: what it prints for people and programs, and what it refuses.
import { describe, expect, test } from "bun:test";
import { searchText } from "../../src/cli/commands/search.ts";
import { PLAIN } from "../../src/cli/terminal/style.ts";
import { temporaryFolder, type TemporaryFolder } from "../operations/made-run.ts";
import { envelopeIn } from "./envelope.ts";
import { cli } from "./fake-host.ts";

async function corpus(): Promise<TemporaryFolder & { docs: string }> {
  const folder = temporaryFolder();
  const docs = `${folder.path}/docs`;
  await Bun.write(
    `${docs}/kettle.md`,
    "# The kettle\n\nA kettle boils water.\n\n# Care\n\nClean the kettle with vinegar.\n",
  );
  await Bun.write(`${docs}/deep/stove.txt`, "The stove\n\nThe stove stands beside the kettle and warms the kitchen.\n");
  await Bun.write(`${docs}/lamp.md`, "# The lamp\n\nA lamp gives light.\n");
  return Object.assign(folder, { docs });
}

describe("for programs", () => {
  test("one passage per document, its bytes, and what was searched", async () => {
    using folder = await corpus();
    const { code, stdout, stderr } = await cli(["search", "kettle", "--corpus", folder.docs, "--json"]);
    expect([code, stderr]).toEqual([0, ""]);
    const { result } = envelopeIn(stdout);
    const { passages, corpora } = result as { passages: Record<string, unknown>[]; corpora: unknown[] };
    expect(passages.map(({ path }) => path)).toEqual(["kettle.md", "deep/stove.txt"]);
    expect(corpora).toEqual([{ name: "docs", documents: 3, skipped: [] }]);
    expect(passages[1]).toMatchObject({ corpus: "docs", title: "The stove" });
    const { start, end, text } = passages[1] as { start: number; end: number; text: string };
    expect(await Bun.file(`${folder.docs}/deep/stove.txt`).slice(start, end).text()).toBe(text);
  });

  test("--per-document and --limit", async () => {
    using folder = await corpus();
    const paths = async (...options: string[]): Promise<string[]> => {
      const { stdout } = await cli(["search", "kettle", "--corpus", folder.docs, "--json", ...options]);
      return (envelopeIn(stdout).result as { passages: { path: string }[] }).passages.map(({ path }) => path);
    };
    expect((await paths("--per-document", "2")).sort()).toEqual(["deep/stove.txt", "kettle.md", "kettle.md"]);
    expect(await paths("--limit", "1")).toEqual(["kettle.md"]);
  });

  test("two folders of one name are told apart, and a document in both is found once", async () => {
    using one = await corpus();
    using two = await corpus();
    await Bun.write(`${two.docs}/urn.md`, "# Urn\n\nAn urn is a large kettle.\n");
    const { stdout } = await cli(["search", "kettle", "--corpus", one.docs, two.docs, "--json"]);
    const { passages } = envelopeIn(stdout).result as { passages: { path: string; corpus: string }[] };
    const places = passages.map((passage) => `${passage.corpus} ${passage.path}`).sort();
    expect(places).toEqual(["docs deep/stove.txt", "docs kettle.md", "docs-2 urn.md"]);
  });
});

describe("for people", () => {
  test("numbered, with title, path and the words in bold on a terminal", async () => {
    using folder = await corpus();
    const { stdout } = await cli(["search", "kettle", "--corpus", folder.docs], { terminals: ["stdout"] });
    expect(stdout).toContain("1.  ");
    expect(stdout).toContain("deep/stove.txt");
    expect(stdout).toContain("\u001b[1mkettle\u001b[22m");
    const piped = await cli(["search", "kettle", "--corpus", folder.docs]);
    expect(piped.stdout).not.toContain("\u001b");
  });

  test("nothing found is said, and is no failure", async () => {
    using folder = await corpus();
    const { code, stdout } = await cli(["search", "天気 погода", "--corpus", folder.docs]);
    expect([code, stdout]).toEqual([0, "nothing found: 3 documents searched, none holds a word of the query\n"]);
  });

  test("a long passage is cut to where the words are, and control characters do not reach the terminal", () => {
    const text = `${"Nothing of note here. ".repeat(40)}The kettle boils.\u001b[31m ${"More of nothing. ".repeat(40)}`;
    const passage = { path: "a.md", corpus: "docs", title: "A", start: 0, end: 1, text, score: 1 };
    const shown = searchText({ passages: [passage], corpora: [] }, "kettles", 80, PLAIN);
    expect(shown).toContain("The kettle boils.");
    expect(shown.length).toBeLessThan(700);
    expect(shown).not.toContain("\u001b");
    for (const line of shown.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });
});

test("what cannot be searched is refused", async () => {
  using folder = await corpus();
  for (const argv of [
    ["search", " ", "--corpus", folder.docs],
    ["search", "", "--corpus", folder.docs],
    ["search", "kettle"],
    ["search", "kettle", "--corpus", `${folder.path}/none`],
    ["search", "kettle", "--corpus", folder.docs, "--limit", "0"],
    ["search", "kettle", "--corpus", folder.docs, "--limit", "101"],
    ["search", "kettle", "--corpus", folder.docs, "--per-document", "21"],
  ]) {
    const { code, stdout } = await cli([...argv, "--json"]);
    expect([code, envelopeIn(stdout).error?.code]).toEqual([2, "INVALID_ARGS"]);
  }
});

test("--explain says below each passage why it has its place, and in JSON", async () => {
  using folder = await corpus();
  const said = ["search", "kettle vinegar", "--corpus", folder.docs, "--explain"];
  const { stdout } = await cli(said);
  expect(stdout).toMatch(/score \d+\.\d\d = \d+\.\d\d for its words/);
  expect(stdout).toMatch(/has kettle .*vinegar/);
  expect(stdout).toMatch(/lacks vinegar \d/);
  const { result } = envelopeIn((await cli([...said, "--json"])).stdout);
  const [first] = (result as { passages: Record<string, unknown>[] }).passages;
  expect(first?.["why"]).toMatchObject({ holds: [{ word: "kettle" }, { word: "vinegar" }], lacks: [], folded: [] });
  expect((await cli(said.slice(0, -1))).stdout).not.toContain("score ");
});
