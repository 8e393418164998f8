// The lease of a run in rows: claimed by a compare-and-set on its epoch, refreshed and judged by the clock of the server.
import { RunError } from "../../kernel/errors.ts";
import { newOwnerId } from "../../kernel/ids.ts";
import { shortened } from "../../kernel/shortened.ts";
import { timestamp, type Clock } from "../../ports/clock.ts";
import type { LostLease, RefreshOutcome } from "../../ports/lease.ts";
import type { Processes } from "../../ports/processes.ts";
import type { Random } from "../../ports/random.ts";
import { readLeaseRecord, type LeaseRecord, type Takeover } from "../../run/log/lock-record.ts";
import { GIVEN_UP, SUPERSEDED, tookOverFrom } from "../lease/lease-reading.ts";
import { MAX_REASON_CHARACTERS, type ClaimOptions } from "../lease/lease-record.ts";
import { judgeLease, type HeldRecord, type LeaseJudgement } from "../lease/lease-rules.ts";
import type { Database, Statements } from "./database.ts";
import { noRun, readRow, RUN_COLUMNS, runRowOf, type RunRow } from "./run-row.ts";

export interface LeaseHere {
  database: Database;
  clock: Clock;
  processes: Processes;
  random: Random;
}

/** A rival that wins a race then holds or releases the lease. After so many rounds something else is wrong. */
const MAX_CLAIM_ROUNDS = 50;

/** A process of this host that is gone needs no waiting. Whether the time of another one is over, only the server's clock says. */
export function judgeRow(processes: Processes, row: RunRow): LeaseJudgement {
  if (row.lease === null) return { kind: "free", why: "none" };
  const record = leaseIn(row);
  if (record === null) return { kind: "free", why: "unreadable" };
  const { hostname, boot_id, pid_namespace } = processes.self();
  const isOfHere = record.released_at === undefined && record.hostname === hostname;
  const facts = isOfHere ? processes.facts(record.pid) : ({ kind: "unknown" } as const);
  return judgeLease(record, { hostname, boot_id, pid_namespace, now_ms: row.now_ms }, facts);
}

function leaseIn({ lease, refreshed_ms }: RunRow): LeaseRecord | null {
  try {
    const said: unknown = JSON.parse(lease ?? "null");
    return readLeaseRecord({ ...(said as object), refreshed_at: timestamp(refreshed_ms ?? 0) });
  } catch {
    return null;
  }
}

export function newLease(
  { processes, random }: Pick<LeaseHere, "processes" | "random">,
  epoch: number,
  now_ms: number,
  { lease_seconds, reason }: Pick<ClaimOptions, "lease_seconds" | "reason">,
): LeaseRecord {
  return {
    schema_version: "lock.v1",
    ...processes.self(),
    created_at: timestamp(now_ms),
    lease_seconds,
    refreshed_at: timestamp(now_ms),
    owner_id: newOwnerId(random.bytes(12)),
    epoch,
    ...(reason === undefined ? {} : { reason: shortened(reason, MAX_REASON_CHARACTERS) }),
  };
}

/** As the column holds it. */
export function leaseText({ refreshed_at: _server, ...record }: LeaseRecord): string {
  return JSON.stringify(record);
}

interface Claimed {
  kind: "claimed";
  row: RunRow;
  lease: RowLease;
}

/** `behind`: only the claim of this epoch may be followed; another one means that another owner came in between. */
export async function claim(
  here: LeaseHere,
  runRoot: string,
  options: ClaimOptions & { behind?: number },
): Promise<Claimed | HeldRecord | { kind: "overtaken" }> {
  const { database, processes } = here;
  const { force = false, behind } = options;
  let record: LeaseRecord | null = null;
  let tookOver: Takeover | undefined;
  for (let round = 1; round <= MAX_CLAIM_ROUNDS; round++) {
    const row = await readRow(database, runRoot);
    // The answer to an earlier round was lost on the way.
    if (record !== null && leaseIn(row)?.owner_id === record.owner_id)
      return { kind: "claimed", row, lease: new RowLease(here, row, record, tookOver) };
    if (behind !== undefined && row.claim_epoch !== behind) return { kind: "overtaken" };
    const judgement = judgeRow(processes, row);
    if (judgement.kind === "held" && !force) return judgement;
    tookOver = tookOverFrom(judgement);
    record = newLease(here, 1 + Math.max(row.claim_epoch, row.epoch), row.now_ms, options);
    const [claimed] = await database.rows(
      // What was handed back for a person is taken up again.
      `with seen as (delete from {dr}.lack where run = $1 and worker = '*')
       update {dr}.run r set claim_epoch = $2, lease = $3, refreshed_ms = {dr}.now_ms(), held_until_ms = {dr}.now_ms() + $8
        where r.id = $1 and r.claim_epoch = $4 and ($5 or (r.refreshed_ms is not distinct from $6 and r.lease is not distinct from $7))
        returning ${RUN_COLUMNS}`,
      [
        row.id,
        record.epoch,
        leaseText(record),
        row.claim_epoch,
        force,
        row.refreshed_ms,
        row.lease,
        options.lease_seconds * 1000,
      ],
    );
    if (claimed === undefined) continue;
    const now = runRowOf(claimed);
    // Records of the owner before may have come while this statement waited: they are not in what it saw.
    const whole = now.seq === row.seq ? now : await readRow(database, runRoot);
    return { kind: "claimed", row: whole, lease: new RowLease(here, whole, record, tookOver) };
  }
  throw new RunError("LOCK_HELD", {
    reason: "others kept winning the race for the lease",
    rounds: MAX_CLAIM_ROUNDS,
    run_root: runRoot,
  });
}

// --- holding ------------------------------------------------------------------------------------------------------

export class RowLease {
  record: LeaseRecord;
  /** Why the lease was taken from the owner before; undefined when it was released or free. */
  tookOver: Takeover | undefined;
  /** How many requests there have been, as the server has said last. */
  requests: number;
  readonly #here: LeaseHere;
  readonly #runRoot: string;
  readonly #id: string;
  #isOpen = true;

  constructor(here: LeaseHere, row: RunRow, record: LeaseRecord, tookOver: Takeover | undefined) {
    this.#here = here;
    this.#runRoot = row.runRoot;
    this.#id = row.id;
    this.record = record;
    this.tookOver = tookOver;
    this.requests = row.requests;
  }

  /** Asks once. Errors: `UNAVAILABLE`. */
  async refresh(): Promise<RefreshOutcome> {
    if (!this.#isOpen) return GIVEN_UP;
    const { once } = this.#here.database;
    const { epoch, lease_seconds } = this.record;
    const [refreshed] = await once.rows<{ requests: number }>(
      `update {dr}.run set refreshed_ms = {dr}.now_ms(), held_until_ms = {dr}.now_ms() + $3::float8
        where id = $1 and claim_epoch = $2 and refreshed_ms + $3::float8 > {dr}.now_ms() returning requests`,
      [this.#id, epoch, lease_seconds * 1000],
    );
    if (refreshed !== undefined) {
      this.requests = refreshed.requests;
      return { kind: "refreshed", reclaimed: false };
    }
    return (await this.#loss(once)) ?? (await this.#claimAgain());
  }

  /** Claims the next epoch, after this process slept past the end of its lease and no other owner came. */
  async #claimAgain(): Promise<RefreshOutcome> {
    const { lease_seconds, reason, epoch } = this.record;
    const again = { lease_seconds, behind: epoch, ...(reason === undefined ? {} : { reason }) };
    const claimed = await claim(this.#here, this.#runRoot, again);
    if (claimed.kind !== "claimed") return SUPERSEDED;
    this.record = claimed.lease.record;
    this.requests = claimed.lease.requests;
    return { kind: "refreshed", reclaimed: true };
  }

  /** Why this process lost the lease; null while it holds it. */
  async findLoss(): Promise<LostLease | null> {
    if (!this.#isOpen) return GIVEN_UP;
    return await this.#loss(this.#here.database);
  }

  async #loss(statements: Statements): Promise<LostLease | null> {
    const epoch = await this.epochNow(statements);
    if (epoch === null)
      return { kind: "lost", code: "LOCK_NOT_HELD", reason: "the run was removed", superseded: false };
    return epoch > this.record.epoch ? SUPERSEDED : null;
  }

  async isSuperseded(): Promise<boolean> {
    return ((await this.epochNow()) ?? 0) > this.record.epoch;
  }

  /** The epoch of the newest claim; null where the run is gone. */
  async epochNow(statements: Statements = this.#here.database): Promise<number | null> {
    const [row] = await statements.rows<{ claim_epoch: number }>("select claim_epoch from {dr}.run where id = $1", [
      this.#id,
    ]);
    return row?.claim_epoch ?? null;
  }

  /** The error of a write that found another claim than this one. */
  async lostError(): Promise<RunError> {
    const theirs = await this.epochNow();
    if (theirs === null) return noRun(this.#runRoot);
    return new RunError("LOCK_LOST", {
      reason: "another process took over",
      run_root: this.#runRoot,
      epoch: this.record.epoch,
      their_epoch: theirs,
    });
  }

  forgetTakeover(): void {
    this.tookOver = undefined;
  }

  /** Asks once: what cannot be said now, the end of the lease says later. */
  async release(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const took = this.tookOver === undefined ? {} : { took_over: this.tookOver };
    const released = { ...this.record, released_at: timestamp(this.#here.clock.nowMs()), ...took };
    try {
      await this.#here.database.once.rows(
        "update {dr}.run set lease = $3, held_until_ms = null where id = $1 and claim_epoch = $2",
        [this.#id, this.record.epoch, leaseText(released)],
      );
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
    }
  }
}
