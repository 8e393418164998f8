// A process for the command line that a test can look into: argv in, streams and exit status out.
import type { Host } from "../../src/cli/host.ts";
import { runCli } from "../../src/cli/program.ts";
import type { HttpServer, HttpServerOptions } from "../../src/ports/http-server.ts";
import type { PageFile } from "../../src/ports/page-files.ts";
import { keptToken } from "../../src/system/kept-token.ts";
import { privateFile } from "../../src/system/private-file.ts";
import { runProgram } from "../../src/system/programs.ts";
import { realSetUp } from "../../src/system/set-up.ts";
import { readSmallFile, realPathOf } from "../../src/system/small-file.ts";
import { portsFor } from "../../src/wiring.ts";

export interface FakeHostOptions {
  environment?: Record<string, string>;
  isOnPath?: boolean;
  cliInvocation?: string;
  terminals?: readonly ("stdin" | "stdout" | "stderr")[];
  /** What a person types. */
  answer?: string;
  workingFolder?: string;
  /** Of each terminal. */
  columns?: number;
  rows?: number;
  /** Ports that other processes have. */
  takenPorts?: readonly number[];
  /** Thrown by every write to stdout. */
  stdoutError?: Error;
  /** Why the runs root cannot be written. */
  whyNotWritable?: string;
}

export class FakeHost implements Host {
  readonly environment: Record<string, string>;
  readonly workingFolder: string;
  readonly readSmallFile = readSmallFile;
  readonly readInput = async (): Promise<Uint8Array> => new TextEncoder().encode(this.#options.answer ?? "");
  readonly realPath = realPathOf;
  readonly runProgram = runProgram;
  readonly privateFile = async (name: string, text: string) => privateFile(name, text);
  readonly keptToken = async (asked: Parameters<typeof keptToken>[0]) => keptToken(asked);
  readonly loadSetUp = async () => realSetUp;
  readonly cliInvocation: string;
  stdout = "";
  stderr = "";
  readonly #listeners = new Map<string, (() => void)[]>();
  readonly argv: readonly string[];
  readonly #options: FakeHostOptions;

  constructor(argv: readonly string[], options: FakeHostOptions = {}) {
    this.argv = argv;
    this.#options = options;
    // Nothing can be made below it, also by root: a test that names no home leaves nothing behind.
    this.environment = { HOME: "/dev/null", ...options.environment };
    this.cliInvocation = options.cliInvocation ?? "deep-research";
    this.workingFolder = options.workingFolder ?? "/";
  }

  isOnPath(): boolean {
    return this.#options.isOnPath ?? false;
  }

  isTerminal(stream: "stdin" | "stdout" | "stderr"): boolean {
    return this.#options.terminals?.includes(stream) ?? false;
  }

  columns(): number {
    return this.#options.columns ?? 100;
  }

  rows(): number {
    return this.#options.rows ?? 30;
  }

  write(stream: "stdout" | "stderr", text: string | Uint8Array): void {
    if (stream === "stdout" && this.#options.stdoutError !== undefined) throw this.#options.stdoutError;
    this[stream] += typeof text === "string" ? text : new TextDecoder().decode(text);
  }

  async writeLater(stream: "stdout" | "stderr", text: string): Promise<void> {
    this.write(stream, text);
  }

  async readLine(): Promise<string | null> {
    return this.#options.answer ?? null;
  }

  startOwnProcess(): never {
    throw new Error("a fake process starts no other");
  }

  protocolStreams(): never {
    throw new Error("a fake process has no streams");
  }

  /** Nobody can connect. */
  async listen({ port }: HttpServerOptions): Promise<HttpServer | null> {
    if (this.#options.takenPorts?.includes(port) === true) return null;
    return { port, stop: async () => {} };
  }

  async pageFiles(): Promise<PageFile[]> {
    return [];
  }

  onSignal(name: string, callback: () => void): void {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), callback]);
  }

  fire(name: "SIGINT" | "SIGTERM"): void {
    for (const callback of this.#listeners.get(name) ?? []) callback();
  }

  get listenedSignals(): string[] {
    return [...this.#listeners.keys()];
  }

  exit(code: number): never {
    throw new ExitNow(code);
  }
}

export class ExitNow extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

export interface Told {
  code: number;
  stdout: string;
  stderr: string;
  host: FakeHost;
}

/** Runs one command line in this process, over the real stores. */
export async function cli(
  argv: readonly string[],
  options: FakeHostOptions = {},
  portsOf: typeof portsFor = (config) => portsFor({ ...config, indexFolder: null }),
): Promise<Told> {
  const host = new FakeHost(argv, options);
  const { whyNotWritable: errno } = options;
  const room = errno === undefined ? {} : { whyNotWritable: () => errno };
  const code = await runCli(host, async () => async (config) => ({
    ...(await portsOf(config)),
    ...room,
  }));
  return { code, stdout: host.stdout, stderr: host.stderr, host };
}
