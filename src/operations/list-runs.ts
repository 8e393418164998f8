// The runs under a runs root, the newest first; a run that cannot be read is listed with its error.
import { basename } from "node:path";
import { describeCause, RunError, type ErrorCode } from "../kernel/errors.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunEntry, RunLook } from "../ports/run-store.ts";
import { haltKind, type HaltKind } from "../run/halt.ts";
import { isTerminal, type ExecutionState } from "../run/lifecycle.ts";
import type { Stage } from "../run/stage.ts";
import type { Outcome } from "./outcome.ts";

export interface ListedRun {
  run_id: string;
  run_root: string;
  question: string;
  execution_state: ExecutionState;
  stage_current: Stage;
  halt: HaltKind | null;
  /** Somebody alive holds the lease. */
  is_owned: boolean;
  report_versions: number;
  created_at: string;
  updated_at: string;
}

export interface UnreadableRun {
  /** The name of its folder. */
  run_id: string;
  run_root: string;
  error: { code: ErrorCode; reason: string };
}

export interface ListResult {
  runs_root: string;
  runs: ListedRun[];
  unreadable: UnreadableRun[];
}

export interface ListFilter {
  states?: readonly ExecutionState[];
  /** Only runs that wait at a halt. */
  halted?: boolean;
}

const LISTED_QUESTION_LENGTH = 200;

/** Looks at every run; writes nothing. Runs that cannot be read pass every filter. */
export async function listRuns(ports: Ports, runsRoot: string, filter: ListFilter = {}): Promise<Outcome<ListResult>> {
  const entries = await ports.store.list(runsRoot);
  const runs = entries.flatMap(({ look }) => (look !== null && fits(look, filter) ? [listed(look)] : []));
  runs.sort((a, b) => compare(b.created_at, a.created_at) || compare(b.run_id, a.run_id));
  return { result: { runs_root: runsRoot, runs, unreadable: unreadableRuns(entries) }, run: null, error: null };
}

function fits({ state, manifest }: RunLook, { states, halted }: ListFilter): boolean {
  if (halted === true && (manifest.halt === null || isTerminal(state))) return false;
  return states === undefined || states.includes(state);
}

function listed({ runRoot, manifest, state, lease }: RunLook): ListedRun {
  return {
    run_id: manifest.run_id,
    run_root: runRoot,
    question: manifest.query.text.slice(0, LISTED_QUESTION_LENGTH),
    execution_state: state,
    stage_current: manifest.stage.current,
    halt: manifest.halt === null ? null : haltKind(manifest.halt),
    is_owned: lease.held !== null,
    report_versions: manifest.report_versions.length,
    created_at: manifest.created_at,
    updated_at: manifest.updated_at,
  };
}

export function unreadableRuns(entries: readonly RunEntry[]): UnreadableRun[] {
  return entries.flatMap(({ runRoot, look, error }) =>
    look === null ? [{ run_id: basename(runRoot), run_root: runRoot, error: readableError(error) }] : [],
  );
}

function readableError(error: unknown): UnreadableRun["error"] {
  const code = error instanceof RunError ? error.code : "INTERNAL";
  const reason =
    error instanceof RunError && typeof error.facts["reason"] === "string"
      ? error.facts["reason"]
      : describeCause(error);
  return { code, reason };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
