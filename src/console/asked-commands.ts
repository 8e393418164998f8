// The commands behind the routes, and which of their options a request may give. Loads nothing.
import { type AskedCommand, STANDARD_WAIT_S } from "../surface/asked-command.ts";

const RUN = { name: "run", about: "the run", isNeeded: true } as const;
/** The path of the route names the run, and a stream tells the events. */
const BY_PATH = ["manifest", "runRoot", "runId", "jsonl"];

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
/** It reads every file of the run. `--retry` writes. */
export const VERIFY: AskedCommand = { ...look("verify", ["retry"]), isApart: true };

export const START: AskedCommand = {
  name: "start",
  command: "start",
  kind: "work",
  operand: { name: "question", about: "what to research, as a whole question", isNeeded: true },
  without: ["jsonl"],
};

/** Models may take long over a report; the answer says then that it goes on. */
const GENERATE_WAIT_S = 45;

/** By the last word of the route. */
export const ACTIONS = {
  pause: { ...change("pause"), standard: { wait: STANDARD_WAIT_S } },
  resume: { ...look("resume"), kind: "work" },
  abort: { ...change("abort"), standard: { wait: STANDARD_WAIT_S }, needs: ["yes"] },
  /** It reads the documents anew. `run_id` is that of the new run. */
  fork: { ...change("fork"), without: ["manifest", "runRoot"], isApart: true },
  generate: { ...look("report generate"), kind: "work", waitS: GENERATE_WAIT_S },
  select: { ...change("report select"), needs: ["version"] },
  settle: change("settle"),
  /** The plan as it stands; an edited one is a file, which the command line takes. */
  approve: change("approve", ["input"]),
} as const satisfies Record<string, AskedCommand>;
export type Action = keyof typeof ACTIONS;
