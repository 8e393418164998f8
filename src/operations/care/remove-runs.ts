// `remove`: deletes runs for good. All of them are checked before the first is touched.
import { basename, dirname } from "node:path";
import { RunError } from "../../kernel/errors.ts";
import { ownerFacts } from "../../orchestrator/owning.ts";
import type { Lease } from "../../ports/lease.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import type { ExecutionState } from "../../run/log/lifecycle.ts";
import type { Outcome } from "../outcome.ts";

/** A run that may be removed, as it is now. */
export interface RemovableRun {
  run_id: string;
  run_root: string;
  /** Null for a run that cannot be read. */
  execution_state: ExecutionState | null;
  bytes: number;
}

export interface RemoveResult {
  removed: { run_id: string; run_root: string; bytes_freed: number }[];
  bytes_freed: number;
}

/**
 * Checks whether each run may be removed; writes nothing. Errors: `LOCK_HELD` for one that is worked on, `NOT_FOUND`,
 * `INVALID_ARGS` for a run root that holds the runs root.
 */
export async function removableRuns(
  ports: Ports,
  runsRoot: string,
  runRoots: readonly string[],
): Promise<RemovableRun[]> {
  const runs: RemovableRun[] = [];
  for (const runRoot of new Set(runRoots)) {
    if (runsRoot === runRoot || runsRoot.startsWith(`${runRoot}/`))
      throw new RunError("INVALID_ARGS", { reason: "the runs root lies in this folder", run_root: runRoot });
    const look = await lookOrNull(ports, runRoot);
    if (look?.lease.held != null) throw heldBy(runRoot, look.lease.held);
    runs.push({
      run_id: look?.manifest.run_id ?? basename(runRoot),
      run_root: runRoot,
      execution_state: look?.state ?? null,
      bytes: await ports.runs.bytesOf(runRoot),
    });
  }
  return runs;
}

async function lookOrNull(ports: Ports, runRoot: string): Promise<RunLook | null> {
  try {
    return await ports.store.look(runRoot);
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    if (error.code === "NOT_FOUND" && (await ports.folders.unbegunAt(runRoot)) === null) throw error;
    // A damaged run, one of a newer version, or what is left of one that was never begun, can be removed like any other.
    return null;
  }
}

function heldBy(runRoot: string, lease: Lease, reason = "another process works on it: nothing was removed"): RunError {
  return new RunError("LOCK_HELD", { reason, run_root: runRoot, ...ownerFacts(lease) });
}

/** Removes the runs one after the other. Errors: as `removableRuns`; what was removed before is in the facts. */
export async function removeRuns(
  ports: Ports,
  runs: readonly Pick<RemovableRun, "run_id" | "run_root">[],
): Promise<Outcome<RemoveResult>> {
  const result: RemoveResult = { removed: [], bytes_freed: 0 };
  for (const { run_id, run_root } of runs) {
    const removal = await ports.runs.remove(run_root).catch((cause: unknown) => {
      if (!(cause instanceof RunError)) throw cause;
      const removed = result.removed.map(({ run_id }) => run_id);
      throw cause.with({ removed });
    });
    if (removal.kind === "held") {
      const error = heldBy(run_root, removal.by, "a process took the run meanwhile");
      return { result, run: null, error };
    }
    noteRemoved(result, { run_id, run_root, bytes_freed: removal.bytes_freed });
  }
  const parents = new Set(runs.map(({ run_root }) => dirname(run_root)));
  return { result, run: null, error: await sweepRemoved(ports, parents, result) };
}

export function noteRemoved(result: RemoveResult, removed: RemoveResult["removed"][number]): void {
  result.removed.push(removed);
  result.bytes_freed += removed.bytes_freed;
}

/** Finishes removals that were cut off. It comes last, so that a failure here keeps no other run from being removed. */
export async function sweepRemoved(
  ports: Ports,
  folders: Iterable<string>,
  result: Pick<RemoveResult, "bytes_freed">,
): Promise<Outcome<unknown>["error"]> {
  try {
    for (const folder of folders) result.bytes_freed += await ports.folders.sweepRemoved(folder);
    return null;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return error;
  }
}
