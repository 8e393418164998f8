// Every error code once: whether trying again may help, the sentence, and the next step.
import type { ErrorCode, ErrorFacts } from "../kernel/errors.ts";
import { RUN_ID_RULE } from "../kernel/ids.ts";
import { type Advice, doNext, say } from "./advice.ts";
import {
  corpusHint,
  corpusSentence,
  diskSentence,
  haltHint,
  notFoundHint,
  on,
  onEach,
  readHint,
  repairHint,
  stateHint,
  usageHint,
  writeHint,
} from "./error-hints.ts";

export interface ErrorEntry {
  /** The same command may succeed later, with nothing changed by a person. */
  retryable: boolean;
  readonly message: (facts: ErrorFacts) => string;
  readonly hint: (facts: ErrorFacts) => Advice;
}

const ERROR_TABLE = {
  // The run failed, or its state does not allow this.
  INVALID_STATE: entry("the state of the run does not allow this", stateHint),
  RUN_TERMINAL: entry("the run has ended", (facts) =>
    doNext(
      ...(facts["state"] === "completed" ? [on(facts)("report show", "read its report")] : []),
      on(facts)("fork", "a new run that keeps the finished steps"),
    ),
  ),
  PAUSED: entry("the run is paused", (facts) => doNext(on(facts)("resume", "end the pause and continue"))),
  REVISION_MISMATCH: entry(
    "the run has moved on meanwhile",
    (facts) => doNext(on(facts)("status", "look again, then repeat")),
    true,
  ),
  WATCHDOG_TIMEOUT: entry("the stage was past its time limit, so the run was ended", (facts) =>
    facts["run_roots"] === undefined
      ? haltHint("timeout")(facts)
      : onEach(facts, "triage", "see why, and how to go on with more time"),
  ),
  WRITE_FAILED: {
    retryable: true,
    message: (facts) => diskSentence(facts, "written") ?? sentence(facts, "something could not be written"),
    hint: (facts) => say(writeHint(facts)),
  },
  MODEL_FAILED: entry(
    "a model did not give what was asked for",
    (facts) =>
      typeof facts["help"] === "string"
        ? say(facts["help"])
        : say("repeat the command; `doctor` with the same --model says whether the model answers"),
    true,
  ),
  PROVIDER_FAILED: entry(
    "a provider of documents could not be reached, or gave nothing that can be read",
    (facts) => say(typeof facts["help"] === "string" ? facts["help"] : "repeat later; what was acknowledged is kept"),
    true,
  ),
  READ_FAILED: {
    retryable: true,
    message: (facts) =>
      corpusSentence(facts) ?? diskSentence(facts, "read") ?? sentence(facts, "something could not be read"),
    hint: (facts) => corpusHint(facts) ?? say(readHint(facts)),
  },

  // Bad usage or input.
  INVALID_ARGS: entry("this command line does not work", usageHint),
  ALREADY_EXISTS: entry("a run of this id exists, with another question or other settings", (facts) => {
    if (facts["bundle"] !== undefined) return say("name another folder");
    if (facts["output"] !== undefined) return say("name another file, or replace it with --force");
    const first = "choose another --run-id, or leave it out";
    return typeof facts["run_root"] === "string"
      ? { first, steps: [on(facts)("resume", "continue the run of that id")] }
      : say(first);
  }),
  SCHEMA_VALIDATION_FAILED: entry("the input does not have the expected form", () =>
    say("correct the input named above and repeat"),
  ),
  AGENT_RESULT_INVALID: entry("the agent's result does not have the expected form", () =>
    say("correct the result and hand it in again"),
  ),
  PATH_TRAVERSAL: entry("the path leaves the folder it has to stay in", (facts) =>
    say(
      facts["run_id"] === undefined ? "name a path inside the folder, without .. and links" : `a run id ${RUN_ID_RULE}`,
    ),
  ),
  INPUT_TOO_LARGE: entry("the input is too large", () => say("shorten it to the limit named above")),
  IMMUTABLE_FIELD: entry("this field of the manifest cannot be changed", () => say("leave it out of the patch")),
  REQUESTED_NEXT_NOT_ALLOWED: entry("this stage cannot come next", (facts) =>
    doNext(on(facts)("inspect", "see the stages")),
  ),
  SCHEMA_UNSUPPORTED: entry("the run was written by a newer version", ({ bundle }) =>
    say(`upgrade deep-research; this version leaves the ${bundle === undefined ? "run" : "bundle"} untouched`),
  ),

  // Halted.
  RUN_AGENT_REQUIRED: entry("an outside agent has to do the next step", haltHint("agent_required")),
  HUMAN_REVIEW_REQUIRED: entry("a person has to look before the run goes on", haltHint("human_review")),
  GATE_BLOCKED: entry("a gate did not pass", haltHint("gate_blocked")),
  NO_EVIDENCE: entry("nothing relevant to the question was found", haltHint("no_evidence")),
  SETTINGS_DRIFT: entry("the settings, the tool or a corpus changed since the run began", haltHint("drift")),
  TOOL_OUTCOME_UNKNOWN: entry("it is not known whether a tool call took effect", haltHint("tool_outcome_unknown")),
  BUDGET_EXCEEDED: entry("the budget is used up", haltHint("budget")),
  QUOTA_EXCEEDED: entry("a provider answers no more for now", haltHint("quota"), true),
  REQUEST_PENDING: entry(
    "the process that works on the run has not answered the request yet",
    (facts) => ({ first: "the request is queued", steps: [on(facts)("status", "check whether it was done")] }),
    true,
  ),

  // The world.
  NOT_FOUND: entry("there is no such run", notFoundHint),
  LOCK_HELD: entry(
    "another process is working on this run",
    (facts) =>
      facts["is_reporting"] === true
        ? doNext(on(facts)("watch", "follow it"))
        : doNext(on(facts)("watch", "follow its work"), on(facts)("pause", "ask it to stop")),
    true,
  ),
  INTEGRITY_ERROR: entry("what is stored does not verify", repairHint),
  MISSING_ARTIFACT: entry("a stored file is missing", repairHint),
  UNAVAILABLE: entry(
    "the store of the runs does not answer",
    (facts) =>
      typeof facts["run_root"] === "string"
        ? { first: "what is finished is kept: repeat later", steps: [on(facts)("status", "see how the run stands")] }
        : say("repeat later"),
    true,
  ),
  LOCK_LOST: entry("another process took the run over", (facts) =>
    facts["superseded"] === false
      ? { first: "nobody took over; finished steps are kept", steps: [on(facts)("triage", "see how it stands")] }
      : { first: "nothing of it was overwritten", steps: [on(facts)("status", "see who has it")] },
  ),
  LOCK_NOT_HELD: entry("this process does not hold the run's lease", ownerHint),
  LOCK_NOT_OWNED: entry("the run's lease belongs to another process", ownerHint),
  INTERRUPTED_BY_SIGNAL: {
    retryable: true,
    message: (facts) => sentence(facts, `stopped by ${facts["signal"] === "SIGTERM" ? "SIGTERM" : "Ctrl-C"}`),
    hint: (facts) => {
      if (facts["command"] === "watch") return say("the run continues as before: only the watching ended");
      return typeof facts["run_root"] === "string"
        ? { first: "everything finished is kept", steps: [on(facts)("resume", "continue where it stopped")] }
        : say("nothing was begun, so nothing is lost: repeat the command");
    },
  },
  WORKER_KILLED: entry(
    "the process that worked on this was killed",
    (facts) => ({
      first: "what its journal holds is kept: repeat",
      steps: typeof facts["run_root"] === "string" ? [on(facts)("status", "see how the run stands")] : [],
    }),
    true,
  ),
  INTERNAL: entry("a bug in deep-research", (facts) =>
    facts["stack"] === undefined
      ? say("please report it with the output of the same command under DEEP_RESEARCH_DEBUG=1")
      : haltHint("internal")(facts),
  ),
} satisfies Record<ErrorCode, ErrorEntry>;

export function errorEntry(code: ErrorCode): ErrorEntry {
  return ERROR_TABLE[code];
}

function ownerHint(facts: ErrorFacts): Advice {
  return doNext(on(facts)("status", "see who has it"));
}

function entry(fallback: string, hint: ErrorEntry["hint"], retryable = false): ErrorEntry {
  return { retryable, message: (facts) => sentence(facts, fallback), hint };
}

function sentence(facts: ErrorFacts, fallback: string): string {
  return typeof facts["reason"] === "string" && facts["reason"] !== "" ? facts["reason"] : fallback;
}
