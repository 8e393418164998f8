// The owner's handle on a run in memory: the same rules of ownership as on a disk, and nothing that has to survive.
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { RunError } from "../../src/kernel/errors.ts";
import { timestampAfter } from "../../src/ports/clock.ts";
import type { LeaseView, LostLease } from "../../src/ports/lease.ts";
import type { AcquireOptions, CommitOptions, RunWriter } from "../../src/ports/run-log.ts";
import type { ContentRef } from "../../src/run/common.ts";
import { checkDrafts } from "../../src/run/log/drafts.ts";
import { foldRecord } from "../../src/run/log/fold.ts";
import { isLeftAtWork } from "../../src/run/log/lifecycle.ts";
import type { Manifest } from "../../src/run/log/manifest.ts";
import type { AnyRecord, RecordDraft } from "../../src/run/log/record.ts";
import type { Request } from "../../src/run/log/request.ts";
import type { Stage } from "../../src/run/stage.ts";
import type { ResultRef, Steps } from "../../src/run/log/step.ts";
import { GIVEN_UP, SUPERSEDED } from "../../src/stores/lease/lease-reading.ts";
import { newClaim, remainingOf, tookOverFrom, type Claimant, type MemoryClaim } from "./memory-lease.ts";
import {
  appendTo,
  dropRequest,
  manifestOf,
  placed,
  readContent,
  readResult,
  readSteps,
  storeContent,
  waiting,
  type MemoryRun,
} from "./memory-run.ts";
import { CLAIMED_AGAIN, leaseTaken, openingOf, type Opening } from "../../src/stores/owner/owner-opening.ts";

/** What a control takes out, so that the cases that hold to it have to fail. */
export type MemoryGuard = "fence" | "held" | "one clock" | "own bytes" | "purpose" | "request names" | "sizes";

export interface MemoryLogDependencies extends Claimant {
  without?: MemoryGuard;
}

export class MemoryWriter implements RunWriter {
  readonly runRoot: string;
  readonly manifest: Manifest;
  unrecordedTakeover: string | undefined;
  readonly #dependencies: MemoryLogDependencies;
  readonly #run: MemoryRun;
  readonly #options: AcquireOptions;
  #opening: Opening | null;
  #claim: MemoryClaim;
  #death: RunError | null = null;

  constructor(
    dependencies: MemoryLogDependencies,
    runRoot: string,
    run: MemoryRun,
    options: AcquireOptions,
    before: LeaseView,
  ) {
    this.#dependencies = dependencies;
    this.runRoot = runRoot;
    this.#run = run;
    this.#options = options;
    this.manifest = manifestOf(run);
    const tookOver = tookOverFrom(before);
    this.unrecordedTakeover = isLeftAtWork(this.manifest, tookOver) ? tookOver : undefined;
    this.#claim = this.#newClaim();
    this.#opening = openingOf(tookOver, options.reason);
  }

  get epoch(): number {
    return this.#claim.epoch;
  }

  get ownerId(): string {
    return this.#claim.owner_id;
  }

  async commit(drafts: readonly RecordDraft[], options: CommitOptions = {}): Promise<AnyRecord[]> {
    this.#requireAlive();
    const { expectedRevision } = options;
    if (expectedRevision !== undefined && expectedRevision !== this.manifest.revision) {
      throw new RunError("REVISION_MISMATCH", {
        expected_revision: expectedRevision,
        revision: this.manifest.revision,
      });
    }
    const opening = this.#opening === null ? [] : [leaseTaken({ owner_id: this.ownerId }, this.#opening)];
    const all = [...opening, ...drafts];
    checkDrafts(this.manifest, all);
    const { without, clock } = this.#dependencies;
    const earlier = without === "one clock" ? "" : this.manifest.updated_at;
    const ts = timestampAfter(earlier, clock.nowMs());
    const added = appendTo(this.#run, all, this.epoch, ts);
    this.#opening = null;
    if (added.some(({ kind }) => kind === "state.changed")) this.unrecordedTakeover = undefined;
    for (const { path, text } of options.folds ?? []) this.#run.files.set(path, new TextEncoder().encode(text));
    for (const record of added) {
      foldRecord(this.manifest, placed(record));
      this.#options.onCommit?.(record);
    }
    return added.slice(opening.length);
  }

  async storeContent(path: string, bytes: Uint8Array): Promise<ContentRef> {
    this.#requireAlive();
    return storeContent(this.#run, path, bytes, this.#dependencies.without);
  }

  readContent = async (ref: Pick<ContentRef, "path" | "sha256">): Promise<Uint8Array> =>
    readContent(this.#run, ref, this.#dependencies.without);
  records = async (): Promise<AnyRecord[]> => [...this.#run.records];
  readResult = async (ref: ResultRef): Promise<unknown> => readResult(this.#run, ref);
  readSteps = async (stage: Stage): Promise<Steps> => readSteps(this.#run, this.manifest, stage);
  requests = async (): Promise<Request[]> => waiting(this.#run);
  requestPart = async (requestId: string, part: number, { sha256 }: { sha256: string }): Promise<Uint8Array | null> => {
    const found = this.#run.files.get(`requests/${requestId}.${part}`);
    return found !== undefined && digestOfBytes(found) === sha256 ? found : null;
  };
  findLoss = async (): Promise<LostLease | null> =>
    (await this.isSuperseded()) ? SUPERSEDED : this.#death === null ? null : GIVEN_UP;
  isSuperseded = async (): Promise<boolean> => (this.#run.claim?.epoch ?? 0) > this.epoch;

  async foldNow(): Promise<void> {
    this.#requireAlive();
  }

  async repairFolds(): Promise<string[]> {
    this.#requireAlive();
    return [];
  }

  async dropRequest(requestId: string): Promise<void> {
    dropRequest(this.#run, requestId);
  }

  async refresh(): ReturnType<RunWriter["refresh"]> {
    if (await this.isSuperseded()) return SUPERSEDED;
    if (this.#death !== null) return GIVEN_UP;
    const { clock } = this.#dependencies;
    if (remainingOf(this.#claim, clock) > 0) {
      Object.assign(this.#claim, { refreshed_at_ms: clock.nowMs(), refreshed_uptime_ms: clock.uptimeMs() });
      return { kind: "refreshed", reclaimed: false };
    }
    this.#claim = this.#newClaim();
    this.#opening ??= CLAIMED_AGAIN;
    await this.commit([]);
    return { kind: "refreshed", reclaimed: true };
  }

  async release(): Promise<void> {
    if (this.#death === null) Object.assign(this.#claim, { isReleased: true, took_over: this.unrecordedTakeover });
    this.#death ??= new RunError("LOCK_NOT_HELD", { reason: "the lease was released", run_root: this.runRoot });
  }

  #newClaim(): MemoryClaim {
    const epoch = 1 + Math.max(this.#run.claim?.epoch ?? 0, this.manifest.epoch);
    const options = this.#dependencies.without === "purpose" ? {} : this.#options;
    this.#run.claim = newClaim(this.#dependencies, options, epoch);
    return this.#run.claim;
  }

  #requireAlive(): void {
    const theirs = this.#run.claim?.epoch ?? 0;
    if (theirs > this.epoch && this.#dependencies.without !== "fence") {
      this.#death ??= new RunError("LOCK_LOST", {
        reason: "another process took over",
        epoch: this.epoch,
        their_epoch: theirs,
      });
    }
    if (this.#death !== null) throw this.#death;
  }
}
