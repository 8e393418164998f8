// Everything that is known about a run, for a person who wants to see inside.
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { JOURNAL_FILE } from "../../run/log/layout.ts";
import { STAGES, type Stage } from "../../run/stage.ts";
import { blockedUrlsOf } from "./blocked-urls-of.ts";
import { spendingOf } from "./spending.ts";
import { countSteps, statusFrom } from "./status.ts";
import type { ReadOutcome } from "../outcome.ts";

export type InspectResult = Awaited<ReturnType<typeof inspectedRun>>;
export type StageView = InspectResult["stages"][number];

/** Reads everything about a run, one just `seen` where there is one; writes nothing. */
export async function inspectRun(
  ports: Ports,
  runRoot: string,
  seen: RunLook | null = null,
): Promise<ReadOutcome<InspectResult>> {
  const run = seen ?? (await ports.store.look(runRoot));
  return { result: await inspectedRun(ports, run), run, error: null };
}

async function inspectedRun(ports: Ports, run: RunLook) {
  const { manifest, requests, runRoot } = run;
  const { held, stale } = run.lease;
  return {
    status: statusFrom(run),
    question: manifest.query,
    settings: manifest.settings,
    settings_digest: manifest.settings_digest,
    limits: manifest.limits,
    state_history: manifest.state_history,
    stage_history: manifest.stage.history,
    stages: await stagesOf(ports, run),
    gates: manifest.gates,
    provenance: manifest.provenance,
    failures: manifest.failures,
    halt: manifest.halt,
    usage: manifest.usage,
    /** The usage of models by stage and by step. */
    spending: await spendingOf(ports, run),
    report_versions: manifest.report_versions,
    forked_from: manifest.forked_from ?? null,
    lease: { record: held?.description ?? held ?? stale?.description ?? null, is_held: held !== null },
    requests,
    journal: { ...manifest.journal, path: ports.runs.placeOf(runRoot, JOURNAL_FILE) },
    /** Addresses that could not be reached so far, each with what would help. */
    blocked_urls: await blockedUrlsOf(ports, run),
    /** The last differences from the settings that were accepted; null when none were. */
    accepted_drift: await acceptedDriftOf(ports, run),
    tool_version: manifest.tool_version,
  };
}

/** The manifest names the record by its digest: the journal is read only where there is one. */
async function acceptedDriftOf(ports: Ports, { runRoot, manifest }: RunLook) {
  if (manifest.accepted_drift === null) return null;
  const records = await ports.store.records(runRoot);
  const accepted = records.findLast(({ digest }) => digest === manifest.accepted_drift);
  if (accepted?.kind !== "drift.accepted") return null;
  return { ts: accepted.ts, reason: accepted.data.reason, differences: accepted.data.differences };
}

/** The steps of every stage that the run has entered, in the order of the stages. */
async function stagesOf(ports: Ports, run: RunLook) {
  const { history, current } = run.manifest.stage;
  const entered = new Set<Stage>([...history.map(({ from }) => from), current]);
  const views = [];
  for (const stage of STAGES.filter((name) => entered.has(name))) {
    const states = await ports.store.readSteps(run, stage);
    const steps = Object.entries(states).map(([key, step]) => Object.assign({ key }, step));
    views.push({ stage, counts: countSteps(states), steps });
  }
  return views;
}
