// A command that a surface other than the command line asks: how it is run, and which of its options are arguments of the call.

export interface AskedCommand {
  /** The name by which the surface calls it. */
  name: string;
  /** The words of the command. Its options are the arguments of the call, and what it prints with `--json` is the result. */
  command: string;
  /** `look` ends when the client gives up; `change` is finished all the same; `work` outlives the surface. */
  kind: "look" | "change" | "work";
  /** The command reads documents or whole runs, so it gets a process of its own. */
  isApart?: true;
  /** The operand of the command; null where it takes none. */
  operand: { name: "run" | "question" | "query"; alias?: string; about: string; isNeeded: boolean } | null;
  /** The option that names a file. The call takes the text in place of the file. */
  input?: { name: "answer"; about: string };
  /** The options that are no arguments, by name. */
  without: readonly string[];
  /** Options that a call has to say, and the command line need not. */
  needs?: readonly string[];
  /** Arguments that the call adds when the client leaves them out. */
  standard?: Readonly<Record<string, number>>;
  /** How many seconds a call waits for the work to stop, by default; absent where a call cannot wait. */
  waitS?: number;
}

/** Most clients give up after a minute. */
export const MAX_WAIT_S = 50;
/** How many seconds to wait for the process that works on the run. */
export const STANDARD_WAIT_S = 20;
