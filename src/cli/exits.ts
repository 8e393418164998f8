// Exit statuses: of each error code, and those that many commands share, worded once for help.
import { type ErrorCode, isFault, type RunError } from "../kernel/errors.ts";
import type { HaltCode } from "../run/log/halt-kinds.ts";

type Exit = readonly [number, string];

/** 128 and the number of the signal. */
export const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143 } as const;

export const BAD_USAGE: Exit = [2, "bad usage or input"];
export const NOT_READ: Exit = [1, "something could not be read"];
export const NO_SUCH_RUN: Exit = [10, "no such run"];
export const STORE_AWAY: Exit = [4, "the store of the runs does not answer"];
export const LOCKED: Exit = [11, "another process works on the run"];
export const DAMAGED: Exit = [12, "the run is damaged: see verify and repair"];

/** Of read-only commands. */
export const LOOK_EXITS: readonly Exit[] = [
  [0, "success, whatever state the run is in"],
  NOT_READ,
  BAD_USAGE,
  NO_SUCH_RUN,
  DAMAGED,
];

/** Of commands that read a report version. */
export const REPORT_EXITS: readonly Exit[] = [
  [3, "the run found no evidence, so it has no report"],
  [10, "no such run, or no such version"],
  [12, "the report, or a source that it quotes, is missing or was altered"],
];

/** Of commands that work on a run until it stops. */
export const WORK_EXITS: readonly Exit[] = [
  [0, "completed, already so, or stopped where it was meant to"],
  [1, "the run failed, or its state does not allow this"],
  BAD_USAGE,
  [3, "halted: it needs attention (the next commands are printed)"],
  [4, "halted until a quota is free again, or the store of the runs does not answer"],
  NO_SUCH_RUN,
  LOCKED,
  DAMAGED,
  [13, "the lease was lost while working"],
  [70, "a bug: the run is halted with its facts"],
  [129, "the terminal was closed (SIGHUP): the run is interrupted"],
  [130, "Ctrl-C: the run is paused"],
  [143, "SIGTERM: the run is interrupted"],
];

/** Exit statuses of every command that lists none of its own for signals. */
export const SIGNAL_EXITS: readonly Exit[] = [
  [129, "ended by a closed terminal (SIGHUP); other signals that end it add their number to 128, too"],
  [130, "ended by Ctrl-C"],
  [143, "ended by SIGTERM"],
];

/** Of commands that serve until a signal ends them. */
export const SERVER_EXITS: readonly Exit[] = [BAD_USAGE, [130, "a second Ctrl-C"], [143, "a second SIGTERM"]];

/** Of commands that change a run in one go. */
export const CHANGE_EXITS: readonly Exit[] = [
  [0, "done"],
  [1, "not possible in the run's state, or not written"],
  BAD_USAGE,
  NO_SUCH_RUN,
  LOCKED,
  DAMAGED,
];

/** A halt needs attention, where its code has no other status here. */
const HALTED_EXIT = 3;

const EXIT_OF: Record<Exclude<ErrorCode, HaltCode>, number> & Partial<Record<HaltCode, number>> = {
  INVALID_STATE: 1,
  RUN_TERMINAL: 1,
  PAUSED: 1,
  REVISION_MISMATCH: 1,
  WATCHDOG_TIMEOUT: 1,
  MODEL_FAILED: 1,
  PROVIDER_FAILED: 1,
  INVALID_ARGS: 2,
  ALREADY_EXISTS: 2,
  SCHEMA_VALIDATION_FAILED: 2,
  AGENT_RESULT_INVALID: 2,
  PATH_TRAVERSAL: 2,
  INPUT_TOO_LARGE: 2,
  IMMUTABLE_FIELD: 2,
  REQUESTED_NEXT_NOT_ALLOWED: 2,
  SCHEMA_UNSUPPORTED: 2,
  QUOTA_EXCEEDED: 4,
  REQUEST_PENDING: 4,
  UNAVAILABLE: 4,
  NOT_FOUND: 10,
  LOCK_HELD: 11,
  INTEGRITY_ERROR: 12,
  MISSING_ARTIFACT: 12,
  LOCK_LOST: 13,
  LOCK_NOT_HELD: 13,
  LOCK_NOT_OWNED: 13,
  INTERNAL: 70,
  WRITE_FAILED: 1,
  READ_FAILED: 1,
  WORKER_KILLED: 1,
  INTERRUPTED_BY_SIGNAL: SIGNAL_EXIT.SIGINT,
};

export function exitOf(error: RunError): number {
  if (isFault(error, "INTERRUPTED_BY_SIGNAL")) return SIGNAL_EXIT[error.facts.signal ?? "SIGINT"];
  return EXIT_OF[error.code] ?? HALTED_EXIT;
}
