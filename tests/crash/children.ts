// The children of a process, as every user of this machine sees them.
import { readdirSync, readFileSync } from "node:fs";

export interface Child {
  pid: number;
  /** With a blank between the words. */
  commandLine: string;
}

export function childrenOf(parent: number): Child[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const [, parentPid] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (Number(parentPid) !== parent) return [];
      const words = readFileSync(`/proc/${name}/cmdline`, "utf8");
      return [{ pid: Number(name), commandLine: words.replaceAll("\0", " ").trim() }];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}

/** Kills the first worker that the process starts before it can make a record, and returns its command line. */
export async function killNextWorker(parent: number): Promise<string> {
  const before = new Set(childrenOf(parent).map(({ pid }) => pid));
  for (;;) {
    // Between fork and exec a child still has the command line of its parent.
    const worker = childrenOf(parent).find(
      ({ pid, commandLine }) => !before.has(pid) && commandLine.includes("__asked"),
    );
    if (worker !== undefined) {
      process.kill(worker.pid, "SIGKILL");
      return worker.commandLine;
    }
    await Bun.sleep(1);
  }
}

/** The command lines of all workers that a process starts while something is done. */
export async function commandLinesDuring(parent: number, done: Promise<unknown>): Promise<string[]> {
  const seen = new Set<string>();
  for (;;) {
    const over = await Promise.race([done.then(() => true), Bun.sleep(1)]);
    for (const { commandLine } of childrenOf(parent)) seen.add(commandLine);
    if (over === true) return [...seen];
  }
}
