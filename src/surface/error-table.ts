// Every error code once: what happened where the error gives no reason, and whether trying again may help.
import { type ErrorCode, isFault, type RunError } from "../kernel/errors.ts";
import { type HaltCode, isHaltCode, kindOfCode } from "../run/log/halt-kinds.ts";
import { diskSentence } from "./disk-words.ts";
import { haltHeadline } from "./halt-words.ts";

const SENTENCES = {
  // The run failed, or its state does not allow this.
  INVALID_STATE: "the state of the run does not allow this",
  RUN_TERMINAL: "the run has ended",
  PAUSED: "the run is paused",
  REVISION_MISMATCH: "the run has moved on meanwhile",
  WRITE_FAILED: "something could not be written",
  READ_FAILED: "something could not be read",
  MODEL_FAILED: "a model did not do what was requested",
  PROVIDER_FAILED: "a provider of documents could not be reached, or gave nothing that can be read",

  // Bad usage or input.
  INVALID_ARGS: "this command line does not work",
  ALREADY_EXISTS: "a run of this id exists, with another question or other settings",
  SCHEMA_VALIDATION_FAILED: "the input does not have the expected form",
  AGENT_RESULT_INVALID: "the agent's result does not have the expected form",
  PATH_TRAVERSAL: "the path leaves the folder it has to stay in",
  INPUT_TOO_LARGE: "the input is too large",
  IMMUTABLE_FIELD: "this field of the manifest cannot be changed",
  REQUESTED_NEXT_NOT_ALLOWED: "this stage cannot come next",
  SCHEMA_UNSUPPORTED: "the run was written by a newer version",

  REQUEST_PENDING: "the process that works on the run has not answered the request yet",

  // The world.
  NOT_FOUND: "there is no such run",
  LOCK_HELD: "another process is working on this run",
  INTEGRITY_ERROR: "what is stored does not verify",
  MISSING_ARTIFACT: "a stored file is missing",
  UNAVAILABLE: "the store of the runs does not answer",
  LOCK_LOST: "another process took the run over",
  LOCK_NOT_HELD: "this process does not hold the run's lease",
  LOCK_NOT_OWNED: "the run's lease belongs to another process",
  INTERRUPTED_BY_SIGNAL: "stopped by Ctrl-C",
  WORKER_KILLED: "the process that worked on this was killed",
} satisfies Record<Exclude<ErrorCode, HaltCode>, string>;

/** The same command may succeed later, with nothing changed by a person. */
const RETRYABLE: ReadonlySet<ErrorCode> = new Set([
  "REVISION_MISMATCH",
  "WRITE_FAILED",
  "READ_FAILED",
  "MODEL_FAILED",
  "PROVIDER_FAILED",
  "QUOTA_EXCEEDED",
  "REQUEST_PENDING",
  "LOCK_HELD",
  "UNAVAILABLE",
  "INTERRUPTED_BY_SIGNAL",
  "WORKER_KILLED",
]);

export function isRetryable(code: ErrorCode): boolean {
  return RETRYABLE.has(code);
}

/** What happened, in one sentence. */
export function sentenceFor(error: RunError): string {
  const own = sentenceOfDisk(error);
  const { reason } = error.facts;
  if (own !== null || (reason !== undefined && reason !== "")) return own ?? reason ?? "";
  return isFault(error, "INTERRUPTED_BY_SIGNAL") && error.facts.signal === "SIGTERM"
    ? "stopped by SIGTERM"
    : sentenceForCode(error.code);
}

function sentenceForCode(code: ErrorCode): string {
  return isHaltCode(code) ? haltHeadline(kindOfCode(code), false) : SENTENCES[code];
}

function sentenceOfDisk(error: RunError): string | null {
  if (isFault(error, "READ_FAILED.corpus"))
    return `${error.facts.reason ?? SENTENCES.READ_FAILED}: ${error.facts.path}`;
  if (isFault(error, "READ_FAILED")) return diskSentence(error.facts, "read");
  return isFault(error, "WRITE_FAILED") ? diskSentence(error.facts, "written") : null;
}
