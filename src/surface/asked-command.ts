// A command as another surface asks it: how it is run, and which of its options may be given as arguments.

export interface AskedCommand {
  /** By which the surface calls it. */
  name: string;
  /** The command line that it is: its options are the arguments, its `--json` the result. */
  command: string;
  /** `look` and `change` end with their call, a change also when the client gives up; `work` outlives the surface. */
  kind: "look" | "change" | "work";
  /** It reads documents or whole runs, and so has a process of its own. */
  isApart?: true;
  /** What the command takes without an option; null for one that takes nothing. */
  operand: { name: "run" | "question" | "query"; about: string; isNeeded: boolean } | null;
  /** What the command reads from a file; the call takes its text. */
  input?: { name: "answer"; about: string };
  /** Keys of options that are no arguments. */
  without: readonly string[];
  /** Keys of options that always have to be given. */
  needs?: readonly string[];
  /** Arguments that the call gives when its client does not. */
  standard?: Readonly<Record<string, number>>;
  /** Seconds to wait until the work has stopped, when nothing is said; absent where the call does not wait. */
  waitS?: number;
}

/** Clients give up after a minute where nobody said otherwise. */
export const MAX_WAIT_S = 50;
/** For the process that works on the run. */
export const STANDARD_WAIT_S = 20;
