// The runs under a runs root, the newest first; a run that cannot be read is listed with its error.
import { basename } from "node:path";
import { describeCause, isFault, RunError, type ErrorCode } from "../../kernel/errors.ts";
import { given } from "../../kernel/given.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { Ports } from "../../ports/ports.ts";
import type { UnbegunFolder } from "../../ports/run-folders.ts";
import type { RunEntry } from "../../ports/runs.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { isTerminal, type ExecutionState } from "../../run/log/lifecycle.ts";
import { neverBegun } from "./never-begun.ts";
import type { Outcome } from "../outcome.ts";
import { askingOnce, corporaToRead, firstMissing, standingOf, withoutCorpus } from "./standing.ts";
import { statusFrom } from "./status.ts";

/** Bytes of its files, where they were requested; null where they cannot be counted. */
interface Sized {
  bytes?: number | null;
}
export type ListedRun = ReturnType<typeof listed> & Sized;
export type UnreadableRun = ReturnType<typeof unreadableRun> & Sized;

export interface ListResult {
  runs_root: string;
  /** False where no run was ever made. */
  runs_root_exists: boolean;
  runs: ListedRun[];
  /** The number of runs that fit the filter, with those that the limit left out. */
  matched: number;
  unreadable: UnreadableRun[];
  /** The bytes of the runs shown and of those that cannot be read. */
  total_bytes?: number;
  /** Folders in which a run was to be made and never was, where sizes were requested. */
  never_begun?: UnbegunFolder[];
}

export interface ListFilter {
  /** `running` leaves out the runs that a halt stopped. */
  states?: readonly ExecutionState[];
  /** Lists only runs that wait at a halt. */
  halted?: boolean;
  /** The newest so many. */
  limit?: number;
  /** Measure what each takes on the disk. */
  size?: boolean;
}

const LISTED_QUESTION_LENGTH = 200;

/** Reads every run; writes nothing. Runs that cannot be read pass every filter. */
export async function listRuns(ports: Ports, runsRoot: string, filter: ListFilter = {}): Promise<Outcome<ListResult>> {
  const found: { run: ListedRun; corpora: string[] }[] = [];
  const unreadable: UnreadableRun[] = [];
  const asking = askingOnce(ports);
  // One run at a time: what is kept of it is small, however large the run.
  for await (const entry of ports.runs.list(runsRoot, { cutShort: true })) {
    try {
      if (entry.look === null) unreadable.push(unreadableRun(entry));
      else if (fits(entry.look, filter))
        found.push({ run: listed(asking, entry.look), corpora: corporaToRead(entry.look) });
    } catch (error) {
      unreadable.push(unreadableRun({ ...entry, error }));
    }
  }
  found.sort(({ run: a }, { run: b }) => compare(b.created_at, a.created_at) || compare(b.run_id, a.run_id));
  // A corpus may lie on a slow disk: only those of the runs that are shown are visited.
  const runs = found.slice(0, filter.limit).map(({ run, corpora }) => {
    const missing = firstMissing(ports, corpora);
    if (missing === null) return run;
    const { run_root, execution_state: state, updated_at: since } = run;
    const { condition, needs_attention, next } = withoutCorpus(run_root, state, { since, ...missing });
    return { ...run, condition, needs_attention, next };
  });
  const result: ListResult = {
    runs_root: runsRoot,
    runs_root_exists: found.length + unreadable.length > 0 || (await ports.runs.names(runsRoot)) !== null,
    runs,
    matched: found.length,
    unreadable,
    ...(filter.size === true
      ? { total_bytes: await measure(ports, runs, unreadable), never_begun: await neverBegun(ports, runsRoot) }
      : {}),
  };
  return { result, run: null, error: null };
}

/** Notes the bytes of each run with it, and returns their sum. */
async function measure(ports: Ports, ...lists: (ListedRun | UnreadableRun)[][]): Promise<number> {
  let total = 0;
  for (const run of lists.flat()) {
    run.bytes = await bytesOf(ports, run.run_root);
    total += run.bytes ?? 0;
  }
  return total;
}

/** One run that cannot be read must not hide the others. */
async function bytesOf(ports: Ports, runRoot: string): Promise<number | null> {
  try {
    return await ports.runs.bytesOf(runRoot);
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return null;
  }
}

function fits({ state, manifest }: RunLook, { states, halted }: ListFilter): boolean {
  if (halted === true && (manifest.halt === null || isTerminal(state))) return false;
  if (states === undefined) return true;
  return states.includes(state) && (halted === true || state !== "running" || manifest.halt === null);
}

/** The condition of the run as `triage` says it, and a part of its status. */
function listed(ports: Ports, look: RunLook) {
  const { condition, needs_attention, next } = standingOf(ports, look, "unchecked");
  const status = statusFrom(look);
  const { halt, model_unreachable, activity, owner_is_silent, usage, problems, created_at, updated_at } = status;
  const { driver, mode, answered } = status;
  return {
    run_id: look.manifest.run_id,
    run_root: look.runRoot,
    chat_id: look.manifest.chat_id ?? null,
    question: shortened(status.question, LISTED_QUESTION_LENGTH),
    execution_state: status.execution_state,
    stage_current: status.stage.current,
    condition,
    needs_attention,
    halt,
    model_unreachable,
    /** A living process holds the lease. */
    is_owned: status.lease.held_by !== null,
    activity,
    owner_is_silent,
    report_versions: status.report_versions.length,
    answered,
    usage,
    problems,
    driver,
    mode,
    created_at,
    updated_at,
    next,
  };
}

/** It goes by the name of its folder. */
function unreadableRun({ runRoot, error }: RunEntry) {
  return { run_id: basename(runRoot), run_root: runRoot, error: readableError(error) };
}

function readableError(error: unknown): { code: ErrorCode; reason: string; errno?: string } {
  const code = error instanceof RunError ? error.code : "INTERNAL";
  const reason = (error instanceof RunError ? error.facts.reason : undefined) ?? describeCause(error);
  return {
    code,
    reason,
    ...given({ errno: isFault(error, "READ_FAILED", "WRITE_FAILED") ? error.facts.errno : undefined }),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
