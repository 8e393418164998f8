// Documents of other formats in a corpus are found, quoted, kept in the index, or left out with the reason.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import { openCorpus, type Corpus } from "../../src/corpus/corpus.ts";
import { stampOfUnfit } from "../../src/corpus/index/index-update.ts";
import { sealOfFile } from "../../src/corpus/index/indexed-files.ts";
import { openFilesystemCorpora } from "../../src/providers/filesystem.ts";
import { docxOf, epubOf, paragraphOf, zipOf } from "./extract/office-writer.ts";
import { linesAt, pdfOf } from "./extract/pdf-writer.ts";
import { databaseIn, settle } from "./settle.ts";
import { NO_ABORT, openAt, reasonsOf, TemporaryFolder, readsOf } from "./temporary-folder.ts";

const DOCUMENTS = {
  "page.html":
    "<html><head><title>Bees</title></head><body><p>Bees in towns find pollen on balconies.</p></body></html>",
  "paper.pdf": pdfOf([linesAt(72, 80, ["An introduction."]), linesAt(72, 80, ["Wasps build their nests of paper."])], {
    title: "On wasps",
  }),
  "letter.docx": docxOf(paragraphOf("Ameisen", "Title") + paragraphOf("Ameisen tragen Blätter in den Bau.")),
  "book.epub": epubOf("蝶の本", { "a.xhtml": "<h2>春</h2><p>蝶は春に飛びます。</p>" }),
  "notes.md": "# Moths\n\nMoths fly at night.",
};
const WAIT_MS = 60_000;

/** Marks a file in the index as if it had taken too long. */
function markUnfit(databasePath: string, file: string, stamp: string): void {
  const database = new Database(databasePath);
  const row = {
    path: file,
    stamp,
    digest: null,
    first_heading: "",
    skip_reason: "took_too_long" as const,
    skip_detail: null,
    unread_count: 0,
    unread_words: null,
  };
  database
    .query("UPDATE files SET stamp = ?, digest = NULL, first_heading = '', skip_reason = ?, seal = ? WHERE path = ?")
    .run(stamp, row.skip_reason, sealOfFile(row), file);
  database.close();
}

async function documentOf(corpus: Corpus, query: string) {
  const [passage] = await corpus.search(query, { limit: 1 }, NO_ABORT);
  if (passage === undefined) throw new Error(`nothing found for ${query}`);
  const read = await corpus.read(passage.path, passage.digest, NO_ABORT);
  if (read.kind !== "document") throw new Error(read.kind);
  return { passage, document: read.document };
}

describe("a corpus of many formats", () => {
  test(
    "passages are spans of the text that comes with the document; bytes stay as they are on disk",
    async () => {
      using folder = new TemporaryFolder(DOCUMENTS);
      const corpus = await openAt(folder.path);
      expect(corpus.documents).toBe(5);
      const expected: [query: string, path: string, title: string, mediaType: string][] = [
        ["pollen balconies", "page.html", "Bees", "text/html"],
        ["nests of paper", "paper.pdf", "On wasps", "application/pdf"],
        [
          "Blätter",
          "letter.docx",
          "Ameisen",
          "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ],
        ["春", "book.epub", "蝶の本", "application/epub+zip"],
        ["moths night", "notes.md", "Moths", "text/markdown"],
      ];
      for (const [query, file, title, mediaType] of expected) {
        const { passage, document } = await documentOf(corpus, query);
        expect([passage.path, document.title, document.media_type]).toEqual([file, title, mediaType]);
        expect(document.text.subarray(passage.start, passage.end).toString()).toBe(passage.text);
        expect(document.bytes.equals(fs.readFileSync(folder.at(file)))).toBe(true);
      }
      corpus.close();
    },
    WAIT_MS,
  );

  test(
    "the provider gives bytes and text",
    async () => {
      using folder = new TemporaryFolder({ "paper.pdf": DOCUMENTS["paper.pdf"] });
      const open = openFilesystemCorpora({ cacheFolder: null });
      const { provider } = await open([{ name: "docs", path: folder.path }], { signal: NO_ABORT });
      const [passage] = await provider.search("wasps nests", 1, NO_ABORT);
      if (passage === undefined) throw new Error("nothing found");
      const outcome = await provider.fetch(passage, NO_ABORT);
      if (outcome.kind !== "document") throw new Error(outcome.kind);
      expect(Buffer.from(outcome.document.text).toString()).toContain("\f");
      expect(Buffer.from(outcome.document.text).subarray(passage.start, passage.end).toString()).toBe(passage.text);
      provider.close();
    },
    WAIT_MS,
  );
});

describe("the texts in the index", () => {
  test(
    "a text that was altered or lost is taken out of the document again",
    async () => {
      using folder = new TemporaryFolder(DOCUMENTS);
      using cache = new TemporaryFolder();
      (await openAt(folder.path, cache.path)).close();
      settle(folder.path, cache.path);
      for (const harm of ["UPDATE extracted_texts SET text = text || 'x'", "DELETE FROM extracted_texts"]) {
        const database = new Database(databaseIn(cache.path));
        database.run(harm);
        database.close();
        const corpus = await openAt(folder.path, cache.path);
        const { passage, document } = await documentOf(corpus, "nests of paper");
        expect(document.text.subarray(passage.start, passage.end).toString()).toBe(passage.text);
        expect(document.text.toString()).toEndWith("nests of paper.\n");
        corpus.close();
      }
    },
    WAIT_MS,
  );

  test(
    "a document that was removed or changed leaves no text",
    async () => {
      using folder = new TemporaryFolder(DOCUMENTS);
      using cache = new TemporaryFolder();
      (await openAt(folder.path, cache.path)).close();
      fs.rmSync(folder.at("paper.pdf"));
      folder.write("page.html", "<p>Other words.</p>");
      (await openAt(folder.path, cache.path)).close();
      const database = new Database(databaseIn(cache.path));
      const texts = database.query("SELECT text FROM extracted_texts JOIN files ON id = file_id").values().flat();
      expect(texts).toHaveLength(3);
      expect(texts).toContain("Other words.\n");
      expect(database.query("SELECT count(*) FROM extracted_texts").values()).toEqual([[3]]);
      database.close();
    },
    WAIT_MS,
  );

  test(
    "only what changed is read again, and what is unfit is not tried again",
    async () => {
      using folder = new TemporaryFolder({ ...DOCUMENTS, "scan.pdf": pdfOf([[]]) });
      using cache = new TemporaryFolder();
      const reads = async (): Promise<string[]> => await readsOf(folder.path, cache.path);
      expect(await reads()).toHaveLength(6);
      settle(folder.path, cache.path);
      expect(await reads()).toEqual([]);
      folder.write("paper.pdf", pdfOf([linesAt(72, 80, ["Hornets are large wasps."])]));
      expect(await reads()).toEqual(["paper.pdf"]);
      const corpus = await openAt(folder.path, cache.path);
      expect((await documentOf(corpus, "hornets")).passage.path).toBe("paper.pdf");
      expect(reasonsOf(corpus)).toEqual({ "scan.pdf": "scanned" });
      corpus.close();
    },
    WAIT_MS,
  );

  test(
    "a document that has changed since is called changed",
    async () => {
      using folder = new TemporaryFolder(DOCUMENTS);
      const corpus = await openAt(folder.path);
      const { passage } = await documentOf(corpus, "nests of paper");
      folder.write("paper.pdf", "%PDF-1.7 something else");
      expect((await corpus.read(passage.path, passage.digest, NO_ABORT)).kind).toBe("changed");
      corpus.close();
    },
    WAIT_MS,
  );
});

describe("documents that cannot be read are listed with the reason", () => {
  test(
    "damaged, encrypted, scanned and too large documents and zip bombs are left out, and the others are read",
    async () => {
      using folder = new TemporaryFolder({
        "good.md": "# Good\n\nThis can be read.",
        "bomb.docx": docxOf("", { "word/document.xml": Buffer.alloc(24 * 1024 * 1024, " ") }),
        "cut.epub": epubOf("Bees", { "a.xhtml": "<p>Here.</p>" }).subarray(0, 200),
        "not.pdf": "<html>not found</html>",
        "locked.pdf": pdfOf([linesAt(72, 80, ["secret"])], { isEncrypted: true }),
        "scan.pdf": pdfOf([[], []]),
        "frame.html": "<html><frameset></frameset></html>",
        "other.docx": zipOf({ "a.txt": "words" }),
        "nothing.pdf": "",
      });
      for (const [name, bytes] of Object.entries({ "line.html": 50, "huge.pdf": 65 })) {
        fs.closeSync(fs.openSync(folder.at(name), "w"));
        fs.truncateSync(folder.at(name), bytes * 1024 * 1024);
      }
      const corpus = await openAt(folder.path);
      expect(corpus.documents).toBe(1);
      expect(reasonsOf(corpus)).toEqual({
        "bomb.docx": "zip_bomb",
        "cut.epub": "damaged",
        "frame.html": "no_text",
        "huge.pdf": "oversized",
        "line.html": "oversized",
        "locked.pdf": "encrypted",
        "not.pdf": "damaged",
        "nothing.pdf": "empty",
        "other.docx": "damaged",
        "scan.pdf": "scanned",
      });
      corpus.close();
    },
    WAIT_MS,
  );

  test(
    "a document that took too long is tried once more at the next opening, and then no more until it changes",
    async () => {
      const unread = { unread_count: 0, unread_words: null };
      const file = { id: 1, path: "slow.html", digest: null, first_heading: "", skip_detail: null, ...unread };
      const first = stampOfUnfit("now", "took_too_long", undefined);
      const second = stampOfUnfit("now", "took_too_long", { ...file, stamp: first, skip_reason: "took_too_long" });
      const changed = stampOfUnfit("later", "took_too_long", { ...file, stamp: second, skip_reason: "took_too_long" });
      expect([first, second, changed]).toEqual(["", "now", ""]);
      expect(stampOfUnfit("now", "scanned", undefined)).toBe("now");

      using folder = new TemporaryFolder({ "slow.html": DOCUMENTS["page.html"], "notes.md": DOCUMENTS["notes.md"] });
      using cache = new TemporaryFolder();
      (await openAt(folder.path, cache.path)).close();
      settle(folder.path, cache.path);
      markUnfit(databaseIn(cache.path), "slow.html", first);
      const corpus = await openAt(folder.path, cache.path);
      expect(corpus.skipped).toEqual([]);
      expect((await documentOf(corpus, "pollen balconies")).passage.path).toBe("slow.html");
      corpus.close();
    },
    WAIT_MS,
  );

  test(
    "an abort ends the opening in the middle of a document",
    async () => {
      using folder = new TemporaryFolder({ "a.html": `<body>${"<".repeat(6_000_000)}` });
      const stop = new AbortController();
      const readers = (): string[] =>
        fs.readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ");
      const before = readers();
      const onProgress = async (): Promise<void> => {
        while (readers().every((pid) => before.includes(pid))) await Bun.sleep(5);
        stop.abort("enough");
      };
      const opening = openCorpus({
        name: "x",
        path: folder.path,
        cacheFolder: null,
        signal: stop.signal,
        onProgress: () => void onProgress(),
      });
      expect(await opening.catch((reason: unknown) => reason)).toBe("enough");
    },
    WAIT_MS,
  );
});
