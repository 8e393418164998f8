// Clearing the cache deletes the indexes, but not those in use and no other file.
import { expect, spyOn, test } from "bun:test";
import fs from "node:fs";
import { indexCache } from "../../src/corpus/index/index-cache.ts";
import * as indexLock from "../../src/corpus/index/index-lock.ts";
import { codeOf, temporaryFolder } from "../operations/made-run.ts";

const ONE = `${"a".repeat(64)}.sqlite`;
const TWO = `${"b".repeat(64)}.sqlite`;

function plant(folder: string, ...names: string[]): void {
  for (const name of names) fs.writeFileSync(`${folder}/${name}`, "12345");
}

test("indexes and their logs are deleted, and nothing else", async () => {
  using folder = temporaryFolder();
  const others = ["notes.txt", "mine.sqlite", `${ONE}.backup`, `${ONE}-other`];
  plant(folder.path, ONE, `${ONE}-wal`, `${ONE}-shm`, `${TWO}-journal`, ...others);
  fs.mkdirSync(`${folder.path}/sub`);
  const cleared = await indexCache(folder.path).clear();
  expect(cleared).toEqual({ folder: folder.path, removed_indexes: 1, in_use: [], bytes_freed: 20 });
  expect(fs.readdirSync(folder.path).sort()).toEqual([...others, "sub"].sort());
});

test.each(["ENOSPC", "EDQUOT"])(
  "where %s lets no lock be made, an index is deleted without; other failures are told",
  async (errno) => {
    using folder = temporaryFolder();
    plant(folder.path, ONE);
    const failing = (code: string) =>
      spyOn(indexLock, "tryLockIndex").mockRejectedValue(Object.assign(new Error(code), { code }));
    {
      using _other = failing("EIO");
      expect(await codeOf(indexCache(folder.path).clear())).toBe("WRITE_FAILED");
    }
    using full = failing(errno);
    expect(await indexCache(folder.path).clear()).toMatchObject({ removed_indexes: 1, bytes_freed: 5 });
    expect(full).toHaveBeenCalled();
  },
);

test("an index that another process writes stays with its lock, and is named", async () => {
  using folder = temporaryFolder();
  plant(folder.path, ONE, TWO);
  await using _held = await indexLock.tryLockIndex(`${folder.path}/${ONE}`);
  expect(await indexCache(folder.path).clear()).toMatchObject({ removed_indexes: 1, in_use: [ONE], bytes_freed: 5 });
  expect(fs.readFileSync(`${folder.path}/${ONE}`, "utf8")).toBe("12345");
  expect(await indexLock.tryLockIndex(`${folder.path}/${ONE}`)).toBe(null);
});

test("the target of a link with the name of an index stays", async () => {
  using folder = temporaryFolder();
  using elsewhere = temporaryFolder();
  plant(elsewhere.path, "precious");
  fs.symlinkSync(`${elsewhere.path}/precious`, `${folder.path}/${ONE}`);
  expect(await indexCache(folder.path).clear()).toMatchObject({ removed_indexes: 0, bytes_freed: 0 });
  expect(fs.readFileSync(`${elsewhere.path}/precious`, "utf8")).toBe("12345");
});

test("without a cache folder nothing is removed", async () => {
  using folder = temporaryFolder();
  expect(await indexCache(`${folder.path}/none`).clear()).toMatchObject({ removed_indexes: 0 });
  expect(await indexCache(null).clear()).toMatchObject({ folder: null, removed_indexes: 0 });
});

test("a folder with the name of an index stays", async () => {
  using folder = temporaryFolder();
  fs.mkdirSync(`${folder.path}/${ONE}`);
  expect(await indexCache(folder.path).clear()).toMatchObject({ removed_indexes: 0, bytes_freed: 0 });
  expect(fs.existsSync(`${folder.path}/${ONE}`)).toBe(true);
});
