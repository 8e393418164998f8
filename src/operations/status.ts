// Where a run stands now: the few facts that a person or a script asks for again and again.
import type { Ports } from "../ports/ports.ts";
import { timestamp } from "../ports/clock.ts";
import type { FileProblem, LeaseView, RunLook } from "../ports/run-store.ts";
import { fallbacksOf, type Fallback } from "../run/fallbacks.ts";
import { haltKind, isModelUnreachable, type HaltKind } from "../run/halt.ts";
import { activityOf, type Activity, type ExecutionState } from "../run/lifecycle.ts";
import type { Manifest } from "../run/manifest.ts";
import { modelName } from "../run/model.ts";
import { modelNames, type Budgets, type Role, type Settings } from "../run/settings.ts";
import type { Stage } from "../run/stage.ts";
import { isHeartbeatOverdue } from "./heartbeat.ts";
import type { Outcome } from "./outcome.ts";

export interface StepCounts {
  planned: number;
  started: number;
  completed: number;
  failed: number;
  total: number;
}

export interface LeaseSummary {
  held_by: {
    pid: number;
    hostname: string | null;
    owner_id: string;
    epoch: number;
    refreshed_at: string;
    heartbeat_age_s: number;
    expires_at: string;
  } | null;
  /** Why the last lease is nobody's any more, when it was not simply released. */
  stale: string | null;
}

export interface StatusResult {
  question: string;
  execution_state: ExecutionState;
  /** What the journal says; differs from `execution_state` while an interruption is not recorded yet. */
  recorded_state: ExecutionState;
  tick_is_open: boolean;
  /** What the living owner does: `held` while it has no tick open. */
  activity: Activity;
  /** The owner holds the lease and has missed its heartbeats. */
  owner_is_silent: boolean;
  ticks: number;
  halt: HaltKind | null;
  /** The run is halted because the server of its model does not answer. */
  model_unreachable: boolean;
  stage: { current: Stage; started_at: string; last_progress_at: string };
  /** Of the current stage. */
  steps: StepCounts;
  gates: Record<string, string>;
  counters: Manifest["counters"];
  /** Where another provider answered than the one that was meant to. */
  fallbacks: Fallback[];
  lease: LeaseSummary;
  pending_requests: string[];
  report_versions: Manifest["report_versions"];
  current_report_version_index: number | null;
  /** What this look could not trust; `verify` reads everything and may find more. */
  problems: FileProblem[];
  last_failure: { kind: string; stage: Stage; message: string; ts: string } | null;
  driver: string;
  /** `PROVIDER:NAME` of the model that most roles ask; null for drivers that ask none. */
  model: string | null;
  /** Of the roles that ask another one. */
  role_models: Partial<Record<Role, string>>;
  usage: Manifest["usage"];
  budgets: Budgets | null;
  mode: string;
  created_at: string;
  updated_at: string;
  ended_at: string | null;
}

/** Reads the state of a run; writes nothing. Errors: those of `RunStore.look`. */
export async function statusOf(ports: Ports, runRoot: string): Promise<Outcome<StatusResult>> {
  const run = await ports.store.look(runRoot, { cutShort: true });
  return { result: statusFrom(run, ports.clock.nowMs()), run, error: null };
}

export function statusFrom({ manifest, state, lease, requests, problems }: RunLook, nowMs: number): StatusResult {
  const failure = manifest.failures.at(-1);
  return {
    question: manifest.query.text,
    execution_state: state,
    recorded_state: manifest.execution_state,
    tick_is_open: manifest.tick.is_open,
    activity: activityOf(manifest, lease),
    owner_is_silent: isHeartbeatOverdue(manifest, lease, nowMs),
    ticks: manifest.tick.number,
    halt: manifest.halt === null ? null : haltKind(manifest.halt),
    model_unreachable: manifest.halt !== null && isModelUnreachable(manifest.halt),
    stage: {
      current: manifest.stage.current,
      started_at: manifest.stage.started_at,
      last_progress_at: manifest.stage.last_progress_at,
    },
    steps: countSteps(manifest.steps),
    gates: Object.fromEntries(Object.entries(manifest.gates).map(([gate, { status }]) => [gate, status])),
    counters: manifest.counters,
    fallbacks: fallbacksOf(manifest.provenance),
    lease: summarizeLease(lease, nowMs),
    pending_requests: requests.map(({ kind }) => kind),
    report_versions: manifest.report_versions,
    current_report_version_index: manifest.current_report_version_index,
    problems,
    last_failure:
      failure === undefined
        ? null
        : { kind: failure.kind, stage: failure.stage, message: failure.message, ts: failure.ts },
    driver: manifest.settings.driver,
    ...modelsAsked(manifest.settings),
    usage: manifest.usage,
    budgets: manifest.settings.budgets ?? null,
    mode: manifest.mode,
    created_at: manifest.created_at,
    updated_at: manifest.updated_at,
    ended_at: manifest.ended_at ?? null,
  };
}

function modelsAsked({ models }: Settings): Pick<StatusResult, "model" | "role_models"> {
  if (models === undefined) return { model: null, role_models: {} };
  const model = modelName(models.default);
  const others = Object.entries(modelNames(models)).filter(([, name]) => name !== model);
  return { model, role_models: Object.fromEntries(others) };
}

export function countSteps(steps: Manifest["steps"]): StepCounts {
  const counts: StepCounts = { planned: 0, started: 0, completed: 0, failed: 0, total: 0 };
  for (const { state } of Object.values(steps)) {
    counts[state]++;
    counts.total++;
  }
  return counts;
}

export function summarizeLease({ held, stale }: LeaseView, nowMs: number): LeaseSummary {
  if (held === null) return { held_by: null, stale: stale?.why ?? null };
  const { pid, hostname, owner_id, epoch, refreshed_at } = held.record;
  const heartbeat_age_s = Math.max(0, Math.floor((nowMs - Date.parse(refreshed_at)) / 1000));
  const expires_at = timestamp(held.expires_at_ms);
  return {
    held_by: { pid, hostname: hostname ?? null, owner_id, epoch, refreshed_at, heartbeat_age_s, expires_at },
    stale: null,
  };
}
