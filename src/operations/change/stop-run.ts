// `pause` and `abort`: stops a run at once when no process owns it; otherwise requests it of the owner and waits.
import { RunError } from "../../kernel/errors.ts";
import { owning } from "../../orchestrator/owning.ts";
import { ownerGone } from "../../orchestrator/left-open.ts";
import { settleLostCalls } from "../../conversations/ledger.ts";
import { timestamp } from "../../ports/clock.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { isTerminal, stateChange } from "../../run/log/lifecycle.ts";
import { isStop, MAX_REASON_LENGTH, newRequestId, stopRecord, type StopRequest } from "../../run/log/request.ts";
import type { Outcome } from "../outcome.ts";
import { summarizeLease, type LeaseSummary } from "../look/status.ts";

export interface StopOptions {
  waitSeconds: number;
  reason?: string;
  /** Called at once, and every few seconds while the owner has not answered. */
  onWait?: (owner: LeaseSummary) => void;
}

export interface StopResult {
  state: string;
  /** True when the run was already so. */
  already: boolean;
}

const WANTED = { pause: "paused", abort: "aborted" } as const;
const LOOK_EVERY_MS = 200;
const REPORT_EVERY_MS = 10_000;

/** `pause`: the run is suspended with everything on disk, and stays so until a resume. */
export async function pauseRun(ports: Ports, runRoot: string, options: StopOptions): Promise<Outcome<StopResult>> {
  return await stopRun(ports, runRoot, "pause", options);
}

/** `abort`: ends research for this run for good. */
export async function abortRun(ports: Ports, runRoot: string, options: StopOptions): Promise<Outcome<StopResult>> {
  return await stopRun(ports, runRoot, "abort", options);
}

async function stopRun(
  ports: Ports,
  runRoot: string,
  kind: StopRequest["kind"],
  options: StopOptions,
): Promise<Outcome<StopResult>> {
  const wanted = WANTED[kind];
  const reason = options.reason ?? `${kind} requested`;
  const { length: characters } = reason;
  if (characters > MAX_REASON_LENGTH)
    throw new RunError("INVALID_ARGS", { reason: `a reason has at most ${MAX_REASON_LENGTH} characters`, characters });
  const tail = ports.store.follow(runRoot, 0);
  const deadlineMs = ports.clock.uptimeMs() + options.waitSeconds * 1000;
  let requestId: string | null = null;
  let isDoneHere = false;
  let reportedMs = -Infinity;
  for (;;) {
    const run = await ports.store.look(runRoot);
    if (run.manifest.execution_state === wanted) {
      // The owner's record may be seen before it is on disk, and "safe to power off" has to be true.
      await ports.folders.makeDurable(runRoot);
      // The run may have stopped for another reason, such as Ctrl-C: then the request is void.
      if (requestId !== null) await ports.store.withdraw(runRoot, requestId);
      return { result: { state: wanted, already: requestId === null && !isDoneHere }, run, error: null };
    }
    const refused = refusalToStop(run, kind);
    if (refused !== null) {
      // The run has ended in another way: no owner will take the request up.
      if (requestId !== null) await ports.store.withdraw(runRoot, requestId);
      throw refused;
    }
    if (run.lease.held === null && (await stopHere(ports, run, kind, reason))) {
      isDoneHere = true;
      continue;
    }
    if (requestId === null) {
      requestId = newRequestId(kind, ports.random.bytes(6));
      const request: StopRequest = {
        schema_version: "request.v1",
        request_id: requestId,
        kind,
        reason,
        requested_at: timestamp(ports.clock.nowMs()),
      };
      await ports.store.request(runRoot, request);
    }
    if (ports.clock.uptimeMs() >= deadlineMs) {
      const facts = { run_root: runRoot, request_id: requestId, wanted, waited_seconds: options.waitSeconds };
      return { result: { state: run.state, already: false }, run, error: new RunError("REQUEST_PENDING", facts) };
    }
    if (ports.clock.uptimeMs() - reportedMs >= REPORT_EVERY_MS) {
      reportedMs = ports.clock.uptimeMs();
      options.onWait?.(summarizeLease(run));
    }
    await tail.wait(LOOK_EVERY_MS);
  }
}

/** Why a run cannot be stopped so; null where it can be, or was. */
export function refusalToStop({ state, runRoot }: Pick<RunLook, "state" | "runRoot">, kind: StopRequest["kind"]) {
  const wanted = WANTED[kind];
  const facts = { state, wanted, run_root: runRoot };
  if (state === "idle")
    return new RunError("INVALID_STATE", { reason: `the run has not begun: there is nothing to ${kind}`, ...facts });
  return isTerminal(state) && state !== wanted ? new RunError("RUN_TERMINAL", facts) : null;
}

/**
 * No living process owns the run, so the command takes the lease itself. An abort that was requested earlier is done in its
 * place. False when another process was quicker.
 */
async function stopHere(ports: Ports, run: RunLook, kind: StopRequest["kind"], reason: string): Promise<boolean> {
  try {
    await owning(ports, run, { reason: kind }, async ({ writer, view }) => {
      await settleLostCalls({ writer, view });
      const waiting = (await writer.requests()).filter(isStop);
      const abort = waiting.find((request) => request.kind === "abort");
      const wanted = abort === undefined ? WANTED[kind] : WANTED.abort;
      const drafts = await ownerGone({ writer, view });
      const state = drafts.length > 0 ? "interrupted" : writer.manifest.execution_state;
      if (state !== wanted) drafts.push(stateChange(state, wanted, abort?.reason ?? reason));
      await writer.commit([...drafts, ...waiting.map(stopRecord)]);
      for (const { request_id } of waiting) await writer.dropRequest(request_id);
    });
    return true;
  } catch (error) {
    if (error instanceof RunError && error.code === "LOCK_HELD") return false;
    throw error;
  }
}
