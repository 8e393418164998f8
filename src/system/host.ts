// The process as the command line sees it: arguments, environment, standard streams, signals.
import fs from "node:fs";
import { errnoOf, RunError } from "../kernel/errors.ts";
import { shellQuote } from "../kernel/shell.ts";
import type { HttpServer, HttpServerOptions } from "../ports/http-server.ts";
import type { KeptToken } from "../ports/kept-token.ts";
import type { ImportedPage, PageFile } from "../ports/page-files.ts";
import type { PrivateFile } from "../ports/private-file.ts";
import type { OwnProcess, ProgramEnd, ProgramOptions } from "../ports/programs.ts";
import type { ProtocolStreams } from "../ports/protocol-streams.ts";
import type { SetUp } from "../ports/set-up.ts";
import { takeOverSignal } from "./deadly-signals.ts";
import { readSmallFile, realPathOf } from "./small-file.ts";
import { unlessThrown } from "../kernel/unless-thrown.ts";
import { dirname, isAbsolute, join } from "node:path";

const DESCRIPTORS = { stdin: 0, stdout: 1, stderr: 2 } as const;
const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;
const FULL_PIPE_WAIT_MS = 5;

/** The folder in which the files of a compiled binary seem to be. */
const COMPILED_ROOT = "/$bunfs/";

/** Bun would read bunfig.toml and .env in the working folder, which may belong to someone else, and run what they name. */
const NOTHING_FROM_THE_WORKING_FOLDER = ["--config=/dev/null", "--no-env-file"];

export const realHost = {
  argv: process.argv.slice(2),
  environment: process.env,
  get workingFolder(): string {
    return workingFolder();
  },
  cliInvocation: invocation(process.execPath, process.argv[1] ?? ""),
  isOnPath(name: string): boolean {
    return leadsTo(process.env["PATH"], name, runningProgram());
  },
  isTerminal(stream: keyof typeof DESCRIPTORS): boolean {
    return process.getBuiltinModule("node:tty").isatty(DESCRIPTORS[stream]);
  },
  columns(stream: "stdout" | "stderr"): number {
    // A terminal that does not know its width says 0.
    return process[stream].columns || DEFAULT_COLUMNS;
  },
  rows(stream: "stdout" | "stderr"): number {
    return process[stream].rows || DEFAULT_ROWS;
  },
  write(stream: "stdout" | "stderr", text: string | Uint8Array): void {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    let written = 0;
    while (written < bytes.byteLength) {
      try {
        written += fs.writeSync(DESCRIPTORS[stream], bytes, written, bytes.byteLength - written);
      } catch (error) {
        // The pipe is full and does not block, so its reader has to catch up.
        if (errnoOf(error) !== "EAGAIN") throw error;
        Bun.sleepSync(1);
      }
    }
  },
  async writeLater(stream: "stdout" | "stderr", text: string): Promise<void> {
    const bytes = new TextEncoder().encode(text);
    let written = 0;
    while (written < bytes.byteLength) {
      try {
        written += await writeOnce(DESCRIPTORS[stream], bytes.subarray(written));
      } catch (error) {
        if (errnoOf(error) !== "EAGAIN") throw error;
        await Bun.sleep(FULL_PIPE_WAIT_MS);
      }
    }
  },
  async readLine(): Promise<string | null> {
    for await (const line of console) return line;
    return null;
  },
  async readInput(maxBytes: number): Promise<Uint8Array | null> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of Bun.stdin.stream()) {
      length += piece.byteLength;
      if (length > maxBytes) return null;
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  },
  readSmallFile,
  realPath: realPathOf,
  async loadSetUp(): Promise<SetUp> {
    return (await import("./set-up.ts")).realSetUp;
  },
  async privateFile(name: string, text: string): Promise<PrivateFile> {
    return (await import("./private-file.ts")).privateFile(name, text);
  },
  async keptToken(options: KeptToken): Promise<string> {
    return (await import("./kept-token.ts")).keptToken(options);
  },
  async runProgram(words: readonly string[], options: ProgramOptions): Promise<ProgramEnd> {
    return await (await import("./programs.ts")).runProgram(words, options);
  },
  async startOwnProcess(words: readonly string[], input: string, onLine: (line: string) => void): Promise<OwnProcess> {
    const { startOwnProcess } = await import("./own-process.ts");
    return startOwnProcess(invocationWords(process.execPath, process.argv[1] ?? ""), words, input, onLine);
  },
  protocolStreams(): ProtocolStreams {
    // Otherwise a line that a library prints would end up between the messages.
    console.log = console.info = console.debug = console.error;
    return { input: process.stdin, output: process.stdout };
  },
  async listen(options: HttpServerOptions): Promise<HttpServer | null> {
    return await (await import("./http-server.ts")).listen(options);
  },
  async pageFiles(page: ImportedPage): Promise<PageFile[]> {
    return await (await import("./page-files.ts")).pageFiles(page);
  },
  onSignal(name: "SIGINT" | "SIGTERM", callback: () => void): void {
    takeOverSignal(name, callback);
  },
  exit(code: number): never {
    process.exit(code);
  },
};

/** Writes on another thread, so that a pipe that blocks does not block this one. */
function writeOnce(descriptor: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) =>
    fs.write(descriptor, bytes, (error, count) => (error === null ? resolve(count) : reject(error))),
  );
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    const reason = "the working folder is gone: change to one that is there";
    throw new RunError("INVALID_ARGS", { reason, errno: errnoOf(cause) }, { cause });
  }
}

/** For people: what npx has fetched into its cache may be gone tomorrow, so such a command fetches it again. */
export function invocation(executable: string, entry: string): string {
  const [program, ...rest] = invocationWords(executable, entry);
  const isFetched = executable.includes("/_npx/") && !isCompiled(entry);
  return [...(isFetched ? ["npx", "-y", `bun@${Bun.version}`] : [program ?? ""]), ...rest].map(shellQuote).join(" ");
}

/** Executable and entry file; a compiled binary is its own entry. */
function invocationWords(executable: string, entry: string): string[] {
  return isCompiled(entry) ? [executable] : [executable, ...NOTHING_FROM_THE_WORKING_FOLDER, entry];
}

function isCompiled(entry: string): boolean {
  return entry === "" || entry.startsWith(COMPILED_ROOT);
}

function runningProgram(): RunningProgram {
  const entry = process.argv[1] ?? "";
  return isCompiled(entry) ? { entry: process.execPath, interpreter: null } : { entry, interpreter: "bun" };
}

// --- the program on the PATH --------------------------------------------------------------------------------------

interface RunningProgram {
  /** The entry file, or the built program. */
  entry: string;
  /** What the entry file needs on the PATH to be started; null for the built program. */
  interpreter: string | null;
}

/** Next to both: it starts the built program or the source. */
const LAUNCHER = "../src/deep-research";

/** True when a shell would start `program` by `name` from any folder, directly or by the launcher. */
function leadsTo(path: string | undefined, name: string, program: RunningProgram): boolean {
  const found = firstOnPath(path, name);
  if (found === null) return false;
  const entry = realPathOf(program.entry);
  if (![entry, join(dirname(entry), LAUNCHER)].includes(realPathOf(found))) return false;
  return program.interpreter === null || firstOnPath(path, program.interpreter) !== null;
}

/** Null also when the first match is in a folder that is relative to the working folder. */
function firstOnPath(path: string | undefined, name: string): string | null {
  for (const folder of (path ?? "").split(":")) {
    const file = join(folder, name);
    if (isProgram(file)) return isAbsolute(file) ? file : null;
  }
  return null;
}

function isProgram(file: string): boolean {
  return unlessThrown(() => {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  }, false);
}
