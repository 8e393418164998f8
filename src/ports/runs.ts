// The port for the runs of a store: which there are, which are due, what they take, and their removal.
import { endsByAnswer, isHaltOver } from "../run/log/halt.ts";
import type { Manifest } from "../run/log/manifest.ts";
import { isResult } from "../run/log/request.ts";
import type { Held } from "./lease.ts";
import type { LookOptions, RunLook } from "./run-log.ts";

export interface Runs {
  /** Names of the runs under a runs root, sorted; over folders also of those that may hold one. Null when there is no runs root. */
  names(runsRoot: string): Promise<string[] | null>;
  /** Reads the runs under a runs root one by one, sorted by name. A run that cannot be read comes with its error. */
  list(runsRoot: string, options?: LookOptions): AsyncIterable<RunEntry>;
  /**
   * The runs for which a tick has something to do or to report, by the clock of the store: those that are due, those whose owner is
   * silent, and those that cannot be read. At most `limit` of them.
   */
  due(runsRoot: string, limit?: number): AsyncIterable<RunEntry>;
  /** What to print for a file of a run, by its path in the run: over folders where it lies. */
  placeOf(runRoot: string, path: string): string;
  /** What a run takes, in bytes. */
  bytesOf(runRoot: string): Promise<number>;
  /**
   * Removes a run for good, damaged or not, under its lease; with `expectedRevision` only at that revision. Errors: `NOT_FOUND`,
   * also for what is no run, `REVISION_MISMATCH`, `WRITE_FAILED`.
   */
  remove(runRoot: string, options?: { expectedRevision?: number }): Promise<Removal>;
}

export interface RunEntry {
  runRoot: string;
  look: RunLook | null;
  error: unknown;
}

export type Removal = { kind: "removed"; bytes_freed: number } | Held;

// --- which of them are due ------------------------------------------------------------------------------------------

/** True for a run that the next tick works on. */
export function isDue(run: RunLook): boolean {
  return run.lease.held === null && continuesByTick(run) && !isHalted(run);
}

/**
 * When a run continues by itself, for a store that looks for those that are due: 0 at any time, infinity by an answer alone, null
 * never. It may be due later, as `isDue` judges it, and is never due earlier.
 */
export function wakesAt({ execution_state, halt }: Manifest): number | null {
  if (execution_state !== "running" && execution_state !== "interrupted") return null;
  if (halt === null) return 0;
  return halt.schema_version === "halt.v1" && halt.retry_at !== undefined
    ? Date.parse(halt.retry_at)
    : Number.POSITIVE_INFINITY;
}

/** True for the states from which a tick continues by itself, unless a halt prevents it. */
export function continuesByTick({ state, manifest }: Pick<RunLook, "state" | "manifest">): boolean {
  return state === "running" || (state === "interrupted" && manifest.settings.policies.on_interrupt === "continue");
}

/** A halt stands, and neither its time has come nor does an answer wait that ends it. */
export function isHalted({ manifest: { halt }, now_ms, requests }: RunLook): boolean {
  if (halt === null || isHaltOver(halt, now_ms)) return false;
  // The answer was handed to a process which ended before it took it up.
  return !requests.some((request) => isResult(request) && endsByAnswer(halt, request.replaces));
}

/** An owner at work misses no heartbeat. When two are due, something is wrong. */
const OVERDUE_HEARTBEATS = 2;

export function isHeartbeatOverdue({ manifest, lease: { held }, now_ms }: RunLook): boolean {
  if (held === null) return false;
  return now_ms - held.refreshed_at_ms > OVERDUE_HEARTBEATS * manifest.settings.lease.heartbeat_seconds * 1000;
}

/** What `due` gives of a list. */
export async function* dueOf(
  entries: AsyncIterable<RunEntry>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<RunEntry> {
  let given = 0;
  for await (const entry of entries) {
    if (given >= limit) return;
    const judged = judge(entry);
    if (judged === null) continue;
    given++;
    yield judged;
  }
}

/** Null for a run that nothing is due for. One that meets a bug must not hide the others. */
function judge(entry: RunEntry): RunEntry | null {
  const { runRoot, look } = entry;
  try {
    return look === null || isDue(look) || isHeartbeatOverdue(look) ? entry : null;
  } catch (error) {
    return { runRoot, look: null, error };
  }
}
