// Brings a run to work under the lease and ticks it until something stops it.
import { RunError } from "../kernel/errors.ts";
import type { RecordDraft } from "../run/record.ts";
import { haltKind } from "../run/halt.ts";
import { stateChange } from "../run/fold.ts";
import type { Manifest } from "../run/manifest.ts";
import { settingsDigest, type Limits } from "../run/settings.ts";
import { isStageBefore, type Stage } from "../run/stage.ts";
import type { Session } from "./session.ts";
import { heedStop, raiseHalt, type StoppedBy } from "./stopping.ts";
import { tick, type TickResult } from "./tick.ts";
import type { Workbench } from "./workbench.ts";

export interface DriveOptions {
  /** What a person lifts by asking to resume; a tick lifts nothing. */
  lifts: boolean;
  maxSteps?: number;
  maxTicks?: number;
  untilStage?: Stage;
  reason?: string;
  onDrift?: "continue" | "refuse" | "fork";
  /** Where the corpora lie now, in the order of the settings. */
  corpora?: string[];
  limits?: Partial<Limits>;
}

export interface DriveResult extends Omit<TickResult, "stopped_by"> {
  stopped_by: StoppedBy | "until_stage" | "max_ticks" | "lifted";
  ticks: number;
}

/** Errors: `PAUSED`, `RUN_TERMINAL`, `INVALID_STATE` when the state does not allow work; those of `tick`. */
export async function drive(session: Session, bench: Workbench, options: DriveOptions): Promise<DriveResult> {
  await lift(session, options);
  const done: DriveResult = { stopped_by: "max_ticks", ticks: 0, steps_completed: 0, steps_adopted: 0 };
  const hindered = await settleDriftOrStop(session, bench, options);
  if (hindered !== null) return { ...done, stopped_by: hindered };
  const { untilStage, maxTicks = Number.POSITIVE_INFINITY, maxSteps = Number.POSITIVE_INFINITY, reason } = options;
  while (done.ticks < maxTicks) {
    const { current } = session.writer.manifest.stage;
    if (untilStage !== undefined && !isStageBefore(current, untilStage)) {
      return { ...done, stopped_by: (await heedStop(session)) ?? "until_stage" };
    }
    const result = await tick(session, bench, { maxSteps, ...(reason === undefined ? {} : { reason }) });
    done.ticks++;
    done.steps_completed += result.steps_completed;
    done.steps_adopted += result.steps_adopted;
    if (result.stopped_by === "max_steps") return { ...done, stopped_by: (await heedStop(session)) ?? "max_steps" };
    if (result.stopped_by !== "stage_done") return { ...done, stopped_by: result.stopped_by };
  }
  // A stop that came while the last stage was left is heeded here, or nobody ever would.
  return { ...done, stopped_by: (await heedStop(session)) ?? "max_ticks" };
}

/** Brings the run to `running` by the table of states, and notes first what was found: an owner that was gone. */
export async function lift(session: Session, options: DriveOptions): Promise<void> {
  const { writer } = session;
  const { manifest } = writer;
  const drafts: RecordDraft[] = [];
  let state = manifest.execution_state;
  const change = (to: typeof state, reason: string): void => {
    drafts.push(stateChange(state, to, reason));
    state = to;
  };
  if (isLeftOpen(manifest)) change("interrupted", `its owner was gone: ${writer.tookOver ?? "released"}`);
  if (state === "interrupted" && !options.lifts && manifest.settings.policies.on_interrupt === "hold") {
    // What was found is written down; going on is for a person to say.
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
  if (options.lifts && manifest.halt !== null) {
    drafts.push({ kind: "halt.cleared", data: { kind: haltKind(manifest.halt), reason: options.reason ?? "resume" } });
  }
  const changed = changedSettings(manifest, options);
  if (changed !== null) drafts.push(changed);
  if (drafts.length > 0) await writer.commit(drafts);
  if (options.lifts) {
    // Who resumes a run means it: a pause that still waits is not for the work that begins now.
    for (const { kind, request_id } of await writer.requests())
      if (kind === "pause") await writer.dropRequest(request_id);
  }
}

/** True when the last tick began and never ended: whoever did it is gone, for this process holds the lease now. */
export function isLeftOpen({ execution_state, tick: { is_open } }: Readonly<Manifest>): boolean {
  return execution_state === "running" && is_open;
}

/** The provider is fixed at the moment the run becomes running: of the run, then of the workspace, then filesystem. */
export function resolvedProvider({ settings: { providers } }: Readonly<Manifest>): RecordDraft {
  const resolved_from =
    providers.run[0] !== undefined ? "run" : providers.workspace[0] !== undefined ? "workspace" : "default";
  const resolved = providers.run[0] ?? providers.workspace[0] ?? "filesystem";
  return {
    kind: "provider.resolved",
    data: {
      requested_provider_id: resolved,
      resolved_provider_id: resolved,
      resolved_from,
      source_count: 0,
      quote_count: 0,
    },
  };
}

function changedSettings(manifest: Readonly<Manifest>, { corpora, limits, onDrift }: DriveOptions): RecordDraft | null {
  if (corpora === undefined && limits === undefined && onDrift === undefined) return null;
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
  };
  const merged = { ...manifest.limits, ...limits };
  return {
    kind: "settings.changed",
    data: { settings: changed, settings_digest: settingsDigest(changed), limits: merged, reason: "resume" },
  };
}

/** Reading a large corpus takes its time: a stop that comes meanwhile is heeded like one in a tick. */
async function settleDriftOrStop(session: Session, bench: Workbench, options: DriveOptions): Promise<StoppedBy | null> {
  try {
    if (!(await settleDrift(session, bench, options))) return "halted";
  } catch (error) {
    if (!session.signal.aborted) throw error;
  }
  return session.signal.aborted ? await heedStop(session) : null;
}

/**
 * What is found now is compared with what the run was made with: the driver always, the documents while evidence is still
 * gathered. False when a difference halts the run.
 */
async function settleDrift(session: Session, bench: Workbench, options: DriveOptions): Promise<boolean> {
  const { stage, settings } = session.writer.manifest;
  const gathers = isStageBefore(stage.current, "citations") && settings.corpora.length > 0;
  const differences = [...bench.driverDrift(settings), ...(gathers ? await bench.openCorpora(session) : [])];
  if (differences.length === 0) return true;
  const policy = options.onDrift ?? settings.policies.on_drift;
  if (policy === "continue") {
    await session.writer.commit(bench.acceptDrift(session, differences, `policy ${policy}`));
    return true;
  }
  await raiseHalt(session, "drift", { policy, differences });
  return false;
}
