// Real processes over a small corpus on a real disk: spawning them, following what they print, hitting them with signals.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { PROGRAM } from "../program.ts";
import { DOCUMENTS, QUESTION } from "../simulation/run-world.ts";
import type { WorkerOptions } from "./slow-worker.ts";

const WORKER = join(import.meta.dir, "slow-worker.ts");

/** A record that a process printed once it was durable. */
export interface PrintedEvent {
  event: string;
  seq?: number;
  digest?: string;
  key?: string;
  data?: { key?: string };
}

export interface RealProcess {
  pid: number;
  /** What was printed so far. */
  events: PrintedEvent[];
  /** Resolves with the event, or null when the process ends before it prints one. */
  whenPrinted(wanted: (event: PrintedEvent) => boolean): Promise<PrintedEvent | null>;
  signal(name: NodeJS.Signals): void;
  /** The exit status, or the name of the signal that ended it; then everything it printed has been read. */
  ended: Promise<number | NodeJS.Signals>;
  stderr(): Promise<string>;
}

/** Open files of the test's own, which then reads them itself. */
interface Streams {
  stdout?: number;
  stderr?: number;
}

/** A kill loses nothing that was written, on whatever disk: the quickest one will do. */
const ROOM = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

export class Host implements Disposable {
  readonly folder = mkdtempSync(join(ROOM, "deep-research-crash-"));
  readonly runsRoot = join(this.folder, "runs");
  readonly corpus = join(this.folder, "corpus");
  readonly countFile = join(this.folder, "performed.txt");
  #processes: Subprocess[] = [];

  constructor() {
    mkdirSync(this.corpus);
    for (const [path, text] of DOCUMENTS) writeFileSync(join(this.corpus, path), text);
    writeFileSync(this.countFile, "");
  }

  [Symbol.dispose](): void {
    for (const process of this.#processes) process.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }

  runRoot(runId: string): string {
    return join(this.runsRoot, runId);
  }

  /** The command line, as a person has it. */
  cli(...argv: string[]): RealProcess {
    return this.#spawn([...PROGRAM, ...argv, "--runs-root", this.runsRoot]);
  }

  /** `start` of the one question of these tests. */
  start(runId: string): RealProcess {
    return this.cli("start", QUESTION, "--corpus", this.corpus, "--run-id", runId, "--jsonl");
  }

  worker(
    verb: "start" | "run" | "tick",
    runId: string,
    options: Partial<WorkerOptions> = {},
    streams: Streams = {},
  ): RealProcess {
    const { runsRoot, corpus, countFile } = this;
    const given: WorkerOptions = { runsRoot, runId, corpus, countFile, stepMs: 100, leaseSeconds: 120, ...options };
    return this.#spawn([process.execPath, WORKER, verb, JSON.stringify(given)], streams);
  }

  /** How often each step was performed, as the outside counted. */
  performed(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const line of readFileSync(this.countFile, "utf8").split("\n")) {
      const [key] = line.split(" ");
      if (key !== undefined && key !== "") counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }

  #spawn(argv: string[], streams: Streams = {}): RealProcess {
    const child = Bun.spawn(argv, {
      env: {
        ...process.env,
        XDG_CACHE_HOME: join(this.folder, "cache"),
        XDG_DATA_HOME: join(this.folder, "data"),
        NO_COLOR: "1",
      },
      stdout: streams.stdout ?? "pipe",
      stderr: streams.stderr ?? "pipe",
    });
    this.#processes.push(child);
    const events: PrintedEvent[] = [];
    const waiting = new Set<(event: PrintedEvent | null) => void>();
    const note = (event: PrintedEvent | null): void => {
      if (event !== null) events.push(event);
      for (const tell of waiting) tell(event);
    };
    const reading = readLines(child.stdout, (line) => note(JSON.parse(line) as PrintedEvent)).then(() => note(null));
    return {
      pid: child.pid,
      events,
      whenPrinted: (wanted) =>
        new Promise((resolve) => {
          const tell = (event: PrintedEvent | null): void => {
            if (event !== null && !wanted(event)) return;
            waiting.delete(tell);
            resolve(event);
          };
          waiting.add(tell);
          events.forEach(tell);
          void reading.then(() => tell(null));
        }),
      signal: (name) => child.kill(name),
      ended: Promise.all([child.exited, reading]).then(([code]) => child.signalCode ?? code),
      stderr: async () => (typeof child.stderr === "object" ? await new Response(child.stderr).text() : ""),
    };
  }
}

/** A line that a killed process left half is no line. */
async function readLines(
  stream: ReadableStream<Uint8Array> | number | undefined,
  onLine: (line: string) => void,
): Promise<void> {
  if (typeof stream !== "object") return;
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") onLine(line);
  }
}
