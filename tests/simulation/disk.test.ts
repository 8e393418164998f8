// Shows what the simulated disk keeps and loses, so that the crash tests above it can be believed.
import { describe, expect, test } from "bun:test";
import { bytes, createFile, crashes, errnoFrom, text } from "./calls.ts";
import { anyMixture, dropUnsynced, SimulatedDisk, type PowerCutChoices } from "./disk.ts";

describe("file contents", () => {
  test("are visible to every process at once, and are appended at the end", async () => {
    const disk = new SimulatedDisk();
    const writer = disk.process("writer");
    await createFile(writer, "/journal", "one ", false);
    const appender = await writer.open("/journal", "append");
    expect(await appender.write(bytes("two"))).toBe(3);
    const reader = await disk.process("reader").open("/journal", "read");
    expect(text(await reader.readAt(0, 100))).toBe("one two");
    expect(text(await reader.readAt(4, 2))).toBe("tw");
    expect((await reader.readAt(7, 5)).length).toBe(0);
  });

  test("are not the caller's buffer", async () => {
    const disk = new SimulatedDisk();
    const handle = await disk.process("p").open("/a", "create");
    const buffer = bytes("good");
    await handle.write(buffer);
    buffer.fill(0x78);
    await handle.sync();
    await disk.process("p").syncFolder("/");
    disk.powerCut(dropUnsynced);
    expect(disk.text("/a")).toBe("good");
  });

  test("survive a power cut up to the last sync", async () => {
    const disk = new SimulatedDisk();
    const files = disk.process("p");
    const handle = await createFile(files, "/a", "synced");
    await files.syncFolder("/");
    await handle.write(bytes(" and not"));
    await handle.writeAt(bytes("S"), 0);
    expect(disk.text("/a")).toBe("Synced and not");
    disk.powerCut(dropUnsynced);
    expect(disk.text("/a")).toBe("synced");
  });

  test("survive kill -9 without a sync", async () => {
    const disk = new SimulatedDisk();
    await createFile(disk.process("p"), "/a", "in the page cache", false);
    disk.kill();
    expect(disk.text("/a")).toBe("in the page cache");
  });

  test("written in place leave a gap of zero bytes", async () => {
    const disk = new SimulatedDisk();
    const handle = await disk.process("p").open("/a", "create");
    await handle.writeAt(bytes("x"), 3);
    expect(disk.text("/a")).toBe("\0\0\0x");
  });

  test("take each fate that the choices name", async () => {
    const disk = new SimulatedDisk();
    const files = disk.process("p");
    const handle = await createFile(files, "/a", "old|");
    await files.syncFolder("/");
    await handle.write(bytes("abcd"));
    await handle.write(bytes("EF"));
    const after = (keptBytes: number, sizeGrows: boolean) => {
      const copy = disk.clone();
      copy.powerCut({
        ...dropUnsynced,
        fateOfWrite: (length) => ({ keptBytes: length === 4 ? keptBytes : 0, sizeGrows }),
      });
      return copy.text("/a");
    };
    expect(after(4, false)).toBe("old|abcd");
    expect(after(2, false)).toBe("old|ab");
    expect(after(2, true)).toBe("old|ab\0\0\0\0");
    expect(after(0, true)).toBe("old|\0\0\0\0\0\0");
    expect(after(0, false)).toBe("old|");
  });

  test("that are zeroed never touch bytes that were there before", async () => {
    const disk = new SimulatedDisk();
    disk.plantFile("/a", "old");
    const handle = await disk.process("p").open("/a", "update");
    await handle.writeAt(bytes("NEWER"), 0);
    disk.powerCut({ ...dropUnsynced, fateOfWrite: () => ({ keptBytes: 0, sizeGrows: true }) });
    expect(disk.text("/a")).toBe("old\0\0");
  });
});

describe("names", () => {
  test("are durable only after a sync of their folder, whatever is synced in the file", async () => {
    const disk = new SimulatedDisk();
    const files = disk.process("p");
    await createFile(files, "/a", "x");
    const unsynced = disk.clone();
    unsynced.powerCut(dropUnsynced);
    expect(unsynced.paths()).toEqual([]);
    await files.syncFolder("/");
    disk.powerCut(dropUnsynced);
    expect(disk.text("/a")).toBe("x");
  });

  test("of files whose contents were never synced lead to empty files", async () => {
    const disk = new SimulatedDisk();
    const files = disk.process("p");
    await createFile(files, "/a", "x", false);
    await files.syncFolder("/");
    disk.powerCut(dropUnsynced);
    expect(disk.text("/a")).toBe("");
  });

  test("in a folder go with the folder when its own name was not synced", async () => {
    const disk = new SimulatedDisk();
    const files = disk.process("p");
    await files.makeFolder("/run");
    await createFile(files, "/run/a", "x");
    await files.syncFolder("/run");
    const cut = disk.clone();
    cut.powerCut(dropUnsynced);
    expect(cut.paths()).toEqual([]);
    await files.syncFolder("/");
    disk.powerCut(dropUnsynced);
    expect(disk.paths()).toEqual(["/run", "/run/a"]);
  });

  test("renamed within a folder change together", async () => {
    const disk = new SimulatedDisk();
    disk.plantFile("/m", "old");
    const files = disk.process("p");
    await createFile(files, "/tmp", "new");
    await files.rename("/tmp", "/m");
    expect([...disk.snapshot().keys()]).toEqual(["/m"]);
    expect(disk.text("/m")).toBe("new");
    for (let seed = 0; seed < 40; seed++) {
      const cut = disk.clone();
      cut.powerCut(anyMixture(seed));
      expect(["old", "new"]).toContain(cut.text("/m") ?? "nothing");
      if (cut.text("/m") === "new") expect(cut.paths()).toEqual(["/m"]);
    }
    const cut = disk.clone();
    cut.powerCut(dropUnsynced);
    expect(cut.text("/m")).toBe("old");
    await files.syncFolder("/");
    disk.powerCut(dropUnsynced);
    expect(disk.text("/m")).toBe("new");
    expect(disk.paths()).toEqual(["/m"]);
  });

  test("that are removed come back when the folder was not synced", async () => {
    const disk = new SimulatedDisk();
    disk.plantFile("/a", "x");
    const files = disk.process("p");
    await files.remove("/a");
    expect(disk.paths()).toEqual([]);
    const cut = disk.clone();
    cut.powerCut(dropUnsynced);
    expect(cut.text("/a")).toBe("x");
    await files.syncFolder("/");
    disk.powerCut(dropUnsynced);
    expect(disk.paths()).toEqual([]);
  });

  test("a link is a second name of one file", async () => {
    const disk = new SimulatedDisk();
    const files = disk.process("p");
    const handle = await createFile(files, "/a", "x");
    await files.link("/a", "/b");
    const [a, b] = [await files.facts("/a"), await files.facts("/b")];
    expect(a?.identity).toBe(b?.identity ?? "");
    expect(a?.links).toBe(2);
    await files.remove("/a");
    await handle.write(bytes("y"));
    expect(disk.text("/b")).toBe("xy");
    expect((await handle.facts()).links).toBe(1);
    await files.syncFolder("/");
    disk.powerCut(dropUnsynced);
    expect((await disk.process("q").facts("/b"))?.links).toBe(1);
  });
});

describe("a rename into another folder", () => {
  async function renamed() {
    const disk = new SimulatedDisk();
    disk.plantFile("/from/a", "x");
    disk.plantFolder("/to");
    const files = disk.process("p");
    await files.rename("/from/a", "/to/b");
    return { disk, files };
  }
  const cutPaths = (disk: SimulatedDisk, choices: PowerCutChoices) => {
    const cut = disk.clone();
    cut.powerCut(choices);
    return [...cut.snapshot().keys()];
  };

  test("never leaves the file without a name", async () => {
    const { disk } = await renamed();
    const seen = new Set<string>();
    for (let seed = 0; seed < 60; seed++) seen.add(cutPaths(disk, anyMixture(seed)).join(" "));
    expect([...seen].sort()).toEqual(["/from/a", "/from/a /to/b", "/to/b"]);
  });

  test("is undone when only the folder that it left was synced", async () => {
    const { disk, files } = await renamed();
    await files.syncFolder("/from");
    expect(cutPaths(disk, dropUnsynced)).toEqual(["/from/a"]);
    await files.syncFolder("/to");
    expect(cutPaths(disk, dropUnsynced)).toEqual(["/to/b"]);
  });

  test("leaves both names when only the folder that it entered was synced", async () => {
    const { disk, files } = await renamed();
    await files.syncFolder("/to");
    expect(cutPaths(disk, dropUnsynced)).toEqual(["/from/a", "/to/b"]);
    await files.syncFolder("/from");
    expect(cutPaths(disk, dropUnsynced)).toEqual(["/to/b"]);
  });

  test("that waits takes nothing away from a newer file under the old name", async () => {
    const { disk, files } = await renamed();
    await createFile(files, "/from/a", "newer");
    await files.syncFolder("/from");
    await files.syncFolder("/to");
    disk.powerCut(dropUnsynced);
    expect([disk.text("/from/a"), disk.text("/to/b")]).toEqual(["newer", "x"]);
  });
});

describe("identity", () => {
  test("tells a replaced file from the one that is open", async () => {
    const disk = new SimulatedDisk();
    const files = disk.process("p");
    const handle = await createFile(files, "/a", "x");
    await createFile(files, "/b", "y");
    await files.rename("/b", "/a");
    expect((await files.facts("/a"))?.identity).not.toBe((await handle.facts()).identity);
    expect((await handle.facts()).links).toBe(0);
  });

  test("is given out again once neither name nor handle is left, as ext4 does", async () => {
    const disk = new SimulatedDisk();
    const files = disk.process("p");
    const handle = await createFile(files, "/a", "x");
    const first = (await handle.facts()).identity;
    await files.remove("/a");
    await createFile(files, "/b", "y");
    expect((await files.facts("/b"))?.identity).not.toBe(first);
    await handle.close();
    await createFile(files, "/c", "z");
    expect((await files.facts("/c"))?.identity).toBe(first);
  });

  test("is never shared by two files after a power cut", async () => {
    const disk = new SimulatedDisk();
    disk.plantFile("/a", "x");
    const files = disk.process("p");
    await files.remove("/a");
    await createFile(files, "/b", "y");
    disk.powerCut({
      ...dropUnsynced,
      keepsName: (() => {
        let asked = 0;
        return () => asked++ > 0;
      })(),
    });
    const after = disk.process("q");
    expect(disk.paths()).toEqual(["/a", "/b"]);
    expect((await after.facts("/a"))?.identity).not.toBe((await after.facts("/b"))?.identity ?? "");
  });
});

describe("for tests", () => {
  test("the trace tells every effect", async () => {
    const disk = new SimulatedDisk();
    const files = disk.process("p").plan({ kind: "crash-mid", at: 3 });
    const handle = await createFile(files, "/a", "x", false);
    await errnoFrom(() => files.makeFolder("/a"));
    expect(disk.trace.map(({ effect, outcome }) => `${effect} ${outcome}`)).toEqual([
      "open-create done",
      "write done",
      "makeFolder crash-mid",
    ]);
    expect(await crashes(() => handle.sync())).toBe(true);
    expect(disk.describeTrace(2)).toBe("p 2 write /a (1 bytes): done\np 3 makeFolder /a: crash-mid");
  });

  test("a clone goes its own way, unsynced work included", async () => {
    const disk = new SimulatedDisk();
    disk.plantFile("/from/a", "x");
    disk.plantFolder("/to");
    const files = disk.process("p");
    await files.rename("/from/a", "/to/b");
    await files.syncFolder("/from");
    const twin = disk.clone();
    await twin.process("q").syncFolder("/to");
    twin.powerCut(dropUnsynced);
    disk.powerCut(dropUnsynced);
    expect([...twin.snapshot().keys()]).toEqual(["/to/b"]);
    expect([...disk.snapshot().keys()]).toEqual(["/from/a"]);
  });

  test("what is planted or erased is durable", () => {
    const disk = new SimulatedDisk();
    disk.plantFile("/a/b/c", "x");
    disk.plantFile("/a/b/d", "longer");
    disk.plantFile("/a/b/d", "short");
    disk.erase("/a/b/c");
    disk.powerCut(dropUnsynced);
    expect(disk.paths()).toEqual(["/a", "/a/b", "/a/b/d"]);
    expect(disk.text("/a/b/d")).toBe("short");
    expect(disk.read("/a/b/d/e")).toBeNull();
  });
});
