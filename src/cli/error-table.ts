// Every error code once: its exit status, whether trying again may help, the sentence and the next step for people.
import type { ErrorCode, ErrorFacts } from "../kernel/errors.ts";
import { RUN_ID_RULE } from "../kernel/ids.ts";
import { diskSentence, readHint, writeHint } from "./disk-words.ts";
import {
  budgetHint,
  gateHint,
  haltHint,
  noEvidenceHint,
  notFoundHint,
  on,
  onEach,
  quotaHint,
  repairHint,
  settleHint,
  usageHint,
} from "./error-hints.ts";

export interface ErrorEntry {
  exit: number | ((facts: ErrorFacts) => number);
  /** The same command may succeed later, with nothing changed by a person. */
  retryable: boolean;
  readonly message: (facts: ErrorFacts) => string;
  readonly hint: (facts: ErrorFacts, cliInvocation: string) => string;
}

const SIGINT_EXIT = 130;
const SIGTERM_EXIT = 143;

const ERROR_TABLE = {
  // The run failed, or its state does not allow this.
  INVALID_STATE: entry(1, "the state of the run does not allow this", (facts, cli) =>
    facts["state"] === "interrupted"
      ? `go on: ${on(facts, cli, "resume")}`
      : `see where it stands: ${on(facts, cli, "triage")}`,
  ),
  RUN_TERMINAL: entry(1, "the run has ended", (facts, cli) =>
    facts["state"] === "completed"
      ? `read its report: ${on(facts, cli, "report show")}; a new run may go on from its steps: ${on(facts, cli, "fork")}`
      : `go on in a new run that keeps the finished steps: ${on(facts, cli, "fork")}`,
  ),
  PAUSED: entry(1, "the run is paused", (facts, cli) => `lift the pause and go on: ${on(facts, cli, "resume")}`),
  REVISION_MISMATCH: entry(
    1,
    "the run has moved on meanwhile",
    (facts, cli) => `look again, then repeat: ${on(facts, cli, "status")}`,
    true,
  ),
  WATCHDOG_TIMEOUT: entry(
    1,
    "the stage was past its time limit, so the run was ended",
    (facts, cli) => `its finished steps are kept, go on from them in a new run: ${onEach(facts, cli, "fork")}`,
  ),
  WRITE_FAILED: {
    exit: 1,
    retryable: true,
    message: (facts) => diskSentence(facts, "written") ?? sentence(facts, "something could not be written"),
    hint: writeHint,
  },
  MODEL_FAILED: entry(
    1,
    "a model did not give what was asked for",
    (facts, cli) =>
      typeof facts["help"] === "string"
        ? facts["help"]
        : `repeat the command; see whether the model answers: ${cli} doctor`,
    true,
  ),
  PROVIDER_FAILED: entry(
    1,
    "a provider of documents could not be reached, or gave nothing that can be read",
    (facts) => (typeof facts["help"] === "string" ? facts["help"] : "repeat later; what was acknowledged is kept"),
    true,
  ),
  READ_FAILED: {
    exit: 1,
    retryable: true,
    message: (facts) => diskSentence(facts, "read") ?? sentence(facts, "something could not be read"),
    hint: readHint,
  },

  // Bad usage or input.
  INVALID_ARGS: entry(2, "this command line does not work", usageHint),
  ALREADY_EXISTS: entry(2, "a run of this id exists, with another question or other settings", (facts, cli) => {
    if (facts["output"] !== undefined) return "name another file, or replace it with --force";
    return typeof facts["run_root"] === "string"
      ? `go on with the run as it is: ${on(facts, cli, "resume")}; or choose another --run-id`
      : "choose another --run-id, or leave it out";
  }),
  SCHEMA_VALIDATION_FAILED: entry(
    2,
    "the input does not have the expected form",
    () => "correct the input named above and repeat",
  ),
  AGENT_RESULT_INVALID: entry(
    2,
    "the agent's result does not have the expected form",
    () => "correct the result and hand it in again",
  ),
  PATH_TRAVERSAL: entry(2, "the path leaves the folder it has to stay in", (facts) =>
    facts["run_id"] === undefined ? "name a path inside the folder, without .. and links" : `a run id ${RUN_ID_RULE}`,
  ),
  INPUT_TOO_LARGE: entry(2, "the input is too large", () => "shorten it to the limit named above"),
  IMMUTABLE_FIELD: entry(2, "this field of the manifest cannot be changed", () => "leave it out of the patch"),
  REQUESTED_NEXT_NOT_ALLOWED: entry(
    2,
    "this stage cannot come next",
    (facts, cli) => `see the stages: ${on(facts, cli, "inspect")}`,
  ),
  SCHEMA_UNSUPPORTED: entry(
    2,
    "the run was written by a newer version",
    () => "upgrade deep-research; this version leaves the run untouched",
  ),

  // Halted.
  RUN_AGENT_REQUIRED: entry(3, "an outside agent has to do the next step", haltHint),
  HUMAN_REVIEW_REQUIRED: entry(3, "a person has to look before the run goes on", haltHint),
  GATE_BLOCKED: entry(3, "a gate did not pass", gateHint),
  NO_EVIDENCE: entry(3, "nothing relevant to the question was found", noEvidenceHint),
  SETTINGS_DRIFT: entry(3, "the settings, the tool or a corpus changed since the run began", haltHint),
  TOOL_OUTCOME_UNKNOWN: entry(3, "it is not known whether a tool call took effect", settleHint),
  BUDGET_EXCEEDED: entry(3, "the budget is used up", budgetHint),
  QUOTA_EXCEEDED: entry(4, "a provider answers no more for now", quotaHint, true),
  REQUEST_PENDING: entry(
    4,
    "the request was handed over and still waits for the owner of the run",
    (facts, cli) => `it stands; see whether it was done: ${on(facts, cli, "status")}`,
    true,
  ),

  // The world.
  NOT_FOUND: entry(10, "there is no such run", notFoundHint),
  LOCK_HELD: entry(
    11,
    "another process is working on this run",
    (facts, cli) => `watch it (${on(facts, cli, "watch")}), or ask it to stop: ${on(facts, cli, "pause")}`,
    true,
  ),
  INTEGRITY_ERROR: entry(12, "what is stored does not verify", repairHint),
  MISSING_ARTIFACT: entry(12, "a stored file is missing", repairHint),
  LOCK_LOST: entry(13, "another process took the run over", (facts, cli) =>
    facts["superseded"] === false
      ? `nobody took over; its finished steps are kept, see how it stands: ${on(facts, cli, "triage")}`
      : `nothing of it was overwritten; see who has it: ${on(facts, cli, "status")}`,
  ),
  LOCK_NOT_HELD: entry(
    13,
    "this process does not hold the run's lease",
    (facts, cli) => `see who has it: ${on(facts, cli, "status")}`,
  ),
  LOCK_NOT_OWNED: entry(
    13,
    "the run's lease belongs to another process",
    (facts, cli) => `see who has it: ${on(facts, cli, "status")}`,
  ),
  INTERRUPTED_BY_SIGNAL: {
    exit: (facts) => (facts["signal"] === "SIGTERM" ? SIGTERM_EXIT : SIGINT_EXIT),
    retryable: true,
    message: (facts) => sentence(facts, `stopped by ${facts["signal"] === "SIGTERM" ? "SIGTERM" : "Ctrl-C"}`),
    hint: (facts, cli) =>
      facts["command"] === "watch"
        ? "the run goes on as it was: only the watching ended"
        : typeof facts["run_root"] === "string"
          ? `everything finished is kept; go on: ${on(facts, cli, "resume")}`
          : "nothing was begun that could be lost: repeat the command",
  },
  INTERNAL: entry(70, "a bug in deep-research", (facts, cli) =>
    facts["stack"] === undefined
      ? "please report it with the output of the same command under DEEP_RESEARCH_DEBUG=1"
      : `please report it with the facts above; after an upgrade, or to try again: ${on(facts, cli, "resume")}`,
  ),
} satisfies Record<ErrorCode, ErrorEntry>;

export function errorEntry(code: ErrorCode): ErrorEntry {
  return ERROR_TABLE[code];
}

export function exitOf(code: ErrorCode, facts: ErrorFacts): number {
  const { exit } = errorEntry(code);
  return typeof exit === "number" ? exit : exit(facts);
}

function entry(exit: number, fallback: string, hint: ErrorEntry["hint"], retryable = false): ErrorEntry {
  return { exit, retryable, message: (facts) => sentence(facts, fallback), hint };
}

function sentence(facts: ErrorFacts, fallback: string): string {
  return typeof facts["reason"] === "string" && facts["reason"] !== "" ? facts["reason"] : fallback;
}
