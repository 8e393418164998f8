// `prune`: removes the runs that are old, or too many, and that nobody is waiting for.
import { RunError } from "../kernel/errors.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-store.ts";
import { executionStateSchema, isTerminal, type ExecutionState } from "../run/lifecycle.ts";
import type { Outcome } from "./outcome.ts";
import { sweepRemoved } from "./remove-runs.ts";

export interface PruneOptions {
  /** Only runs that ended, or changed last, at least this long ago. */
  olderThanMs?: number;
  /** Instead of those that have ended. */
  states?: readonly ExecutionState[];
  /** Keep the newest so many of these states. */
  keep?: number;
}

export interface PrunableRun {
  run_id: string;
  run_root: string;
  execution_state: ExecutionState;
  /** When it ended, else when it changed last. */
  last_change: string;
  age_s: number;
  bytes: number;
  /** It is removed only as long as it is at this revision. */
  revision: number;
}

export interface PruneResult {
  /** The runs that the criteria name, the oldest first. */
  runs: PrunableRun[];
  removed: { run_id: string; run_root: string; bytes_freed: number }[];
  /** Runs that somebody took, that moved on meanwhile or that cannot be deleted, and why they stayed. */
  spared: { run_id: string; run_root: string; reason: string }[];
  bytes_freed: number;
}

/** Which runs would go; writes nothing. Errors: `INVALID_ARGS` without any criterion. */
export async function prunableRuns(ports: Ports, runsRoot: string, options: PruneOptions): Promise<PrunableRun[]> {
  const { olderThanMs, keep } = options;
  if (olderThanMs === undefined && keep === undefined && options.states === undefined)
    throw new RunError("INVALID_ARGS", { reason: "say which runs: by --older-than, --state or --keep" });
  const states = options.states ?? executionStateSchema.options.filter(isTerminal);
  const nowMs = ports.clock.nowMs();
  const found: Omit<PrunableRun, "bytes">[] = [];
  for await (const { look } of ports.store.list(runsRoot)) {
    if (look !== null && look.lease.held === null && states.includes(look.state)) found.push(prunable(look, nowMs));
  }
  found.sort((a, b) =>
    a.last_change === b.last_change ? (a.run_id < b.run_id ? 1 : -1) : a.last_change < b.last_change ? 1 : -1,
  );
  const old = found.slice(keep ?? 0).filter(({ age_s }) => olderThanMs === undefined || age_s * 1000 >= olderThanMs);
  const runs: PrunableRun[] = [];
  for (const run of old.reverse()) runs.push({ ...run, bytes: await ports.store.bytesOf(run.run_root) });
  return runs;
}

function prunable({ runRoot, manifest, state }: RunLook, nowMs: number): Omit<PrunableRun, "bytes"> {
  const last_change = manifest.ended_at ?? manifest.updated_at;
  return {
    run_id: manifest.run_id,
    run_root: runRoot,
    execution_state: state,
    last_change,
    age_s: Math.floor((nowMs - Date.parse(last_change)) / 1000),
    revision: manifest.revision,
  };
}

/**
 * Removes the runs that were found. One that is held, moved on meanwhile or cannot be deleted stays, and the others go all
 * the same; the first that could not be deleted is the error.
 */
export async function pruneRuns(
  ports: Ports,
  runsRoot: string,
  runs: readonly PrunableRun[],
): Promise<Outcome<PruneResult>> {
  const result: PruneResult = { runs: [...runs], removed: [], spared: [], bytes_freed: 0 };
  let failure: Outcome<PruneResult>["error"] = null;
  for (const { run_id, run_root, revision } of runs) {
    const removal = await removeAt(ports, run_root, revision);
    if (removal instanceof RunError) {
      failure ??= { code: removal.code, facts: removal.facts };
      result.spared.push({ run_id, run_root, reason: `it cannot be deleted: ${String(removal.facts["reason"])}` });
    } else if (typeof removal === "string") {
      result.spared.push({ run_id, run_root, reason: removal });
    } else {
      result.removed.push({ run_id, run_root, bytes_freed: removal });
      result.bytes_freed += removal;
    }
  }
  const leftOver = await sweepRemoved(ports, [runsRoot], result);
  return { result, run: null, error: failure ?? leftOver };
}

/** The bytes that it freed, or why the run stays. */
async function removeAt(ports: Ports, runRoot: string, expectedRevision: number): Promise<number | string | RunError> {
  try {
    const removal = await ports.store.remove(runRoot, { expectedRevision });
    return removal.kind === "held" ? "somebody works on it" : removal.bytes_freed;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    if (error.code === "REVISION_MISMATCH") return "it moved on meanwhile";
    if (error.code === "NOT_FOUND") return "it is gone already";
    return error;
  }
}
