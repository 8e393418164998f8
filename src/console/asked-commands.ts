// The commands behind the routes, and the options that a request may give. Loads nothing.
import { type AskedCommand, STANDARD_WAIT_S } from "../surface/asked-command.ts";

const RUN = { name: "run", about: "the run", isNeeded: true } as const;
/** Options without a use here: the path names the run, and a stream tells the events. */
const BY_PATH = ["manifest", "run_root", "run_id", "jsonl"];

const look = (command: string, without: readonly string[] = []): AskedCommand => ({
  name: command,
  command,
  kind: "look",
  operand: RUN,
  without: [...BY_PATH, ...without],
});
const change = (command: string, without: readonly string[] = []): AskedCommand => ({
  ...look(command, without),
  kind: "change",
});

export const LIST: AskedCommand = { ...look("list"), operand: null, without: [] };
export const STATUS = look("status");
export const INSPECT = look("inspect");
export const TRIAGE = look("triage", ["all"]);
export const DIFF = look("report diff");
/** Apart, since it reads every file of the run. Without `--retry`, which writes. */
export const VERIFY: AskedCommand = { ...look("verify", ["retry"]), isApart: true };

export const START: AskedCommand = {
  name: "start",
  command: "start",
  kind: "work",
  operand: { name: "question", about: "what to research, as a whole question", isNeeded: true },
  without: ["jsonl"],
};

/** A model may take longer for a report: then the answer says that the work goes on. */
const GENERATE_WAIT_S = 45;

/** By the last word of their route. */
export const ACTIONS = {
  pause: { ...change("pause"), standard: { wait: STANDARD_WAIT_S } },
  resume: { ...look("resume"), kind: "work" },
  abort: { ...change("abort"), standard: { wait: STANDARD_WAIT_S }, needs: ["yes"] },
  /** Apart, since it reads the documents anew. `run_id` is the id of the new run. */
  fork: { ...change("fork"), without: ["manifest", "run_root"], isApart: true },
  generate: { ...look("report generate"), kind: "work", waitS: GENERATE_WAIT_S },
  select: change("report select"),
  settle: change("settle"),
  /** Only the plan as it stands: an edited plan is a file, and the command line takes it. */
  approve: change("approve", ["input"]),
} as const satisfies Record<string, AskedCommand>;
export type Action = keyof typeof ACTIONS;
