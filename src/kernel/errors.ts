// The closed list of error codes, the faults behind them, and the one exception that carries them.

export const ERROR_CODES = [
  // The run failed, or its state does not allow this.
  "INVALID_STATE",
  "RUN_TERMINAL",
  "PAUSED",
  "REVISION_MISMATCH",
  "WATCHDOG_TIMEOUT",
  "WRITE_FAILED",
  "READ_FAILED",
  "MODEL_FAILED",
  "PROVIDER_FAILED",
  // Bad usage or input.
  "INVALID_ARGS",
  "ALREADY_EXISTS",
  "SCHEMA_VALIDATION_FAILED",
  "AGENT_RESULT_INVALID",
  "PATH_TRAVERSAL",
  "INPUT_TOO_LARGE",
  "IMMUTABLE_FIELD",
  "REQUESTED_NEXT_NOT_ALLOWED",
  "SCHEMA_UNSUPPORTED",
  // Halted: a person, an agent or time has to do something.
  "RUN_AGENT_REQUIRED",
  "HUMAN_REVIEW_REQUIRED",
  "GATE_BLOCKED",
  "NO_EVIDENCE",
  "SETTINGS_DRIFT",
  "TOOL_OUTCOME_UNKNOWN",
  "BUDGET_EXCEEDED",
  "QUOTA_EXCEEDED",
  "REQUEST_PENDING",
  // The world.
  "NOT_FOUND",
  "LOCK_HELD",
  "INTEGRITY_ERROR",
  "MISSING_ARTIFACT",
  "UNAVAILABLE",
  "LOCK_LOST",
  "LOCK_NOT_HELD",
  "LOCK_NOT_OWNED",
  "INTERRUPTED_BY_SIGNAL",
  "WORKER_KILLED",
  "INTERNAL",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** A file of a run or a bundle that does not verify: what was expected, and what is there. */
export interface FileProblem {
  path: string;
  expected: string;
  found: string;
}

/** What is known of a file or folder that could not be read or written. */
export interface DiskFacts {
  errno?: string | undefined;
  path?: string | undefined;
  /** A file that the caller named. */
  output?: string | undefined;
  /** The bytes of a write that was taken only in part. */
  taken?: number | undefined;
}

interface DamageFacts {
  files?: readonly FileProblem[];
}

/** What a person does first; a halt of the run shows it, too. */
interface Help {
  help?: string | undefined;
}

/**
 * The facts that decide what is said of a fault, and what to do. A code with several causes that call for different steps has a
 * fault for each, named behind a dot.
 */
interface FactsOf {
  INVALID_STATE: { state?: string; wanted?: string | null };
  RUN_TERMINAL: { state?: string };
  "WATCHDOG_TIMEOUT.several_runs": { run_roots: readonly string[] };
  WRITE_FAILED: DiskFacts & { stream?: "stdout" };
  READ_FAILED: DiskFacts;
  "READ_FAILED.vanished": { path: string };
  /** `path`: of the corpus that the run reads. */
  "READ_FAILED.corpus": { path: string };
  /** `retryable`: of the same attempt. `goes_on`: the next attempt continues the conversation. `asked`: replies that are new. */
  MODEL_FAILED: Help & { kind?: string; retryable?: boolean; goes_on?: true; unreachable?: boolean; asked?: number };
  PROVIDER_FAILED: Help & { retryable?: boolean };
  "INVALID_ARGS.wrong_value": { found: string; expected: string };
  "INVALID_ARGS.several_runs": { run_ids: readonly string[] };
  /** `mended`: the same command, confirmed. */
  "INVALID_ARGS.unconfirmed": { mended: string };
  "INVALID_ARGS.token_file": { token_file: string };
  "INVALID_ARGS.token_folder": { token_folder: string };
  "INVALID_ARGS.no_search_key": { keys: readonly string[] };
  "INVALID_ARGS.no_mcp_server": object;
  "INVALID_ARGS.no_reranker": object;
  "INVALID_ARGS.out_of_reach": { stdio_servers?: readonly string[] };
  "INVALID_ARGS.unknown_price": { model: string };
  "INVALID_ARGS.address": { address: string };
  "INVALID_ARGS.no_corpus": object;
  /** The corpus of a run that was made with it. */
  "INVALID_ARGS.corpus": object;
  "INVALID_ARGS.no_config_file": object;
  /** Of a corpus that a caller names. `skipped`: what it holds, and none of it can be read. */
  "INVALID_ARGS.unreadable_corpus": { path: string; skipped?: readonly unknown[] };
  /** More files than a corpus may hold. */
  "INVALID_ARGS.too_many_files": { path: string; max_files: number };
  "INVALID_ARGS.unknown_field": { asked: string; takes: readonly string[] };
  /** `adds`: what the person adds to the command of the server. */
  "INVALID_ARGS.agent_may_not": { adds: string };
  "INVALID_ARGS.workspace_may_not": object;
  "INVALID_ARGS.in_file": { file: string };
  "INVALID_ARGS.unset_variable": { unset_variable: string };
  "INVALID_ARGS.variable": { variable: string };
  /** How the store of the runs is named. */
  "INVALID_ARGS.store": object;
  /** The server refuses the role, the database or the connection. */
  "INVALID_ARGS.store_login": { store: string };
  /** A run in a store is repaired as a folder. */
  "INVALID_ARGS.stored_run": { run_root: string };
  /** The role may not do this. */
  "INVALID_ARGS.store_role": { store: string };
  "ALREADY_EXISTS.bundle": { bundle: string };
  "ALREADY_EXISTS.file": { output: string };
  /** Where in the text it is. */
  SCHEMA_VALIDATION_FAILED: { line?: number; column?: number };
  AGENT_RESULT_INVALID: { problems?: readonly string[] | undefined; more_problems?: number | undefined };
  "PATH_TRAVERSAL.run_id": { run_id: string };
  "SCHEMA_UNSUPPORTED.bundle": object;
  "SCHEMA_UNSUPPORTED.store_older": { store: string };
  "SCHEMA_UNSUPPORTED.store_newer": { store: string };
  GATE_BLOCKED: Help;
  /** Of a run that ended, or that may continue, without a halt. */
  "NO_EVIDENCE.no_report": { state: string };
  QUOTA_EXCEEDED: { retry_at?: string | undefined };
  NOT_FOUND: { runs_root?: string; /** How many runs there are. */ runs?: number };
  /** `versions`: of the report. `state`: of the run. */
  "NOT_FOUND.report": { versions: readonly number[]; state: string };
  "NOT_FOUND.step": { step: string };
  /** Something else waits. */
  "NOT_FOUND.waiting": { waiting: unknown };
  "NOT_FOUND.file": { file: string };
  LOCK_HELD: { is_reporting?: boolean };
  INTEGRITY_ERROR: DamageFacts;
  MISSING_ARTIFACT: DamageFacts;
  "INTEGRITY_ERROR.bundle": DamageFacts;
  "MISSING_ARTIFACT.bundle": DamageFacts;
  /** What a report quotes; the caller may have it all the same. */
  "INTEGRITY_ERROR.of_report": DamageFacts;
  "MISSING_ARTIFACT.of_report": DamageFacts;
  "INTEGRITY_ERROR.hard_linked": object;
  "INTEGRITY_ERROR.journal_lost": DamageFacts & { readable_reports?: readonly unknown[] };
  /** `superseded: false`: no process took over. */
  LOCK_LOST: { superseded?: boolean };
  INTERRUPTED_BY_SIGNAL: { signal?: "SIGINT" | "SIGTERM" };
  /** `step`: the step in which a bug was met. */
  INTERNAL: { step?: string };
}

/** A code, or one of the causes that it has. */
export type Fault = ErrorCode | keyof FactsOf;

/** What is known about a failure, as plain JSON values. Only `reason` is a sentence for people. */
export interface ErrorFacts extends Readonly<Record<string, unknown>> {
  reason?: string | undefined;
  run_root?: string | undefined;
  run_id?: string | undefined;
  /** The option or field that is meant, as the caller says it. */
  option?: string | undefined;
  did_you_mean?: string | undefined;
  /** The command that met the failure. */
  command?: string | undefined;
}

export type FaultFacts<F extends Fault = Fault> = ErrorFacts & (F extends keyof FactsOf ? FactsOf[F] : unknown);

/** A failure of the world or of the input. It carries facts; surfaces choose the words. */
export class RunError<F extends Fault = Fault> extends Error {
  override readonly name = "RunError";
  readonly fault: F;
  readonly code: ErrorCode;
  readonly facts: FaultFacts<F>;

  constructor(
    fault: F,
    ...[facts, options]: object extends FaultFacts<F>
      ? [facts?: FaultFacts<F>, options?: { cause?: unknown }]
      : [facts: FaultFacts<F>, options?: { cause?: unknown }]
  ) {
    const code = codeOf(fault);
    super(facts?.reason === undefined ? code : `${code}: ${facts.reason}`, options);
    this.fault = fault;
    this.code = code;
    this.facts = facts ?? ({} as FaultFacts<F>);
  }

  /** What programs get where an error is a part of a result. */
  toJSON(): { code: ErrorCode; facts: ErrorFacts } {
    return { code: this.code, facts: this.facts };
  }

  /** The same fault, with more facts. */
  with(more: ErrorFacts): RunError<F> {
    return new RunError(this.fault, { ...this.facts, ...more }, { cause: this });
  }
}

function codeOf(fault: Fault): ErrorCode {
  return fault.split(".", 1)[0] as ErrorCode;
}

/** True for a failure with one of these faults. */
export function isFault<F extends Fault>(error: unknown, ...faults: F[]): error is RunError<F> {
  return error instanceof RunError && (faults as Fault[]).includes(error.fault);
}

/** The errno name of a failed system call ("ENOSPC"), or undefined for any other error. */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}

/** True where the disk is full, or this user may put no more on it: to take something away may still be possible. */
export function isOutOfRoom(error: unknown): boolean {
  const errno = errnoOf(error);
  return errno === "ENOSPC" || errno === "EDQUOT";
}

/** The message of any thrown value, for the facts of a typed error. */
export function describeCause(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
