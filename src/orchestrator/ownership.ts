// The ownership of a run: its lease, what its steps work with, and why its work has to stop.
import { assert } from "../kernel/assert.ts";
import { OpenConversations } from "../conversations/open-conversations.ts";
import { Interrupted, type Interruption } from "../ports/interruption.ts";
import type { Observer, RunAtWork, StopSignals } from "../ports/observer.ts";
import type { Ports } from "../ports/ports.ts";
import type { AcquireOptions, RunWriter } from "../ports/run-log.ts";
import type { LeasePurpose } from "../run/lease.ts";
import type { AnyRecord } from "../run/log/record.ts";
import { isStop, type Request } from "../run/log/request.ts";
import { Evidence } from "../stages/evidence.ts";
import type { StageContext } from "../stages/stage-definition.ts";
import { verification } from "../stages/verification.ts";
import { Answers } from "./answers.ts";
import { BlockedLog } from "./blocked-log.ts";
import { cachedContent } from "./content-cache.ts";
import { Corpora } from "./corpora.ts";
import { DeclaredTools } from "./declared-tools.ts";
import { keepLease, type LeaseKeeper } from "./lease-keeper.ts";
import { loadPerformer, type Performer } from "./performer.ts";
import { RunView } from "./run-view.ts";
import { SourceKeeper } from "./source-keeper.ts";
import { WorkClock } from "./work-clock.ts";

/** How often an owner looks for requests of other processes and at the time limit. */
const LOOK_INTERVAL_MS = 200;

export interface ClaimOptions {
  reason: string;
  purpose?: LeasePurpose | undefined;
  observer?: Observer | undefined;
  signals?: StopSignals | undefined;
  /**
   * Nothing is written before the first record of the work, because the work may still be refused. The first owner of a run
   * always works so: after a kill the run has begun, or nothing of this owner was written.
   */
  isQuiet?: boolean | undefined;
}

/** How a lease is requested, and what is kept of every commit under it. */
export class Claim {
  readonly options: AcquireOptions;
  readonly observer: Observer;
  readonly signals: StopSignals | undefined;
  readonly committed: AnyRecord[] = [];
  readonly worked: WorkClock;
  readonly ticked: WorkClock;

  constructor(ports: Ports, runRoot: string, manifest: RunAtWork, options: ClaimOptions) {
    const { observer = {}, signals, reason, purpose = "work", isQuiet = false } = options;
    const { lease_seconds } = manifest.settings.lease;
    observer.onRun?.(runRoot, manifest);
    this.observer = observer;
    this.signals = signals;
    this.worked = new WorkClock(ports.clock, lease_seconds * 1000);
    this.ticked = new WorkClock(ports.clock, lease_seconds * 1000);
    const onCommit = (record: AnyRecord): void => {
      this.committed.push(record);
      if (PROGRESS.has(record.kind)) this.worked.restart();
      observer.onRecord?.(runRoot, record);
    };
    this.options = { reason, purpose, lease_seconds, isQuiet, onCommit };
  }
}

/** The records that the fold counts as progress of a stage. */
const PROGRESS: ReadonlySet<string> = new Set([
  "stage.entered",
  "step.completed",
  "step.adopted",
  "step.answered",
  "message.stored",
  "halt.cleared",
]);

export class Ownership {
  readonly ports: Ports;
  readonly writer: RunWriter;
  readonly observer: Observer;
  /** The journal, read once. */
  readonly view: RunView;
  keeper: LeaseKeeper;
  /** What was found so far. */
  readonly evidence: Evidence;
  readonly corpora: Corpora;
  readonly sources: SourceKeeper;
  readonly blocked: BlockedLog;
  readonly declaredTools: DeclaredTools;
  /** What agents and people outside have submitted. */
  readonly answers: Answers;
  /** All steps share one ledger and one throttle. */
  conversations: OpenConversations;
  /** Requests that waited before this owner took the lease. */
  readonly earlierRequests: readonly Request[];
  /** Ids of requests that this owner has lifted: they are dropped, not heeded. */
  readonly lifted = new Set<string>();
  readonly #claim: Claim;
  #controller = new AbortController();
  #interrupted = Promise.withResolvers<void>();
  readonly #ends: (() => void)[] = [];
  #interruption: Interruption | null = null;
  #performer: Performer | null;
  #isLooking = false;

  constructor(ports: Ports, writer: RunWriter, claim: Claim, performer: Performer | null, requests: Request[]) {
    this.ports = ports;
    this.writer = writer;
    this.observer = claim.observer;
    this.view = new RunView(writer, claim.committed);
    this.#claim = claim;
    this.#performer = performer;
    this.earlierRequests = requests;
    this.keeper = this.#keep();
    const readContent = cachedContent(
      (ref) => writer.readContent(ref),
      () => writer.manifest.stage.current,
    );
    this.evidence = new Evidence({
      readSteps: (stage) => writer.readSteps(stage),
      readResult: (ref) => writer.readResult(ref),
      readContent,
      readRecords: async () => await this.view.records(),
      follows: () => writer.manifest.follows,
      verification: async (draft) => await verification(ports.store, writer.runRoot, draft),
    });
    this.sources = new SourceKeeper(this);
    this.blocked = new BlockedLog(this);
    this.declaredTools = new DeclaredTools(this);
    this.answers = new Answers(this);
    this.conversations = new OpenConversations(this);
    this.corpora = new Corpora(this);
    this.#interruptBy(claim.signals?.interrupt, { kind: "interrupt" });
    this.#interruptBy(claim.signals?.terminate, { kind: "terminate" });
    const timer = ports.clock.every(LOOK_INTERVAL_MS, () => this.#lookAgain());
    this.#ends.push(() => timer.stop());
  }

  /** Fires when running work has to end now. A pause lets running steps end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why work has to stop; null while it continues. The first reason counts, but any other goes before a pause or a silent store. */
  get interruption(): Interruption | null {
    return this.#interruption;
  }

  /** Resolves once there is a reason to stop, which may be a pause. */
  get interrupted(): Promise<void> {
    return this.#interrupted.promise;
  }

  get performer(): Performer {
    assert(this.#performer !== null, "this work performs no steps");
    return this.#performer;
  }

  /** What stages plan, judge and continue by. */
  get context(): StageContext {
    return { manifest: this.writer.manifest, evidence: this.evidence, driver: this.performer.driver };
  }

  async loadPerformer(): Promise<void> {
    const { runRoot, manifest } = this.writer;
    this.#performer ??= await loadPerformer(this.ports, runRoot, manifest);
  }

  /** Milliseconds worked since the last progress, over all ticks. Only time in which a tick is open counts. */
  workedMs(): number {
    const { tick } = this.writer.manifest;
    return tick.worked_ms + (tick.is_open ? this.#claim.worked.elapsedMs() : 0);
  }

  /** Milliseconds worked in the tick that is open. */
  tickMs(): number {
    return this.writer.manifest.tick.is_open ? this.#claim.ticked.elapsedMs() : 0;
  }

  beginTick(): void {
    this.#claim.worked.restart();
    this.#claim.ticked.restart();
  }

  /** Looks for requests and at the time limit now, not only on the timer. */
  async look(): Promise<void> {
    const { stage, settings, execution_state, requests_done } = this.writer.manifest;
    const workedMs = this.workedMs();
    // A report of a run that stands still is no work on the run: it cannot be late, and requests wait.
    if (execution_state !== "running") return;
    if (workedMs > settings.timeouts[stage.current] * 1000) this.#interrupt({ kind: "late" });
    for (const request of await this.writer.requests()) {
      const { request_id } = request;
      if (requests_done.includes(request_id) || this.lifted.has(request_id)) await this.writer.dropRequest(request_id);
      else if (isStop(request)) this.#interrupt({ kind: request.kind, request });
    }
  }

  /** The lease was lost while the store did not answer. */
  lose(loss: Extract<Interruption, { kind: "lease_lost" }>): void {
    this.#interrupt(loss);
  }

  /** Work may begin again: the store answers, and knows this owner by the same epoch. What was under way has ended. */
  resume(): void {
    this.#interruption = null;
    this.#controller = new AbortController();
    this.#interrupted = Promise.withResolvers<void>();
    this.keeper = this.#keep();
    this.conversations = new OpenConversations(this);
    this.corpora.close();
  }

  async release(): Promise<void> {
    for (const end of this.#ends) end();
    this.keeper.stop();
    try {
      this.corpora.close();
    } finally {
      await this.writer.release();
    }
  }

  #keep(): LeaseKeeper {
    return keepLease(this.ports.clock, this.writer, this.writer.manifest.settings.lease, (loss) =>
      this.#interrupt(loss),
    );
  }

  #interrupt(why: Interruption): void {
    const before = this.#interruption;
    const givesWay =
      before === null || ((before.kind === "pause" || before.kind === "unreachable") && why.kind !== "pause");
    if (!givesWay && why.kind !== "lease_lost") return;
    this.#interruption = why;
    this.#interrupted.resolve();
    if (why.kind !== "pause") this.#controller.abort(new Interrupted(why));
  }

  #interruptBy(signal: AbortSignal | undefined, why: Interruption): void {
    const interrupt = (): void => this.#interrupt(why);
    signal?.addEventListener("abort", interrupt);
    this.#ends.push(() => signal?.removeEventListener("abort", interrupt));
    if (signal?.aborted === true) interrupt();
  }

  #lookAgain(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    // When this fails, the reading of the tick itself fails as well, and there the error can be reported.
    void this.look()
      .catch(() => undefined)
      .finally(() => (this.#isLooking = false));
  }
}
