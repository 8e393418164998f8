// Claims a lease by creating the file of the next epoch, which only one process can, and holds it by writes in place.
import { describeCause, errnoOf, RunError } from "../../kernel/errors.ts";
import { newOwnerId } from "../../kernel/ids.ts";
import { timestamp } from "../../ports/clock.ts";
import type { FileHandle } from "../../ports/files.ts";
import type { LostLease, RefreshOutcome } from "../../ports/lease.ts";
import { LOCK_FILE, REQUESTS_FOLDER } from "../../run/log/layout.ts";
import type { LeaseRecord, Takeover } from "../../run/log/lock-record.ts";
import { isAway, removeQuietly, typedDiskError, writeTemporary } from "../disk/durable-write.ts";
import {
  claimsIn,
  GIVEN_UP,
  judgeInForce,
  type LeaseReading,
  readLeases,
  readRecord,
  SUPERSEDED,
  tookOverFrom,
  viewpoint,
} from "./lease-reading.ts";
import { remainingOf, type HeldRecord, type LeaseJudgement, type Viewpoint } from "./lease-rules.ts";
import { encodeRecord, inheritedBadSync, newRecord, RECORD_BYTES, type ClaimOptions } from "./lease-record.ts";
import { sweepParts } from "./request-files.ts";
import { sweepAbandoned, temporaryName } from "../disk/temporary-names.ts";
import { requireLocalDisk, type Machine } from "../disk/machine.ts";

/** A rival that wins a race then holds or releases the lease. After so many rounds something else is wrong. */
const MAX_CLAIM_ROUNDS = 50;

export async function claim(
  machine: Machine,
  folder: string,
  options: ClaimOptions,
): Promise<{ kind: "claimed"; lease: HeldLease } | HeldRecord> {
  requireLocalDisk(machine, folder);
  for (let round = 1; round <= MAX_CLAIM_ROUNDS; round++) {
    // Both clocks are read before the record, so that an owner that refreshes in between is not judged as expired.
    const here = viewpoint(machine);
    const reading = await readLeases(machine, folder);
    const judgement = judgeInForce(machine, reading, here);
    if (judgement.kind === "held" && options.force !== true) return judgement;
    const lease = await tryEpoch(machine, folder, options, here, reading, judgement);
    if (lease === null) continue;
    await sweepAbandoned(machine, folder, reading.names);
    if (reading.names.includes(REQUESTS_FOLDER)) await sweepParts(machine.files, folder);
    return { kind: "claimed", lease };
  }
  throw new RunError("LOCK_HELD", {
    reason: "others kept winning the race for the lease",
    rounds: MAX_CLAIM_ROUNDS,
    run_root: folder,
  });
}

/** Claims one epoch by `link`, which gives the name to exactly one process; null when another one got it. */
async function tryEpoch(
  machine: Machine,
  folder: string,
  options: ClaimOptions,
  here: Viewpoint,
  reading: LeaseReading,
  judgement: LeaseJudgement,
): Promise<HeldLease | null> {
  const { files, random } = machine;
  const copyEpoch = reading.published !== null && reading.published !== "unreadable" ? reading.published.epoch : 0;
  const epoch = 1 + Math.max(reading.claims.at(-1) ?? 0, copyEpoch, options.aboveEpoch ?? 0);
  const record: LeaseRecord = {
    ...newRecord(machine, here, epoch, options),
    owner_id: newOwnerId(random.bytes(12)),
    ...inheritedBadSync(reading.claim, here),
  };
  const temporary = `${folder}/${temporaryName(machine, "claim")}`;
  const handle = await writeTemporary(files, temporary, encodeRecord(record));
  const path = `${folder}/${LOCK_FILE}.${epoch}`;
  try {
    await files.link(temporary, path);
  } catch (error) {
    await handle.close();
    await removeQuietly(files, temporary);
    if (errnoOf(error) === "EEXIST") return null;
    throw error;
  }
  const lease = new HeldLease(machine, folder, handle, record, tookOverFrom(judgement));
  try {
    // A crash from here on leaves a claim that is judged like any other.
    if (await lease.isSuperseded()) {
      await lease.abandon();
      await removeQuietly(files, temporary);
      return null;
    }
    await lease.publish(temporary);
    for (const older of reading.claims) await removeQuietly(files, `${folder}/${LOCK_FILE}.${older}`);
    return lease;
  } catch (error) {
    await lease.release().catch(() => undefined);
    throw error;
  }
}

// --- holding ------------------------------------------------------------------------------------------------------

/** Writes in place through the handle of this very claim, so that a late owner writes to a file that no longer counts. */
export class HeldLease {
  record: LeaseRecord;
  /** Why the lease was taken from the owner before; undefined when it was released or free. */
  tookOver: Takeover | undefined;
  readonly #machine: Machine;
  readonly #folder: string;
  #handle: FileHandle;
  #isOpen = true;

  constructor(
    machine: Machine,
    folder: string,
    handle: FileHandle,
    record: LeaseRecord,
    tookOver: Takeover | undefined,
  ) {
    this.#machine = machine;
    this.#folder = folder;
    this.#handle = handle;
    this.record = record;
    this.tookOver = tookOver;
  }

  /** Names this claim `.lock`, then marks it: from then on a missing `.lock` means that the lease was taken away. */
  async publish(temporary: string): Promise<void> {
    await this.#machine.files.rename(temporary, `${this.#folder}/${LOCK_FILE}`);
    await this.#write({ ...this.record, published: true });
  }

  async refresh(leaseSeconds?: number): Promise<RefreshOutcome> {
    try {
      const lost = await this.findLoss();
      if (lost !== null) return lost;
      const here = viewpoint(this.#machine);
      if (remainingOf(this.record, here) <= 0) return await this.#claimAgain();
      await this.#write({
        ...this.record,
        lease_seconds: leaseSeconds ?? this.record.lease_seconds,
        refreshed_at: timestamp(here.now_ms),
        refreshed_uptime_ms: here.uptime_ms ?? 0,
      });
      return { kind: "refreshed", reclaimed: false };
    } catch (error) {
      if (isAway(error)) throw typedDiskError("WRITE_FAILED", this.#folder, error);
      if (errnoOf(error) === undefined && !(error instanceof RunError)) throw error;
      return { kind: "failed", reason: describeCause(error) };
    }
  }

  /** Claims the next epoch, after this process slept past the end of its lease. */
  async #claimAgain(): Promise<RefreshOutcome> {
    const { lease_seconds, reason, epoch } = this.record;
    const outcome = await claim(this.#machine, this.#folder, {
      lease_seconds,
      aboveEpoch: epoch,
      ...(reason === undefined ? {} : { reason }),
    });
    if (outcome.kind === "held") {
      return {
        kind: "lost",
        code: "LOCK_NOT_OWNED",
        reason: "the lease expired and another process took it",
        superseded: true,
      };
    }
    // At the next epoch it took over its own lease. At a higher one it took over from an owner in between.
    if (outcome.lease.record.epoch === epoch + 1) outcome.lease.tookOver = this.tookOver;
    else this.tookOver = outcome.lease.tookOver;
    if (!this.#isOpen) {
      await outcome.lease.release();
      return GIVEN_UP;
    }
    await this.#handle.close();
    this.#handle = outcome.lease.#handle;
    this.record = outcome.lease.record;
    return { kind: "refreshed", reclaimed: true };
  }

  /** Why this process lost the lease; null while it holds it. */
  async findLoss(): Promise<LostLease | null> {
    if (!this.#isOpen) return GIVEN_UP;
    if (await this.isSuperseded()) return SUPERSEDED;
    const path = `${this.#folder}/${LOCK_FILE}`;
    const published = await readRecord(this.#machine.files, this.#machine.clock, path);
    if (published === null)
      return { kind: "lost", code: "LOCK_NOT_HELD", reason: ".lock was removed", superseded: false };
    if (published === "unreadable" || published.owner_id === this.record.owner_id) return null;
    if (published.epoch < this.record.epoch) {
      // A slow rival of an earlier epoch published its claim late: put our copy back.
      const temporary = `${this.#folder}/${temporaryName(this.#machine, "claim")}`;
      await this.#machine.files.link(`${path}.${this.record.epoch}`, temporary);
      await this.#machine.files.rename(temporary, path);
      return null;
    }
    return {
      kind: "lost",
      code: "LOCK_NOT_OWNED",
      reason: `.lock names ${published.owner_id}`,
      superseded: published.epoch > this.record.epoch,
    };
  }

  async isSuperseded(): Promise<boolean> {
    const newest = claimsIn(await this.#machine.files.list(this.#folder)).at(-1);
    return newest !== undefined && newest > this.record.epoch;
  }

  /** Notes in place that an fsync of the journal failed, or that the journal was made anew. */
  async noteBadSync(isBad: boolean): Promise<void> {
    if (!this.#isOpen) return;
    const { bad_sync: _old, ...rest } = this.record;
    const { boot_id } = this.#machine.processes.self();
    const noted_at = timestamp(this.#machine.clock.nowMs());
    await this.#write(isBad ? { ...rest, bad_sync: { boot_id, noted_at } } : rest);
  }

  /** The release will not mention `tookOver`: a record says it now, or the last owner left the run in order. */
  forgetTakeover(): void {
    this.tookOver = undefined;
  }

  async release(): Promise<RefreshOutcome> {
    try {
      const lost = await this.findLoss();
      if (lost === null) {
        const took = this.tookOver === undefined ? {} : { took_over: this.tookOver };
        await this.#write({ ...this.record, released_at: timestamp(this.#machine.clock.nowMs()), ...took });
      }
      return lost ?? { kind: "refreshed", reclaimed: false };
    } catch (error) {
      if (errnoOf(error) === undefined && !(error instanceof RunError)) throw error;
      return { kind: "failed", reason: describeCause(error) };
    } finally {
      await this.abandon();
    }
  }

  /** Drops the handle without releasing the lease. */
  async abandon(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#handle.close();
  }

  async #write(record: LeaseRecord): Promise<void> {
    // The number of a closed descriptor may be another file's by now.
    if (!this.#isOpen)
      throw new RunError("LOCK_NOT_HELD", { reason: "the lease was given up", run_root: this.#folder });
    const taken = await this.#handle.writeAt(encodeRecord(record), 0);
    if (taken !== RECORD_BYTES)
      throw new RunError("WRITE_FAILED", { reason: "a short write to the lease", path: this.#folder, taken });
    this.record = record;
  }
}
