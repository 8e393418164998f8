// Packed files, overstrikes as `man` prints them, and sources of manual pages are read as people read them.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { isManualSource, withoutOverstrikes } from "../../src/corpus/files/packed.ts";
import { databaseIn } from "./settle.ts";
import { NO_ABORT, openAt, reasonsOf, TemporaryFolder } from "./temporary-folder.ts";

const STRUCK = "N\bNA\bAM\bME\bE\n       _\bg_\bi_\bt moves bees.\n";
const MANUAL = '.\\" A comment\n.TH GIT 1\n.SH NAME\ngit \\- moves bees\n';
const MIB = 1024 * 1024;

async function textsOf(folder: TemporaryFolder, query: string): Promise<Record<string, string>> {
  const corpus = await openAt(folder.path);
  const passages = await corpus.search(query, { limit: 9 }, NO_ABORT);
  const texts = await Promise.all(
    passages.map(async ({ path, digest, start, end, text }) => {
      const read = await corpus.read(path, digest, NO_ABORT);
      if (read.kind !== "document") throw new Error(read.kind);
      const { document } = read;
      expect(document.text.subarray(start, end).toString()).toBe(text);
      expect(document.bytes.equals(Buffer.from(await Bun.file(folder.at(path)).bytes()))).toBe(true);
      return [path, `${document.textFrom.text_from} ${document.media_type} ${document.text.toString()}`] as const;
    }),
  );
  corpus.close();
  return Object.fromEntries(texts);
}

describe("a file that is packed by gzip", () => {
  test("is read as the file in it, and its bytes are those on disk", async () => {
    const bees = "# Bees\n\nBees find pollen on balconies.\n";
    using folder = new TemporaryFolder({
      "a.md.gz": gzipSync(bees),
      "changelog.gz": gzipSync("Bees\n\nBees find pollen at night.\n"),
      "page.HTML.gz": gzipSync("<title>Bees</title><p>Bees find pollen in parks.</p>"),
      "plain.md": bees,
    });
    expect(await textsOf(folder, "bees pollen")).toEqual({
      "a.md.gz": `extracted text/markdown ${bees}`,
      "changelog.gz": "extracted text/plain Bees\n\nBees find pollen at night.\n",
      "page.HTML.gz": "extracted text/html # Bees\n\nBees find pollen in parks.\n",
      "plain.md": `bytes text/markdown ${bees}`,
    });
  });

  test("is left out with the reason when it holds no text, too much, or only a part", async () => {
    using folder = new TemporaryFolder({
      "good.md": "# Good\n\nText.",
      "bomb.txt.gz": gzipSync(Buffer.alloc(64 * MIB, "a ")),
      "half.txt.gz": gzipSync("Bees find pollen.\n".repeat(99)).subarray(0, 40),
      "tree.tar.gz": gzipSync(Buffer.concat([Buffer.from("bees"), Buffer.alloc(512)])),
      "not.txt.gz": "Bees.",
      "old.txt.gz": gzipSync(Buffer.from("Käfer\xff\xff\xff\xff", "latin1")),
      "blank.txt.gz": gzipSync(" \n"),
      "git.man.txt": MANUAL,
    });
    const corpus = await openAt(folder.path);
    expect(corpus.documents).toBe(1);
    expect(reasonsOf(corpus)).toEqual({
      "bomb.txt.gz": "oversized",
      "half.txt.gz": "damaged",
      "tree.tar.gz": "compressed",
      "not.txt.gz": "damaged",
      "old.txt.gz": "not_utf8",
      "blank.txt.gz": "empty",
      "git.man.txt": "manual_source",
    });
    corpus.close();
  });
});

describe("the source of a manual page", () => {
  test("is read as the page, packed or not, while another text with such a name stays as it is", async () => {
    using folder = new TemporaryFolder({
      "git.1": MANUAL,
      "git.1.gz": gzipSync(MANUAL),
      "notes-2.43.1": "Notes\n\nIt moves bees.\n",
    });
    const page = "extracted text/troff # git - moves bees\n\n## NAME\n\ngit - moves bees\n";
    expect(await textsOf(folder, "moves bees")).toEqual({
      "git.1": page,
      "git.1.gz": page,
      "notes-2.43.1": "bytes text/troff Notes\n\nIt moves bees.\n",
    });
  });
});

describe("text with overstrikes", () => {
  test("is read as it is printed, and quotes are spans of the printed text", async () => {
    using folder = new TemporaryFolder({ "git.txt": STRUCK });
    expect(await textsOf(folder, "moves bees")).toEqual({
      "git.txt": "extracted text/plain NAME\n       git moves bees.\n",
    });
  });

  test("comes from the index, or from the file when the index has lost it", async () => {
    using folder = new TemporaryFolder({ "git.txt": STRUCK });
    using cache = new TemporaryFolder();
    for (const isLost of [false, true]) {
      const corpus = await openAt(folder.path, cache.path);
      const [passage] = await corpus.search("moves bees", { limit: 1 }, NO_ABORT);
      if (isLost) {
        using database = new Database(databaseIn(cache.path));
        database.run("DELETE FROM extracted_texts");
      }
      const read = await corpus.read("git.txt", passage?.digest ?? "sha256:", NO_ABORT);
      expect(read.kind === "document" && read.document.text.toString()).toBe("NAME\n       git moves bees.\n");
      corpus.close();
    }
  });

  test.each([
    ["P\bP", "P"],
    ["P\bP\bP", "P"],
    ["_\bP", "P"],
    ["P\b_", "P"],
    ["_\b_", "_"],
    ["+\bo", "o"],
    ["ä\bä 😀\b😀", "ä 😀"],
    ["a\n\bb", "a\n\bb"],
  ])("%j is %j", (struck, printed) => {
    expect(withoutOverstrikes(struck)).toBe(printed);
  });
});

function isSource(text: string): boolean {
  return isManualSource(Buffer.from(text));
}

test("only a text that begins with the title macro is the source of a manual page", () => {
  expect(isSource(".Dd May 3, 2026\n")).toBe(true);
  expect(isSource('\'\\" t\n.\\" comment\n\n.TH LS 1\n')).toBe(true);
  expect(isSource(".so man1/git.1\n")).toBe(true);
  expect(isSource("'\\\" t\n.ie \\n(.g .ds Aq \\(aq\n.el       .ds Aq '\n.TH LS 1\n")).toBe(true);
  expect(isSource(".de Sp\nIndented \\$1\n..\n\\# setup\n.if n \\{\\\n.    ds -- \\(*W-\n'br\\}\n.Dd May 3\n")).toBe(
    true,
  );
  expect(isSource(".de Sp\n..\nText.\n.TH LS 1\n")).toBe(false);
  expect(isSource("It begins with\n.TH LS 1\n")).toBe(false);
  expect(isSource(".THE END\n")).toBe(false);
  expect(isSource("\n".repeat(8_000))).toBe(false);
});
