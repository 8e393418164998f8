// Every error code once: its exit status, whether trying again may help, the sentence and the next step for people.
import { describeCause, errnoOf, RunError, type ErrorCode, type ErrorFacts } from "../kernel/errors.ts";
import { RUN_ID_RULE } from "../kernel/ids.ts";
import { shellQuote } from "../kernel/shell.ts";
import { executionStateSchema, isTerminal, mayReportManually } from "../run/lifecycle.ts";
import { diskSentence, readHint, writeHint } from "./disk-words.ts";
import { adviceOn } from "./halt-advice.ts";

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
  QUOTA_EXCEEDED: entry(4, "a quota is used up for now", quotaHint, true),
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
  INTERNAL: entry(
    70,
    "a bug in deep-research",
    () => "please report it with the output of the same command under DEEP_RESEARCH_DEBUG=1",
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

/** A command on the run that the facts name, as it stands. */
function on(facts: ErrorFacts, cliInvocation: string, verb: string, ...flags: string[]): string {
  const run = typeof facts["run_root"] === "string" ? shellQuote(facts["run_root"]) : "<run>";
  return [cliInvocation, verb, run, ...flags].join(" ");
}

/** The same of every run root that a sweep over many runs names. */
function onEach(facts: ErrorFacts, cliInvocation: string, verb: string): string {
  const roots = Array.isArray(facts["run_roots"]) ? (facts["run_roots"] as string[]) : [facts["run_root"]];
  return roots.map((run_root) => on({ run_root }, cliInvocation, verb)).join("; ");
}

// --- hints that depend on the facts -------------------------------------------------------------------------------

function usageHint(facts: ErrorFacts, cli: string): string {
  const command = typeof facts["command"] === "string" ? ` ${facts["command"]}` : "";
  if (typeof facts["not_in_this_version"] === "string") {
    return `this belongs to ${facts["not_in_this_version"]}, which is not in this version; what is: ${cli}${facts["option"] === undefined ? "" : command} --help`;
  }
  if (typeof facts["provider"] === "string" && Array.isArray(facts["keys"]))
    return `set one of these variables, or a page or SearXNG under providers in your configuration: ${cli} doctor`;
  if (facts["provider"] !== undefined && facts["option"] === "--sensitivity")
    return `list what may be reached under allowed_hosts in your own configuration${facts["stdio_servers"] === undefined ? "" : "; a server over stdio that opens no connection may be used when its settings say is_offline: true"}`;
  if (facts["provider"] === "mcp" && facts["option"] === undefined && facts["unset_variable"] === undefined)
    return `set the server up under providers in your own configuration: ${cli} doctor`;
  if (facts["corpus_moved"] === true) return `if it lies elsewhere now: ${on(facts, cli, "resume", "--corpus", "DIR")}`;
  if (facts["option"] === "--config") return "name a file that is there: --config FILE";
  if (typeof facts["path"] === "string" && typeof facts["errno"] === "string")
    return "name a folder that is there and that this user may read: --corpus DIR";
  if (typeof facts["file"] === "string" && facts["trust"] === true)
    return `say it in the user's file or on the command line, or trust this folder: --trust-workspace; all settings: ${cli} doctor`;
  if (typeof facts["file"] === "string" && facts["did_you_mean"] === undefined)
    return `correct ${facts["file"]}; all settings: ${cli} doctor`;
  if (typeof facts["did_you_mean"] === "string") return `did you mean ${facts["did_you_mean"]}?`;
  if (typeof facts["unset_variable"] === "string") return `set ${facts["unset_variable"]} to the provider's key`;
  if (facts["variable"] === "HOME") return "set HOME, or DEEP_RESEARCH_RUNS_ROOT to a folder, or give --runs-root DIR";
  if (typeof facts["variable"] === "string") return `correct or unset ${facts["variable"]}`;
  return `see ${cli}${command} --help`;
}

function notFoundHint(facts: ErrorFacts, cli: string): string {
  if (Array.isArray(facts["versions"]))
    return facts["versions"].length > 0
      ? `see the versions: ${on(facts, cli, "report list")}`
      : noReportHint(facts, cli);
  if (facts["waiting"] !== undefined) return `see which one waits: ${on(facts, cli, "triage")}`;
  if (facts["step"] !== undefined) return `see the steps: ${on(facts, cli, "inspect")}`;
  const root = typeof facts["runs_root"] === "string" ? ` --runs-root ${shellQuote(facts["runs_root"])}` : "";
  return facts["runs"] === 0
    ? `begin one (a start that was cut off before it made its run is simply repeated): ${cli} start "<question>" --corpus DIR`
    : `see what there is: ${cli} list${root}; a start that was cut off before it made its run is simply repeated`;
}

/** A run that rests may be asked for a report, one that works brings it. */
function noReportHint(facts: ErrorFacts, cli: string): string {
  const state = executionStateSchema.options.find((one) => one === facts["state"]) ?? "running";
  if (!mayReportManually(state)) return `a run that goes on brings one: ${on(facts, cli, "run")}`;
  const generate = `write one from what was found: ${on(facts, cli, "report generate")}`;
  return isTerminal(state) ? generate : `${generate}; or go on: ${on(facts, cli, "resume")}`;
}

function haltHint(facts: ErrorFacts, cli: string): string {
  return `see why and what to do: ${on(facts, cli, "triage")}`;
}

/** A gate, replies of a model that were cut off, or a provider of models that refuses the key or the account. */
function gateHint(facts: ErrorFacts, cli: string): string {
  if (typeof facts["help"] === "string") return `${facts["help"]}, then: ${on(facts, cli, "resume")}`;
  if (typeof facts["resume_with"] === "string")
    return `allow more and go on: ${on(facts, cli, "resume", facts["resume_with"])}`;
  if (typeof facts["model"] !== "string") return haltHint(facts, cli);
  return `see to the key and the account (doctor with the same --model tries them), then: ${on(facts, cli, "resume")}`;
}

function settleHint(facts: ErrorFacts, cli: string): string {
  if (typeof facts["call"] !== "string") return haltHint(facts, cli);
  const settle = on(facts, cli, "settle", "--call", shellQuote(facts["call"]));
  return `look whether it did its work, then: ${settle} --assume-done; or let it run once more: ${settle} --replay`;
}

function budgetHint(facts: ErrorFacts, cli: string): string {
  const { budget, report_version } = facts;
  const advice = adviceOn("budget", facts);
  if (advice !== null) return `${advice}, then: ${on(facts, cli, "resume")}`;
  if (typeof budget !== "string") return haltHint(facts, cli);
  const raise = on(facts, cli, "resume", `--${budget.replaceAll("_", "-")}`, "N");
  const report = typeof report_version === "number" ? `; what was found so far: ${on(facts, cli, "report show")}` : "";
  return `allow more and go on: ${raise}${report}`;
}

function quotaHint(facts: ErrorFacts, cli: string): string {
  if (typeof facts["run_root"] !== "string") return "repeat later";
  const advice = adviceOn("quota", facts);
  return advice !== null
    ? `${advice}, then: ${on(facts, cli, "resume")}`
    : `cron goes on by itself after the time named above; or: ${on(facts, cli, "tick")}`;
}

function noEvidenceHint(facts: ErrorFacts, cli: string): string {
  return `${adviceOn("no_evidence", facts)}, then: ${on(facts, cli, "resume")}; or ask in its words: ${on(facts, cli, "fork", "--question", '"..."')}`;
}

function repairHint(facts: ErrorFacts, cli: string): string {
  if (facts["hard_linked"] === true)
    return "copy the run's folder with a plain copy, not with hard links, and work on the copy";
  if (facts["repaired"] === true)
    return `no repair brings this back: copy it from a backup, or go on in a new run: ${on(facts, cli, "fork")}`;
  return `see what a repair would do: ${on(facts, cli, "repair", "--dry-run")}`;
}

// --- anything thrown ----------------------------------------------------------------------------------------------

/** Failures of the operating system that are no bug of this program. */
const WORLD_FAILURES = new Set([
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "EIO",
  "EMFILE",
  "ENFILE",
  "EACCES",
  "EPERM",
  "EPIPE",
  "ENOMEM",
  "EBUSY",
  "ENOLCK",
]);

/** Any thrown value as a typed error: a failure of the world keeps its facts, all else is a bug. */
export function typedError(error: unknown): RunError {
  if (error instanceof RunError) return error;
  const errno = errnoOf(error);
  const cause = { cause: error };
  if (errno !== undefined && WORLD_FAILURES.has(errno)) {
    const { path, syscall } = error as { path?: unknown; syscall?: unknown };
    return new RunError(
      "WRITE_FAILED",
      { reason: `the operating system refused: ${describeCause(error)}`, errno, path, syscall },
      cause,
    );
  }
  return new RunError(
    "INTERNAL",
    {
      reason: `a bug in deep-research: ${describeCause(error)}`,
      name: error instanceof Error ? error.name : typeof error,
    },
    cause,
  );
}
