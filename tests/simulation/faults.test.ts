// Shows that planned faults strike where they should, once or for ever, and that the dead stay dead.
import { describe, expect, test } from "bun:test";
import { bytes, createFile, crashes, errnoFrom, text } from "./calls.ts";
import { dropUnsynced, SimulatedDisk, type Fault, type SimulatedProcess } from "./disk.ts";

describe("a crash", () => {
  /** Effects 1 to 4: open, write, sync, syncFolder. */
  async function store(files: SimulatedProcess): Promise<void> {
    await createFile(files, "/a", "abcdef");
    await files.syncFolder("/");
  }
  async function crashAt(fault: Fault) {
    const disk = new SimulatedDisk();
    const files = disk.process("p").plan(fault);
    expect(await crashes(() => store(files))).toBe(true);
    expect(files.effects).toBe(fault.at);
    expect(files.fired).toBe(1);
    return { disk, files };
  }

  test("before, in the middle of and after a write", async () => {
    expect((await crashAt({ kind: "crash-before", at: 2 })).disk.text("/a")).toBe("");
    expect((await crashAt({ kind: "crash-mid", at: 2 })).disk.text("/a")).toBe("abc");
    expect((await crashAt({ kind: "crash-mid", at: 2, bytes: 5 })).disk.text("/a")).toBe("abcde");
    expect((await crashAt({ kind: "crash-after", at: 2 })).disk.text("/a")).toBe("abcdef");
  });

  test("before and after other effects", async () => {
    expect((await crashAt({ kind: "crash-before", at: 1 })).disk.paths()).toEqual([]);
    expect((await crashAt({ kind: "crash-mid", at: 1 })).disk.paths()).toEqual([]);
    expect((await crashAt({ kind: "crash-after", at: 1 })).disk.paths()).toEqual(["/a"]);
    const { disk } = await crashAt({ kind: "crash-after", at: 4 });
    disk.powerCut(dropUnsynced);
    expect(disk.text("/a")).toBe("abcdef");
    const { disk: before } = await crashAt({ kind: "crash-before", at: 4 });
    before.powerCut(dropUnsynced);
    expect(before.paths()).toEqual([]);
  });

  test("is final: a dead process has no effect, even when its code catches the error", async () => {
    const { disk, files } = await crashAt({ kind: "crash-after", at: 2 });
    const calls: (() => unknown)[] = [
      () => files.open("/b", "create"),
      () => files.facts("/a"),
      () => files.remove("/a"),
      () => files.syncFolder("/"),
    ];
    for (const call of calls) expect(await crashes(call)).toBe(true);
    expect(disk.paths()).toEqual(["/a"]);
    expect(files.effects).toBe(2);
    expect(files.openHandles).toBe(0);
    disk.powerCut(dropUnsynced);
    expect(disk.paths()).toEqual([]);
  });

  test("ends the handles of its process and no other's", async () => {
    const disk = new SimulatedDisk();
    const [one, other] = [disk.process("one"), disk.process("other")];
    const dead = await createFile(one, "/a", "x");
    const alive = await other.open("/a", "append");
    one.kill();
    expect(await crashes(() => dead.write(bytes("never")))).toBe(true);
    await alive.write(bytes("y"));
    expect(disk.text("/a")).toBe("xy");
    disk.powerCut(dropUnsynced);
    expect(await crashes(() => alive.write(bytes("never")))).toBe(true);
  });

  test("does not strike when its number is never reached", async () => {
    const disk = new SimulatedDisk();
    const files = disk.process("p").plan({ kind: "crash-before", at: 5 });
    await store(files);
    expect([files.effects, files.fired]).toEqual([4, 0]);
  });
});

describe("faults", () => {
  test("fail once, without an effect", async () => {
    const disk = new SimulatedDisk();
    const files = disk.process("p").plan({ kind: "fail", at: 1, errno: "ENOSPC" });
    expect(await errnoFrom(() => files.open("/a", "create"))).toBe("ENOSPC");
    expect(disk.paths()).toEqual([]);
    await files.open("/a", "create");
    expect(disk.paths()).toEqual(["/a"]);
  });

  test("fail for ever, but only where that errno can occur", async () => {
    const disk = new SimulatedDisk();
    disk.plantFile("/a", "x");
    const files = disk.process("p").plan({ kind: "fail", at: 2, errno: "ENOSPC", forever: true });
    const handle = await files.open("/a", "append");
    expect(await errnoFrom(() => handle.write(bytes("y")))).toBe("ENOSPC");
    expect(text(await handle.readAt(0, 9))).toBe("x");
    expect(await errnoFrom(() => handle.write(bytes("y")))).toBe("ENOSPC");
    expect(await errnoFrom(() => files.makeFolder("/b"))).toBe("ENOSPC");
    await files.remove("/a");
    expect(disk.paths()).toEqual([]);
    expect(files.fired).toBe(3);
  });

  test("do not strike where that errno cannot occur, unless told to", async () => {
    const disk = new SimulatedDisk();
    disk.plantFile("/a", "x");
    const files = disk.process("p").plan({ kind: "fail", at: 1, errno: "ENOSPC" });
    await files.facts("/a");
    expect(files.fired).toBe(0);
    files.plan({ kind: "fail", at: 2, errno: "ENOSPC", on: ["facts"] });
    expect(await errnoFrom(() => files.facts("/a"))).toBe("ENOSPC");
  });

  test.each(["EIO", "EINTR"])("%s strikes everything but close", async (errno) => {
    const disk = new SimulatedDisk();
    disk.plantFile("/a", "x");
    const files = disk.process("p");
    const handle = await files.open("/a", "append");
    files.plan({ kind: "fail", at: 2, errno, forever: true });
    expect(await errnoFrom(() => handle.readAt(0, 1))).toBe(errno);
    expect(await errnoFrom(() => files.facts("/a"))).toBe(errno);
    expect(await errnoFrom(() => files.syncFolder("/"))).toBe(errno);
    expect(await errnoFrom(() => handle.close())).toBe("no error");
  });

  test.each(["EMFILE", "EROFS"])("%s keeps what is open usable", async (errno) => {
    const disk = new SimulatedDisk();
    disk.plantFile("/a", "x");
    const files = disk.process("p");
    const handle = await files.open("/a", "append");
    files.plan({ kind: "fail", at: 2, errno, forever: true });
    expect(await errnoFrom(() => files.open("/a", "append"))).toBe(errno);
    expect(text(await handle.readAt(0, 1))).toBe("x");
    expect(await errnoFrom(() => files.open("/a", "read"))).toBe(errno === "EMFILE" ? "EMFILE" : "no error");
  });

  test("a short write takes a prefix and says so", async () => {
    const disk = new SimulatedDisk();
    const files = disk.process("p");
    const handle = await files.open("/a", "create");
    files.plan({ kind: "short-write", at: 2 }, { kind: "short-write", at: 3, bytes: 99 });
    expect(await handle.write(bytes("abcd"))).toBe(2);
    expect(await handle.write(bytes("xyz"))).toBe(2);
    expect(await handle.write(bytes("!"))).toBe(1);
    expect(disk.text("/a")).toBe("abxy!");
  });

  test("a failed sync of a folder leaves its names undurable, and the next one that succeeds takes them", async () => {
    const disk = new SimulatedDisk();
    const files = disk.process("p");
    await createFile(files, "/a", "x");
    files.plan({ kind: "fail", at: files.effects + 1, errno: "EIO" });
    expect(await errnoFrom(() => files.syncFolder("/"))).toBe("EIO");
    const cut = disk.clone();
    cut.powerCut(dropUnsynced);
    expect(cut.paths()).toEqual([]);
    await files.syncFolder("/");
    disk.powerCut(dropUnsynced);
    expect(disk.paths()).toEqual(["/a"]);
  });
});

describe("a frozen process", () => {
  test("waits at its effect while others go on, then does it", async () => {
    const disk = new SimulatedDisk();
    disk.plantFile("/a", "");
    const slow = disk.process("slow").plan({ kind: "freeze", at: 2 });
    const handle = await slow.open("/a", "append");
    let isDone = false;
    const writing = Promise.resolve(handle.write(bytes("late"))).then(() => (isDone = true));
    await slow.whenFrozen();
    const rival = await disk.process("rival").open("/a", "append");
    await rival.write(bytes("early "));
    expect([disk.text("/a"), isDone]).toEqual(["early ", false]);
    slow.thaw();
    await writing;
    expect(disk.text("/a")).toBe("early late");
  });

  test("does nothing else meanwhile, and catches up in order", async () => {
    const disk = new SimulatedDisk();
    const files = disk.process("p").plan({ kind: "freeze", at: 1 });
    const calls = Promise.all([files.makeFolder("/a"), files.makeFolder("/a/b"), files.rename("/a/b", "/a/c")]);
    await Promise.resolve();
    expect(disk.paths()).toEqual([]);
    expect(files.effects).toBe(1);
    files.thaw();
    await calls;
    expect(disk.paths()).toEqual(["/a", "/a/c"]);
  });

  test.each(["by the test", "at the effect"])("%s that is killed never does what it waited for", async (frozen) => {
    const disk = new SimulatedDisk();
    const files = disk.process("p");
    if (frozen === "by the test") files.freeze();
    else files.plan({ kind: "freeze", at: 1 });
    const making = crashes(() => files.makeFolder("/a"));
    await Promise.resolve();
    files.kill();
    expect(await making).toBe(true);
    expect(disk.paths()).toEqual([]);
  });
});
