// `watch`: follows a run that others work on, until it stops. It writes only where the fsync of the journal failed: then it makes the journal anew.
import type { Observer } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { activityOf, isTerminal } from "../../run/log/lifecycle.ts";
import type { ReadOutcome } from "../outcome.ts";
import { statusFrom, type StatusResult } from "./status.ts";

export interface WatchOptions {
  /** Reports only records behind this one; 0 for all. */
  sinceSeq: number;
  /** Continue past a pause or a halt. */
  follow: boolean;
}

export interface Watcher extends Pick<Observer, "onRecord"> {
  /** The run as it is, once every record of it was reported. */
  onRun?: (run: RunLook) => void;
  /** The journal of a run is damaged: no more of it is reported. */
  onDamage?: (runRoot: string) => void;
}

export interface WatchResult {
  /** Records that were reported. */
  records: number;
  /** The last of them, to continue from. */
  last_seq: number;
  status: StatusResult;
}

const LOOK_EVERY_MS = 500;

/**
 * Reports every record once it is durable. Ends when the run is terminal, paused or halted and no process writes a report
 * of it, or with the reason of the signal. Errors: those of `RunLog.look`, also when the run is removed or damaged while it is watched.
 */
export async function followRun(
  ports: Ports,
  runRoot: string,
  { sinceSeq, follow }: WatchOptions,
  watcher: Watcher,
  signal?: AbortSignal,
): Promise<ReadOutcome<WatchResult>> {
  const tail = ports.store.follow(runRoot, sinceSeq);
  const reported = { records: 0, last_seq: sinceSeq };
  for (;;) {
    // The run is read first: the records that are read next hold all that was read, unless some are not durable yet.
    const run = await ports.store.look(runRoot);
    for (const record of await tail.next()) {
      watcher.onRecord?.(runRoot, record);
      reported.records++;
      reported.last_seq = record.seq;
    }
    if (reported.last_seq >= run.manifest.revision) {
      watcher.onRun?.(run);
      if (hasStopped(run, follow)) return { result: { ...reported, status: statusFrom(run) }, run, error: null };
    }
    await tail.wait(LOOK_EVERY_MS, signal);
  }
}

function hasStopped({ state, manifest, lease }: RunLook, follow: boolean): boolean {
  if (activityOf(manifest, lease) === "reporting") return false;
  if (isTerminal(state)) return true;
  return !follow && (state === "paused" || manifest.halt !== null);
}
