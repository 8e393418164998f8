// Calls of verbs by another surface. Each is answered with the object of --json, at once or within the time it may wait.
import { newRunId } from "../kernel/ids.ts";
import { typedError } from "../kernel/typed-error.ts";
import { followRun, type Watcher } from "../operations/look/watch-run.ts";
import type { Ports } from "../ports/ports.ts";
import type { WriteStep } from "./advice.ts";
import type { FieldTable } from "../kernel/field.ts";
import type { ProgressEvent, Work, Workers } from "./own-workers.ts";
import { type Said, saidOfUse, type VerbUse } from "./verb-use.ts";
import { type Envelope, envelopeOf } from "./envelope.ts";
import { eventsOf } from "./events.ts";
import { errorReport } from "./error-report.ts";

export interface VerbTools {
  ports: Ports;
  workers: Workers;
  /** Performs a short verb in this process; never fails. */
  perform(verb: string, said: Said): Promise<Envelope>;
  fieldsOf(verb: string): Promise<FieldTable>;
  /** Errors: `INVALID_ARGS` when nothing says where runs are kept. */
  runsRoot(): string;
  /** Writes next steps for the caller. */
  write: WriteStep;
  /** Refuses what the caller may not say; absent where it may say anything. Errors: `INVALID_ARGS`. */
  judge?(use: VerbUse, said: Said): Promise<void>;
  /** What the surface adds to the result while a run is worked on: how to follow it. */
  following?(run: string): object;
}

export interface Call {
  given: unknown;
  /** Fires when the client no longer waits. */
  signal: AbortSignal;
  /** Called with each durable record and with what models say. Work calls it also after the call was answered. */
  readonly onProgress: (event: ProgressEvent) => void;
}

/** A start whose run is not on disk yet, because its documents are still being read. */
interface Start {
  work: Work;
  /** Why there is no run. */
  refusal: Envelope | null;
}

/** Before its first record, work reads documents. That may take long, so the answer waits only so long for it. */
const MAX_READING_MS = 10_000;
/** How long a process may take from the last record of its run to its answer. */
const ENDING_MS = 5_000;
const MAX_KEPT_STARTS = 100;

export class VerbCalls {
  readonly #tools: VerbTools;
  /** By the id of the run. */
  readonly #starts = new Map<string, Start>();

  constructor(tools: VerbTools) {
    this.#tools = tools;
  }

  /** Never throws: what goes wrong is the error of the answer. */
  async answer(use: VerbUse, call: Call): Promise<Envelope> {
    let run: string | null = null;
    try {
      const given = saidOfUse(use, await this.#tools.fieldsOf(use.verb), call.given);
      // The id is chosen here, so that the run can be named before it is made.
      const said = use.makesRun === true ? { run_id: this.#newRunId(), ...given } : given;
      run = runNamedIn(said);
      await this.#tools.judge?.(use, given);
      if (use.kind === "work") return await this.#work(use, said, call);
      if (use.isApart === true)
        return await this.#tools.workers.ask(use.verb, said, use.kind === "read" ? call.signal : undefined);
      const answer = await this.#tools.perform(use.verb, said);
      return use.verb === "status" ? await this.#followed(answer, use, said, call) : answer;
    } catch (error) {
      return await this.#refusal(use.verb, error, run);
    }
  }

  // --- work that continues after the answer -------------------------------------------------------------------------

  async #work(use: VerbUse, said: Said, call: Call): Promise<Envelope> {
    const run = String(runNamedIn(said));
    const process = this.#tools.workers.begin(use.verb, said, call.onProgress);
    const answer = process.ended.catch((error: unknown) => this.#refusal(use.verb, error, run));
    const work: Work = { ...process, ended: answer };
    if (use.makesRun === true) this.#keepStart(run, work);
    const waitS = Number(said["wait"] ?? use.waitS ?? 0);
    const ended =
      waitS === 0
        ? await this.#first([work.ended, work.begun], MAX_READING_MS, call.signal)
        : await this.#first([work.ended], waitS * 1000, call.signal);
    if (ended !== null) return ended;
    return work.hasBegun() ? await this.#goingOn(use, run, work, call) : this.#reading(use, run);
  }

  #newRunId(): string {
    const { clock, random } = this.#tools.ports;
    return newRunId(clock.nowMs(), random.bytes(6));
  }

  /** The status of a run that is worked on, as the answer of the command that works. */
  async #goingOn({ verb }: VerbUse, run: string, work: Work, { signal }: Call): Promise<Envelope> {
    const status = await this.#tools.perform("status", { run });
    if (!status.ok) return status;
    // A run that has just stopped gets its own answer soon. Work that continues in a fork is not waited for.
    const ended = isRunning(status) ? null : await this.#first([work.ended], ENDING_MS, signal);
    if (ended !== null) return ended;
    return {
      ...status,
      command: verb,
      result: { ...(status.result as object), work: "going_on", ...this.#tools.following?.(run) },
    };
  }

  /** For a run of which nothing is on disk yet. */
  #reading({ verb }: VerbUse, run: string): Envelope {
    return envelopeOf({
      command: verb,
      cliInvocation: this.#tools.ports.cliInvocation,
      run: null,
      runRoot: this.#rootOf(run),
      runId: run,
      result: { work: "reading_documents", ...this.#tools.following?.(run) },
      error: null,
    });
  }

  #keepStart(run: string, work: Work): void {
    const start: Start = { work, refusal: null };
    this.#starts.set(run, start);
    const [oldest] = this.#starts.keys();
    if (this.#starts.size > MAX_KEPT_STARTS && oldest !== undefined) this.#starts.delete(oldest);
    void work.ended.then((refusal) => {
      start.refusal = refusal;
    });
  }

  // --- following ----------------------------------------------------------------------------------------------------

  /** The status once the run has stopped, or the time is over. */
  async #followed(status: Envelope, use: VerbUse, said: Said, call: Call): Promise<Envelope> {
    const waitMs = Number(said["wait"] ?? 0) * 1000;
    const run = String(said["run"]);
    const start = this.#starts.get(run);
    if (status.error?.code === "NOT_FOUND" && start !== undefined) {
      if (start.refusal === null && waitMs > 0)
        await this.#first([start.work.ended, start.work.begun], waitMs, call.signal);
      if (start.refusal !== null) return start.refusal;
      return start.work.hasBegun() ? await this.#tools.perform("status", { run }) : this.#reading(use, run);
    }
    const { run_root, revision } = status.contract;
    if (waitMs === 0 || !isRunning(status) || run_root === null) return status;
    const over = new AbortController();
    const watcher: Watcher = { onRecord: (_runRoot, record) => eventsOf(record).forEach(call.onProgress) };
    const following = followRun(
      this.#tools.ports,
      run_root,
      { sinceSeq: revision ?? 0, follow: false },
      watcher,
      AbortSignal.any([call.signal, over.signal]),
    );
    following.catch(() => {});
    try {
      await this.#first([following], waitMs, call.signal);
    } finally {
      over.abort();
    }
    return await this.#tools.perform("status", { run: run_root });
  }

  /** The first of these to come; null when the time is over, or what came has no value. */
  async #first<T>(awaited: readonly Promise<T | void>[], limitMs: number, signal: AbortSignal): Promise<T | null> {
    const over = new AbortController();
    const time = this.#tools.ports.clock.sleep(limitMs, AbortSignal.any([signal, over.signal]));
    time.catch(() => {});
    try {
      return (await Promise.race([...awaited, time])) ?? null;
    } finally {
      over.abort();
    }
  }

  async #refusal(command: string, thrown: unknown, run: string | null): Promise<Envelope> {
    const { ports, write } = this.#tools;
    const { cliInvocation } = ports;
    const failure = typedError(thrown);
    const named = failure.with({ command });
    if (failure.code !== "WORKER_KILLED" || run === null)
      return envelopeOf({ command, cliInvocation, run: null, result: null, error: errorReport(named, write).error });
    // What was killed may have made the run, and may have changed it.
    const status = await this.#tools.perform("status", { run });
    const runRoot = status.contract.run_root ?? this.#rootOf(run);
    const { error } = errorReport(named, write, runRoot);
    if (status.ok) return { ...status, command, ok: false, result: null, error };
    const runId = runRoot.slice(runRoot.lastIndexOf("/") + 1);
    return envelopeOf({ command, cliInvocation, run: null, runRoot, runId, result: null, error });
  }

  #rootOf(run: string): string {
    return run.includes("/") ? run : `${this.#tools.runsRoot()}/${run}`;
  }
}

/** The run that is made or worked on. */
function runNamedIn({ run_id, run }: Said): string | null {
  const named = run_id ?? run;
  return named === undefined ? null : String(named);
}

/** True while a process works on the run, or may at any time. */
function isRunning({ contract, halt }: Envelope): boolean {
  return contract.execution_state === "running" && halt === null;
}
