// The port for a fleet: workers on many machines that share a store, find what is due, and hand back what they lack.

/** What a worker says of itself. */
export interface WorkerFacts {
  hostname: string;
  pid: number;
  tool_version: string;
  jobs: number;
  /** By the name of the variable: the beginning of a digest of each key, so that keys can be compared and none is shown. */
  keys: Readonly<Record<string, string>>;
}

export interface SeenWorker extends WorkerFacts {
  id: string;
  /** By the clock of the store. */
  seen_ms: number;
}

/** Why a run waits although it is due. */
export interface Lack {
  /** Of a worker that is there; null where it holds for all of them, until a person works on the run. */
  worker: string | null;
  what: string;
  since_ms: number;
}

/** Errors of all: `UNAVAILABLE` and those of a store. */
export interface Fleet {
  /** Wakes the workers, since something may be due. */
  wake(): Promise<void>;
  join(facts: WorkerFacts): Promise<Member>;
  /** Those that were seen in the last half minute. */
  workers(): Promise<SeenWorker[]>;
  /** By run root, of the runs that are due. */
  lacking(runsRoot: string): Promise<Map<string, Lack[]>>;
}

/** A worker's own place in the fleet. */
export interface Member {
  /** Calls back when the fleet is woken. */
  onWake(wake: () => void): void;
  /** Says that this worker is there, and gives the runs that are due, but for those that it lacks something for. */
  due(): Promise<string[]>;
  /** Hands a run back. `all`: no worker is to take it before a person has seen it. */
  lacks(runRoot: string, what: string, all?: boolean): Promise<void>;
  /** Asks for work on a run; again while it waits changes nothing. */
  ask(runRoot: string): Promise<void>;
  /**
   * Takes what is wanted, so many at a time, until `stop` fires and what was taken has ended. `work` that throws is tried again a few
   * times; then `lost` is called.
   */
  take(
    jobs: number,
    work: (runRoot: string, signal: AbortSignal) => Promise<void>,
    lost: (runRoot: string, why: string) => Promise<void>,
    stop: AbortSignal,
  ): Promise<void>;
  leave(): Promise<void>;
}
