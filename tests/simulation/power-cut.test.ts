// Shows every end that a power cut or a failed fsync may lead to, and that no other is reached.
import { describe, expect, test } from "bun:test";
import { bytes, createFile, errnoFrom } from "./calls.ts";
import { anyMixture, dropUnsynced, keepUnsynced, SimulatedDisk } from "./disk.ts";

describe("any mixture", () => {
  async function appended() {
    const disk = new SimulatedDisk();
    const files = disk.process("p");
    const handle = await createFile(files, "/a", "=");
    await files.syncFolder("/");
    await handle.write(bytes("abc"));
    await createFile(files, "/b", "", false);
    return disk;
  }

  test("reaches every end, and only ends that may be", async () => {
    const disk = await appended();
    const contents = new Set<string>();
    const names = new Set<string>();
    for (let seed = 0; seed < 300; seed++) {
      const cut = disk.clone();
      cut.powerCut(anyMixture(seed));
      contents.add(cut.text("/a") ?? "nothing");
      names.add(cut.paths().join(" "));
    }
    expect([...contents].sort()).toEqual(["=", "=\0\0\0", "=a", "=a\0\0", "=ab", "=ab\0", "=abc"]);
    expect([...names].sort()).toEqual(["/a", "/a /b"]);
  });

  test("is the same for the same seed", async () => {
    const [one, other] = [await appended(), await appended()];
    one.powerCut(anyMixture(7));
    other.powerCut(anyMixture(7));
    expect(one.snapshot()).toEqual(other.snapshot());
  });

  test("an orderly reboot keeps everything", async () => {
    const disk = await appended();
    disk.powerCut(keepUnsynced);
    expect([disk.text("/a"), disk.text("/b")]).toEqual(["=abc", ""]);
  });
});

describe("a failed fsync", () => {
  async function failedSync() {
    const disk = new SimulatedDisk();
    const files = disk.process("p");
    const handle = await createFile(files, "/a", "old|");
    await files.syncFolder("/");
    await handle.write(bytes("lost|"));
    files.plan({ kind: "fail", at: files.effects + 1, errno: "EIO" });
    expect(await errnoFrom(() => handle.sync())).toBe("EIO");
    return { disk, handle };
  }

  test("loses its bytes for good, though they stay visible and the next sync succeeds", async () => {
    const { disk, handle } = await failedSync();
    expect(disk.text("/a")).toBe("old|lost|");
    await handle.sync();
    disk.powerCut(dropUnsynced);
    expect(disk.text("/a")).toBe("old|");
  });

  test("leaves a hole under what is synced behind it", async () => {
    const { disk, handle } = await failedSync();
    await handle.write(bytes("later"));
    await handle.sync();
    disk.powerCut(keepUnsynced);
    expect(disk.text("/a")).toBe("old|\0\0\0\0\0later");
  });

  test("is not healed by writing the same bytes again in place, but by another file", async () => {
    const { disk, handle } = await failedSync();
    await handle.writeAt(bytes("lost|"), 4);
    await handle.sync();
    const files = disk.process("q");
    await createFile(files, "/b", "old|lost|");
    await files.syncFolder("/");
    disk.powerCut(dropUnsynced);
    expect(disk.text("/a")).toBe("old|\0\0\0\0\0");
    expect(disk.text("/b")).toBe("old|lost|");
  });

  test("loses nothing that was synced before, nor what replaces it", async () => {
    const { disk } = await failedSync();
    const handle = await disk.process("q").open("/a", "update");
    await handle.writeAt(bytes("OLD"), 0);
    await handle.sync();
    disk.powerCut(dropUnsynced);
    expect(disk.text("/a")).toBe("OLD|");
  });

  test("may leave its size behind, as zero bytes", async () => {
    const { disk } = await failedSync();
    const ends = new Set<string>();
    for (let seed = 0; seed < 20; seed++) {
      const cut = disk.clone();
      cut.powerCut(anyMixture(seed));
      ends.add(cut.text("/a") ?? "nothing");
    }
    expect([...ends].sort()).toEqual(["old|", "old|\0\0\0\0\0"]);
  });

  test("is over after a power cut", async () => {
    const { disk } = await failedSync();
    disk.powerCut(dropUnsynced);
    const handle = await disk.process("q").open("/a", "append");
    await handle.write(bytes("again"));
    await handle.sync();
    disk.powerCut(dropUnsynced);
    expect(disk.text("/a")).toBe("old|again");
  });
});
