// `watch` without a run: follows every run at work under a runs root, and those that begin meanwhile. Writes nothing.
import { isDamage } from "../../kernel/damage.ts";
import { RunError } from "../../kernel/errors.ts";
import type { Ports } from "../../ports/ports.ts";
import type { LogTail, RunLook } from "../../ports/run-log.ts";
import { haltKind } from "../../run/log/halt.ts";
import type { HaltKind } from "../../run/log/halt-kinds.ts";
import { isTerminal, type ExecutionState } from "../../run/log/lifecycle.ts";
import type { Outcome } from "../outcome.ts";
import type { Watcher } from "./watch-run.ts";

export interface WatchedRun {
  run_id: string;
  run_root: string;
  /** Records that were reported. */
  records: number;
  /** The last of them, to continue from. */
  last_seq: number;
  execution_state: ExecutionState;
  halt: HaltKind | null;
}

export interface WatchRunsResult {
  runs_root: string;
  /** Every run that was followed. */
  runs: WatchedRun[];
  /** The run roots whose journal is damaged. */
  damaged: string[];
}

const LOOK_EVERY_MS = 500;

/**
 * Reports every record that becomes durable from now on; of a run that is made meanwhile, every record. Ends when no run is at
 * work any more; with `follow` only when the signal fires. A run that cannot be read is passed
 * over; one whose journal is damaged is reported once.
 */
export async function followRuns(
  ports: Ports,
  runsRoot: string,
  { follow }: { follow: boolean },
  watcher: Watcher,
  signal?: AbortSignal,
): Promise<Outcome<WatchRunsResult>> {
  const followed = new Map<string, Followed>();
  const over = new Set<string>();
  const found: string[] = [];
  const damaged = (runRoot: string): void => {
    over.add(runRoot);
    found.push(runRoot);
    watcher.onDamage?.(runRoot);
  };
  for (let isFirst = true; ; isFirst = false) {
    const working: LogTail[] = [];
    for (const name of (await ports.runs.names(runsRoot)) ?? []) {
      const runRoot = `${runsRoot}/${name}`;
      const look = over.has(runRoot) ? null : await unlessRefused(ports.store.look(runRoot, { cutShort: true }));
      if (look === "damaged") damaged(runRoot);
      if (look === null || look === "damaged") continue;
      const afterSeq = isFirst ? look.manifest.revision : 0;
      const one = followed.get(runRoot) ?? begun(ports, look, afterSeq);
      followed.set(runRoot, one);
      const news = await unlessRefused(reportNew(one, watcher));
      if (news === "damaged") damaged(runRoot);
      if (news === null || news === "damaged") continue;
      const isNews = news > 0 || isAtWork(look);
      Object.assign(one.run, standingIn(look));
      if (isAtWork(look)) working.push(one.tail);
      // Its last records may not be durable yet.
      else if (isTerminal(look.state) && one.run.last_seq >= look.manifest.revision) over.add(runRoot);
      if (!isNews) continue;
      one.isReported = true;
      watcher.onRun?.(look);
    }
    if (working.length === 0 && !follow) {
      const runs = [...followed.values()].filter(({ isReported }) => isReported).map(({ run }) => run);
      return { result: { runs_root: runsRoot, runs, damaged: found }, run: null, error: null };
    }
    await untilNews(ports, working, signal);
  }
}

/** Waits for a record of a run at work. Others may begin meanwhile, so the wait is short. */
async function untilNews({ clock }: Ports, tails: readonly LogTail[], signal?: AbortSignal): Promise<void> {
  const over = new AbortController();
  const ends = AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])]);
  try {
    const time = clock.sleep(LOOK_EVERY_MS, ends);
    // What a tail fails with, the next reading meets, too.
    await Promise.race([time, ...tails.map((tail) => tail.wait(LOOK_EVERY_MS, ends).catch(() => time))]);
  } finally {
    over.abort();
  }
}

interface Followed {
  run: WatchedRun;
  tail: LogTail;
  /** False for a run that has rested all the time. */
  isReported: boolean;
}

function begun({ store }: Ports, look: RunLook, afterSeq: number): Followed {
  const { runRoot, manifest } = look;
  const run = { run_id: manifest.run_id, run_root: runRoot, records: 0, last_seq: afterSeq, ...standingIn(look) };
  return { run, tail: store.follow(runRoot, afterSeq), isReported: false };
}

/** The number of records that were reported. */
async function reportNew({ run, tail }: Followed, watcher: Watcher): Promise<number> {
  const records = await tail.next();
  for (const record of records) {
    watcher.onRecord?.(run.run_root, record);
    run.records++;
    run.last_seq = record.seq;
  }
  return records.length;
}

/** Null where there is no run (yet), or none that can be read now: `list` says why. No run hides the others. */
async function unlessRefused<T>(reading: Promise<T>): Promise<T | "damaged" | null> {
  try {
    return await reading;
  } catch (error) {
    if (isDamage(error)) return "damaged";
    if (error instanceof RunError) return null;
    throw error;
  }
}

/** A process works on it, or the next tick will. */
function isAtWork({ state, manifest }: RunLook): boolean {
  return state === "running" && manifest.halt === null;
}

function standingIn({ state, manifest: { halt } }: RunLook): Pick<WatchedRun, "execution_state" | "halt"> {
  return { execution_state: state, halt: halt === null ? null : haltKind(halt) };
}
