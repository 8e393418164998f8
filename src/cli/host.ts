// What the command line needs of the process it runs in; the real one stands in system/, tests bring their own.

export type StreamName = "stdin" | "stdout" | "stderr";

export interface Host {
  /** What stands behind the entry file. */
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly workingFolder: string;
  /** The start of every printed command, quoted for sh. */
  readonly cliInvocation: string;
  isTerminal(stream: StreamName): boolean;
  /** Columns of the terminal behind a stream. */
  columns(stream: "stdout" | "stderr"): number;
  /** Writes all of it; failures are thrown as they come, with the errno name in `code`. */
  write(stream: "stdout" | "stderr", text: string): void;
  /** One line from stdin, or null at its end. */
  readLine(): Promise<string | null>;
  onSignal(name: "SIGINT" | "SIGTERM", callback: () => void): void;
  /** Leaves at once, whatever is under way. */
  exit(code: number): never;
}
