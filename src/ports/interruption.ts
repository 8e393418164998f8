// Interruptions: the reasons why work on a run ends before it is done. A driver lets them pass.
import { RunError, type ErrorCode } from "../kernel/errors.ts";
import type { HaltKind } from "../run/log/halt-kinds.ts";
import type { HaltDetails, KnownHalt } from "../run/log/halt-details.ts";
import type { StopRequest } from "../run/log/request.ts";

/** A person or time has to do something before the run continues. */
export type WantedHalt = KnownHalt<WantedKind>;
type WantedKind = Exclude<HaltKind, "timeout">;

export type Interruption =
  | { kind: "halt"; halt: WantedHalt }
  | { kind: "pause" | "abort"; request: StopRequest }
  /** SIGINT and SIGTERM. */
  | { kind: "interrupt" | "terminate" }
  /** The stage has made no progress within its time limit. */
  | { kind: "late" }
  /** `superseded`: another process holds a higher epoch, so this one writes nothing more. */
  | { kind: "lease_lost"; reason: string; superseded: boolean }
  /** The store has not answered for most of the lease. Whether the lease is lost is not known. */
  | { kind: "unreachable"; reason: string };

/** Thrown when a step cannot continue. The step has not failed: it continues from there once the reason is gone. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly interruption: Interruption;

  constructor(interruption: Interruption) {
    super(`the work is interrupted: ${interruption.kind === "halt" ? interruption.halt.kind : interruption.kind}`);
    this.interruption = interruption;
  }
}

export function halting<Kind extends WantedKind>(
  kind: Kind,
  details: HaltDetails<Kind>,
  retry_at?: string,
): Interrupted {
  return new Interrupted({ kind: "halt", halt: { kind, details, retry_at } as WantedHalt });
}

const ENDS_TICK: ReadonlySet<ErrorCode> = new Set([
  "WRITE_FAILED",
  "READ_FAILED",
  "UNAVAILABLE",
  "LOCK_LOST",
  "LOCK_NOT_HELD",
  "LOCK_NOT_OWNED",
  "REVISION_MISMATCH",
  "INTEGRITY_ERROR",
  "MISSING_ARTIFACT",
  "AGENT_RESULT_INVALID",
]);

/** True for errors that end a tick: failures of the store, refused answers, bugs. Any other error fails one attempt at a step. */
export function endsTick(error: unknown): boolean {
  return error instanceof RunError
    ? ENDS_TICK.has(error.code)
    : error instanceof Error && error.name === "AssertionError";
}
