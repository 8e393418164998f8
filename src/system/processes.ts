// The process table of this host: /proc on Linux, signal 0 and sysctl where there is none.
import { unlessThrown } from "../kernel/unless-thrown.ts";
import fs from "node:fs";
import os from "node:os";
import type { ProcessFacts, ProcessIdentity, Processes } from "../ports/processes.ts";

export const realProcesses: Processes = {
  self() {
    if (identity !== undefined) return identity;
    const own = facts(process.pid);
    identity = {
      pid: process.pid,
      process_started: (own.kind === "alive" ? own.started : undefined) ?? "",
      pid_namespace: unlessThrown(() => fs.readlinkSync("/proc/self/ns/pid"), "host"),
      hostname: os.hostname(),
      boot_id: bootId(),
    };
    return identity;
  },
  facts,
};

let identity: ProcessIdentity | undefined;

/** A zombie counts as gone, since it will never write again. */
function facts(pid: number): ProcessFacts {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat !== undefined) {
    const fields = fieldsOf(stat);
    const state = fields[0];
    if (state === "Z" || state === "X") return { kind: "gone" };
    const started = fields[19];
    return started === undefined ? { kind: "alive" } : { kind: "alive", started };
  }
  try {
    process.kill(pid, 0);
    return { kind: "alive" };
  } catch (error) {
    return (error as { code?: string }).code === "ESRCH" ? { kind: "gone" } : { kind: "unknown" };
  }
}

/** The fields behind the process name, which may hold spaces and parentheses. The first is the state, the 20th the start. */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function readProc(path: string): string | undefined {
  return unlessThrown(() => fs.readFileSync(path, "latin1"), undefined);
}

function bootId(): string {
  const id = readProc("/proc/sys/kernel/random/boot_id");
  if (id !== undefined) return id.trim();
  const session = Bun.spawnSync(["sysctl", "-n", "kern.bootsessionuuid"]).stdout.toString().trim();
  return session === "" ? "unknown" : session;
}
