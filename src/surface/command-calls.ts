// Calls of commands by another surface. Each is answered with the object of --json, at once or within the time it may wait.
import { newRunId } from "../kernel/ids.ts";
import { typedError } from "../kernel/typed-error.ts";
import { followRun, type Watcher } from "../operations/watch-run.ts";
import type { Ports } from "../ports/ports.ts";
import { asCommands } from "./advice.ts";
import type { AskedCommand } from "./asked-command.ts";
import type { FieldTable } from "../kernel/field.ts";
import { commandWords, type CommandArguments, readArguments } from "./command-arguments.ts";
import type { CommandProcesses, ToldEvent, Work } from "./command-processes.ts";
import { type Envelope, envelopeOf } from "./envelope.ts";
import { eventsOf } from "./events.ts";
import { toldError } from "./told-error.ts";

export interface CallTools {
  ports: Ports;
  processes: CommandProcesses;
  /** Runs a short command in this process; never fails. */
  ask(argv: readonly string[]): Promise<Envelope>;
  optionsOf(command: string): Promise<FieldTable>;
  /** Options of every command: where runs are, which configuration is read. */
  common: readonly string[];
  /** Errors: `INVALID_ARGS` when nothing says where runs are kept. */
  runsRoot(): string;
  /** Refuses what whoever asks may not say; absent where that is anything. Errors: `INVALID_ARGS`. */
  judge?(asked: AskedCommand, given: CommandArguments): Promise<void>;
  /** What the surface adds to the result while a run is worked on: how to follow it. */
  following?(run: string): object;
}

export interface Call {
  given: unknown;
  /** Fires when the client no longer waits. */
  signal: AbortSignal;
  /** Called with each durable record and with what models say. Work calls it also after the call was answered. */
  readonly onProgress: (event: ToldEvent) => void;
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

export class CommandCalls {
  readonly #tools: CallTools;
  /** By the id of the run. */
  readonly #starts = new Map<string, Start>();

  constructor(tools: CallTools) {
    this.#tools = tools;
  }

  /** Never throws: what goes wrong is the error of the answer. */
  async answer(asked: AskedCommand, call: Call): Promise<Envelope> {
    let run: string | null = null;
    try {
      const options = await this.#tools.optionsOf(asked.command);
      const said = readArguments(asked, options, call.given);
      // The id is chosen here, so that the run can be named before it is made.
      const given = asked.command === "start" ? { run_id: this.#newRunId(), ...said } : said;
      run = runNamedIn(given);
      await this.#tools.judge?.(asked, said);
      if (asked.kind === "work") return await this.#work(asked, options, given, call);
      const words = commandWords(asked, options, given);
      if (asked.isApart === true) return await this.#askApart(asked, words, given, call);
      const answer = await this.#ask(asked.command, words);
      return asked.command === "status" ? await this.#followed(answer, asked, given, call) : answer;
    } catch (error) {
      return await this.#refusal(asked.command, error, run);
    }
  }

  async #ask(command: string, words: readonly string[]): Promise<Envelope> {
    return await this.#tools.ask(this.#argv(command, ["--json", ...words]));
  }

  async #askApart(
    asked: AskedCommand,
    words: readonly string[],
    given: CommandArguments,
    call: Call,
  ): Promise<Envelope> {
    return await this.#tools.processes.ask(this.#argv(asked.command, ["--json", ...words]), {
      ...(asked.input === undefined ? {} : { input: String(given[asked.input.name]) }),
      ...(asked.kind === "look" ? { signal: call.signal } : {}),
    });
  }

  #argv(command: string, words: readonly string[]): string[] {
    return [...command.split(" "), ...this.#tools.common, ...words];
  }

  // --- work that goes on behind the answer --------------------------------------------------------------------------

  async #work(asked: AskedCommand, options: FieldTable, given: CommandArguments, call: Call): Promise<Envelope> {
    const run = String(runNamedIn(given));
    const argv = this.#argv(asked.command, ["--jsonl", ...commandWords(asked, options, given)]);
    const process = this.#tools.processes.begin(argv, call.onProgress);
    const answer = process.ended.catch((error: unknown) => this.#refusal(asked.command, error, run));
    const work: Work = { ...process, ended: answer };
    if (asked.command === "start") this.#keepStart(run, work);
    const waitS = Number(given["wait"] ?? asked.waitS ?? 0);
    const ended =
      waitS === 0
        ? await this.#first([work.ended, work.begun], MAX_READING_MS, call.signal)
        : await this.#first([work.ended], waitS * 1000, call.signal);
    if (ended !== null) return ended;
    return work.hasBegun() ? await this.#goingOn(asked, run, work, call) : this.#reading(asked, run);
  }

  #newRunId(): string {
    const { clock, random } = this.#tools.ports;
    return newRunId(clock.nowMs(), random.bytes(6));
  }

  /** The status of a run that is worked on, as the answer of the command that works. */
  async #goingOn({ command }: AskedCommand, run: string, work: Work, { signal }: Call): Promise<Envelope> {
    const status = await this.#ask("status", ["--", run]);
    if (!status.ok) return status;
    // A run that has just stopped gets its own answer soon. Work that goes on in a fork is not waited for.
    const ended = isRunning(status) ? null : await this.#first([work.ended], ENDING_MS, signal);
    if (ended !== null) return ended;
    return {
      ...status,
      command,
      result: { ...(status.result as object), work: "going_on", ...this.#tools.following?.(run) },
    };
  }

  /** For a run of which nothing is on disk yet. */
  #reading({ command }: AskedCommand, run: string): Envelope {
    return envelopeOf({
      command,
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
  async #followed(status: Envelope, asked: AskedCommand, given: CommandArguments, call: Call): Promise<Envelope> {
    const waitMs = Number(given["wait"] ?? 0) * 1000;
    const run = String(given["run"]);
    const start = this.#starts.get(run);
    if (status.error?.code === "NOT_FOUND" && start !== undefined) {
      if (start.refusal === null && waitMs > 0)
        await this.#first([start.work.ended, start.work.begun], waitMs, call.signal);
      if (start.refusal !== null) return start.refusal;
      return start.work.hasBegun() ? await this.#ask(asked.command, ["--", run]) : this.#reading(asked, run);
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
    return await this.#ask(asked.command, ["--", run_root]);
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
    const { cliInvocation } = this.#tools.ports;
    const { code, facts } = typedError(thrown);
    const told = { code, facts: { command, ...facts } };
    const write = asCommands({ cliInvocation });
    if (code !== "WORKER_KILLED" || run === null)
      return envelopeOf({ command, cliInvocation, run: null, result: null, error: toldError(told, write).error });
    // What was killed may have made the run, and may have changed it.
    const status = await this.#ask("status", ["--", run]);
    const runRoot = status.contract.run_root ?? this.#rootOf(run);
    const { error } = toldError(told, write, runRoot);
    if (status.ok) return { ...status, command, ok: false, result: null, error };
    const runId = runRoot.slice(runRoot.lastIndexOf("/") + 1);
    return envelopeOf({ command, cliInvocation, run: null, runRoot, runId, result: null, error });
  }

  #rootOf(run: string): string {
    return run.includes("/") ? run : `${this.#tools.runsRoot()}/${run}`;
  }
}

/** The run that is made or worked on. */
function runNamedIn({ run_id, run }: CommandArguments): string | null {
  const named = run_id ?? run;
  return named === undefined ? null : String(named);
}

/** True while somebody works on the run, or may at any time. */
function isRunning({ contract, halt }: Envelope): boolean {
  return contract.execution_state === "running" && halt === null;
}
