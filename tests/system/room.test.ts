// Room in a folder is found out by writing, and nothing of that is left.
import { afterEach, expect, mock, spyOn, test } from "bun:test";
import fs from "node:fs";
import { whyNotWritable } from "../../src/system/room.ts";
import { temporaryFolder } from "../operations/made-run.ts";

afterEach(() => mock.restore());

function failing(errno: string): never {
  throw Object.assign(new Error(errno), { code: errno });
}

test("a folder of this user on a disk with room can be written, and is as it was", () => {
  using folder = temporaryFolder();
  const before = fs.statSync(folder.path);
  expect(whyNotWritable(folder.path)).toBe(null);
  expect(fs.readdirSync(folder.path)).toEqual([]);
  expect(fs.statSync(folder.path).mtimeMs).toBe(before.mtimeMs);
});

test("a folder that is not there is no disk that fails", () => {
  using folder = temporaryFolder();
  expect(whyNotWritable(`${folder.path}/absent`)).toBe(null);
});

test("a file system that does not say what room it has", () => {
  using folder = temporaryFolder();
  spyOn(fs, "statfsSync").mockImplementation(() => failing("EIO"));
  expect(whyNotWritable(folder.path)).toBe("EIO");
});

if (process.platform === "linux") {
  for (const errno of ["EDQUOT", "ENOSPC", "EIO", "EROFS", "EFBIG"])
    test(`${errno} of the first byte, of a later one and of the sync is told, and the file is closed`, () => {
      using folder = temporaryFolder();
      const closed = spyOn(fs, "closeSync");
      const write = fs.writeSync;
      const first = spyOn(fs, "writeSync").mockImplementation(() => failing(errno));
      expect(whyNotWritable(folder.path)).toBe(errno);
      // A quota that has some room left ends a write early, and refuses the next one.
      let writes = 0;
      first.mockImplementation((file, bytes, at) =>
        writes++ < 2 ? write(file, bytes as Uint8Array, Number(at), 4096) : failing(errno),
      );
      expect(whyNotWritable(folder.path)).toBe(errno);
      first.mockRestore();
      spyOn(fs, "fdatasyncSync").mockImplementation(() => failing(errno));
      expect(whyNotWritable(folder.path)).toBe(errno);
      expect(closed).toHaveBeenCalledTimes(3);
    });

  for (const errno of ["EOPNOTSUPP", "ENOTSUP", "EISDIR", "EINVAL"])
    test(`${errno}: a file system without nameless files is judged by its room alone`, () => {
      using folder = temporaryFolder();
      const open = spyOn(fs, "openSync").mockImplementation(() => failing(errno));
      expect(whyNotWritable(folder.path)).toBe(null);
      expect(open).toHaveBeenCalledTimes(1);
    });
}
