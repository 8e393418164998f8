// The identity of this process, and what the process table of this host says about others.

export interface ProcessIdentity {
  pid: number;
  process_started: string;
  pid_namespace: string;
  hostname: string;
  boot_id: string;
}

export interface Processes {
  self(): ProcessIdentity;
  facts(pid: number): ProcessFacts;
}

/** What the process table says about a pid of this host. */
export type ProcessFacts = { kind: "gone" } | { kind: "alive"; started?: string } | { kind: "unknown" };
