// A corpus lists and reads its files safely, has a digest of its content, and finds passages.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";
import { digestOfBytes, digestOfJson } from "../../src/kernel/digest.ts";
import { RunError } from "../../src/kernel/errors.ts";
import { openCorpus } from "../../src/corpus/corpus.ts";
import { skipText } from "../../src/corpus/formats/skipped.ts";
import { Pacer } from "../../src/kernel/pacer.ts";
import { readCorpusFile } from "../../src/corpus/files/read-file.ts";
import { settle } from "./settle.ts";
import { NO_ABORT, openAt, reasonsOf, TemporaryFolder, readsOf } from "./temporary-folder.ts";

async function refusal(folder: string): Promise<RunError> {
  const error: unknown = await openAt(folder).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RunError)) throw new Error(`expected a RunError, got ${String(error)}`);
  return error;
}

describe("entries that are left out, with the reason", () => {
  test("files that are binary, not UTF-8, empty, hidden or too large", async () => {
    using folder = new TemporaryFolder({
      "good.md": "# Good\n\nThis can be read.",
      "binary.dat": new Uint8Array([0x61, 0, 0x62]),
      "noise.txt": new Uint8Array([0x63, 0xff, 0xff, 0xff, 0xff]),
      "empty.md": "",
      "blank.md": " \n\t\n",
      ".secret": "hidden",
      ".git/config": "hidden",
    });
    // The file is sparse. If it were read, this test would need 200 MB.
    fs.closeSync(fs.openSync(folder.at("huge.txt"), "w"));
    fs.truncateSync(folder.at("huge.txt"), 200 * 1024 * 1024);
    const corpus = await openAt(folder.path);
    expect(corpus.documents).toBe(1);
    expect(reasonsOf(corpus)).toEqual({
      ".git": "hidden",
      ".secret": "hidden",
      "binary.dat": "binary",
      "blank.md": "empty",
      "empty.md": "empty",
      "huge.txt": "oversized",
      "noise.txt": "not_utf8",
    });
  });

  test("compressed files are called compressed, whatever their names", async () => {
    const text = Buffer.from("# Options\n\nOptions begin with a dash.\n".repeat(20));
    using folder = new TemporaryFolder({
      "good.md": "# Good\n\nThis can be read.",
      "manual.tar.gz": Bun.gzipSync(Buffer.concat([text, Buffer.alloc(512)])),
      "manual.zst": Bun.zstdCompressSync(text),
      "manual.bz2": Buffer.from(
        "425a68393141592653594eece83600000251800010400006449080200031064c4101a7a9a580bb9431f8bb9229c28482776741b0",
        "hex",
      ),
      "manual.xz": Buffer.from("fd377a585a000004e6d6b4460000", "hex"),
      "manual.7z": Buffer.from("377abcaf271c0004", "hex"),
      "manual.md": Buffer.from("504b0304140000000800", "hex"),
      "BZh.md": "BZh is how a bzip2 file begins.",
    });
    const corpus = await openAt(folder.path);
    expect(corpus.documents).toBe(2);
    const names = ["manual.7z", "manual.bz2", "manual.md", "manual.tar.gz", "manual.xz", "manual.zst"];
    expect(reasonsOf(corpus)).toEqual(Object.fromEntries(names.map((name) => [name, "compressed"])));
  });

  test("links are never followed, and pipes are never opened", async () => {
    using outside = new TemporaryFolder({ "secret.md": "# Secret\n\nnot yours" });
    using folder = new TemporaryFolder({ "a/good.md": "# Good\n\ntext" });
    fs.symlinkSync(folder.path, folder.at("a/loop"));
    fs.symlinkSync(outside.at("secret.md"), folder.at("secret.md"));
    expect(Bun.spawnSync(["mkfifo", folder.at("pipe")]).exitCode).toBe(0);
    const corpus = await openAt(folder.path);
    expect(corpus.documents).toBe(1);
    expect(reasonsOf(corpus)).toEqual({ "a/loop": "symbolic_link", pipe: "not_regular", "secret.md": "symbolic_link" });
  });

  test("a file name that is not UTF-8", async () => {
    using folder = new TemporaryFolder({ "good.md": "# Good\n\ntext" });
    fs.writeFileSync(Buffer.concat([Buffer.from(`${folder.path}/bad`), Buffer.from([0xff])]), "text");
    const corpus = await openAt(folder.path);
    expect(corpus.skipped).toEqual([{ path: "bad\uFFFD", reason: "name_not_utf8" }]);
  });

  test("entries of nested .gitignore files, but for those that a deeper one takes back, and folders of build output", async () => {
    using folder = new TemporaryFolder({
      ".gitignore": "*.log\n/private/\n",
      "keep.md": "# Keep\n\ntext",
      "a.log": "ignored",
      "private/x.md": "ignored",
      "sub/private/x.md": "# Not anchored here",
      "sub/.gitignore": "!wanted.log\nlocal.md\n",
      "sub/wanted.log": "taken back",
      "sub/local.md": "ignored",
      "sub/node_modules/x/README.md": "ignored",
      "dist/x.md": "ignored",
    });
    const corpus = await openAt(folder.path);
    expect(reasonsOf(corpus)).toEqual({
      ".gitignore": "hidden",
      "a.log": "ignored_by_rule",
      dist: "ignored_by_default",
      private: "ignored_by_rule",
      "sub/.gitignore": "hidden",
      "sub/local.md": "ignored_by_rule",
      "sub/node_modules": "ignored_by_default",
    });
    expect(corpus.documents).toBe(3);
  });

  test("only entries below the root are judged as hidden or ignored", async () => {
    using folder = new TemporaryFolder({
      ".cache/node_modules/zod/README.md": "# Zod\n\ntext",
      ".cache/node_modules/zod/node_modules/nested/README.md": "nested",
      ".gitignore": "*",
    });
    const corpus = await openAt(folder.at(".cache/node_modules"));
    expect(corpus.documents).toBe(1);
    expect(reasonsOf(corpus)).toEqual({ "zod/node_modules": "ignored_by_default" });
  });
});

describe("runs of this tool", () => {
  test("are left out below the root, and do not change the corpus", async () => {
    using folder = new TemporaryFolder({ "good.md": "# Good\n\ntext", "notes/journal.jsonl": "{}" });
    const before = (await openAt(folder.path)).digest;
    folder.write("runs/dr_1/journal.jsonl", "{}");
    folder.write("runs/dr_1/manifest.json", "{}");
    folder.write("runs/dr_1/reports/1/report.md", "# Good\n\nquoted");
    folder.write("runs/dr_2/journal.jsonl", "{}");
    folder.write("runs/dr_2/.lock", "{}");
    const corpus = await openAt(folder.path);
    expect(corpus.digest).toBe(before);
    expect(corpus.documents).toBe(2);
    expect(reasonsOf(corpus)).toEqual({ "runs/dr_1": "own_run", "runs/dr_2": "own_run" });
    expect(skipText({ path: "runs/dr_1", reason: "own_run" })).toBe("a run of this tool");
    // A run that is chosen as the corpus is read.
    expect((await openAt(folder.at("runs/dr_1"))).documents).toBe(3);
  });
});

test("the sources that Sphinx puts next to its pages are left out where their page is there", async () => {
  const page = "<h1>Quick start</h1><p>Run borg init first.</p>";
  using folder = new TemporaryFolder({
    "html/quickstart.html": page,
    "html/_sources/quickstart.rst.txt": "Quick start\n===========\n\nRun :ref:`borg init <init>` first.\n",
    "html/usage/index.html": page,
    "html/_sources/usage.md.txt": "# Usage\n\nRun it.\n",
    // Control: nothing was made of this one, and another folder may hold sources of its own.
    "html/_sources/internals.rst.txt": "Internals\n=========\n\nSegments are files.\n",
    "html/quickstart.rst.txt": "Quick start\n\nAn older one.\n",
  });
  const corpus = await openAt(folder.path);
  expect(corpus.documents).toBe(4);
  expect(reasonsOf(corpus)).toEqual({
    "html/_sources/quickstart.rst.txt": "page_source",
    "html/_sources/usage.md.txt": "page_source",
  });
});

test("a path that is too long for an origin is left out", async () => {
  using folder = new TemporaryFolder({ "good.md": "# Good\n\ntext" });
  const fitting = `${"f".repeat(249)}/`.repeat(5) + "x".repeat(250);
  expect(fitting.length).toBe(1_500);
  folder.write(fitting, "text");
  folder.write(`${fitting}y`, "text");
  const corpus = await openAt(folder.path);
  expect(corpus.documents).toBe(2);
  expect(reasonsOf(corpus)).toEqual({ [`${fitting}y`]: "path_too_long" });
});

describe("a corpus of one file", () => {
  test("holds only that file, whatever its name, and is the same corpus by a link to the file", async () => {
    using folder = new TemporaryFolder({
      ".notes.md": "# Notes\n\nA kettle boils water.",
      "b.md": "# B",
      ".gitignore": "*",
    });
    fs.symlinkSync(folder.at(".notes.md"), folder.at("link.md"));
    const corpus = await openAt(folder.at(".notes.md"), null, ".notes.md");
    expect([corpus.documents, corpus.skipped]).toEqual([1, []]);
    expect((await corpus.search("kettle", { limit: 5 }, NO_ABORT)).map(({ path: found }) => found)).toEqual([
      ".notes.md",
    ]);
    const digest = digestOfBytes("# Notes\n\nA kettle boils water.");
    expect(await corpus.read(".notes.md", digest, NO_ABORT)).toMatchObject({ kind: "document" });
    expect(await corpus.read("b.md", digest, NO_ABORT)).toMatchObject({ kind: "gone" });
    expect((await openAt(folder.at("link.md"))).digest).toBe(corpus.digest);
    folder.write(".notes.md", "# Notes\n\nChanged.");
    expect((await openAt(folder.at(".notes.md"))).digest).not.toBe(corpus.digest);
  });

  test("has an index of its own next to that of its folder, and both are used again", async () => {
    using cache = new TemporaryFolder();
    using folder = new TemporaryFolder({ "a.md": "# A\n\nApple.", "b.md": "# B\n\nBerry." });
    const openings = async (...names: string[]): Promise<number[]> => {
      const read: number[] = [];
      for (const name of names) {
        read.push((await readsOf(folder.at(name), cache.path)).length);
        settle(folder.path, cache.path);
      }
      return read;
    };
    expect(await openings("", "a.md", "", "a.md", "b.md")).toEqual([2, 1, 0, 0, 1]);
    expect(fs.readdirSync(cache.path).filter((name) => name.endsWith(".sqlite"))).toHaveLength(3);
  });

  test("that cannot be read as text is refused with the reason", async () => {
    using folder = new TemporaryFolder({ "a.dat": new Uint8Array([0]) });
    expect((await refusal(folder.at("a.dat"))).facts).toMatchObject({
      reason: "the corpus holds nothing that can be read as text",
      skipped: [{ path: "a.dat", reason: "binary: it holds a NUL byte" }],
    });
  });
});

describe("a corpus that cannot be used is refused with its reason", () => {
  test("a missing folder, a device, an empty folder, only binary files", async () => {
    using folder = new TemporaryFolder({ "only/binary.dat": new Uint8Array([0]), "file.md": "x" });
    fs.mkdirSync(folder.at("nothing"));
    expect((await refusal(folder.at("missing"))).facts["reason"]).toBe("the corpus does not exist");
    expect((await refusal("/dev/null")).facts["reason"]).toBe("the corpus is neither a folder nor a file");
    expect((await refusal(folder.at("nothing"))).facts["reason"]).toBe("the corpus is empty");
    const binary = await refusal(folder.at("only"));
    expect(binary.code).toBe("INVALID_ARGS");
    expect(binary.facts["skipped"]).toEqual([{ path: "binary.dat", reason: "binary: it holds a NUL byte" }]);
  });

  test("one that vanishes while it is read can be read again once it is back", async () => {
    using folder = new TemporaryFolder(
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`docs/${at}.md`, `# Page ${at}\n\nIts text.`])),
    );
    const { signal } = new AbortController();
    const opening = (onProgress?: () => void) =>
      openCorpus({ name: "x", path: folder.at("docs"), cacheFolder: null, signal, onProgress });
    const moveAway = (): void => {
      if (fs.existsSync(folder.at("docs"))) fs.renameSync(folder.at("docs"), folder.at("away"));
    };
    expect(await opening(moveAway).catch((error: unknown) => error)).toMatchObject({
      code: "READ_FAILED",
      facts: { reason: "the corpus vanished while it was read", path: folder.at("docs") },
    });
    fs.renameSync(folder.at("away"), folder.at("docs"));
    const again = await opening();
    expect(again.documents).toBe(30);
    again.close();
    // One file that vanishes is left out, and the rest is read.
    const rest = await opening(() => fs.rmSync(folder.at("docs/29.md"), { force: true }));
    expect([rest.documents, rest.skipped.map(({ reason }) => reason)]).toEqual([29, ["vanished"]]);
    rest.close();
  });

  test("an abort ends the opening", async () => {
    using folder = new TemporaryFolder({ "a.md": "# A\n\ntext" });
    const opening = openCorpus({
      name: "x",
      path: folder.path,
      cacheFolder: null,
      signal: AbortSignal.abort("enough"),
    });
    expect(await opening.catch((reason: unknown) => reason)).toBe("enough");
  });
});

describe("digest", () => {
  test("covers paths and bytes, and neither place, time nor order", async () => {
    const files = { "b.md": "# B\n\ntext", "a/x.md": "# X\n\ntext", "ü.md": "# Ü" };
    using one = new TemporaryFolder(files);
    using other = new TemporaryFolder(Object.fromEntries(Object.entries(files).reverse()));
    fs.utimesSync(other.at("b.md"), 1, 1);
    other.write("skipped.dat", new Uint8Array([0]));
    const expected = digestOfJson([
      ["a/x.md", digestOfBytes(files["a/x.md"])],
      ["b.md", digestOfBytes(files["b.md"])],
      ["ü.md", digestOfBytes(files["ü.md"])],
    ]);
    expect((await openAt(one.path)).digest).toBe(expected);
    expect((await openAt(other.path)).digest).toBe(expected);
    other.write("b.md", "# B\n\ntext!");
    expect((await openAt(other.path)).digest).not.toBe(expected);
  });
});

describe("search", () => {
  test("passages are exact byte spans, in any script and with a byte order mark", async () => {
    const text =
      "\uFEFF# Größe\r\n\r\nÄpfel \u{1F600} und Birnen.\r\n\r\n# 次\r\n\r\nオプションを解析する方法です。\r\n";
    using folder = new TemporaryFolder({ "a.md": text });
    const corpus = await openAt(folder.path);
    const bytes = Buffer.from(text);
    for (const query of ["birnen", "APFEL", "オプション", "解析"]) {
      const [found] = await corpus.search(query, { limit: 5 }, NO_ABORT);
      expect(found).toBeDefined();
      expect(bytes.subarray(found?.start, found?.end).toString()).toBe(found?.text ?? "");
    }
  });

  test("passages with equal scores are in the order of path and place, whatever the history of the index", async () => {
    const same = "# Same\n\nThe quick brown fox.\n\n# Same\n\nThe quick brown fox.\n";
    const files = Object.fromEntries(["c", "a", "b", "d"].map((name) => [`${name}.md`, `${same}\n${name}`]));
    // Without other passages the words would be in all of them and weigh nothing.
    const others = Array.from({ length: 20 }, (_, number) => `# Hen ${number}\n\nA hen of many words.\n`).join("\n");
    using folder = new TemporaryFolder({ ...files, "z.md": others });
    using cache = new TemporaryFolder();
    (await openAt(folder.path, cache.path)).close();
    folder.write("a.md", "# Gone\n\nfor now");
    (await openAt(folder.path, cache.path)).close();
    folder.write("a.md", files["a.md"] ?? "");
    fs.rmSync(folder.at("d.md"));
    const updated = await openAt(folder.path, cache.path);
    const fresh = await openAt(folder.path);
    for (const limit of [1, 3, 10]) {
      const found = await fresh.search("fox quick", { limit }, NO_ABORT);
      expect(found.length).toBe(Math.min(limit, 6));
      expect(await updated.search("fox quick", { limit }, NO_ABORT)).toEqual(found);
      const places = ["a.md 8", "b.md 8", "c.md 8", "a.md 38", "b.md 38", "c.md 38"].slice(0, limit);
      expect(found.map(({ path: file, start }) => `${file} ${start}`)).toEqual(places);
    }
    updated.close();
  });

  test("a document that is there twice is found once, by its first path", async () => {
    using folder = new TemporaryFolder({
      "b.md": "# Fox\n\nA fox.",
      "a.md": "# Fox\n\nA fox.",
      "c.md": "# Hen\n\nA hen.",
    });
    const corpus = await openAt(folder.path);
    expect((await corpus.search("fox", { limit: 10 }, NO_ABORT)).map((found) => found.path)).toEqual(["a.md"]);
    expect(corpus.documents).toBe(3);
  });
});

describe("readCorpusFile", () => {
  test("a folder that became a link is not followed", async () => {
    using outside = new TemporaryFolder({ "x.md": "secret" });
    using folder = new TemporaryFolder({ "sub/x.md": "ours" });
    const root = fs.realpathSync(folder.path);
    const pacer = new Pacer(NO_ABORT);
    expect((await readCorpusFile(root, "sub/x.md", pacer)).kind).toBe("read");
    fs.rmSync(folder.at("sub"), { recursive: true });
    fs.symlinkSync(outside.path, folder.at("sub"));
    expect(await readCorpusFile(root, "sub/x.md", pacer)).toEqual({
      kind: "skipped",
      skipped: { path: "sub/x.md", reason: "symbolic_link" },
    });
    const outsidePath = path.join("..", path.basename(outside.path), "x.md");
    const refusal = await readCorpusFile(root, outsidePath, pacer).catch((error: unknown) => String(error));
    expect(refusal).toContain("below its root");
  });
});
