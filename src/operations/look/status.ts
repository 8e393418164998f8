// The status of a run: the facts that people and scripts ask for most often.
import { timestamp } from "../../ports/clock.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { fallbacksOf } from "../../run/log/provenance.ts";
import { haltKind } from "../../run/log/halt.ts";
import { isModelUnreachable, knownHalt } from "../../run/log/halt-details.ts";
import { activityOf, isTerminal } from "../../run/log/lifecycle.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import { expectedCalls } from "../../run/money/expected-calls.ts";
import { modelName, modelNames } from "../../run/settings/model-names.ts";
import { answeredBy } from "../../run/report/report-version.ts";
import type { Role } from "../../run/role.ts";
import type { Settings } from "../../run/settings/settings.ts";
import { isHeartbeatOverdue } from "../../ports/runs.ts";
import type { ReadOutcome } from "../outcome.ts";

/** The facts of a run and of its owner. */
export type StatusResult = ReturnType<typeof statusFrom>;
export type LeaseSummary = ReturnType<typeof summarizeLease>;

/** Reads the state of a run, or takes it from a run just `seen`; writes nothing. Errors: those of `RunLog.look`. */
export async function statusOf(
  ports: Ports,
  runRoot: string,
  seen: RunLook | null = null,
): Promise<ReadOutcome<StatusResult>> {
  const run = seen ?? (await ports.store.look(runRoot, { cutShort: true }));
  return { result: statusFrom(run), run, error: null };
}

export function statusFrom(run: RunLook) {
  const { manifest, state, lease, requests, problems } = run;
  const { stage, halt, settings } = manifest;
  const failure = manifest.failures.at(-1);
  return {
    question: manifest.query.text,
    execution_state: state,
    /** The state in the journal; it differs from `execution_state` while an interruption is not recorded yet. */
    recorded_state: manifest.execution_state,
    tick_is_open: manifest.tick.is_open,
    /** The work of the living owner: `held` while it has no tick open, `reporting` while it writes a report of a run at rest. */
    activity: activityOf(manifest, lease),
    /** The owner holds the lease and has missed its heartbeats. */
    owner_is_silent: isHeartbeatOverdue(run),
    ticks: manifest.tick.number,
    halt: halt === null ? null : haltKind(halt),
    /** The run is halted because the server of its model does not answer. */
    model_unreachable: halt !== null && isModelUnreachable(knownHalt(halt)),
    stage: { current: stage.current, started_at: stage.started_at, last_progress_at: stage.last_progress_at },
    /** Steps of the current stage. */
    steps: countSteps(manifest.steps),
    gates: Object.fromEntries(Object.entries(manifest.gates).map(([gate, { status }]) => [gate, status])),
    counters: manifest.counters,
    /** Searches that another provider answered than the requested one. */
    fallbacks: fallbacksOf(manifest.provenance),
    lease: summarizeLease(run),
    /** Requests that an owner may still heed; none once the run has ended. */
    pending_requests: isTerminal(state) ? [] : requests.map(({ kind }) => kind),
    report_versions: manifest.report_versions,
    /** Whether the current version answers the question; null where there is none, or where it does not say. */
    answered: answeredBy(manifest) ?? null,
    current_report_version_index: manifest.current_report_version_index,
    /** Files that could not be trusted; `verify` reads everything and may find more. */
    problems,
    last_failure:
      failure === undefined
        ? null
        : { kind: failure.kind, stage: failure.stage, message: failure.message, ts: failure.ts },
    driver: settings.driver,
    ...modelsUsed(settings),
    /** Usage of models: spent, and reserved for calls that are not settled yet. */
    usage: manifest.usage,
    /** An estimate of the calls of models to come; null for a run that calls none, or that has ended. */
    expected_calls: callsToCome(manifest),
    budgets: settings.budgets ?? null,
    mode: manifest.mode,
    created_at: manifest.created_at,
    updated_at: manifest.updated_at,
    ended_at: manifest.ended_at ?? null,
  };
}

/** `PROVIDER:NAME` of the model that most roles ask, and of the roles that ask another one; null for drivers that ask none. */
function modelsUsed({ models }: Settings): { model: string | null; role_models: Partial<Record<Role, string>> } {
  if (models === undefined) return { model: null, role_models: {} };
  const model = modelName(models.default);
  const others = Object.entries(modelNames(models)).filter(([, name]) => name !== model);
  return { model, role_models: Object.fromEntries(others) };
}

function callsToCome({ execution_state, mode, limits, stage, steps, settings }: Readonly<Manifest>): number | null {
  if (settings.models === undefined || isTerminal(execution_state)) return null;
  const { total, completed } = countSteps(steps);
  return expectedCalls({ mode, limits, stage: stage.current, steps: { planned: total, open: total - completed } });
}

export function countSteps(steps: Manifest["steps"]) {
  const counts = { planned: 0, started: 0, waiting: 0, completed: 0, failed: 0, total: 0 };
  for (const { state } of Object.values(steps)) {
    counts[state]++;
    counts.total++;
  }
  return counts;
}

/** `stale`: why no process holds the last lease any more, when it was not simply released. */
export function summarizeLease({ lease: { held, stale }, now_ms }: Pick<RunLook, "lease" | "now_ms">) {
  if (held === null) return { held_by: null, stale: stale?.why ?? null };
  const { owner_id, epoch, refreshed_at_ms, expires_at_ms, description } = held;
  return {
    held_by: {
      /** Null where the store knows no processes. */
      pid: description?.pid ?? null,
      hostname: description?.hostname ?? null,
      owner_id,
      epoch,
      refreshed_at: timestamp(refreshed_at_ms),
      heartbeat_age_s: Math.max(0, Math.floor((now_ms - refreshed_at_ms) / 1000)),
      expires_at: timestamp(expires_at_ms),
    },
    stale: null,
  };
}
