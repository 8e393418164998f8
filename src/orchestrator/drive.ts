// Sets a run to work under its lease, and ticks it until something stops it.
import { RunError } from "../kernel/errors.ts";
import type { RecordDraft } from "../run/log/record.ts";
import { wantedProviders } from "../run/log/provenance.ts";
import { haltKind, isHaltOver } from "../run/log/halt.ts";
import { stateChange } from "../run/log/lifecycle.ts";
import type { Manifest } from "../run/log/manifest.ts";
import { modelInput } from "../run/next-steps/model-input.ts";
import type { StepInput } from "../run/next-steps/next-step.ts";
import {
  movedModels,
  settingsDigest,
  type Budgets,
  type Limits,
  type ModelSettings,
  type Settings,
} from "../run/settings/settings.ts";
import { isGivenUp } from "../run/log/step.ts";
import { isStageBefore, readsCorpora, type Stage } from "../run/stage.ts";
import { acceptedDrift, driverDrift, modelDrift, rankDrift } from "./drift.ts";
import { ownerGone } from "./left-open.ts";
import type { Ownership } from "./ownership.ts";
import { resolvedOf } from "./provenance.ts";
import { heedStop, raiseHalt, type StoppedBy } from "./stopping.ts";
import { tick, type TickResult } from "./tick.ts";

export interface DriveOptions {
  /** A person has resumed the run: halts, pauses and interruptions are lifted. A tick lifts none. */
  lifts: boolean;
  maxSteps?: number;
  maxTicks?: number;
  untilStage?: Stage;
  reason?: string;
  onDrift?: "continue" | "refuse" | "fork";
  /** Where the corpora lie now, in the order of the settings. */
  corpora?: string[];
  limits?: Partial<Limits>;
  /** Budgets to change. The others stay as they are. */
  budgets?: Budgets;
  /** When they are not those of the run, that is drift. */
  models?: ModelSettings;
  /** The URL at which the models of `compatible` answer now. */
  modelBaseUrl?: string;
}

export interface DriveResult extends Omit<TickResult, "stopped_by"> {
  stopped_by: StoppedBy | "until_stage" | "max_ticks" | "lifted";
  ticks: number;
}

/** Errors: `PAUSED`, `RUN_TERMINAL`, `INVALID_STATE` when the state does not allow work; those of `tick`. */
export async function drive(ownership: Ownership, options: DriveOptions): Promise<DriveResult> {
  await lift(ownership, options);
  const done: DriveResult = { stopped_by: "max_ticks", ticks: 0, steps_completed: 0, steps_adopted: 0 };
  const hindered = await settleDriftOrStop(ownership, options);
  if (hindered !== null) return { ...done, stopped_by: hindered };
  const { untilStage, maxTicks = Number.POSITIVE_INFINITY, maxSteps = Number.POSITIVE_INFINITY, reason } = options;
  while (done.ticks < maxTicks) {
    const { current } = ownership.writer.manifest.stage;
    if (untilStage !== undefined && !isStageBefore(current, untilStage)) {
      return { ...done, stopped_by: (await heedStop(ownership)) ?? "until_stage" };
    }
    const result = await tick(ownership, { maxSteps, ...(reason === undefined ? {} : { reason }) });
    done.ticks++;
    done.steps_completed += result.steps_completed;
    done.steps_adopted += result.steps_adopted;
    if (result.stopped_by === "max_steps") return { ...done, stopped_by: (await heedStop(ownership)) ?? "max_steps" };
    if (result.stopped_by !== "stage_done") return { ...done, stopped_by: result.stopped_by };
  }
  // A stop may have come while the last stage was left. Nothing looks for it later.
  return { ...done, stopped_by: (await heedStop(ownership)) ?? "max_ticks" };
}

/** Brings the run to `running` by the table of states. Before that it records an owner that died at work. */
export async function lift(ownership: Ownership, options: DriveOptions): Promise<void> {
  const { writer } = ownership;
  const { manifest } = writer;
  const drafts = await ownerGone(
    ownership,
    `its process was gone (${(writer.unrecordedTakeover ?? "released").replaceAll("_", " ")})`,
  );
  let state = drafts.length > 0 ? "interrupted" : manifest.execution_state;
  const change = (to: typeof state, reason: string): void => {
    drafts.push(stateChange(state, to, reason));
    state = to;
  };
  if (state === "interrupted" && !options.lifts && manifest.settings.policies.on_interrupt === "hold") {
    // The interruption is recorded, and a person has to say that the run continues.
    if (drafts.length > 0) await writer.commit(drafts);
    throw new RunError("INVALID_STATE", {
      state,
      reason: "the run was interrupted and its policy is to hold",
      run_root: writer.runRoot,
    });
  }
  if (state === "paused" && !options.lifts) throw new RunError("PAUSED", { state, run_root: writer.runRoot });
  if (state === "idle") drafts.push(resolvedProvider(manifest));
  if (state !== "running") change("running", options.lifts ? "resume" : state === "idle" ? "start" : "continued");
  const { halt } = manifest;
  const isOver = halt !== null && isHaltOver(halt, ownership.ports.clock.nowMs());
  if (halt !== null && (options.lifts || isOver)) {
    const reason = options.lifts ? (options.reason ?? "resume") : "its time has come";
    const by = options.lifts ? "person" : "time";
    drafts.push({ kind: "halt.cleared", data: { kind: haltKind(halt), reason, by } });
  }
  if (halt === null && options.lifts) drafts.push(...givenUpSteps(manifest));
  const changed = changedSettings(manifest, options);
  if (changed !== null) drafts.push(changed);
  // Resume lifts the pauses that were requested before it took the lease. A later one is for this owner, and heeded.
  const earlierPauses = options.lifts ? ownership.earlierRequests.filter(({ kind }) => kind === "pause") : [];
  for (const { request_id } of earlierPauses) ownership.lifted.add(request_id);
  if (drafts.length > 0) await writer.commit(drafts);
  for (const { request_id } of earlierPauses) await writer.dropRequest(request_id);
}

/** Opens the steps that are tried again only on request. A halt over such steps does so by being lifted. */
function givenUpSteps({ steps }: Readonly<Manifest>): RecordDraft[] {
  return Object.entries(steps).flatMap(([key, step]) =>
    isGivenUp(step) ? [{ kind: "step.reopened", data: { key, stage: step.stage, reason: "resume" } }] : [],
  );
}

/** The record that fixes the provider when the run begins to work. */
export function resolvedProvider({ settings: { providers } }: Pick<Manifest, "settings">): RecordDraft {
  return { kind: "provider.resolved", data: { ...resolvedOf(providers), source_count: 0, quote_count: 0 } };
}

function changedSettings(manifest: Readonly<Manifest>, options: DriveOptions): RecordDraft | null {
  const { corpora, limits, budgets, onDrift, modelBaseUrl: baseUrl } = options;
  if ([corpora, limits, budgets, onDrift, baseUrl].every((given) => given === undefined)) return null;
  const { settings } = manifest;
  if (corpora !== undefined && corpora.length !== settings.corpora.length) {
    throw new RunError("INVALID_ARGS", {
      reason: `the run has ${settings.corpora.length} corpora, ${corpora.length} were given`,
      corpora: settings.corpora.map(({ name }) => name),
    });
  }
  const changed = {
    ...settings,
    corpora: settings.corpora.map((corpus, index) => ({ ...corpus, path: corpora?.[index] ?? corpus.path })),
    policies: { ...settings.policies, on_drift: onDrift ?? settings.policies.on_drift },
    ...(budgets === undefined ? {} : { budgets: { ...settings.budgets, ...budgets } }),
    ...(baseUrl === undefined || settings.models === undefined
      ? {}
      : { models: movedModels(settings.models, baseUrl) }),
  };
  const merged = { ...manifest.limits, ...limits };
  return {
    kind: "settings.changed",
    data: { settings: changed, settings_digest: settingsDigest(changed), limits: merged, reason: "resume" },
  };
}

/** Reading a large corpus may take long, so a stop that comes meanwhile is heeded like one in a tick. */
async function settleDriftOrStop(ownership: Ownership, options: DriveOptions): Promise<StoppedBy | null> {
  for (;;) {
    try {
      if (!(await settleDrift(ownership, options))) return "halted";
    } catch (error) {
      if (!ownership.signal.aborted) throw error;
    }
    if (!ownership.signal.aborted) return null;
    const stopped = await heedStop(ownership);
    if (stopped !== null) return stopped;
  }
}

/**
 * Compares the driver and its models with those that the run was made with, and while evidence is still gathered the documents
 * too. False when a difference halts the run.
 */
async function settleDrift(ownership: Ownership, options: DriveOptions): Promise<boolean> {
  const { writer, corpora, performer } = ownership;
  const { stage, settings } = writer.manifest;
  const isDistant = wantedProviders(settings.providers).ids.some((id) => id !== "filesystem");
  const reads = settings.bundle === undefined && (settings.corpora.length > 0 || isDistant);
  const gathers = reads && readsCorpora(stage.current);
  const differences = [
    ...driverDrift(settings, performer.driver),
    ...modelDrift(settings, options.models),
    ...rankDrift(settings, ownership.ports.reranker),
    ...(gathers ? await corpora.open() : []),
  ];
  if (differences.length === 0) return true;
  const policy = options.onDrift ?? settings.policies.on_drift;
  if (policy === "continue") {
    const { reranker } = ownership.ports;
    const found = { driver: performer.driver, reports: corpora.reports, models: options.models, reranker };
    await writer.commit(acceptedDrift(writer.manifest, differences, `policy ${policy}`, found));
    return true;
  }
  await raiseHalt(ownership, {
    kind: "drift",
    details: { policy, differences, ...inputForModels(settings, options.models) },
  });
  return false;
}

/** The step that continues has to name the models again that this command named. */
function inputForModels({ models: frozen }: Settings, found: ModelSettings | undefined): { resume_input?: StepInput } {
  const input = frozen === undefined || found === undefined ? {} : modelInput(frozen, found);
  return Object.keys(input).length === 0 ? {} : { resume_input: input };
}
