// The ledger of a run: what a call may cost is reserved before it starts, and settled once it is over.
import { halting, type Interrupted } from "../ports/interruption.ts";
import type { RunWriter } from "../ports/run-log.ts";
import type { RecordData, RecordDraft } from "../run/log/record.ts";
import type { Budgets } from "../run/settings/settings.ts";
import { isStageBefore } from "../run/stage.ts";
import { money } from "../run/money/usage.ts";
import type { OwnedRun } from "./owned-run.ts";

/** The share of each budget that the stages before the report may not spend, so that the report can be written. */
const SHARE_OF_REPORT = 0.15;

export type Reservation = RecordData<"usage.reserved">;
export type Estimate = Omit<Reservation, "reservation_id">;
export type Settlement = Omit<RecordData<"usage.settled">, "reservation_id" | "key" | "stage" | "reserved">;

export class Ledger {
  readonly #writer: RunWriter;
  /** Milliseconds worked over the life of the run, the open tick included. */
  readonly #workedMs: () => number;
  #isForReport = false;
  /** The largest factor by which a call has exceeded its estimate. Later estimates are multiplied by it. */
  #overrun = 1;
  #lastTurn: Promise<unknown> = Promise.resolve();
  /** Calls of this owner that are not settled yet, each with the overrun that it was reserved with. */
  readonly #underWay = new Map<string, number>();
  readonly #wait: (() => Promise<void>) | null;

  /** `wait` lets a moment pass, in which calls may end, and throws when the run has to stop. Without it there is no wait. */
  constructor(writer: RunWriter, workedMs: () => number, wait: (() => Promise<void>) | null = null) {
    this.#writer = writer;
    this.#workedMs = workedMs;
    this.#wait = wait;
  }

  /** The call is over without being settled. The next owner settles it. */
  abandon({ reservation_id }: Reservation): void {
    this.#underWay.delete(reservation_id);
  }

  /** From now on the share that was held back for the report may be spent. */
  openForReport(): void {
    this.#isForReport = true;
  }

  /**
   * Notes what a call may cost, durably. Calls that run side by side take turns, so each is judged by what those before it
   * have reserved. Errors: a halt of kind `budget` when a budget has no room for the call.
   */
  async reserve(estimate: Estimate): Promise<Reservation> {
    const turn = this.#lastTurn.then(() => this.#reserveNow(estimate));
    this.#lastTurn = turn.catch(() => undefined);
    return await turn;
  }

  async #reserveNow(given: Estimate): Promise<Reservation> {
    const { tokens, cost_usd } = given;
    const estimate = {
      ...given,
      tokens: Math.ceil(tokens * this.#overrun),
      cost_usd: cost_usd === null ? null : money(cost_usd * this.#overrun),
    };
    await this.#findRoom(estimate);
    const { usage, epoch } = this.#writer.manifest;
    const reservation = { reservation_id: `${estimate.key}#${epoch}.${usage.calls + 1}`, ...estimate };
    this.#underWay.set(reservation.reservation_id, this.#overrun);
    await this.#writer.commit([{ kind: "usage.reserved", data: reservation }]);
    return reservation;
  }

  /**
   * `commit` writes the record that settles a call, together with its result. Until then the call is under way, and what
   * it has reserved still fills the budget.
   */
  async settle(
    reservation: Reservation,
    settled: Settlement,
    commit: (settlement: RecordDraft) => Promise<unknown>,
  ): Promise<void> {
    this.#learnFrom(reservation, settled);
    const { reservation_id, key, stage, tokens, cost_usd } = reservation;
    const data = { reservation_id, key, stage, reserved: { tokens, cost_usd }, ...settled };
    try {
      await commit({ kind: "usage.settled", data });
    } finally {
      this.#underWay.delete(reservation_id);
    }
  }

  #learnFrom(reserved: Reservation, settled: Settlement): void {
    const share = Math.max(
      settled.tokens / Math.max(reserved.tokens, 1),
      reserved.cost_usd === null || reserved.cost_usd === 0 ? 0 : (settled.cost_usd ?? 0) / reserved.cost_usd,
    );
    this.#overrun = Math.max(this.#overrun, share * (this.#underWay.get(reserved.reservation_id) ?? 1));
  }

  /** Calls mostly use less than they reserve. When only calls under way fill a budget, this waits for their end. */
  async #findRoom(estimate: Estimate): Promise<void> {
    for (;;) {
      const wasUnderWay = this.#underWay.size > 0;
      const refusal = this.#refusalOf(estimate, "with what is reserved");
      if (refusal === null) return;
      const mayHelp = this.#wait !== null && wasUnderWay && this.#refusalOf(estimate, "settled alone") === null;
      if (!mayHelp) throw refusal;
      await this.#wait?.();
    }
  }

  #refusalOf(
    { stage, tokens, cost_usd, model }: Estimate,
    counted: "with what is reserved" | "settled alone",
  ): Interrupted | null {
    const { usage, settings } = this.#writer.manifest;
    if (cost_usd === null && settings.budgets?.max_cost_usd !== undefined) {
      return halting("budget", {
        reason: `what ${model} costs is not known, so no limit of cost can be kept`,
        budget: "max_cost_usd",
        unknown_price: model,
        usage,
      });
    }
    const share = counted === "settled alone" ? 0 : 1;
    const spent: Required<Record<keyof Budgets, number>> = {
      max_cost_usd: money(usage.cost_usd + share * usage.reserved_usd + (cost_usd ?? 0)),
      max_tokens: usage.tokens + share * (usage.reserved_tokens ?? 0) + tokens,
      max_calls: usage.calls + 1,
      max_minutes: hundredths(this.#workedMs() / 60_000),
    };
    const isBefore = !this.#isForReport && isStageBefore(stage, "synthesis");
    for (const [name, limit] of Object.entries(settings.budgets ?? {}) as [keyof Budgets, number | undefined][]) {
      if (limit === undefined) continue;
      const heldBack = isBefore ? heldBackOf(name, limit) : 0;
      const allowed = limit - heldBack;
      if (spent[name] <= allowed) continue;
      return halting("budget", {
        reason: isBefore
          ? "the next call would exceed the budget; what is left is reserved for the report"
          : "the budget is spent",
        budget: name,
        limit,
        held_back: heldBack,
        would_be: spent[name],
        usage,
      });
    }
    return null;
  }
}

/** Calls and tokens are whole numbers. */
function heldBackOf(name: keyof Budgets, limit: number): number {
  const share = limit * SHARE_OF_REPORT;
  if (name === "max_cost_usd") return money(share);
  return name === "max_minutes" ? hundredths(share) : Math.ceil(share);
}

function hundredths(minutes: number): number {
  return Math.round(minutes * 100) / 100;
}

// --- calls that their owner did not settle, because it is gone or was stopped ---------------------------------------

/**
 * Settles what is still reserved. A call may have been answered, so it is charged as it was reserved. To be called while no
 * call of this owner is under way.
 */
export async function settleLostCalls({ writer, view }: Pick<OwnedRun, "view" | "writer">): Promise<void> {
  const { reserved_usd, reserved_tokens = 0 } = writer.manifest.usage;
  if (reserved_usd === 0 && reserved_tokens === 0) return;
  const lost = new Map<string, Reservation>();
  for (const { kind, data } of await view.records()) {
    if (kind === "usage.reserved") lost.set(data.reservation_id, data);
    if (kind === "usage.settled") lost.delete(data.reservation_id);
  }
  const drafts = [...lost.values()].map(({ reservation_id, key, stage, tokens, cost_usd }): RecordDraft => {
    const reserved = { tokens, cost_usd };
    return {
      kind: "usage.settled",
      data: { reservation_id, key, stage, reserved, outcome: "lost", usage: null, tokens, cost_usd },
    };
  });
  if (drafts.length > 0) await writer.commit(drafts);
}
