// One tick: a bounded piece of progress under the lease. Steps of the current stage, its gates, and on to the next.
import { unreachable } from "../kernel/assert.ts";
import { digestOfJson } from "../kernel/digest.ts";
import { RunError } from "../kernel/errors.ts";
import { timestamp } from "../ports/clock.ts";
import type { Failure, RecordDraft } from "../run/journal.ts";
import { haltKind, type HaltKind } from "../run/halt.ts";
import { foldRef, foldsOnLeaving } from "../run/stage-folds.ts";
import { stagesAfter, type Stage } from "../run/stage.ts";
import { stateChange } from "../run/fold.ts";
import { publicationOf } from "../stages/publication.ts";
import type { StageContext } from "../stages/stage-definition.ts";
import { STAGE_DEFINITIONS } from "../stages/stages.ts";
import { plainHalt, timeoutHalt } from "./halts.ts";
import type { Session, Stop } from "./session.ts";
import { openSteps, runSteps, type StepRunner } from "./step-runner.ts";
import { judgeTimeout } from "./watchdog.ts";
import type { Workbench } from "./workbench.ts";

/** Why a tick ended. */
export type StoppedBy = "stage_done" | "max_steps" | "completed" | "halted" | "paused" | "aborted" | "interrupted" | "failed";

export interface TickResult {
  stopped_by: StoppedBy;
  steps_completed: number;
  steps_adopted: number;
}

export interface TickLimits {
  maxSteps: number;
  reason?: string;
}

/** The run has to be running when this is called. Errors: those of the store; `LOCK_LOST` when the lease is gone. */
export async function tick(session: Session, bench: Workbench, limits: TickLimits): Promise<TickResult> {
  const { writer, ports } = session;
  await writer.commit([
    {
      kind: "tick.started",
      data: {
        tick: writer.manifest.tick.number + 1,
        tool_version: ports.toolVersion,
        uptime_ms: ports.clock.uptimeMs(),
        boot_id: ports.processes.self().boot_id,
        ...(limits.reason === undefined ? {} : { reason: limits.reason }),
      },
    },
  ]);
  session.beginTick();
  const done = { steps_completed: 0, steps_adopted: 0 };
  try {
    const stoppedBy = await workOnStage(session, bench, limits.maxSteps, done);
    return { stopped_by: stoppedBy, ...done };
  } catch (error) {
    await refuseAfterLoss(session);
    throw error;
  }
}

async function workOnStage(
  session: Session,
  bench: Workbench,
  maxSteps: number,
  done: { steps_completed: number; steps_adopted: number },
): Promise<StoppedBy> {
  const { writer } = session;
  const stage = writer.manifest.stage.current;
  if (stage === "init") {
    await enter(session, "perspectives", "the run was made");
    return await endTick(session, "stage_done");
  }
  const definition = STAGE_DEFINITIONS[stage];
  const context = await bench.contextFor(session);
  let budget = maxSteps;
  for (;;) {
    const stopped = await heedStop(session);
    if (stopped !== null) return stopped;
    const plans = await definition.plan(context);
    await notePlan(session, stage, plans.map(({ key }) => key));
    const open = openSteps({ session, driver: context.driver }, plans);
    if (open.length === 0) break;
    if (budget <= 0) return await endTick(session, "max_steps");
    const runner: StepRunner = { session, driver: context.driver, stage, toolsFor: bench.toolsFor(session), offers: bench.offers };
    const outcome = await runSteps(runner, open, budget);
    done.steps_completed += outcome.completed;
    done.steps_adopted += outcome.adopted;
    budget -= outcome.completed + outcome.adopted;
    if (outcome.exhausted.length > 0) return await raiseHalt(session, "gate_blocked", exhaustion(session, outcome.exhausted));
  }
  return (await leaveStage(session, bench, context)) ?? (await endTick(session, "stage_done"));
}

async function notePlan(session: Session, stage: Stage, keys: string[]): Promise<void> {
  const fresh = keys.filter((key) => session.writer.manifest.steps[key] === undefined);
  if (fresh.length > 0) await session.writer.commit([{ kind: "stage.planned", data: { stage, keys: fresh } }]);
}

function exhaustion(session: Session, keys: string[]): Record<string, unknown> {
  const { steps, settings } = session.writer.manifest;
  return {
    reason: "a step failed as often as it may",
    max_attempts: settings.steps.max_attempts,
    steps: keys.map((key) => ({ key, error: steps[key]?.error ?? null })),
  };
}

// --- leaving a stage ----------------------------------------------------------------------------------------------

/** Judges the gates and goes on; null when the run entered the next stage. */
async function leaveStage(session: Session, bench: Workbench, context: StageContext): Promise<StoppedBy | null> {
  const { writer } = session;
  const stage = writer.manifest.stage.current;
  if (stage === "init") return null;
  const definition = STAGE_DEFINITIONS[stage];
  const wanted = (await definition.halt?.(context)) ?? null;
  if (wanted !== null && wanted.kind !== "timeout") return await raiseHalt(session, wanted.kind, wanted.details);
  const verdicts = await definition.judge(context);
  if (verdicts.length > 0) await writer.commit(verdicts.map((data) => ({ kind: "gate.judged", data })));
  const failed = verdicts.filter(({ status }) => status === "fail");
  if (failed.length > 0) return await raiseHalt(session, "gate_blocked", { gates: failed });
  const answered = definition.gathers ? await bench.provenance(session, context) : null;
  if (answered !== null) await writer.commit([answered]);
  const { to, reason } = await definition.next(context);
  if (to === "completed") return await complete(session, context, reason);
  await enter(session, to, reason);
  return null;
}

async function enter(session: Session, to: Stage, reason: string): Promise<void> {
  const { writer } = session;
  const draft = await stageEntry(session, to, reason);
  await writer.commit([draft.record], { folds: draft.folds });
}

/** The record of entering a stage, with the folds that the stage before leaves behind. */
export async function stageEntry(session: Session, to: Stage, reason: string) {
  const { writer } = session;
  const { stage, steps, gates, settings_digest, revision } = writer.manifest;
  const from = stage.current;
  if (!stagesAfter(from).includes(to)) throw new RunError("REQUESTED_NEXT_NOT_ALLOWED", { from, requested_next: to, allowed: stagesAfter(from) });
  const folds = await foldsOnLeaving(from, steps, async (key) => {
    const ref = steps[key]?.result;
    return ref === undefined ? null : await writer.readResult(ref);
  });
  const results = Object.fromEntries(Object.entries(steps).map(([key, step]) => [key, step.result?.digest ?? null]));
  const inputs_digest = digestOfJson({ from, to, results, gates, settings_digest });
  const record: RecordDraft = {
    kind: "stage.entered",
    data: { from, to, reason, inputs_digest, gates_revision: revision, folds: folds.map(foldRef) },
  };
  return { record, folds, inputs_digest };
}

/** The one record that ends research and publishes the first report version. */
async function complete(session: Session, context: StageContext, reason: string): Promise<StoppedBy> {
  const { writer, ports } = session;
  const draft = (await context.evidence.drafts()).at(-1);
  if (draft === undefined) throw new RunError("INTEGRITY_ERROR", { reason: "a run ends with a draft" });
  const versionIndex = writer.manifest.report_versions.length + 1;
  const publication = publicationOf(draft, { versionIndex, trigger: "auto_natural_stop", partial: false, usage: writer.manifest.usage });
  const report_files = [];
  for (const { path, bytes } of publication.files) report_files.push(await writer.storeContent(path, bytes));
  const report = { ...publication.version, created_at: timestamp(ports.clock.nowMs()) };
  const change = stateChange("running", "completed", reason);
  await writer.commit([tickEnd(session, "completed"), { kind: "state.changed", data: { ...change.data, report, report_files } }]);
  return "completed";
}

// --- stopping -----------------------------------------------------------------------------------------------------

async function heedStop(session: Session): Promise<StoppedBy | null> {
  if (session.keeper.loss === null) await session.look();
  await refuseAfterLoss(session);
  const { stop } = session;
  return stop === null ? null : await stopFor(session, stop);
}

async function stopFor(session: Session, stop: Stop): Promise<StoppedBy> {
  const { writer } = session;
  const state = writer.manifest.execution_state;
  switch (stop.kind) {
    case "pause": {
      await writer.commit([requested(stop), tickEnd(session, "paused"), stateChange(state, "paused", stop.request.reason)]);
      await writer.dropRequest(stop.request.request_id);
      return "paused";
    }
    case "abort":
      await writer.commit([requested(stop), tickEnd(session, "aborted"), stateChange(state, "aborted", stop.request.reason)]);
      await writer.dropRequest(stop.request.request_id);
      return "aborted";
    case "interrupt":
      await writer.commit([tickEnd(session, "paused"), stateChange(state, "paused", "SIGINT")]);
      return "paused";
    case "terminate":
      await writer.commit([tickEnd(session, "interrupted"), stateChange(state, "interrupted", "SIGTERM")]);
      return "interrupted";
    case "late":
      await failLate(session);
      return "failed";
    default:
      return unreachable(stop, "a stop without an end");
  }
}

function requested(stop: Extract<Stop, { kind: "pause" | "abort" }>): RecordDraft {
  const { request_id, reason, requested_at } = stop.request;
  return { kind: stop.kind === "pause" ? "request.pause" : "request.abort", data: { request_id, reason, requested_at } };
}

/** A stage that made no progress within its limit: checkpoint files, then `failed` with a failure of kind `timeout`. */
async function failLate(session: Session): Promise<void> {
  const { writer, ports } = session;
  const late = judgeTimeout(writer.manifest, {
    nowMs: ports.clock.nowMs(),
    uptimeMs: ports.clock.uptimeMs(),
    bootId: ports.processes.self().boot_id,
    leaseIsHeld: true,
    strict: false,
  });
  const elapsed_s = Math.max(late.elapsed_s, Math.round(session.workedMs() / 100) / 10);
  await failWithTimeout(session, { ...late, timed_out: true, elapsed_s });
}

export async function failWithTimeout(session: Pick<Session, "writer" | "ports">, late: ReturnType<typeof judgeTimeout>): Promise<void> {
  const { writer, ports } = session;
  const { manifest } = writer;
  const halted = timeoutHalt(ports, writer.runRoot, manifest, late);
  const failure: Failure = {
    kind: "timeout",
    stage: manifest.stage.current,
    message: `no progress for ${late.elapsed_s} s, at most ${late.timeout_s} s are allowed`,
    retryable: false,
    ts: timestamp(ports.clock.nowMs()),
    details: { timer_origin_field: late.timer_origin_field, timer_origin: late.timer_origin },
  };
  const change = stateChange(manifest.execution_state, "failed", "timeout");
  await writer.commit([
    { kind: "halt.raised", data: { halt: halted } },
    { kind: "state.changed", data: { ...change.data, failure } },
  ]);
  await writer.foldNow();
}

/**
 * After a loss nothing more is written by this owner, with one exception: when nobody took over, the run is marked
 * `failed`, so that the loss is seen.
 */
async function refuseAfterLoss(session: Session): Promise<void> {
  const { keeper, writer, ports } = session;
  const { loss } = keeper;
  if (loss === null) return;
  const { execution_state, stage } = writer.manifest;
  if (!loss.superseded && execution_state === "running" && !(await writer.isSuperseded())) {
    const failure: Failure = {
      kind: "lock_lost",
      stage: stage.current,
      message: `the lease was lost: ${loss.reason}`,
      retryable: false,
      ts: timestamp(ports.clock.nowMs()),
      details: { owner_id: writer.ownerId, epoch: writer.epoch },
    };
    await writer.commit([{ kind: "state.changed", data: { ...stateChange("running", "failed", "lock_lost").data, failure } }]);
  }
  throw new RunError("LOCK_LOST", { reason: loss.reason, run_root: writer.runRoot, superseded: loss.superseded });
}

export async function raiseHalt(session: Session, kind: Exclude<HaltKind, "timeout">, details: Record<string, unknown>): Promise<StoppedBy> {
  const { writer, ports } = session;
  const raised = plainHalt(ports, writer.runRoot, writer.manifest, kind, details);
  const ends = writer.manifest.tick.is_open ? [tickEnd(session, `halted: ${haltKind(raised)}`)] : [];
  await writer.commit([{ kind: "halt.raised", data: { halt: raised } }, ...ends]);
  return "halted";
}


async function endTick(session: Session, stoppedBy: StoppedBy): Promise<StoppedBy> {
  await session.writer.commit([tickEnd(session, stoppedBy)]);
  return stoppedBy;
}

function tickEnd(session: Session, stoppedBy: string): RecordDraft {
  return {
    kind: "tick.ended",
    data: { tick: session.writer.manifest.tick.number, stopped_by: stoppedBy, worked_ms: Math.max(0, Math.round(session.workedMs())) },
  };
}
