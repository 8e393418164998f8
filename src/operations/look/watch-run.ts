// `watch`: follows a run that others work on, until it stops. It writes only where the fsync of the journal failed: then it makes the journal anew.
import type { Observer } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { activityOf, isTerminal } from "../../run/log/lifecycle.ts";
import type { LookOutcome } from "../outcome.ts";
import { statusFrom, type StatusResult } from "./status.ts";

export interface WatchOptions {
  /** Tells only records behind this one; 0 for all. */
  sinceSeq: number;
  /** Go on past a pause or a halt. */
  follow: boolean;
}

export interface Watcher extends Pick<Observer, "onRecord"> {
  /** The run as it stands, once every record of it was told. */
  onLook?: (run: RunLook) => void;
  /** The journal of a run is damaged: no more of it is told. */
  onDamage?: (runRoot: string) => void;
}

export interface WatchResult {
  /** Records that were told. */
  records: number;
  /** The last of them, to go on from. */
  last_seq: number;
  status: StatusResult;
}

const LOOK_EVERY_MS = 500;

/**
 * Tells every record once it is durable. Ends when the run is terminal, paused or halted and nobody writes a report
 * of it, or with the reason of the signal. Errors: those of `RunLog.look`, also when the run is removed or damaged while it is watched.
 */
export async function followRun(
  ports: Ports,
  runRoot: string,
  { sinceSeq, follow }: WatchOptions,
  watcher: Watcher,
  signal?: AbortSignal,
): Promise<LookOutcome<WatchResult>> {
  const tail = ports.store.follow(runRoot, sinceSeq);
  const told = { records: 0, last_seq: sinceSeq };
  for (;;) {
    // The look comes first: the records that are read next hold all that it shows, unless some are not durable yet.
    const run = await ports.store.look(runRoot);
    for (const record of await tail.next()) {
      watcher.onRecord?.(runRoot, record);
      told.records++;
      told.last_seq = record.seq;
    }
    if (told.last_seq >= run.manifest.revision) {
      watcher.onLook?.(run);
      if (hasStopped(run, follow)) return { result: { ...told, status: statusFrom(run) }, run, error: null };
    }
    await tail.wait(LOOK_EVERY_MS, signal);
  }
}

function hasStopped({ state, manifest, lease }: RunLook, follow: boolean): boolean {
  if (activityOf(manifest, lease) === "reporting") return false;
  if (isTerminal(state)) return true;
  return !follow && (state === "paused" || manifest.halt !== null);
}
