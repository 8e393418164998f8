// The holder of a lease is told among dead and living owners, used-again pids, other hosts and boots, and clocks that lie.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { ProcessFacts } from "../../src/ports/processes.ts";
import { MAX_LEASE_S } from "../../src/run/lease.ts";
import { leaseRecordSchema, readLeaseRecord, type LeaseRecord } from "../../src/run/log/lock-record.ts";
import {
  isCondemned,
  judgeLease,
  remainingOf,
  type LeaseJudgement,
  type Viewpoint,
} from "../../src/stores/lease/lease-rules.ts";
import { viewOf } from "../../src/stores/lease/lease-reading.ts";
import { mustAcquire } from "../conformance/run-log.ts";
import { runCreated } from "../conformance/sample-run.ts";
import { RUN, storeOf } from "../simulation/store-workload.ts";
import { SimulatedWorld } from "../simulation/world.ts";

const NOW = Date.UTC(2025, 0, 1);
const UPTIME = 5_000_000;
const YEARS_20_MS = 20 * 365.25 * 86_400_000;

const RECORD: LeaseRecord = {
  schema_version: "lock.v1",
  pid: 4242,
  process_started: "777",
  pid_namespace: "pid:[1]",
  hostname: "host-1",
  boot_id: "boot-1",
  created_at: new Date(NOW).toISOString(),
  lease_seconds: 120,
  refreshed_at: new Date(NOW).toISOString(),
  refreshed_uptime_ms: UPTIME,
  owner_id: "own_1",
  epoch: 3,
};
const HERE: Viewpoint = {
  hostname: "host-1",
  boot_id: "boot-1",
  pid_namespace: "pid:[1]",
  now_ms: NOW,
  uptime_ms: UPTIME,
};
const ALIVE: ProcessFacts = { kind: "alive", started: "777" };
const GONE: ProcessFacts = { kind: "gone" };
const UNKNOWN: ProcessFacts = { kind: "unknown" };

const outcome = (judgement: LeaseJudgement): string => (judgement.kind === "held" ? "held" : judgement.why);
const judged = (record: Partial<LeaseRecord>, here: Partial<Viewpoint>, facts: ProcessFacts): string =>
  outcome(judgeLease({ ...RECORD, ...record }, { ...HERE, ...here }, facts));

/** A record of another tool that says only what it must. */
const {
  schema_version: _v,
  process_started: _s,
  pid_namespace: _n,
  hostname: _h,
  boot_id: _b,
  created_at: _c,
  refreshed_uptime_ms: _u,
  ...MINIMAL
} = RECORD;

describe("an owner", () => {
  test.each<[string, Partial<LeaseRecord>, Partial<Viewpoint>, ProcessFacts, string]>([
    ["that lives holds its lease", {}, {}, ALIVE, "held"],
    ["that released is nobody", { released_at: RECORD.refreshed_at }, {}, ALIVE, "released"],
    [
      "that released is nobody, also where the death before it is told of",
      { released_at: RECORD.refreshed_at, took_over: "owner_dead" },
      {},
      ALIVE,
      "released",
    ],
    ["that is gone is dead at once", {}, {}, GONE, "owner_dead"],
    [
      "whose pid started at another time is dead: the pid is used again",
      {},
      {},
      { kind: "alive", started: "999" },
      "owner_dead",
    ],
    ["whose start nobody knows is not provably dead", {}, {}, { kind: "alive" }, "held"],
    ["that may not be looked at is not provably dead", {}, {}, UNKNOWN, "held"],
    ["of another host is not judged by this process table", {}, { hostname: "host-2" }, GONE, "held"],
    ["of another boot is not either", {}, { boot_id: "boot-2" }, GONE, "held"],
    ["of another pid namespace is not either", {}, { pid_namespace: "pid:[2]" }, GONE, "held"],
  ])("%s", (_name, record, here, facts, expected) => {
    expect(judged(record, here, facts)).toBe(expected);
  });

  test("of which only the least is known is never dead, and expires by the clock", () => {
    expect(outcome(judgeLease(MINIMAL, HERE, GONE))).toBe("held");
    expect(outcome(judgeLease(MINIMAL, { ...HERE, now_ms: NOW + 120_000 }, GONE))).toBe("expired");
    expect(leaseRecordSchema.safeParse(MINIMAL).success).toBe(true);
  });
});

describe("expiry", () => {
  test("goes by uptime where the boot is shared, whatever the clock says", () => {
    for (const lie of [YEARS_20_MS, -YEARS_20_MS, 119_000, -3_600_000]) {
      expect(judged({}, { now_ms: NOW + lie, uptime_ms: UPTIME + 119_999 }, ALIVE)).toBe("held");
      expect(judged({}, { now_ms: NOW + lie, uptime_ms: UPTIME + 120_000 }, ALIVE)).toBe("expired");
    }
  });

  // A container may count its uptime from its own start.
  for (const elsewhere of [{ boot_id: "boot-2" }, { pid_namespace: "pid:[2]" }]) {
    test(`goes by the clock where it is not: ${Object.keys(elsewhere).join()}`, () => {
      expect(judged({}, { ...elsewhere, now_ms: NOW + 119_999, uptime_ms: 1 }, GONE)).toBe("held");
      expect(judged({}, { ...elsewhere, now_ms: NOW + 119_999, uptime_ms: UPTIME + YEARS_20_MS }, GONE)).toBe("held");
      expect(judged({}, { ...elsewhere, now_ms: NOW + 120_000, uptime_ms: 1 }, GONE)).toBe("expired");
      expect(judged({}, { ...elsewhere, now_ms: NOW + YEARS_20_MS }, GONE)).toBe("expired");
    });
  }

  test("further ahead than the longest lease is invalid", () => {
    const elsewhere = { boot_id: "boot-2" };
    expect(judged({}, { ...elsewhere, now_ms: NOW - YEARS_20_MS }, GONE)).toBe("expired");
    expect(judged({}, { ...elsewhere, now_ms: NOW - MAX_LEASE_S * 1000 }, GONE)).toBe("expired");
    expect(judged({}, { ...elsewhere, now_ms: NOW - (MAX_LEASE_S - 120) * 1000 }, GONE)).toBe("held");
    expect(judged({ refreshed_uptime_ms: UPTIME + YEARS_20_MS }, {}, ALIVE)).toBe("expired");
  });

  test("is given in the clock of whoever asks", () => {
    const held = judgeLease(RECORD, { ...HERE, now_ms: NOW + YEARS_20_MS, uptime_ms: UPTIME + 100_000 }, ALIVE);
    expect(held).toMatchObject({ kind: "held", expires_at_ms: NOW + YEARS_20_MS + 20_000 });
  });

  test("by a clock reading alone is what the seed's `detectRunLock` asks for", () => {
    const { uptime_ms: _uptime, ...byClock } = HERE;
    expect(remainingOf(RECORD, { ...byClock, now_ms: NOW + 50_000 })).toBe(70_000);
  });
});

// --- what no clock can do -------------------------------------------------------------------------------------------

type Judge = typeof judgeLease;

/** The longest time that a newcomer with any clock, looking again and again, is told to wait before it is let in once. */
function longestWaitMs(judge: Judge, refreshedAtMs: number, here: Viewpoint): number {
  const record: LeaseRecord = { ...RECORD, boot_id: "boot-0", refreshed_at: new Date(refreshedAtMs).toISOString() };
  const first = judge(record, here, UNKNOWN);
  if (first.kind === "free") return 0;
  const waitMs = first.expires_at_ms - here.now_ms;
  return judge(record, { ...here, now_ms: first.expires_at_ms }, UNKNOWN).kind === "free" ? waitMs : Infinity;
}

const anyTime = fc.integer({ min: NOW - YEARS_20_MS, max: NOW + YEARS_20_MS });

test("no clock, however wrong, keeps a newcomer waiting for longer than the longest lease (L4)", () => {
  fc.assert(
    fc.property(
      anyTime,
      anyTime,
      (refreshed, now) => longestWaitMs(judgeLease, refreshed, { ...HERE, now_ms: now }) <= MAX_LEASE_S * 1000,
    ),
    { numRuns: 1_000 },
  );
});

test("control: judged by `refreshed_at + lease_seconds` alone, some clock does", () => {
  const naive: Judge = (record, here) => {
    const expires_at_ms = Date.parse(record.refreshed_at) + record.lease_seconds * 1000;
    return expires_at_ms > here.now_ms
      ? { kind: "held", record, expires_at_ms }
      : { kind: "free", why: "expired", record };
  };
  expect(longestWaitMs(naive, NOW + YEARS_20_MS, HERE)).toBeGreaterThan(MAX_LEASE_S * 1000);
});

describe("the note of a failed fsync", () => {
  test("condemns the journal until the next boot", () => {
    const noted = { ...RECORD, bad_sync: { boot_id: "boot-1", noted_at: RECORD.refreshed_at } };
    expect(isCondemned(noted, "boot-1")).toBe(true);
    expect(isCondemned(noted, "boot-2")).toBe(false);
    expect(isCondemned(RECORD, "boot-1")).toBe(false);
    expect(isCondemned(undefined, "boot-1")).toBe(false);
  });
});

describe("a record on disk", () => {
  test.each([
    ["no pid", { pid: undefined }],
    ["pid 0, which means every process of a group", { pid: 0 }],
    ["a negative pid", { pid: -1 }],
    ["a lease of 0 s", { lease_seconds: 0 }],
    ["a lease of 3601 s", { lease_seconds: 3601 }],
    ["epoch 0", { epoch: 0 }],
    ["no owner", { owner_id: "" }],
    ["a time that is none", { refreshed_at: "soon" }],
  ])("with %s is refused", (_name, change) => {
    expect(leaseRecordSchema.safeParse({ ...RECORD, ...change }).success).toBe(false);
  });
});

describe("reading a record by hand", () => {
  const odd = fc.constantFrom<unknown>(
    undefined,
    null,
    0,
    1,
    -1,
    1.5,
    3600,
    3601,
    2 ** 53,
    Number.NaN,
    "",
    "x",
    "x".repeat(201),
    true,
    [],
    {},
    { boot_id: "b" },
    { boot_id: "b", noted_at: "n" },
    "2025-01-01T00:00:00Z",
    "2025-13-99T99:99:99Z",
    "2025-01-01",
    "lock.v1",
  );
  const record = fc
    .dictionary(fc.constantFrom(...Object.keys(leaseRecordSchema.shape), "another_field"), odd, {
      noNullPrototype: true,
    })
    .map((changes) => ({ ...RECORD, ...changes }));

  test("accepts exactly what the schema accepts", () => {
    let accepted = 0;
    let refused = 0;
    const agree = (value: unknown): void => {
      const isAccepted = leaseRecordSchema.safeParse(value).success;
      if (isAccepted) accepted++;
      else refused++;
      expect(readLeaseRecord(value) !== null).toBe(isAccepted);
    };
    fc.assert(fc.property(record, agree), { numRuns: 2000 });
    for (const value of [null, undefined, 1, "x", [], {}, [RECORD]]) agree(value);
    expect(accepted).toBeGreaterThan(50);
    expect(refused).toBeGreaterThan(50);
  });

  test("a time that no calendar knows never makes a lease that lasts", () => {
    const { refreshed_uptime_ms: _uptime, ...byClock } = RECORD;
    const strange = { ...byClock, refreshed_at: "2025-13-99T99:99:99Z" };
    expect(readLeaseRecord(strange)).not.toBeNull();
    expect(judgeLease(strange, HERE, { kind: "unknown" }).kind).toBe("free");
  });
});

describe("as the port shows it", () => {
  const shown = (record: LeaseRecord) => viewOf({ kind: "held", record, expires_at_ms: NOW + 90_000 }).held;

  test("an owner, an epoch, times and a purpose; the rest only describes", () => {
    expect(shown({ ...RECORD, refreshed_at: new Date(NOW + 5).toISOString() })).toEqual({
      owner_id: "own_1",
      epoch: 3,
      expires_at_ms: NOW + 90_000,
      claimed_at_ms: NOW,
      refreshed_at_ms: NOW + 5,
      purpose: "work",
      description: { ...RECORD, refreshed_at: new Date(NOW + 5).toISOString() },
    });
    expect(shown({ ...RECORD, reason: "report generate" })?.purpose).toBe("report");
    expect(shown({ ...RECORD, reason: "another" })?.purpose).toBe("work");
  });

  test("a record of another tool has times as well, also where it names none or no day of any calendar", () => {
    expect(shown({ ...MINIMAL, pid: 1 })).toMatchObject({ claimed_at_ms: NOW, refreshed_at_ms: NOW });
    const strange = { ...RECORD, refreshed_at: "2025-13-99T99:99:99Z", created_at: "yesterday" };
    expect(shown(strange)).toMatchObject({ claimed_at_ms: NOW - 30_000, refreshed_at_ms: NOW - 30_000 });
  });

  test("on a disk the purpose is a reason, as every version has written it", async () => {
    const world = new SimulatedWorld({ autoAdvance: true });
    world.disk.plantFolder("/runs");
    const store = storeOf(world.spawn("maker"));
    await store.create(RUN, [runCreated()], []);
    const reasons: unknown[] = [];
    for (const options of [{ purpose: "report", reason: "to see" }, { purpose: "work", reason: "tick" }, {}] as const) {
      const writer = await mustAcquire(store, RUN, options);
      const { reason, ...record } = JSON.parse(world.disk.text(`${RUN}/.lock`) ?? "") as LeaseRecord;
      reasons.push(reason);
      expect(Object.keys(record).join(" ")).toBe(
        "schema_version pid process_started pid_namespace hostname boot_id created_at lease_seconds refreshed_at " +
          "refreshed_uptime_ms epoch owner_id published",
      );
      await writer.release();
    }
    expect(reasons).toEqual(["report generate", "tick", undefined]);
  });
});
