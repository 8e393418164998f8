// The verbs behind the routes, and the fields that a request may give. Loads nothing.
import { STANDARD_WAIT_S, type VerbUse } from "../surface/verb-use.ts";

/** The path names the run. */
const NEEDS = ["run"];

const view = (verb: string, without: readonly string[] = []): VerbUse => ({
  name: verb,
  verb,
  kind: "read",
  needs: NEEDS,
  without,
});
const change = (verb: string, without: readonly string[] = []): VerbUse => ({ ...view(verb, without), kind: "change" });

export const LIST: VerbUse = { name: "list", verb: "list", kind: "read" };
export const STATUS = view("status");
export const INSPECT = view("inspect");
export const TRIAGE = view("triage", ["all", "deep"]);
export const DIFF = view("report diff");
/** Apart, since it reads every file of the run. Without `--retry`, which writes. */
export const VERIFY: VerbUse = { ...view("verify", ["retry"]), isApart: true };

export const START: VerbUse = { name: "start", verb: "start", kind: "work", needs: ["question"], makesRun: true };

/** A model may take longer for a report: then the answer says that the work continues. */
const GENERATE_WAIT_S = 45;

/** By the last word of their route. */
export const ACTIONS = {
  pause: { ...change("pause"), standard: { wait: STANDARD_WAIT_S } },
  resume: { ...view("resume"), kind: "work" },
  abort: { ...change("abort"), standard: { wait: STANDARD_WAIT_S }, needs: ["run", "yes"] },
  ask: { name: "ask", verb: "ask", kind: "work", needs: ["run", "question"], makesRun: true },
  /** Apart, since it reads the documents anew. `run_id` is the id of the new run. */
  fork: { ...change("fork"), isApart: true },
  generate: { ...view("report generate"), kind: "work", waitS: GENERATE_WAIT_S },
  select: change("report select"),
  settle: change("settle"),
  /** An edited plan is a file, and the command line takes it. Apart, since with a sentence the planner works. */
  approve: { ...change("approve", ["plan"]), isApart: true },
} as const satisfies Record<string, VerbUse>;
export type Action = keyof typeof ACTIONS;
