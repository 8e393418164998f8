// A program of the user's own: what it is started with, and how it ended.

export interface ProgramOptions {
  /** What it reads from stdin. */
  input: string;
  environment: Readonly<Record<string, string>>;
  workingFolder: string;
  limitMs: number;
  /** Ends the program early. */
  signal?: AbortSignal;
}

export type ProgramEnd =
  | { kind: "ended"; status: number; stderr: string }
  | { kind: "killed"; why: "too long" | "stopped" | "signal"; stderr: string }
  | { kind: "not_started"; why: string };

/** A process of this very program, which outlives the one that began it. */
export interface OwnProcess {
  /** Its exit status, null for a signal. Resolves once it has ended and all that it printed was passed on. */
  readonly ended: Promise<number | null>;
  /** Ends it with its process group. */
  kill(): void;
}
