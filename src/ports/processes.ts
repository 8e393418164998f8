// The identity of this process, and what the process table of this host says about others.
import type { ProcessFacts } from "../run/lease.ts";

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
