// Folders are opened as corpora, searched, and their documents read again.
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "bun:test";
import { corpusRows } from "../../src/cli/text/evidence-text.ts";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { RunError } from "../../src/kernel/errors.ts";
import type { IndexProgress, Passage } from "../../src/ports/provider.ts";
import { openFilesystemCorpora } from "../../src/providers/filesystem.ts";
import { linesAt, pdfOf } from "../corpus/extract/pdf-writer.ts";
import { NO_ABORT, TemporaryFolder } from "../corpus/temporary-folder.ts";

const open = openFilesystemCorpora({ cacheFolder: null });

async function firstOf(folder: TemporaryFolder, query: string) {
  const { provider } = await open([{ name: "docs", path: folder.path }], { signal: NO_ABORT });
  const [passage] = await provider.search(query, 5, NO_ABORT);
  if (passage === undefined) throw new Error("nothing found");
  return { provider, passage };
}

/** The reason with which a promise was rejected. */
async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    () => "it was not refused",
    (thrown: unknown) => thrown,
  );
  return error instanceof RunError ? error.facts["reason"] : error;
}

describe("opening", () => {
  test("reports each corpus with its digest, its documents and skipped entries", async () => {
    using folder = new TemporaryFolder({ "a.md": "# A\n\nApple.", ".hidden": "x" });
    const { reports, provider } = await open([{ name: "docs", path: folder.path }], { signal: NO_ABORT });
    expect(provider.id).toBe("filesystem");
    expect(reports).toHaveLength(1);
    expect(reports[0]?.corpus).toMatchObject({ name: "docs", documents: 1, path: folder.path });
    expect(reports[0]?.skipped).toEqual([{ path: ".hidden", reason: "hidden: its name begins with a dot" }]);
  });

  test("tells a planner the documents, the same every time", async () => {
    using folder = new TemporaryFolder({ "b.md": "# Valves\n\nText.", "a.txt": "Pumps of old\n\nText." });
    const { provider } = await open([{ name: "docs", path: folder.path }], { signal: NO_ABORT });
    expect(provider.collections?.()).toEqual([
      {
        name: "docs",
        documents: 2,
        kinds: { txt: 1, md: 1 },
        examples: [
          { title: "Pumps of old", origin: "docs/a.txt" },
          { title: "Valves", origin: "docs/b.md" },
        ],
      },
    ]);
  });

  test("counts only files that a person may believe to have been read", async () => {
    using folder = new TemporaryFolder({
      "a.md": "# A\n\nApple.",
      "b.pdf": "no pdf",
      "c.pdf": "neither",
      "d.bin": "\0",
      ".hidden": "x",
      "empty.md": "",
    });
    const { reports } = await open([{ name: "docs", path: folder.path }], { signal: NO_ABORT });
    expect(reports[0]?.corpus.left_out).toEqual([
      { reason: "damaged, or not what its name says", count: 2 },
      { reason: "binary: it holds a NUL byte", count: 1 },
    ]);
  });

  test("names what of its documents has no text, and of which most", async () => {
    const page = linesAt(72, 80, ["Wasps build their nests of paper."]);
    using folder = new TemporaryFolder({
      "a.pdf": pdfOf([page, page]),
      "b.pdf": pdfOf([[], page]),
      "c.pdf": pdfOf([page, [], [], []]),
      "d.txt": Buffer.concat([Buffer.from("Hornets are wasps.\n"), Buffer.from([0xff]), Buffer.from("\n")]),
    });
    const { reports } = await open([{ name: "docs", path: folder.path }], { signal: NO_ABORT });
    expect(reports[0]?.corpus.partly_read).toEqual({
      documents: 3,
      most: [
        { document: "c.pdf", unread: "3 of 4 pages have no text (pages 2 to 4)" },
        { document: "b.pdf", unread: "1 of 2 pages has no text (page 1)" },
        { document: "d.txt", unread: "1 byte could not be read and is shown as \uFFFD" },
      ],
    });
    expect(corpusRows(reports)).toContainEqual(["partly read", "b.pdf: 1 of 2 pages has no text (page 1)"]);
    using whole = new TemporaryFolder({ "a.pdf": pdfOf([page]), "b.md": "A wasp." });
    const { reports: none } = await open([{ name: "docs", path: whole.path }], { signal: NO_ABORT });
    expect(none[0]?.corpus).not.toHaveProperty("partly_read");
  }, 60_000);

  test("names folders that were left out by their name, among the skipped and in the report", async () => {
    using folder = new TemporaryFolder({
      "a.md": "# A",
      "x/dist/b.md": "# B",
      "y/dist/c.md": "# C",
      "Out/d.md": "# D",
    });
    const { reports } = await open([{ name: "docs", path: folder.path }], { signal: NO_ABORT });
    const [dist, out] = ["dist", "Out"].map((name) => `called ${name}: a folder of dependencies or build output`);
    expect(reports[0]?.skipped).toEqual([
      { path: "Out", reason: String(out) },
      { path: "x/dist", reason: String(dist) },
      { path: "y/dist", reason: String(dist) },
    ]);
    expect(reports[0]?.corpus.left_out).toEqual([
      { reason: String(dist), count: 2 },
      { reason: String(out), count: 1 },
    ]);
    expect(corpusRows(reports).join()).toContain("3 not read (2 called dist, 1 called Out)");
    // A folder that is named as the corpus is read.
    const named = await open([{ name: "docs", path: folder.at("x/dist") }], { signal: NO_ABORT });
    expect(named.reports[0]?.corpus).toMatchObject({ documents: 1 });
  });

  test("names the files that it reads", async () => {
    using folder = new TemporaryFolder({ "a.md": "# A", "b.md": "# Berr" });
    const events: unknown[] = [];
    await open([{ name: "docs", path: folder.path }], { signal: NO_ABORT, onProgress: (event) => events.push(event) });
    expect(events).toEqual([
      { corpus: "docs", kind: "reading", read: 0, total: 2, path: "a.md", bytes_read: 0, bytes_total: 9 },
      { corpus: "docs", kind: "reading", read: 1, total: 2, path: "b.md", bytes_read: 3, bytes_total: 9 },
      { corpus: "docs", kind: "writing" },
    ]);
  });

  test("names the file that is awaited with its pages, and none that is read ahead", async () => {
    const book = pdfOf(
      Array.from({ length: 60 }, (_, page) => linesAt(72, 80, Array(40).fill(`Line of page ${page}.`))),
    );
    using folder = new TemporaryFolder({ "a-book.pdf": book, "b.md": "# B", "c.md": "# C" });
    const events: IndexProgress[] = [];
    await open([{ name: "docs", path: folder.path }], {
      signal: NO_ABORT,
      onProgress: (event) => events.push(event),
    });
    const reading = events.filter((event) => event.kind === "reading");
    expect(reading[0]).toMatchObject({ path: "a-book.pdf", read: 0 });
    const pages = reading.filter(({ path: name }) => name === "a-book.pdf").slice(1);
    expect(pages.length).toBeGreaterThan(0);
    for (const { page = 0, pages: all, bytes_read } of pages) {
      expect(all).toBe(60);
      expect(bytes_read).toBe(Math.floor((book.byteLength * (page - 1)) / 60));
    }
    expect(reading.slice(-2).map(({ path: name, read }) => [name, read])).toEqual([
      ["b.md", 1],
      ["c.md", 2],
    ]);
  });

  test("fails when one corpus is bad, or when two have one name", async () => {
    using folder = new TemporaryFolder({ "a.md": "# A" });
    const docs = { name: "docs", path: folder.path };
    const opening = open([docs, { name: "other", path: folder.at("missing") }], { signal: NO_ABORT });
    expect(await refusalOf(opening)).toBe("the corpus does not exist");
    expect(await refusalOf(open([docs, docs], { signal: NO_ABORT }))).toBe("two corpora have one name");
  });

  test("skips a file that vanishes or becomes binary while the corpus is read", async () => {
    // More files than are read ahead.
    const others = Array.from({ length: 20 }, (_, at) => [`a${at}.md`, "# A\n\nApple."] as const);
    using folder = new TemporaryFolder({ ...Object.fromEntries(others), "y.md": "# Y", "z.md": "# Z" });
    let isFirst = true;
    const { reports } = await open([{ name: "docs", path: folder.path }], {
      signal: NO_ABORT,
      onProgress: () => {
        if (isFirst) fs.rmSync(folder.at("y.md"));
        if (isFirst) folder.write("z.md", new Uint8Array([0, 1, 2]));
        isFirst = false;
      },
    });
    expect(reports[0]?.corpus.documents).toBe(20);
    expect(reports[0]?.skipped).toEqual([
      { path: "y.md", reason: "vanished while it was read" },
      { path: "z.md", reason: "binary: it holds a NUL byte" },
    ]);
  });

  test.skipIf(process.getuid?.() === 0)("a file without permission is skipped (unless root reads it)", async () => {
    using folder = new TemporaryFolder({ "a.md": "# A", "b.md": "# B" });
    fs.chmodSync(folder.at("b.md"), 0);
    const { reports } = await open([{ name: "docs", path: folder.path }], { signal: NO_ABORT });
    expect(reports[0]?.skipped).toEqual([{ path: "b.md", reason: "cannot be read (EACCES)" }]);
  });
});

describe("search", () => {
  test("merges corpora by score, and finds a document that two hold once", async () => {
    using one = new TemporaryFolder({ "both.md": "# Fox\n\nThe fox sleeps.", "x.md": "# Hen\n\nHens and a fox." });
    using two = new TemporaryFolder({ "copy.md": "# Fox\n\nThe fox sleeps.", "y.md": "# Fox\n\nA fox, a fox." });
    const corpora = [
      { name: "one", path: one.path },
      { name: "two", path: two.path },
    ];
    const { provider } = await open(corpora, { signal: NO_ABORT });
    const found = await provider.search("fox", 10, NO_ABORT);
    expect(found.map((passage) => passage.origin).sort()).toEqual(["one/both.md", "one/x.md", "two/y.md"]);
    expect(found.map((passage) => passage.score)).toEqual(found.map((passage) => passage.score).sort((a, b) => b - a));
    expect(await provider.search("fox", 2, NO_ABORT)).toEqual(found.slice(0, 2));
  });
});

describe("fetch", () => {
  test("origins of two corpora with the same file names lead to their own files", async () => {
    using one = new TemporaryFolder({ "a.md": "# One\n\nApples are red." });
    using two = new TemporaryFolder({ "a.md": "# Two\n\nApples are green." });
    const corpora = [
      { name: "one", path: one.path },
      { name: "two", path: two.path },
    ];
    const { provider } = await open(corpora, { signal: NO_ABORT });
    const found = await provider.search("apples", 5, NO_ABORT);
    expect(found.map(({ origin }) => origin).sort()).toEqual(["one/a.md", "two/a.md"]);
    for (const passage of found) {
      const outcome = await provider.fetch(passage, NO_ABORT);
      if (outcome.kind !== "document") throw new Error(outcome.kind);
      expect(Buffer.from(outcome.document.text).toString()).toContain(passage.origin === "one/a.md" ? "red" : "green");
    }
  });

  test("calls a document by its file when its first heading is a version, a date, or below a later one", async () => {
    using folder = new TemporaryFolder({
      "fflate/CHANGELOG.md": "## 0.8.3\n\nEdges of streams.\n\n## 0.8.2\n\nOther streams.",
      "pako/notes.md": "# v3.10.2 (2026-09-09)\n\nStreams of bytes.",
      "jszip/README.md": "### Sponsors\n\nThey pay for streams.\n\n# JSZip\n\nStreams.",
      "3.md": "# Release 3\n\nStreams again.\n\n# Release 2\n\nStreams once more.",
    });
    const { provider } = await open([{ name: "docs", path: folder.path }], { signal: NO_ABORT });
    const titles = (provider.collections?.() ?? []).flatMap(({ examples }) => examples.map(({ title }) => title));
    expect(titles).toEqual(["Release 3", "fflate/CHANGELOG.md", "jszip", "pako/notes.md"]);
  });

  test("gives a row of a table with the names of its columns", async () => {
    using folder = new TemporaryFolder({
      "a.md": "# A\n\n| Model | Price |\n|---|---|\n| KT-4 | 86 EUR |\n\nKT-4 is a pump.",
    });
    const { provider } = await open([{ name: "docs", path: folder.path }], { signal: NO_ABORT });
    const found = await provider.search("KT-4", 5, NO_ABORT);
    const columnsOf = new Map(found.map(({ text, columns }) => [text, columns]));
    expect(columnsOf.get("| KT-4 | 86 EUR |")).toBe("| Model | Price |");
    expect(columnsOf.get("KT-4 is a pump.")).toBeUndefined();
    expect(columnsOf.size).toBe(2);
  });

  test("gives the bytes that were indexed, titled by the first heading", async () => {
    const text = "Some words first.\n\n# The Apple\n\nApples are red.";
    using folder = new TemporaryFolder({ "sub/a.md": text });
    const { provider, passage } = await firstOf(folder, "red");
    const outcome = await provider.fetch(passage, NO_ABORT);
    if (outcome.kind !== "document") throw new Error(outcome.kind);
    const { bytes, text: extracted, ...rest } = outcome.document;
    expect(rest).toEqual({
      origin: "docs/sub/a.md",
      title: "The Apple",
      media_type: "text/markdown",
      textFrom: { text_from: "bytes" },
    });
    expect(digestOfBytes(bytes)).toBe(passage.document_digest);
    expect(Buffer.from(extracted).subarray(passage.start, passage.end).toString()).toBe(passage.text);
  });

  const changes: Record<string, { change: (folder: TemporaryFolder) => void; kind: "changed" | "gone" }> = {
    "changed bytes": { change: (folder) => folder.write("a.md", "# A\n\nOther apples."), kind: "changed" },
    removed: { change: (folder) => fs.rmSync(folder.at("a.md")), kind: "gone" },
    "grown beyond the limit": {
      change: (folder) => fs.truncateSync(folder.at("a.md"), 300 * 1024 * 1024),
      kind: "gone",
    },
    "turned into a pipe": {
      change: (folder) => {
        fs.rmSync(folder.at("a.md"));
        Bun.spawnSync(["mkfifo", folder.at("a.md")]);
      },
      kind: "gone",
    },
    "turned into a link to the same bytes": {
      change: (folder) => {
        fs.renameSync(folder.at("a.md"), `${folder.path}-moved.md`);
        fs.symlinkSync(`${folder.path}-moved.md`, folder.at("a.md"));
      },
      kind: "gone",
    },
  };
  for (const [name, { change, kind }] of Object.entries(changes)) {
    test(`${name}: ${kind}`, async () => {
      using folder = new TemporaryFolder({ "a.md": "# A\n\nApples are red." });
      const { provider, passage } = await firstOf(folder, "apples");
      // Control: before the change the document is there.
      expect((await provider.fetch(passage, NO_ABORT)).kind).toBe("document");
      change(folder);
      expect((await provider.fetch(passage, NO_ABORT)).kind).toBe(kind);
      fs.rmSync(`${folder.path}-moved.md`, { force: true });
    });
  }

  test("gives only documents of the corpus, whatever the origin is", async () => {
    using folder = new TemporaryFolder({ "in/a.md": "# A\n\nApples.", "out.md": "secret" });
    const { provider } = await open([{ name: "docs", path: folder.at("in") }], { signal: NO_ABORT });
    const document_digest = digestOfBytes("secret");
    const origins = [
      "docs/../out.md",
      "docs/./a.md",
      `docs/${folder.at("out.md")}`,
      "docs/",
      "other/a.md",
      "a.md",
      "docs",
    ];
    for (const origin of origins) {
      expect((await provider.fetch({ origin, document_digest }, NO_ABORT)).kind).toBe("gone");
    }
  });
});

test("in a real folder of packages each found passage is at its offsets", async () => {
  using cache = new TemporaryFolder();
  const folder = path.join(import.meta.dir, "../../node_modules/commander");
  const { provider, reports } = await openFilesystemCorpora({ cacheFolder: cache.path })(
    [{ name: "c", path: folder }],
    { signal: NO_ABORT },
  );
  expect(reports[0]?.corpus.documents).toBeGreaterThan(3);
  const found: Passage[] = await provider.search("how are options and arguments parsed", 50, NO_ABORT);
  expect(found.length).toBe(50);
  for (const passage of found) {
    const outcome = await provider.fetch(passage, NO_ABORT);
    if (outcome.kind !== "document") throw new Error(outcome.kind);
    expect(Buffer.from(outcome.document.text).subarray(passage.start, passage.end).toString()).toBe(passage.text);
  }
  provider.close();
});
