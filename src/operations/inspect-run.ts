// Everything that is known about a run, for a person who wants to see inside.
import { join } from "node:path";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-store.ts";
import type { BlockedUrl } from "../run/blocked-urls.ts";
import { JOURNAL_FILE } from "../run/journal.ts";
import type { Manifest } from "../run/manifest.ts";
import { STAGES, type Stage } from "../run/stage.ts";
import type { StepState } from "../run/step.ts";
import { blockedUrlsOf } from "./blocked-urls-of.ts";
import { spendingOf, type Spending } from "./spending.ts";
import { countSteps, statusFrom, type StatusResult, type StepCounts } from "./status.ts";
import type { Outcome } from "./outcome.ts";

export interface StageView {
  stage: Stage;
  counts: StepCounts;
  steps: ({ key: string } & StepState)[];
}

export interface InspectResult {
  status: StatusResult;
  question: Manifest["query"];
  settings: Manifest["settings"];
  settings_digest: string;
  limits: Manifest["limits"];
  state_history: Manifest["state_history"];
  stage_history: Manifest["stage"]["history"];
  stages: StageView[];
  gates: Manifest["gates"];
  provenance: Manifest["provenance"];
  failures: Manifest["failures"];
  halt: Manifest["halt"];
  usage: Manifest["usage"];
  /** The same by stage and by step. */
  spending: Spending;
  report_versions: Manifest["report_versions"];
  forked_from: NonNullable<Manifest["forked_from"]> | null;
  lease: { record: NonNullable<RunLook["lease"]["held"]>["record"] | null; is_held: boolean };
  requests: RunLook["requests"];
  journal: Manifest["journal"] & { path: string };
  /** What could not be reached so far, each with what would help. */
  blocked_urls: BlockedUrl[];
  /** What was found to differ and was accepted last; null when nothing was. */
  accepted_drift: AcceptedDrift | null;
  tool_version: string;
}

export interface AcceptedDrift {
  ts: string;
  reason: string;
  differences: { what: string; frozen: string; found: string }[];
}

/** Reads everything about a run; writes nothing. */
export async function inspectRun(ports: Ports, runRoot: string): Promise<Outcome<InspectResult>> {
  const run = await ports.store.look(runRoot);
  const { manifest, lease, requests } = run;
  const result: InspectResult = {
    status: statusFrom(run, ports.clock.nowMs()),
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
    spending: await spendingOf(ports, run),
    report_versions: manifest.report_versions,
    forked_from: manifest.forked_from ?? null,
    lease: { record: lease.held?.record ?? lease.stale?.record ?? null, is_held: lease.held !== null },
    requests,
    journal: { ...manifest.journal, path: join(runRoot, JOURNAL_FILE) },
    blocked_urls: await blockedUrlsOf(ports, run),
    accepted_drift: await acceptedDriftOf(ports, run),
    tool_version: manifest.tool_version,
  };
  return { result, run, error: null };
}

/** The manifest names the record by its digest: the journal is read only where there is one. */
async function acceptedDriftOf(ports: Ports, { runRoot, manifest }: RunLook): Promise<AcceptedDrift | null> {
  if (manifest.accepted_drift === null) return null;
  const records = await ports.store.records(runRoot);
  const accepted = records.findLast(({ record }) => record.digest === manifest.accepted_drift)?.record;
  if (accepted?.kind !== "drift.accepted") return null;
  return { ts: accepted.ts, reason: accepted.data.reason, differences: accepted.data.differences };
}

/** The steps of every stage that the run has entered, in the order of the stages. */
async function stagesOf(ports: Ports, run: RunLook): Promise<StageView[]> {
  const { history, current } = run.manifest.stage;
  const entered = new Set<Stage>([...history.map(({ from }) => from), current]);
  const views: StageView[] = [];
  for (const stage of STAGES.filter((name) => entered.has(name))) {
    const steps = await ports.store.readSteps(run, stage);
    views.push({
      stage,
      counts: countSteps(steps),
      steps: Object.entries(steps).map(([key, step]) => Object.assign({ key }, step)),
    });
  }
  return views;
}
