// The ledger: calls that run side by side never reserve more than a budget has, and what is settled comes back.
import { describe, expect, test } from "bun:test";
import { array, assert, asyncProperty, double, integer, record } from "fast-check";
import { Interrupted } from "../../src/ports/interruption.ts";
import { Ledger, type Estimate } from "../../src/conversations/ledger.ts";
import type { RunWriter } from "../../src/ports/run-log.ts";
import type { Manifest } from "../../src/run/log/manifest.ts";
import type { RecordDraft } from "../../src/run/log/record.ts";
import type { Budgets } from "../../src/run/settings/settings.ts";
import { NO_USAGE, type Usage } from "../../src/run/money/usage.ts";
import { withReserved, withSettled } from "../../src/run/log/usage-sums.ts";

interface Book {
  writer: RunWriter;
  usage(): Usage;
  ids: string[];
}

/** A writer whose commits take a turn each, as a disk does; only usage is folded. */
function book(budgets: Budgets): Book {
  let usage = NO_USAGE;
  const ids: string[] = [];
  const writer = {
    get manifest() {
      return { usage, epoch: 1, settings: { budgets } } as Manifest;
    },
    async commit(drafts: readonly RecordDraft[]) {
      await Promise.resolve();
      for (const draft of drafts) {
        if (draft.kind === "usage.reserved") {
          usage = withReserved(usage, draft.data);
          ids.push(draft.data.reservation_id);
        }
        if (draft.kind === "usage.settled") usage = withSettled(usage, draft.data);
      }
      return [];
    },
  };
  return { writer: writer as unknown as RunWriter, usage: () => usage, ids };
}

function estimate(tokens: number, more: Partial<Estimate> = {}): Estimate {
  const about = { key: "review:draft-1", stage: "review" as const, role: "reviewer" as const, model: "compatible:m" };
  return { ...about, tokens, cost_usd: tokens / 100_000, ...more };
}

const sizesArbitrary = array(
  record({ tokens: integer({ min: 1, max: 500 }), uses: double({ min: 0, max: 1, noNaN: true }) }),
  {
    minLength: 1,
    maxLength: 30,
  },
);

/** Makes all the calls at once: each reserves, takes a while, and settles a share of what it reserved. */
async function spend(
  ledgers: readonly Ledger[],
  open: Book,
  sizes: { tokens: number; uses: number }[],
): Promise<number> {
  let most = 0;
  await Promise.all(
    sizes.map(async ({ tokens, uses }, index) => {
      const ledger = ledgers[index % ledgers.length] as Ledger;
      try {
        const reservation = await ledger.reserve(estimate(tokens));
        most = Math.max(most, open.usage().tokens + (open.usage().reserved_tokens ?? 0));
        await Promise.resolve();
        const used = Math.floor(tokens * uses);
        const settled = { outcome: "answered" as const, usage: null, tokens: used, cost_usd: used / 100_000 };
        await ledger.settle(reservation, settled, (settlement) => open.writer.commit([settlement]));
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
      }
    }),
  );
  return most;
}

/** The halt that it is refused with, or whatever else failed. */
async function refused(reserving: Promise<unknown>): Promise<unknown> {
  const error = await failureOf(reserving);
  return error instanceof Interrupted && error.interruption.kind === "halt" ? error.interruption.halt : error;
}

async function failureOf(reserving: Promise<unknown>): Promise<unknown> {
  return await reserving.then(
    () => "reserved",
    (error: unknown) => error,
  );
}

describe("budgets", () => {
  test("are never exceeded by what is reserved and spent, whatever runs side by side", async () => {
    await assert(
      asyncProperty(sizesArbitrary, integer({ min: 1, max: 2_000 }), async (sizes, max_tokens) => {
        const open = book({ max_tokens, max_cost_usd: max_tokens / 100_000 });
        expect(await spend([new Ledger(open.writer, () => 0)], open, sizes)).toBeLessThanOrEqual(max_tokens);
        expect(new Set(open.ids).size).toBe(open.ids.length);
        expect([open.usage().reserved_usd, open.usage().reserved_tokens ?? 0]).toEqual([0, 0]);
      }),
    );
  });

  test("control: calls that do not take turns exceed them", async () => {
    const open = book({ max_tokens: 100 });
    const ledgers = [1, 2, 3].map(() => new Ledger(open.writer, () => 0));
    const sizes = [1, 2, 3].map(() => ({ tokens: 80, uses: 1 }));
    expect(await spend(ledgers, open, sizes)).toBeGreaterThan(100);
  });

  test("are exceeded by one call at the most, where a provider uses three times of what it may", async () => {
    const open = book({ max_tokens: 1_000 });
    const ledger = new Ledger(open.writer, () => 0);
    const call = async (): Promise<void> => {
      const reservation = await ledger.reserve(estimate(100));
      const settled = { outcome: "answered" as const, usage: null, tokens: 300, cost_usd: 0 };
      await ledger.settle(reservation, settled, (settlement) => open.writer.commit([settlement]));
    };
    await call();
    await Promise.all(Array.from({ length: 20 }, () => refused(call())));
    expect(open.usage().tokens).toBe(900);
  });

  test("that only estimates under way fill are waited for; those that are spent are not", async () => {
    const open = book({ max_tokens: 1_000 });
    let waits = 0;
    const ledger = new Ledger(
      open.writer,
      () => 0,
      async () => {
        waits++;
        await Bun.sleep(1);
      },
    );
    const call = async (): Promise<void> => {
      const reservation = await ledger.reserve(estimate(800));
      await Bun.sleep(3);
      const settled = { outcome: "answered" as const, usage: null, tokens: 50, cost_usd: 0 };
      await ledger.settle(reservation, settled, (settlement) => open.writer.commit([settlement]));
    };
    await Promise.all([call(), call(), call(), call()]);
    expect(open.usage().tokens).toBe(200);
    expect(waits).toBeGreaterThan(0);
    expect(await failureOf(ledger.reserve(estimate(900)))).toBeInstanceOf(Interrupted);
    const abandoned = await ledger.reserve(estimate(800));
    ledger.abandon(abandoned);
    expect(await failureOf(ledger.reserve(estimate(800)))).toBeInstanceOf(Interrupted);
  });

  test("a call whose settlement is not written yet is under way: its neighbour waits, and is not refused", async () => {
    const open = book({ max_tokens: 1_000 });
    const looks: (() => void)[] = [];
    const ledger = new Ledger(
      open.writer,
      () => 0,
      () => new Promise((resolve) => looks.push(resolve)),
    );
    const first = await ledger.reserve(estimate(800));
    const second = refused(ledger.reserve(estimate(800)));
    const stored = Promise.withResolvers<void>();
    const settled = { outcome: "answered" as const, usage: null, tokens: 50, cost_usd: 0 };
    const settling = ledger.settle(first, settled, async (settlement) => {
      await stored.promise;
      await open.writer.commit([settlement]);
    });
    while (looks.length === 0) await Bun.sleep(0);
    looks.shift()?.();
    await Bun.sleep(0);
    stored.resolve();
    await settling;
    looks.shift()?.();
    expect(await second).toBe("reserved");
  });

  test("a call whose settlement could not be written is not waited for", async () => {
    const open = book({ max_tokens: 1_000 });
    const ledger = new Ledger(
      open.writer,
      () => 0,
      () => Bun.sleep(0),
    );
    const first = await ledger.reserve(estimate(800));
    const settled = { outcome: "answered" as const, usage: null, tokens: 50, cost_usd: 0 };
    const failing = ledger.settle(first, settled, () => Promise.reject(new Error("the disk is full")));
    expect(await failureOf(failing)).toBeInstanceOf(Error);
    expect(await failureOf(ledger.reserve(estimate(800)))).toBeInstanceOf(Interrupted);
  });

  test("hold a share back for the report, which may spend it", async () => {
    const ledger = new Ledger(book({ max_tokens: 1_000 }).writer, () => 0);
    const early = estimate(900, { stage: "wave1" });
    expect(await refused(ledger.reserve(early))).toMatchObject({ kind: "budget", details: { held_back: 150 } });
    expect(await ledger.reserve(estimate(900))).toMatchObject({ tokens: 900 });
    const forReport = new Ledger(book({ max_tokens: 1_000 }).writer, () => 0);
    forReport.openForReport();
    expect(await forReport.reserve(early)).toMatchObject({ tokens: 900 });
  });

  test("of calls and of minutes count what was begun and worked", async () => {
    const calls = new Ledger(book({ max_calls: 1 }).writer, () => 0);
    await calls.reserve(estimate(1));
    expect(await refused(calls.reserve(estimate(1)))).toMatchObject({ details: { budget: "max_calls", would_be: 2 } });
    const minutes = new Ledger(book({ max_minutes: 10 }).writer, () => 11 * 60_000);
    expect(await refused(minutes.reserve(estimate(1)))).toMatchObject({
      details: { budget: "max_minutes", would_be: 11 },
    });
  });

  test("of money cannot be kept where a price is unknown: nothing is begun", async () => {
    const ledger = new Ledger(book({ max_cost_usd: 1 }).writer, () => 0);
    expect(await refused(ledger.reserve(estimate(1, { cost_usd: null })))).toMatchObject({
      kind: "budget",
      details: { unknown_price: "compatible:m" },
    });
  });
});
