// Starts one child process that takes text out of documents, sends it requests, watches its time and memory, and ends it.
import fs from "node:fs";
import path from "node:path";
import { describeCause } from "../../kernel/errors.ts";
import { answerSchema, type Answer, type OnPage, type ReadingKind, type Request } from "./extraction.ts";
import { BadFrame, frameBytes, FrameReader, type Frame } from "./frames.ts";
import { LIMITS } from "./limits.ts";

export type Reply =
  | { kind: "answer"; answer: Exclude<Answer, { kind: "ready" | "page" }>; body: Uint8Array }
  | { kind: "too_long" }
  | { kind: "too_large" }
  | { kind: "ended"; wasReady: boolean; signal: string | null; exitCode: number | null }
  | { kind: "not_started"; detail: string };

interface Allowance {
  timeMs: number;
  memoryBytes: number;
}

const WATCH_MS = 50;
/** A child that waits and does not work gets this many times as long. */
const WAITING_FACTOR = 10;
/** Of Linux, whatever the machine: the unit of the times in /proc. */
const TICK_MS = 10;
/** A slow machine needs long to load the program. No document counts until the child is ready. */
const STARTING: Allowance = { timeMs: 60_000, memoryBytes: Number.POSITIVE_INFINITY };
/** The paths of files inside of a compiled program. */
const COMPILED = /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/i;

function ownCommand(): string[] {
  if (COMPILED.test(import.meta.path)) return [process.execPath, "__extract"];
  // Bun would obey the settings of the current folder, and read its .env.
  return [process.execPath, "--config=/dev/null", "--no-env-file", path.join(import.meta.dir, "child-main.ts")];
}

type Process = Bun.Subprocess<"pipe", "pipe", "ignore">;

export class ExtractChild {
  private readonly process: Process | { failure: string };
  private readonly frames: AsyncGenerator<Frame>;
  private readonly signal: AbortSignal;
  private wasReady = false;
  private readonly onEnd = (): void => this.kill();

  constructor(signal: AbortSignal, command: readonly string[] = ownCommand()) {
    this.signal = signal;
    this.process = started(command);
    this.frames = "failure" in this.process ? none() : framesOf(this.process.stdout);
    signal.addEventListener("abort", this.onEnd, { once: true });
    if ("failure" in this.process) return;
    // When this process exits, the child may be busy with a document, and nothing would end it.
    process.once("exit", this.onEnd);
    void this.process.exited.then(() => process.off("exit", this.onEnd));
  }

  async ask(kind: ReadingKind, body: Uint8Array, allowance: Allowance, onPage: OnPage = () => {}): Promise<Reply> {
    const child = this.process;
    if ("failure" in child) return { kind: "not_started", detail: child.failure };
    if (!this.wasReady) {
      const start = await this.watched(child, this.nextAnswer(), STARTING);
      if ("limit" in start || start.answer === null) return this.ending(child);
      this.wasReady = start.answer.answer.kind === "ready";
    }
    // If the child has ended, the pipe fails. The reply says the same, so the error is dropped.
    void send(child, { kind }, body).catch(() => {});
    const outcome = await this.watched(child, this.answerBehindPages(onPage), allowance);
    if ("limit" in outcome) return { kind: outcome.limit };
    const answer = outcome.answer?.answer;
    if (answer === undefined || answer.kind === "ready" || answer.kind === "page") return this.ending(child);
    return { kind: "answer", answer, body: outcome.answer?.body ?? new Uint8Array() };
  }

  /** The resident memory; null where the system does not report it. */
  memoryBytes(): number | null {
    if ("failure" in this.process) return null;
    try {
      const status = fs.readFileSync(`/proc/${this.process.pid}/status`, "utf8");
      return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
    } catch {
      return null;
    }
  }

  /** For how long it has worked, in all its threads; null where the system does not report it. */
  private workedMs(): number | null {
    if ("failure" in this.process) return null;
    try {
      const stat = fs.readFileSync(`/proc/${this.process.pid}/stat`, "utf8");
      // Behind the name, which may hold anything: the times of the program and of the system for it.
      const [user, system] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14).map(Number);
      return ((user ?? 0) + (system ?? 0)) * TICK_MS;
    } catch {
      return null;
    }
  }

  kill(): void {
    this.signal.removeEventListener("abort", this.onEnd);
    if (!("failure" in this.process)) this.process.kill("SIGKILL");
  }

  private async answerBehindPages(onPage: OnPage): ReturnType<ExtractChild["nextAnswer"]> {
    for (;;) {
      const next = await this.nextAnswer();
      if (next?.answer.kind !== "page") return next;
      onPage({ page: next.answer.page, pages: next.answer.pages });
    }
  }

  /** Null when the child ended, or sent anything but an answer. */
  private async nextAnswer(): Promise<{ answer: Answer; body: Uint8Array } | null> {
    try {
      const next = await this.frames.next();
      if (next.done === true) return null;
      const answer = answerSchema.safeParse(next.value.head);
      return answer.success ? { answer: answer.data, body: next.value.body } : null;
    } catch (error) {
      if (!(error instanceof BadFrame)) throw error;
      return null;
    }
  }

  /**
   * Awaits the work, and ends the child when it takes more time or memory than allowed. On a busy machine the child waits for
   * its turn, so a document takes too long only when the child has also worked that long.
   */
  private async watched<T>(
    child: Process,
    work: Promise<T>,
    { timeMs, memoryBytes }: Allowance,
  ): Promise<{ answer: T } | { limit: "too_long" | "too_large" }> {
    const startedMs = performance.now();
    let limit: "too_long" | "too_large" | null = null;
    let workedBefore: number | null | undefined;
    const isTooLong = (): boolean => {
      const passedMs = performance.now() - startedMs;
      // Most documents are read before the first check, and cost none.
      workedBefore ??= this.workedMs();
      if (passedMs <= timeMs) return false;
      const worked = this.workedMs();
      return worked === null || worked - (workedBefore ?? 0) > timeMs || passedMs > timeMs * WAITING_FACTOR;
    };
    const watch = setInterval(() => {
      if (isTooLong()) limit ??= "too_long";
      else if ((this.memoryBytes() ?? 0) > memoryBytes) limit ??= "too_large";
      if (limit !== null) child.kill("SIGKILL");
    }, WATCH_MS);
    try {
      const answer = await work;
      return limit === null ? { answer } : { limit };
    } finally {
      clearInterval(watch);
    }
  }

  private async ending(child: Process): Promise<Reply> {
    // A child that is still alive sent something that is no answer.
    const wasAlive = child.exitCode === null && child.signalCode === null && !(await settles(child.exited));
    this.kill();
    await child.exited;
    const { signalCode, exitCode } = child;
    const signal = wasAlive || signalCode === null ? null : String(signalCode);
    return { kind: "ended", wasReady: this.wasReady, signal, exitCode: wasAlive ? null : exitCode };
  }
}

const SETTLING_MS = 500;

function settles(exited: Promise<unknown>): Promise<boolean> {
  return Promise.race([exited.then(() => true), Bun.sleep(SETTLING_MS).then(() => false)]);
}

/** Makes the engine collect garbage as on a small machine, well below the limit of memory. */
const CHILD_ENVIRONMENT = { BUN_JSC_forceRAMSize: String(LIMITS.memoryBytes / 2) };

/** Starts the child in a folder without settings and without our environment, so that it gets no secrets. */
function started(command: readonly string[]): Process | { failure: string } {
  try {
    return Bun.spawn([...command], {
      cwd: path.parse(process.execPath).root,
      env: CHILD_ENVIRONMENT,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
    });
  } catch (error) {
    return { failure: `the reader of documents cannot be started: ${describeCause(error)}` };
  }
}

async function send(child: Process, request: Request, body: Uint8Array): Promise<void> {
  for (const piece of frameBytes(request, body)) await child.stdin.write(piece);
  await child.stdin.flush();
}

async function* framesOf(output: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  const reader = new FrameReader(LIMITS.textBytes);
  for await (const piece of output) {
    reader.add(piece);
    for (let frame = reader.next(); frame !== null; frame = reader.next()) yield frame;
  }
}

async function* none(): AsyncGenerator<Frame> {}
