// The port for a store of runs that is a server: its schema, its health, and runs that come from folders and go to them.
import type { FileProblem } from "../kernel/errors.ts";

/** Errors of all: `UNAVAILABLE`, `INVALID_ARGS.store_login` and `.store_role`, `SCHEMA_UNSUPPORTED`. */
export interface StoreServer {
  /** Brings the schema up to this version. `workerRole` gets the rights of a worker. */
  migrate(workerRole: string | null): Promise<Migrated>;
  status(): Promise<StoreStatus>;
  /**
   * Writes a run as a folder without an owner; the journal comes last, so that a folder that is cut short is no run. Errors: `NOT_FOUND`,
   * `ALREADY_EXISTS` where something is at `folder`.
   */
  exportRun(runRoot: string, folder: string): Promise<MovedRun>;
  /**
   * Takes a folder that verifies and that no process holds. The very same run again is no error. Errors: `NOT_FOUND`, `LOCK_HELD`,
   * `INTEGRITY_ERROR`, `ALREADY_EXISTS` where another run has its place.
   */
  importRun(folder: string, runRoot: string): Promise<MovedRun & { already: boolean }>;
  close(): Promise<void>;
}

export interface Migrated {
  /** Versions of the schema, before and after; 0 for none. */
  from: number;
  to: number;
  schema: string;
}

export interface MovedRun {
  files: number;
  bytes: number;
  records: number;
  /** What does not verify of it. It was moved as it was found. */
  problems: readonly FileProblem[];
}

export interface StoreStatus {
  /** Where it is, without a user. */
  store: string;
  schema: string;
  /** Of the schema, and the one that this program needs. */
  version: number;
  needed_version: number;
  /** Of PostgreSQL. */
  server_version: string;
  role: string;
  /** True for a role that may remove runs. */
  is_operator: boolean;
  /** A standby takes no writes. */
  is_standby: boolean;
  /** This machine's clock against the server's, in ms; positive when this one is ahead. */
  skew_ms: number;
  /** By runs root. */
  roots: { root: string; runs: number; due: number; held: number; given_up: number; oldest_due_ms: number | null }[];
  bytes: number;
}
