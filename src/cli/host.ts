// The interface to the process that the command line runs in; the real one is in system/, tests have their own.

import type { HttpServer, HttpServerOptions } from "../ports/http-server.ts";
import type { KeptToken } from "../ports/kept-token.ts";
import type { ImportedPage, PageFile } from "../ports/page-files.ts";
import type { OwnProcess, ProgramEnd, ProgramOptions } from "../ports/programs.ts";
import type { PrivateFile } from "../ports/private-file.ts";
import type { ProtocolStreams } from "../ports/protocol-streams.ts";
import type { SetUp } from "../ports/set-up.ts";
import type { SmallFile } from "../ports/inputs.ts";

export type StreamName = "stdin" | "stdout" | "stderr";

export interface Host {
  /** The words behind the entry file. */
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly workingFolder: string;
  /** The start of every printed command, quoted for sh. */
  readonly cliInvocation: string;
  /** True when this name, found on the PATH, starts this very program from any folder. */
  isOnPath(name: string): boolean;
  isTerminal(stream: StreamName): boolean;
  /** Of the terminal behind a stream. */
  columns(stream: "stdout" | "stderr"): number;
  rows(stream: "stdout" | "stderr"): number;
  /** Writes all of it. Errors: those of the operating system, with the errno name in `code`. */
  write(stream: "stdout" | "stderr", text: string | Uint8Array): void;
  /** As `write`, but does not block: a reader that stalls holds up no other work. */
  writeLater(stream: "stdout" | "stderr", text: string): Promise<void>;
  /** One line from stdin, or null at its end. */
  readLine(): Promise<string | null>;
  /** All of stdin, or null where it holds more bytes. */
  readInput(maxBytes: number): Promise<Uint8Array | null>;
  /** A file of at most so many bytes; links are followed, and `realPath` says where they led. */
  readSmallFile(path: string, maxBytes: number): SmallFile;
  /** The absolute path without links, as far as it exists. */
  realPath(path: string): string;
  /** Errors: those of the file system. */
  privateFile(name: string, text: string): Promise<PrivateFile>;
  /** The token that is kept. Errors: `INVALID_ARGS` where it is not this user's alone; those of the file system. */
  keptToken(options: KeptToken): Promise<string>;
  /** Starts a program, waits for its end, and ends it with its children when it takes too long; never throws. */
  runProgram(words: readonly string[], options: ProgramOptions): Promise<ProgramEnd>;
  /** Starts this very program, which reads `input`; what it prints comes line by line, and it outlives this process. */
  startOwnProcess(words: readonly string[], input: string, onLine: (line: string) => void): Promise<OwnProcess>;
  /** Gives stdin and stdout to a protocol: from now on nothing else is printed on stdout. */
  protocolStreams(): ProtocolStreams;
  /** Null where another process has the port. */
  listen(options: HttpServerOptions): Promise<HttpServer | null>;
  pageFiles(page: ImportedPage): Promise<PageFile[]>;
  /** Loaded only for checks of the set-up and for completions. */
  loadSetUp(): Promise<SetUp>;
  onSignal(name: "SIGINT" | "SIGTERM", callback: () => void): void;
  /** Leaves at once, whatever is under way. */
  exit(code: number): never;
}
