// `worker`: works on the runs of a store that are due, next to other workers, until a signal ends it.
import { RunError, type Fault } from "../../kernel/errors.ts";
import { typedError } from "../../kernel/typed-error.ts";
import type { Fleet, Member, WorkerFacts } from "../../ports/fleet.ts";
import type { Observer, StopSignals } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { isDue } from "../../ports/runs.ts";
import type { Outcome } from "../outcome.ts";
import { fleetOf } from "../handing-on.ts";
import { runRun } from "../change/run-run.ts";

/** How often a worker looks for what is due; it is also woken. */
const LOOK_MS = 2_000;
/** A server that is away is tried again after this. */
const AWAY_MS = 1_000;

/** Within this nothing is wanted twice; it is shorter than the lease of a worker that dies meanwhile. */
const WANT_AGAIN_MS = 6_000;
const MAX_WANTED = 10_000;

/** What a worker says while it works. */
export type WorkerEvent =
  | { kind: "ready"; jobs: number }
  | { kind: "begun"; run_root: string }
  /** `how`: why the work ended, such as `completed`, `halted` or `LOCK_HELD`. */
  | { kind: "ended"; run_root: string; how: string }
  | { kind: "lacks"; run_root: string; what: string }
  | { kind: "away"; reason: string };

export interface FleetWorkOptions {
  jobs: number;
  keys: WorkerFacts["keys"];
}

export interface FleetWorkResult {
  runs_worked_on: number;
}

/** Errors: `INVALID_ARGS.store` where runs lie in folders. */
export async function workInFleet(
  ports: Ports,
  options: FleetWorkOptions,
  report: (event: WorkerEvent) => void,
  observer: Observer,
  signals: StopSignals,
): Promise<Outcome<FleetWorkResult>> {
  const stop = AbortSignal.any([signals.interrupt, signals.terminate]);
  const member = await joined(ports, fleetOf(ports), options, report, stop);
  if (member === null) return { result: { runs_worked_on: 0 }, run: null, error: null };
  const worker = new FleetWorker(ports, member, report, observer, stop);
  try {
    report({ kind: "ready", jobs: options.jobs });
    await Promise.all([
      worker.look(),
      member.take(
        options.jobs,
        (runRoot, signal) => worker.work(runRoot, signal),
        (runRoot, why) => member.lacks(runRoot, why, true),
        stop,
      ),
    ]);
  } finally {
    await member.leave().catch(unlessAway);
  }
  return { result: { runs_worked_on: worker.count }, run: null, error: null };
}

/** Waits for a server that is not there yet; null where a signal came first. */
async function joined(
  { clock, processes, toolVersion }: Ports,
  fleet: Fleet,
  { jobs, keys }: FleetWorkOptions,
  report: (event: WorkerEvent) => void,
  stop: AbortSignal,
): Promise<Member | null> {
  const { hostname, pid } = processes.self();
  for (;;) {
    if (stop.aborted) return null;
    try {
      return await fleet.join({ hostname, pid, tool_version: toolVersion, jobs, keys });
    } catch (error) {
      report({ kind: "away", reason: unlessAway(error).facts.reason ?? "the store does not answer" });
      await clock.sleep(AWAY_MS, stop).catch(() => undefined);
    }
  }
}

function unlessAway(error: unknown): RunError {
  if (error instanceof RunError && error.code === "UNAVAILABLE") return error;
  throw error;
}

class FleetWorker {
  count = 0;
  readonly #ports: Ports;
  readonly #member: Member;
  readonly #report: (event: WorkerEvent) => void;
  readonly #observer: Observer;
  readonly #stop: AbortSignal;
  /** By run root: when this worker has wanted work on it last. */
  readonly #wantedMs = new Map<string, number>();
  #wake = Promise.withResolvers<void>();

  constructor(
    ports: Ports,
    member: Member,
    report: (event: WorkerEvent) => void,
    observer: Observer,
    stop: AbortSignal,
  ) {
    this.#ports = ports;
    this.#member = member;
    this.#report = report;
    this.#observer = observer;
    this.#stop = stop;
    member.onWake(() => this.#wake.resolve());
    stop.addEventListener("abort", () => this.#wake.resolve(), { once: true });
  }

  /** Asks for work on what is due: runs whose owners died, halts that ended, answers that came. */
  async look(): Promise<void> {
    while (!this.#stop.aborted) {
      this.#wake = Promise.withResolvers();
      try {
        for (const runRoot of await this.#member.due()) await this.#want(runRoot);
      } catch (error) {
        this.#report({ kind: "away", reason: String(typedError(error).facts.reason ?? error) });
      }
      await Promise.race([this.#wake.promise, this.#ports.clock.sleep(LOOK_MS, this.#stop).catch(() => undefined)]);
    }
  }

  async #want(runRoot: string): Promise<void> {
    const nowMs = this.#ports.clock.uptimeMs();
    if (nowMs - (this.#wantedMs.get(runRoot) ?? Number.NEGATIVE_INFINITY) < WANT_AGAIN_MS) return;
    if (this.#wantedMs.size > MAX_WANTED) this.#wantedMs.clear();
    this.#wantedMs.set(runRoot, nowMs);
    await this.#member.ask(runRoot);
  }

  /** Errors: those of a run that no other worker could continue either; the queue tries again, and then gives it to a person. */
  async work(runRoot: string, signal: AbortSignal): Promise<void> {
    if (this.#stop.aborted) return;
    try {
      const run = await this.#ports.store.look(runRoot);
      // A job is a hint: another worker may have been quicker.
      if (!isDue(run)) return;
      const missing = this.#missingDocuments(run);
      if (missing !== null) return await this.#handBack(runRoot, missing);
      this.count++;
      this.#report({ kind: "begun", run_root: runRoot });
      const signals = { interrupt: new AbortController().signal, terminate: AbortSignal.any([signal, this.#stop]) };
      const { result, error } = await runRun(this.#ports, runRoot, {}, this.#observer, signals);
      this.#report({
        kind: "ended",
        run_root: runRoot,
        how: error?.code === "INTERRUPTED_BY_SIGNAL" ? "handed on" : result.stopped_by,
      });
    } catch (thrown) {
      await this.#judge(runRoot, typedError(thrown));
    }
    // The run is judged, not the call: what is still due is found by the next look.
  }

  async #judge(runRoot: string, error: RunError): Promise<void> {
    if (LACKING.has(error.fault)) return await this.#handBack(runRoot, error.facts.reason ?? error.code);
    this.#report({ kind: "ended", run_root: runRoot, how: error.code });
    if (PASSING.has(error.code)) return;
    await this.#member.lacks(runRoot, `${error.code}: ${error.facts.reason ?? "no reason is known"}`).catch(unlessGone);
    throw error;
  }

  #missingDocuments({ manifest }: RunLook): string | null {
    const away = manifest.settings.corpora.find(({ path }) => this.#ports.corpusAt(path) !== "there");
    return away === undefined ? null : `its documents, ${away.path}, are not on this worker`;
  }

  async #handBack(runRoot: string, what: string): Promise<void> {
    await this.#member.lacks(runRoot, what).catch(unlessGone);
    this.#report({ kind: "lacks", run_root: runRoot, what });
  }
}

function unlessGone(error: unknown): void {
  if (!(error instanceof RunError) || (error.code !== "NOT_FOUND" && error.code !== "UNAVAILABLE")) throw error;
}

/** Another worker has it, or will have it. */
const PASSING: ReadonlySet<string> = new Set([
  "LOCK_HELD",
  "LOCK_LOST",
  "LOCK_NOT_HELD",
  "LOCK_NOT_OWNED",
  "NOT_FOUND",
  "UNAVAILABLE",
]);

/** What another worker may have: keys, documents, programs, a newer version. */
const LACKING: ReadonlySet<string> = new Set<Fault>([
  "INVALID_ARGS.unset_variable",
  "INVALID_ARGS.no_search_key",
  "INVALID_ARGS.no_mcp_server",
  "INVALID_ARGS.no_reranker",
  "INVALID_ARGS.corpus",
  "INVALID_ARGS.address",
  "READ_FAILED.corpus",
  "SCHEMA_UNSUPPORTED",
]);
