// One ownership of a run: the lease with its keeper, the ways to be stopped, and the clock of the work done.
import { RunError } from "../kernel/errors.ts";
import { Interrupted, type Interruption } from "../ports/interruption.ts";
import type { Observer, RunAtWork, StopSignals } from "../ports/observer.ts";
import type { Ports } from "../ports/ports.ts";
import type { AcquireOptions, RunWriter } from "../ports/run-log.ts";
import type { AnyRecord, FirstDrafts } from "../run/record.ts";
import type { Request } from "../run/request.ts";
import type { Settings } from "../run/settings.ts";
import { timestamp } from "../ports/clock.ts";
import type { Evidence } from "../stages/evidence.ts";
import { BlockedLog } from "./blocked-log.ts";
import { DeclaredTools } from "./declared-tools.ts";
import { OpenConversations } from "../conversations/open-conversations.ts";
import { evidenceFor } from "./owner-evidence.ts";
import { RunView } from "./run-view.ts";
import { SourceKeeper } from "./source-keeper.ts";
import { workClock, type WorkClock } from "./work-clock.ts";
import { keepLease, type LeaseKeeper } from "./lease-keeper.ts";

/** How often requests of other processes and the time limit are looked at. */
const LOOK_INTERVAL_MS = 200;

export interface Session {
  ports: Ports;
  writer: RunWriter;
  /** The journal, read once. */
  view: RunView;
  observer: Observer;
  keeper: LeaseKeeper;
  /** What was found so far, as this owner wrote it. */
  readonly evidence: Evidence;
  readonly sources: SourceKeeper;
  readonly blocked: BlockedLog;
  readonly declaredTools: DeclaredTools;
  /** What is spent, and how fast calls may go, is the same for all steps. */
  readonly conversations: OpenConversations;
  /** Fires when running work has to end now: lease lost, signal, abort, time limit. A pause lets running steps finish. */
  readonly signal: AbortSignal;
  /** Why work has to stop, once it has to; the first reason stands, but one that cuts off running work outranks a pause. */
  readonly interruption: Interruption | null;
  /** Resolves once there is a reason to stop, a pause too. */
  readonly interrupted: Promise<void>;
  /** Requests that waited before this owner took the lease. */
  readonly earlierRequests: readonly Request[];
  /** Ids of requests that this owner has lifted: they are dropped, not heeded. */
  readonly lifted: Set<string>;
  /** Milliseconds worked since the last progress, over all ticks. */
  workedMs(): number;
  /** Milliseconds worked in the tick that is open. */
  tickMs(): number;
  /** Starts the work clock anew at the start of a tick. */
  beginTick(): void;
  /** Looks for requests and at the time limit now, not only on the timer. */
  look(): Promise<void>;
}

export interface SessionOptions {
  reason: string;
  observer: Observer;
  signals?: StopSignals | undefined;
  /** For work that may be refused under the lease: nothing is written before its first record. */
  isQuiet?: boolean;
}

/** Errors: `LOCK_HELD` when another process owns the run. */
export async function withSession<T>(
  ports: Ports,
  runRoot: string,
  options: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const before = await ports.store.look(runRoot);
  const taking = takingOf(ports, runRoot, before, options);
  const acquired = await ports.store.acquire(runRoot, taking.asked);
  if (acquired.kind === "held") throw lockHeld(runRoot, acquired);
  return await hold(ports, acquired.writer, taking, options, work);
}

/** As `withSession`, for a run that is made by these first records; null when a run is already there. */
export async function withNewSession<T>(
  ports: Ports,
  runRoot: string,
  drafts: FirstDrafts,
  options: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<{ done: T } | null> {
  const taking = takingOf(ports, runRoot, { manifest: drafts[0].data, requests: [] }, options);
  const acquired = await ports.store.createOwned(runRoot, drafts, taking.asked);
  if (acquired.kind === "exists") return null;
  if (acquired.kind === "held") throw lockHeld(runRoot, acquired);
  return { done: await hold(ports, acquired.writer, taking, options, work) };
}

/** The options of the lease, and the work clocks that this owner's commits drive. */
interface Taking {
  lease: Settings["lease"];
  earlierRequests: readonly Request[];
  asked: AcquireOptions;
  worked: WorkClock;
  ticked: WorkClock;
  view: RunView;
}

function takingOf(
  { clock, store }: Pick<Ports, "clock" | "store">,
  runRoot: string,
  { manifest, requests }: { manifest: RunAtWork; requests: Request[] },
  { observer, reason, isQuiet = false }: SessionOptions,
): Taking {
  observer.onRun?.(runRoot, manifest);
  const { lease } = manifest.settings;
  const worked = workClock(clock, lease.lease_seconds * 1000);
  const ticked = workClock(clock, lease.lease_seconds * 1000);
  const view = new RunView(store, runRoot);
  const onCommit = (record: AnyRecord): void => {
    view.note(record);
    if (PROGRESS.has(record.kind)) worked.restart();
    observer.onRecord?.(runRoot, record);
  };
  return {
    lease,
    earlierRequests: requests,
    asked: { reason, lease_seconds: lease.lease_seconds, isQuiet, onCommit },
    worked,
    ticked,
    view,
  };
}

async function hold<T>(
  ports: Ports,
  writer: RunWriter,
  { lease, earlierRequests, worked, ticked, view }: Taking,
  { observer, signals }: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let interruption: Interruption | null = null;
  const interrupted = Promise.withResolvers<void>();
  const interrupt = (why: Interruption): void => {
    const outranks = why.kind === "lease_lost" || (interruption?.kind === "pause" && why.kind !== "pause");
    if (interruption !== null && !outranks) return;
    interruption = why;
    interrupted.resolve();
    if (why.kind !== "pause") controller.abort(new Interrupted(why));
  };
  const keeper = keepLease(ports.clock, writer, lease, (reason, superseded) =>
    interrupt({ kind: "lease_lost", reason, superseded }),
  );
  const onInterrupt = (): void => interrupt({ kind: "interrupt" });
  const onTerminate = (): void => interrupt({ kind: "terminate" });
  signals?.interrupt.addEventListener("abort", onInterrupt);
  signals?.terminate.addEventListener("abort", onTerminate);
  if (signals?.interrupt.aborted === true) onInterrupt();
  if (signals?.terminate.aborted === true) onTerminate();

  const parts: { [Part in "sources" | "blocked" | "declaredTools" | "conversations"]?: Session[Part] } = {};
  const session: Session = {
    ports,
    writer,
    view,
    evidence: evidenceFor(ports.store, writer, view),
    get sources() {
      return (parts.sources ??= new SourceKeeper(session));
    },
    get blocked() {
      return (parts.blocked ??= new BlockedLog(session));
    },
    get declaredTools() {
      return (parts.declaredTools ??= new DeclaredTools(session));
    },
    get conversations() {
      return (parts.conversations ??= new OpenConversations(session));
    },
    observer,
    keeper,
    earlierRequests,
    lifted: new Set(),
    signal: controller.signal,
    get interruption() {
      return interruption;
    },
    interrupted: interrupted.promise,
    // Only time in which a tick is open counts: reading a corpus before it is nobody's stage.
    workedMs: () => writer.manifest.tick.worked_ms + (writer.manifest.tick.is_open ? worked.elapsedMs() : 0),
    tickMs: () => (writer.manifest.tick.is_open ? ticked.elapsedMs() : 0),
    beginTick() {
      worked.restart();
      ticked.restart();
    },
    async look() {
      const { stage, settings: now, execution_state, requests_done } = writer.manifest;
      const workedMs = session.workedMs();
      // Who makes a report of a run that stands still is not working on it: nothing is late, and requests wait.
      if (execution_state !== "running") return;
      if (workedMs > now.timeouts[stage.current] * 1000) interrupt({ kind: "late" });
      for (const request of await writer.requests()) {
        const { request_id } = request;
        if (requests_done.includes(request_id) || session.lifted.has(request_id))
          await writer.dropRequest(request.request_id);
        else interrupt({ kind: request.kind, request });
      }
    },
  };
  let isLooking = false;
  const timer = ports.clock.every(LOOK_INTERVAL_MS, () => {
    if (isLooking) return;
    isLooking = true;
    // What fails here fails again, with a place to report it, when the tick looks itself.
    void session
      .look()
      .catch(() => undefined)
      .finally(() => (isLooking = false));
  });
  try {
    await writer.mendFolds();
    return await work(session);
  } finally {
    timer.stop();
    keeper.stop();
    signals?.interrupt.removeEventListener("abort", onInterrupt);
    signals?.terminate.removeEventListener("abort", onTerminate);
    await writer.release();
  }
}

/** The records that the fold counts as progress of a stage. */
const PROGRESS: ReadonlySet<string> = new Set([
  "stage.entered",
  "step.completed",
  "step.adopted",
  "message.stored",
  "halt.cleared",
]);

export function lockHeld(
  runRoot: string,
  held: { by: { pid: number; hostname?: string | undefined; owner_id: string }; expires_at_ms: number },
): RunError {
  const { by, expires_at_ms } = held;
  return new RunError("LOCK_HELD", {
    reason: "another process owns this run",
    run_root: runRoot,
    pid: by.pid,
    ...(by.hostname === undefined ? {} : { hostname: by.hostname }),
    owner_id: by.owner_id,
    expires_at: timestamp(expires_at_ms),
  });
}
