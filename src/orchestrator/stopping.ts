// Ends work on a run, because of a request, a signal, the time limit, a halt, or the loss of the lease.
import { unreachable } from "../kernel/assert.ts";
import { RunError } from "../kernel/errors.ts";
import type { Interruption, WantedHalt } from "../ports/interruption.ts";
import { timestamp, type Clock } from "../ports/clock.ts";
import { stateChange } from "../run/log/lifecycle.ts";
import type { KnownHalt } from "../run/log/halt-details.ts";
import type { RecordDraft } from "../run/log/record.ts";
import type { Failure } from "../run/log/failure.ts";
import { stopRecord } from "../run/log/request.ts";
import { plainHalt, timeoutHalt } from "./halts.ts";
import { settleLostCalls } from "../conversations/ledger.ts";
import type { Ownership } from "./ownership.ts";
import { publishPartial } from "./partial-report.ts";
import { rejoin, unavailable } from "./rejoining.ts";
import { openTick, tickEnd } from "./tick-bounds.ts";
import { lateAfter, type TimeoutJudgement } from "./watchdog.ts";

/** A tick waits this long for an observer that can take no more. Then the tick ends. */
const ROOM_COMES_MS = 5000;

export type StoppedBy =
  "stage_done" | "max_steps" | "completed" | "halted" | "paused" | "aborted" | "interrupted" | "failed";

/** Ends the work when there is a reason to; null when work continues. */
export async function heedStop(ownership: Ownership): Promise<StoppedBy | null> {
  await ownership.ports.clock.turn();
  await roomFor(ownership);
  const met = ownership.interruption?.kind;
  if (met !== "lease_lost" && met !== "unreachable") await ownership.look();
  await refuseAfterLoss(ownership);
  const { interruption } = ownership;
  if (interruption === null) return null;
  await confirmLease(ownership);
  return await endFor(ownership, interruption);
}

/**
 * Waits until the observer can take more, or until there is a reason to stop. The lease is kept meanwhile. For a longer wait
 * the tick is ended, so that everybody sees that nothing is worked on, and no time limit counts the wait.
 */
async function roomFor(ownership: Ownership): Promise<void> {
  const { observer, ports, writer } = ownership;
  const mayGoOn = (): boolean => ownership.interruption === null;
  if (observer.whenRoom === undefined || !mayGoOn()) return;
  const over = Promise.race([observer.whenRoom(), ownership.interrupted]);
  if (await isOverWithin(ports.clock, ROOM_COMES_MS, over)) return;
  const wasOpen = writer.manifest.tick.is_open;
  if (wasOpen) await endTick(ownership, "reader");
  await over;
  if (wasOpen && mayGoOn()) await openTick(ownership, "the reader takes events again");
}

async function isOverWithin(clock: Pick<Clock, "sleep">, ms: number, waiting: Promise<void>): Promise<boolean> {
  const timer = new AbortController();
  const tooLong = clock.sleep(ms, timer.signal).then(
    () => false,
    () => true,
  );
  const isOver = await Promise.race([waiting.then(() => true), tooLong]);
  timer.abort();
  return isOver;
}

/** The one place where an interruption becomes an end of the work. */
export async function endFor(ownership: Ownership, why: Interruption): Promise<StoppedBy> {
  const { writer } = ownership;
  await settleLostCalls(ownership);
  const state = writer.manifest.execution_state;
  switch (why.kind) {
    case "pause":
    case "abort": {
      const wanted = why.kind === "pause" ? "paused" : "aborted";
      // The request comes last: until it is done it has to wait, also when this write is cut off half-way.
      await writer.commit([
        ...tickEnd(ownership, wanted),
        stateChange(state, wanted, why.request.reason),
        stopRecord(why.request),
      ]);
      await writer.dropRequest(why.request.request_id);
      return wanted;
    }
    case "interrupt":
      await writer.commit([...tickEnd(ownership, "paused"), stateChange(state, "paused", "SIGINT")]);
      return "paused";
    case "terminate":
      await writer.commit([...tickEnd(ownership, "interrupted"), stateChange(state, "interrupted", "SIGTERM")]);
      return "interrupted";
    case "late":
      await failWithTimeout(ownership, lateAfter(writer.manifest, ownership.workedMs()));
      return "failed";
    case "halt":
      return why.halt.kind === "budget"
        ? await haltForBudget(ownership, why.halt)
        : await raiseHalt(ownership, why.halt);
    case "lease_lost":
      return await failAfterLoss(ownership, why);
    case "unreachable":
      throw unavailable(ownership, why.reason);
    default:
      return unreachable(why, "an interruption without an end");
  }
}

/** A spent budget leaves a report of what was found. The halt is raised whether or not that report could be made. */
async function haltForBudget(ownership: Ownership, halt: KnownHalt<"budget">): Promise<StoppedBy> {
  const no_report = await publishPartial(ownership);
  await settleLostCalls(ownership);
  // The usage is read now: calls were under way when one was refused, and the report may have made more.
  const { usage } = ownership.writer.manifest;
  const details = { ...halt.details, usage, ...(no_report === null ? {} : { no_report }) };
  return await raiseHalt(ownership, { kind: "budget", details });
}

/** A stage that made no progress within its limit: checkpoint files, then `failed` with a failure of kind `timeout`. */
export async function failWithTimeout(
  ownership: Pick<Ownership, "writer" | "ports" | "view">,
  late: TimeoutJudgement,
): Promise<void> {
  const { writer, ports } = ownership;
  await settleLostCalls(ownership);
  const { manifest } = writer;
  const halted = timeoutHalt(ports, writer.runRoot, manifest, late);
  const failure: Failure = {
    kind: "timeout",
    stage: manifest.stage.current,
    message: `no progress for ${late.elapsed_s} s (limit ${late.timeout_s} s)`,
    retryable: false,
    ts: timestamp(ports.clock.nowMs()),
    details: { timer_origin_field: late.timer_origin_field, timer_origin: late.timer_origin },
  };
  const change = stateChange(manifest.execution_state, "failed", "timeout");
  // The failure comes first: when the write is cut off in between, the run has ended all the same.
  await writer.commit([
    { kind: "state.changed", data: { ...change.data, failure } },
    { kind: "halt.raised", data: { halt: halted } },
  ]);
  await writer.foldNow();
}

/** Waits for a store that does not answer. Errors: `LOCK_LOST` once the lease is lost; those of `rejoin`. */
export async function refuseAfterLoss(ownership: Ownership): Promise<void> {
  if (ownership.interruption?.kind === "unreachable") await rejoin(ownership);
  const { interruption } = ownership;
  if (interruption?.kind === "lease_lost") await failAfterLoss(ownership, interruption);
}

/** After a loss this owner writes nothing more, but for one record: when no process took over, the run becomes `failed`. */
async function failAfterLoss(
  ownership: Ownership,
  loss: Extract<Interruption, { kind: "lease_lost" }>,
): Promise<never> {
  const { writer, ports } = ownership;
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
    try {
      await writer.commit([
        { kind: "state.changed", data: { ...stateChange("running", "failed", "lock_lost").data, failure } },
      ]);
      await settleLostCalls(ownership);
    } catch (error) {
      // The loss is reported in either case, also when it could not be recorded.
      if (!(error instanceof RunError)) throw error;
    }
  }
  throw new RunError("LOCK_LOST", { reason: loss.reason, run_root: writer.runRoot, superseded: loss.superseded });
}

/** Checks the lease before a tick ends, since it may have been taken away after the last heartbeat. Errors: `LOCK_LOST`. */
export async function confirmLease(ownership: Ownership): Promise<void> {
  await ownership.keeper.confirm();
  await refuseAfterLoss(ownership);
}

export async function raiseHalt(ownership: Ownership, halt: WantedHalt): Promise<StoppedBy> {
  await confirmLease(ownership);
  await settleLostCalls(ownership);
  await ownership.writer.commit(haltDrafts(ownership, halt));
  return "halted";
}

/** The records of a halt: its facts, and the end of the tick that is open. */
export function haltDrafts(ownership: Ownership, wanted: WantedHalt): RecordDraft[] {
  const { writer, ports } = ownership;
  const halt = plainHalt(ports, writer.runRoot, writer.manifest, wanted);
  return [{ kind: "halt.raised", data: { halt } }, ...tickEnd(ownership, `halted: ${wanted.kind}`)];
}

/** Writes the end of the tick that is open. Errors: `LOCK_LOST`. */
export async function endTick<Reason extends StoppedBy | "reader">(
  ownership: Ownership,
  stoppedBy: Reason,
): Promise<Reason> {
  await confirmLease(ownership);
  await settleLostCalls(ownership);
  await ownership.writer.commit(tickEnd(ownership, stoppedBy));
  return stoppedBy;
}
