// The lease of a run in memory: an owner, an epoch and an end. The memory knows no processes, only whether an owner has left it.
import { newOwnerId } from "../../src/kernel/ids.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Lease, LeaseView } from "../../src/ports/lease.ts";
import type { AcquireOptions } from "../../src/ports/run-log.ts";
import type { Random } from "../../src/ports/random.ts";
import type { Actor } from "../simulation/world.ts";

export interface MemoryClaim extends Omit<Lease, "expires_at_ms" | "description"> {
  lease_seconds: number;
  /** By a clock that does not jump. */
  refreshed_uptime_ms: number;
  /** As a server sees it by a connection that has ended. */
  hasLeft: () => boolean;
  isReleased: boolean;
  /** Set at a release: why the lease was taken from the owner before, when no record says it. */
  took_over: string | undefined;
}

export interface Claimant {
  clock: Clock;
  random: Random;
  /** By default the owner never leaves. */
  hasLeft?: () => boolean;
}

const DEFAULT_LEASE_S = 120;

export function claimantOf({ clock, random, files }: Actor): Claimant {
  return { clock, random, hasLeft: () => files.life.state === "dead" };
}

export function newClaim(
  { clock, random, hasLeft = () => false }: Claimant,
  { lease_seconds = DEFAULT_LEASE_S, purpose = "work" }: AcquireOptions,
  epoch: number,
): MemoryClaim {
  const now_ms = clock.nowMs();
  return {
    owner_id: newOwnerId(random.bytes(12)),
    epoch,
    purpose,
    claimed_at_ms: now_ms,
    refreshed_at_ms: now_ms,
    refreshed_uptime_ms: clock.uptimeMs(),
    lease_seconds,
    hasLeft,
    isReleased: false,
    took_over: undefined,
  };
}

export function remainingOf(claim: MemoryClaim, clock: Clock): number {
  return claim.refreshed_uptime_ms + claim.lease_seconds * 1000 - clock.uptimeMs();
}

export function viewOf(claim: MemoryClaim | null, clock: Clock): LeaseView {
  if (claim === null) return { held: null, stale: null };
  const why = whyFree(claim, clock);
  if (why !== null) return { held: null, stale: why === "released" ? null : { why } };
  const { owner_id, epoch, purpose, claimed_at_ms, refreshed_at_ms } = claim;
  const expires_at_ms = clock.nowMs() + remainingOf(claim, clock);
  return { held: { owner_id, epoch, purpose, claimed_at_ms, refreshed_at_ms, expires_at_ms }, stale: null };
}

/** Null for a lease that is held. */
function whyFree(claim: MemoryClaim, clock: Clock): string | null {
  if (claim.isReleased) return claim.took_over ?? "released";
  if (claim.hasLeft()) return "owner_dead";
  return remainingOf(claim, clock) > 0 ? null : "expired";
}

/** Why the lease is taken from the owner before; undefined where a record says it, or where none had it. */
export function tookOverFrom({ held, stale }: LeaseView): string | undefined {
  return held === null ? stale?.why : "forced";
}
