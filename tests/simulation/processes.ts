// The process table of a simulated host, and one process's view of it.
import type { ProcessFacts, ProcessIdentity, Processes } from "../../src/ports/processes.ts";

export interface ProcessTableOptions {
  hostname?: string;
  bootId?: string;
  pidNamespace?: string;
}

export class ProcessTable {
  readonly hostname: string;
  readonly pidNamespace: string;
  #bootId: string;
  #boots = 1;
  #started = new Map<number, string>();
  #hidden = new Set<number>();
  #lastPid = 1000;
  #starts = 0;

  constructor(options: ProcessTableOptions = {}) {
    this.hostname = options.hostname ?? "host-1";
    this.pidNamespace = options.pidNamespace ?? "pid:[4026531836]";
    this.#bootId = options.bootId ?? "boot-1";
  }

  get bootId(): string {
    return this.#bootId;
  }

  /** Starts a process; with a pid, one that takes the pid of a process that is gone. */
  spawn(pid = ++this.#lastPid): SimulatedProcesses {
    // No two processes start in one instant: a pid that is used again never has the same start time.
    const started = String(++this.#starts * 100);
    this.#started.set(pid, started);
    return new SimulatedProcesses(this, {
      pid,
      process_started: started,
      pid_namespace: this.pidNamespace,
      hostname: this.hostname,
      boot_id: this.#bootId,
    });
  }

  kill(pid: number): void {
    this.#started.delete(pid);
  }

  /** From now on nothing can be said of this pid: no /proc, or no right to look. */
  hide(pid: number): void {
    this.#hidden.add(pid);
  }

  /** Another boot: nobody is left, and pids are given out from the start again. */
  reboot(): void {
    this.#bootId = `${this.#bootId.replace(/\+\d+$/, "")}+${this.#boots++}`;
    this.#started.clear();
    this.#hidden.clear();
    this.#lastPid = 1000;
  }

  facts(pid: number): ProcessFacts {
    if (this.#hidden.has(pid)) return { kind: "unknown" };
    const started = this.#started.get(pid);
    return started === undefined ? { kind: "gone" } : { kind: "alive", started };
  }

  /** An equal table in which every process is gone. */
  cloneWithoutProcesses(): ProcessTable {
    const copy = new ProcessTable({ hostname: this.hostname, bootId: this.#bootId, pidNamespace: this.pidNamespace });
    copy.#boots = this.#boots;
    copy.#lastPid = this.#lastPid;
    copy.#starts = this.#starts;
    return copy;
  }
}

export class SimulatedProcesses implements Processes {
  #table: ProcessTable;
  #identity: ProcessIdentity;

  constructor(table: ProcessTable, identity: ProcessIdentity) {
    this.#table = table;
    this.#identity = identity;
  }

  self(): ProcessIdentity {
    return { ...this.#identity };
  }

  facts(pid: number): ProcessFacts {
    return this.#table.facts(pid);
  }
}
