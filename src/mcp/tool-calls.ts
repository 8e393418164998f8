// Calls of tools: each is answered at once, or within the time that it may wait, with the object of its command.
import { newRunId } from "../kernel/ids.ts";
import { typedError } from "../kernel/typed-error.ts";
import { followRun, type Watcher } from "../operations/watch-run.ts";
import type { Ports } from "../ports/ports.ts";
import { asCommands } from "../surface/advice.ts";
import { type Envelope, envelopeOf } from "../surface/envelope.ts";
import { eventsOf } from "../surface/events.ts";
import { toldError } from "../surface/told-error.ts";
import type { Processes, RecordEvent, Work } from "./processes.ts";
import { commandWords, type OptionTable, readArguments, type ToolArguments } from "./tool-arguments.ts";
import type { Tool } from "./tools.ts";

export interface CallTools {
  ports: Ports;
  processes: Processes;
  /** What a command that looks, or changes a run in one go, answers in this process; never fails. */
  ask(argv: readonly string[]): Promise<Envelope>;
  optionsOf(command: string): Promise<OptionTable>;
  /** Options of every command: where runs are, which configuration is read. */
  common: readonly string[];
  /** Errors: `INVALID_ARGS` when nothing says where runs are kept. */
  runsRoot(): string;
}

/** What a call is made with. */
export interface Call {
  given: unknown;
  /** Fires when the client no longer waits. */
  signal: AbortSignal;
  /** Told of what becomes durable until the call is answered. */
  readonly onProgress: (event: RecordEvent) => void;
}

/** A start that this server was asked for, until its run is there: while documents are read, nothing of it is on disk. */
interface Start {
  work: Work;
  /** Why there is no run. */
  refusal: Envelope | null;
}

/** Until work has written its first record, it reads documents: that may take long, and the answer does not wait for it. */
const MAX_READING_MS = 10_000;
/** From the last record of a run to the answer of its process. */
const ENDING_MS = 5_000;
const MAX_KEPT_STARTS = 100;

export class ToolCalls {
  readonly #tools: CallTools;
  /** By the id of the run. */
  readonly #starts = new Map<string, Start>();

  constructor(tools: CallTools) {
    this.#tools = tools;
  }

  /** Never throws: what goes wrong is the error of the answer. */
  async answer(tool: Tool, call: Call): Promise<Envelope> {
    try {
      const options = await this.#tools.optionsOf(tool.command);
      const given = readArguments(tool, options, call.given);
      if (tool.kind === "work") return await this.#work(tool, options, given, call);
      const words = commandWords(tool, options, given);
      if (tool.readsDocuments === true) return await this.#askApart(tool, words, given, call);
      const answer = await this.#ask(tool.command, words);
      return tool.name === "run_status" ? await this.#followed(answer, tool, given, call) : answer;
    } catch (error) {
      return this.#refusal(tool.command, error);
    }
  }

  async #ask(command: string, words: readonly string[]): Promise<Envelope> {
    return await this.#tools.ask(this.#argv(command, ["--json", ...words]));
  }

  async #askApart(tool: Tool, words: readonly string[], given: ToolArguments, call: Call): Promise<Envelope> {
    return await this.#tools.processes.ask(this.#argv(tool.command, ["--json", ...words]), {
      ...(tool.input === undefined ? {} : { input: String(given[tool.input.name]) }),
      ...(tool.kind === "look" ? { signal: call.signal } : {}),
    });
  }

  #argv(command: string, words: readonly string[]): string[] {
    return [...command.split(" "), ...this.#tools.common, ...words];
  }

  // --- work that goes on behind the answer --------------------------------------------------------------------------

  async #work(tool: Tool, options: OptionTable, asked: ToolArguments, call: Call): Promise<Envelope> {
    const isStart = tool.command === "start";
    // The id is chosen here, so that the run can be named before it is made.
    const given = isStart ? { run_id: this.#newRunId(), ...asked } : asked;
    const run = String(given[isStart ? "run_id" : tool.operand.name]);
    const argv = this.#argv(tool.command, ["--jsonl", ...commandWords(tool, options, given)]);
    const work = this.#tools.processes.begin(argv, call.onProgress);
    if (isStart) this.#keepStart(run, work);
    // Nobody asks for its end once the answer is given.
    work.ended.catch(() => {});
    const waitS = Number(given["wait"] ?? tool.waitS ?? 0);
    const ended =
      waitS === 0
        ? await this.#first([work.ended, work.begun], MAX_READING_MS, call.signal)
        : await this.#first([work.ended], waitS * 1000, call.signal);
    if (ended !== null) return ended;
    return work.hasBegun() ? await this.#goingOn(tool, run, work, call) : this.#reading(tool, run);
  }

  #newRunId(): string {
    const { clock, random } = this.#tools.ports;
    return newRunId(clock.nowMs(), random.bytes(6));
  }

  /** The status of a run that is worked on, as the answer of the command that works. */
  async #goingOn({ command }: Tool, run: string, work: Work, { signal }: Call): Promise<Envelope> {
    const status = await this.#ask("status", ["--", run]);
    if (!status.ok) return status;
    // Where it stopped meanwhile, its own answer is on its way. Work that goes on in a fork is not waited for.
    const ended = isRunning(status) ? null : await this.#first([work.ended], ENDING_MS, signal);
    if (ended !== null) return ended;
    return { ...status, command, result: { ...(status.result as object), work: "going_on", next_tool: nextTool(run) } };
  }

  /** For a run of which nothing is on disk yet. */
  #reading({ command }: Tool, run: string): Envelope {
    return envelopeOf({
      command,
      cliInvocation: this.#tools.ports.cliInvocation,
      run: { runRoot: `${this.#tools.runsRoot()}/${run}`, runId: run },
      result: { work: "reading_documents", next_tool: nextTool(run) },
      error: null,
    });
  }

  #keepStart(run: string, work: Work): void {
    const start: Start = { work, refusal: null };
    this.#starts.set(run, start);
    const [oldest] = this.#starts.keys();
    if (this.#starts.size > MAX_KEPT_STARTS && oldest !== undefined) this.#starts.delete(oldest);
    const refuse = (refusal: Envelope): void => {
      start.refusal = refusal;
    };
    work.ended.then(refuse, (error: unknown) => refuse(this.#refusal("start", error)));
  }

  // --- following ----------------------------------------------------------------------------------------------------

  /** The status once the run has stopped, or the time is over. */
  async #followed(status: Envelope, tool: Tool, given: ToolArguments, call: Call): Promise<Envelope> {
    const waitMs = Number(given["wait"] ?? 0) * 1000;
    const run = String(given["run"]);
    const start = this.#starts.get(run);
    if (status.error?.code === "NOT_FOUND" && start !== undefined) {
      if (start.refusal === null && waitMs > 0)
        await this.#first([start.work.ended, start.work.begun], waitMs, call.signal);
      if (start.refusal !== null) return start.refusal;
      return start.work.hasBegun() ? await this.#ask(tool.command, ["--", run]) : this.#reading(tool, run);
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
    return await this.#ask(tool.command, ["--", run_root]);
  }

  /** What comes first; null when the time is over, or what came has no value. */
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

  #refusal(command: string, thrown: unknown): Envelope {
    const { cliInvocation } = this.#tools.ports;
    const { code, facts } = typedError(thrown);
    const { error } = toldError({ code, facts: { command, ...facts } }, asCommands({ cliInvocation }));
    return envelopeOf({ command, cliInvocation, run: null, result: null, error });
  }
}

/** Somebody works on it, or may at any time. */
function isRunning({ contract, halt }: Envelope): boolean {
  return contract.execution_state === "running" && halt === null;
}

function nextTool(run: string): unknown {
  return { name: "run_status", arguments: { run, wait: 30 } };
}
