// The operation behind `search`: the provider's answer, by corpus and path, and nothing left open.
import { expect, test } from "bun:test";
import { searchCorpus } from "../../src/operations/setup/search-corpus.ts";
import type { OpenCorpora, Passage } from "../../src/ports/provider.ts";
import { temporaryFolder, testPorts } from "./made-run.ts";

const OPTIONS = { query: "kettle", limit: 10, perDocument: 1 };

test("finds in several folders, with a path relative to each, and shows what was skipped", async () => {
  using folder = temporaryFolder();
  await Bun.write(`${folder.path}/one/a/b.md`, "# Kettles\n\nA kettle boils water.\n");
  await Bun.write(`${folder.path}/two/c.txt`, "Another kettle, which is blue.\n");
  await Bun.write(`${folder.path}/two/bad.dat`, new Uint8Array([0, 1, 2]));
  const corpora = [`${folder.path}/one`, `${folder.path}/two`];
  const { result, run, error } = await searchCorpus(testPorts(), { ...OPTIONS, corpora }, {});
  expect([run, error]).toEqual([null, null]);
  expect(result.passages.map(({ corpus, path, title }) => `${corpus}: ${path}: ${title}`).sort()).toEqual([
    "one: a/b.md: Kettles",
    "two: c.txt: c.txt",
  ]);
  expect(result.corpora).toEqual([
    { name: "one", documents: 1, skipped: [] },
    { name: "two", documents: 1, skipped: [{ path: "bad.dat", reason: expect.any(String) }] },
  ]);
});

test("hands on what was asked for, and closes the provider also when it fails", async () => {
  const asked: unknown[] = [];
  let closed = 0;
  const openCorpora: OpenCorpora = async () => ({
    provider: {
      id: "filesystem",
      async search(query, limit, _signal, perDocument): Promise<Passage[]> {
        asked.push([query, limit, perDocument]);
        throw new Error("the disk is gone");
      },
      fetch: async () => ({ kind: "gone", reason: "not asked for" }),
      close: () => closed++,
    },
    reports: [],
  });
  const options = { query: "kettle", limit: 7, perDocument: 3, corpora: ["/docs"] };
  const refused = searchCorpus({ ...testPorts(), openCorpora }, options, {});
  expect(await failureOf(refused)).toMatchObject({ message: "the disk is gone" });
  expect([asked, closed]).toEqual([[["kettle", 7, 3]], 1]);
});

test("an empty query and no folder are refused before anything is opened", async () => {
  for (const options of [
    { ...OPTIONS, query: " ", corpora: ["/nowhere"] },
    { ...OPTIONS, corpora: [] },
  ]) {
    expect(await failureOf(searchCorpus(testPorts(), options, {}))).toMatchObject({ code: "INVALID_ARGS" });
  }
});

function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (cause: unknown) => cause,
  );
}
