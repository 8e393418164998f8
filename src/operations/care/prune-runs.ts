// `prune`: removes the runs that are old, or too many, and that no person is waiting for.
import { basename } from "node:path";
import { RunError } from "../../kernel/errors.ts";
import type { Ports } from "../../ports/ports.ts";
import type { UnbegunFolder } from "../../ports/run-folders.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { executionStateSchema, isTerminal, type ExecutionState } from "../../run/log/lifecycle.ts";
import { neverBegun } from "../look/never-begun.ts";
import type { Outcome } from "../outcome.ts";
import { noteRemoved, sweepRemoved, type RemoveResult } from "./remove-runs.ts";

export interface PruneOptions {
  /** Names only runs that ended, or changed last, at least this long ago. */
  olderThanMs?: number;
  /** Instead of those that have ended. */
  states?: readonly ExecutionState[];
  /** Keep the newest so many of these states. */
  keep?: number;
}

export interface PrunableRun extends Omit<ReturnType<typeof prunable>, "execution_state" | "revision" | "last_change"> {
  /** `never_begun`: what a killed `start` or `fork` left, which no criterion spares. */
  execution_state: ExecutionState | "never_begun";
  last_change: string | null;
  revision: number | null;
  bytes: number;
}

export interface PruneResult extends RemoveResult {
  /** The runs that the criteria name, the oldest first. */
  runs: PrunableRun[];
  /** Runs that were not removed, each with the reason. */
  spared: { run_id: string; run_root: string; reason: string }[];
}

/** The runs that would go; writes nothing. Errors: `INVALID_ARGS` without any criterion. */
export async function prunableRuns(ports: Ports, runsRoot: string, options: PruneOptions): Promise<PrunableRun[]> {
  const { olderThanMs, keep } = options;
  if (olderThanMs === undefined && keep === undefined && options.states === undefined)
    throw new RunError("INVALID_ARGS", { reason: "say which runs: by --older-than, --state or --keep" });
  const states = options.states ?? executionStateSchema.options.filter(isTerminal);
  const found: ReturnType<typeof prunable>[] = [];
  for await (const { look } of ports.runs.list(runsRoot)) {
    if (look !== null && look.lease.held === null && states.includes(look.state)) found.push(prunable(look));
  }
  found.sort((a, b) =>
    a.last_change === b.last_change ? (a.run_id < b.run_id ? 1 : -1) : a.last_change < b.last_change ? 1 : -1,
  );
  const old = found.slice(keep ?? 0).filter(({ age_s }) => olderThanMs === undefined || age_s * 1000 >= olderThanMs);
  const runs: PrunableRun[] = [];
  for (const run of old.reverse()) runs.push({ ...run, bytes: await ports.runs.bytesOf(run.run_root) });
  const left = (await neverBegun(ports, runsRoot)).filter(({ is_left }) => is_left);
  return [...left.map(leftOver), ...runs];
}

function leftOver({ run_root, bytes }: UnbegunFolder): PrunableRun {
  const run_id = basename(run_root);
  return { run_id, run_root, bytes, execution_state: "never_begun", last_change: null, age_s: 0, revision: null };
}

function prunable({ runRoot, manifest, state, now_ms }: RunLook) {
  const last_change = manifest.ended_at ?? manifest.updated_at;
  return {
    run_id: manifest.run_id,
    run_root: runRoot,
    execution_state: state,
    /** The time of its end, else of its last change. */
    last_change,
    age_s: Math.floor((now_ms - Date.parse(last_change)) / 1000),
    /** It is removed only as long as it is at this revision. */
    revision: manifest.revision,
  };
}

/**
 * Removes the runs that were found. A run that is held, has moved on or cannot be deleted stays, and the others are removed
 * all the same. The error is that of the first run that could not be deleted.
 */
export async function pruneRuns(
  ports: Ports,
  runsRoot: string,
  runs: readonly PrunableRun[],
): Promise<Outcome<PruneResult>> {
  const result: PruneResult = { runs: [...runs], removed: [], spared: [], bytes_freed: 0 };
  let failure: Outcome<PruneResult>["error"] = null;
  for (const { run_id, run_root, revision } of runs) {
    const spare = (reason: string): void => void result.spared.push({ run_id, run_root, reason });
    try {
      const removal = await ports.runs.remove(run_root, revision === null ? {} : { expectedRevision: revision });
      if (removal.kind === "held") spare("a process works on it");
      else noteRemoved(result, { run_id, run_root, bytes_freed: removal.bytes_freed });
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      const { code, facts } = error;
      if (code === "REVISION_MISMATCH") spare("it moved on meanwhile");
      else if (code === "NOT_FOUND") spare("it is gone already");
      else if (code === "INVALID_STATE") spare("a run is being made in it");
      else {
        failure ??= error;
        spare(`it cannot be deleted: ${facts.reason ?? code}`);
      }
    }
  }
  const leftOver = await sweepRemoved(ports, [runsRoot], result);
  return { result, run: null, error: failure ?? leftOver };
}
