// The conformance suite of ownership: what an owner may rely on, and what a late one may not do.
import { describe, expect, test as bunTest } from "bun:test";
import type { Lease } from "../../src/ports/lease.ts";
import type { RunLog } from "../../src/ports/run-log.ts";
import type { AnyRecord } from "../../src/run/log/record.ts";
import { codeOf, mustAcquire, runIn, type LogWorld, type Register } from "./run-log.ts";
import { noted, planned, runCreated, stateChanged, stepCompleted, stepStarted, tickStarted } from "./sample-run.ts";
import { takeoverOf } from "./takeover.ts";

export function testOwners(name: string, makeWorld: () => Promise<LogWorld>, test: Register = bunTest): void {
  const withRun = runIn(makeWorld);

  async function notes(store: RunLog, runRoot: string): Promise<unknown[]> {
    const records = await store.records(runRoot);
    return records.flatMap((record) => (record.kind === "manifest.patched" ? [record.data.patch["note"]] : []));
  }

  describe(`${name}, its owners`, () => {
    // --- the chain --------------------------------------------------------------------------------------------------

    test(
      "records are one chain: numbered without a gap, each with the digest before it, epochs never fall",
      withRun(async ({ store, otherProcess, advance }, runRoot) => {
        for (let n = 0; n < 4; n++) {
          const writer = await mustAcquire(n % 2 === 0 ? store : otherProcess(), runRoot, { lease_seconds: 10 });
          await Promise.all([writer.commit([noted(`${n}`)]), writer.commit([noted("a"), noted("b")])]);
          if (n === 1) await advance(11_000);
          else await writer.release();
        }
        const records = await store.records(runRoot);
        for (const [at, record] of records.entries()) {
          const before = records[at - 1];
          expect([record.seq, record.prev]).toEqual([at + 1, before?.digest ?? null]);
          expect(record.epoch).toBeGreaterThanOrEqual(before?.epoch ?? 0);
        }
        expect(records).toHaveLength(1 + 4 * 4);
      }),
    );

    test(
      "what a commit returns, what its listener hears and what others read is the same, and each hears it once",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const heard: AnyRecord[] = [];
        const writer = await mustAcquire(store, runRoot, { onCommit: (record) => void heard.push(record) });
        const written = (
          await Promise.all(Array.from({ length: 20 }, (_, n) => writer.commit([noted(`${n}`), noted("and")])))
        ).flat();
        const read = (await otherProcess().records(runRoot)).slice(1);
        expect(heard).toEqual(read);
        expect([read[0]?.kind, ...written]).toEqual(["lease.taken", ...read.slice(1)]);
        await writer.release();
      }),
    );

    test(
      "a listener hears of no record that another process cannot read",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const other = otherProcess();
        const seen: Promise<boolean>[] = [];
        const isThere = async ({ seq }: AnyRecord): Promise<boolean> =>
          (await other.records(runRoot)).some((record) => record.seq === seq);
        const writer = await mustAcquire(store, runRoot, { onCommit: (record) => void seen.push(isThere(record)) });
        for (let n = 0; n < 5; n++) await writer.commit([noted(`${n}`)]);
        expect(await Promise.all(seen)).toEqual(Array(6).fill(true));
        await writer.release();
      }),
    );

    test(
      "lists of records are the caller's own, and a draft that is changed later changes nothing",
      withRun(async ({ store }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        const draft = noted("as it was");
        await writer.commit([draft]);
        (draft.data as unknown as { patch: { note: string } }).patch.note = "changed";
        (await writer.records()).length = 0;
        (await store.records(runRoot)).reverse();
        expect(await notes(store, runRoot)).toEqual(["as it was"]);
        expect((await writer.records()).map(({ seq }) => seq)).toEqual([1, 2, 3]);
        await writer.release();
      }),
    );

    test(
      "a commit of nothing writes nothing",
      withRun(async ({ store }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        expect(await writer.commit([])).toEqual([]);
        expect(writer.manifest.revision).toBe(2);
        await writer.release();
      }),
    );

    test(
      "records behind a fold are the same as when all are read",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        await writer.commit([planned("init", "init.a"), stepStarted("init", "init.a")]);
        await writer.foldNow();
        const { manifest } = await otherProcess().look(runRoot);
        await writer.commit([stepCompleted("init", "init.a", 1), noted("last")]);
        expect(await store.records(runRoot, manifest.journal)).toEqual(await store.records(runRoot));
        await writer.release();
      }),
    );

    test(
      "an owner that opens a run by an older look has all that came since",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const seen = await otherProcess().look(runRoot);
        const first = await mustAcquire(store, runRoot);
        await first.commit([stateChanged("idle", "running"), noted("since")]);
        await first.release();
        const writer = await mustAcquire(otherProcess(), runRoot, { seen });
        expect(writer.manifest).toMatchObject({ revision: 5, execution_state: "running", epoch: 2 });
        expect(await notes(store, runRoot)).toEqual(["since"]);
        await writer.release();
      }),
    );

    // --- losing -----------------------------------------------------------------------------------------------------

    test(
      "an owner that nobody disturbs has lost nothing; after its release it has",
      withRun(async ({ store }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        expect([await writer.findLoss(), await writer.isSuperseded()]).toEqual([null, false]);
        await writer.release();
        expect(await writer.findLoss()).toMatchObject({ kind: "lost", code: "LOCK_NOT_HELD", superseded: false });
        expect(await writer.refresh()).toMatchObject({ kind: "lost" });
        // Once more does no harm.
        await writer.release();
      }),
    );

    test(
      "an owner that is late, and after which nobody came, may still commit",
      withRun(async ({ store, advance }, runRoot) => {
        const writer = await mustAcquire(store, runRoot, { lease_seconds: 10 });
        await advance(60_000);
        await writer.commit([noted("late, but alone")]);
        expect(await notes(store, runRoot)).toEqual(["late, but alone"]);
        await writer.release();
      }),
    );

    test(
      "one after which another came and went is lost for good, whatever it tries",
      withRun(async ({ store, otherProcess, advance }, runRoot) => {
        const late = await mustAcquire(store, runRoot, { lease_seconds: 10 });
        await advance(11_000);
        const other = await mustAcquire(otherProcess(), runRoot);
        await other.commit([noted("came and went")]);
        await other.release();
        expect(await late.refresh()).toMatchObject({ kind: "lost", code: "LOCK_NOT_OWNED", superseded: true });
        expect(await late.findLoss()).toMatchObject({ kind: "lost", superseded: true });
        expect(await codeOf(() => late.commit([noted("late")]))).toBe("LOCK_LOST");
        await late.release();
        expect(await notes(store, runRoot)).toEqual(["came and went"]);
        const next = await mustAcquire(otherProcess(), runRoot);
        expect([next.epoch, await takeoverOf(next)]).toEqual([3, undefined]);
        await next.release();
      }),
    );

    test(
      "the release of one that was ended by force frees nothing of its successor",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const hung = await mustAcquire(store, runRoot);
        const sweep = await mustAcquire(otherProcess(), runRoot, { force: true });
        await hung.release();
        expect((await otherProcess().acquire(runRoot)).kind).toBe("held");
        expect((await store.look(runRoot)).lease.held?.owner_id).toBe(sweep.ownerId);
        await sweep.commit([noted("goes on")]);
        await sweep.release();
      }),
    );

    test(
      "of many that claim one lease that ran out, one gets it, at the next epoch",
      withRun(async ({ store, otherProcess, advance }, runRoot) => {
        await mustAcquire(store, runRoot, { lease_seconds: 10 });
        await advance(11_000);
        const outcomes = await Promise.all(
          Array.from({ length: 8 }, () =>
            otherProcess()
              .acquire(runRoot)
              .catch(() => ({ kind: "held" as const })),
          ),
        );
        const owners = outcomes.flatMap((outcome) => (outcome.kind === "acquired" ? [outcome.writer] : []));
        expect(owners).toHaveLength(1);
        await owners[0]?.commit([noted("alone")]);
        const taken = (await store.records(runRoot)).filter(({ kind }) => kind === "lease.taken");
        expect(taken).toHaveLength(2);
        await owners[0]?.release();
      }),
    );

    test(
      "commits that wait in line when the owner is superseded are refused, every one",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const late = await mustAcquire(store, runRoot);
        const next = await mustAcquire(otherProcess(), runRoot, { force: true });
        const codes = await Promise.all(
          Array.from({ length: 5 }, (_, n) => codeOf(() => late.commit([noted(`${n}`)]))),
        );
        expect(codes).toEqual(Array(5).fill("LOCK_LOST"));
        expect(await notes(store, runRoot)).toEqual([]);
        await next.release();
      }),
    );

    test(
      "after LOCK_LOST an owner reads on, but stores nothing",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const late = await mustAcquire(store, runRoot);
        const ref = await late.storeContent("sources/kept", new Uint8Array([1]));
        const next = await mustAcquire(otherProcess(), runRoot, { force: true });
        expect(await codeOf(() => late.commit([noted("late")]))).toBe("LOCK_LOST");
        for (const write of [() => late.storeContent("sources/y", new Uint8Array(1)), () => late.foldNow()])
          expect(await codeOf(write)).toBe("LOCK_LOST");
        expect(await late.readContent(ref)).toEqual(new Uint8Array([1]));
        await next.release();
      }),
    );

    // --- how it looks -----------------------------------------------------------------------------------------------

    test(
      "a refresh moves the end of the lease as others see it, and not its beginning",
      withRun(async ({ store, otherProcess, advance }, runRoot) => {
        const writer = await mustAcquire(store, runRoot, { lease_seconds: 60 });
        const seen = async (): Promise<Lease> => {
          const { held } = (await otherProcess().look(runRoot)).lease;
          if (held === null) throw new Error("the lease is free");
          return held;
        };
        const first = await seen();
        await advance(20_000);
        expect(await seen()).toEqual(first);
        await writer.refresh();
        const { claimed_at_ms, refreshed_at_ms, expires_at_ms } = first;
        expect(await seen()).toMatchObject({
          claimed_at_ms,
          refreshed_at_ms: refreshed_at_ms + 20_000,
          expires_at_ms: expires_at_ms + 20_000,
        });
        await writer.release();
      }),
    );

    test(
      "a tick whose owner ran out of time shows as interrupted, until an owner says that it goes on",
      withRun(async ({ store, otherProcess, advance }, runRoot) => {
        const slow = await mustAcquire(store, runRoot, { lease_seconds: 10 });
        await slow.commit([stateChanged("idle", "running"), tickStarted()]);
        expect((await otherProcess().look(runRoot)).state).toBe("running");
        await advance(11_000);
        expect(await otherProcess().look(runRoot)).toMatchObject({
          state: "interrupted",
          lease: { stale: { why: "expired" } },
        });
        const next = await mustAcquire(otherProcess(), runRoot);
        expect([next.unrecordedTakeover, await takeoverOf(next)]).toEqual(["expired", "expired"]);
        await next.commit([stateChanged("running", "interrupted"), stateChanged("interrupted", "running")]);
        expect(next.unrecordedTakeover).toBeUndefined();
        await next.release();
        expect((await store.look(runRoot)).manifest.counters.takeovers).toBe(1);
      }),
    );

    test(
      "runs are apart: who owns one neither hinders nor reads another",
      withRun(async ({ store, otherProcess, runsRoot }, runRoot) => {
        const other = `${runsRoot}/dr_other`;
        await store.create(other, [runCreated("dr_other")], []);
        const [here, there] = [await mustAcquire(store, runRoot), await mustAcquire(otherProcess(), other)];
        await Promise.all([here.commit([noted("here")]), there.commit([noted("there"), noted("more")])]);
        expect([await notes(store, runRoot), await notes(store, other)]).toEqual([["here"], ["there", "more"]]);
        expect([here.manifest.run_id, there.manifest.run_id]).toEqual(["dr_sample", "dr_other"]);
        await here.release();
        expect((await store.acquire(other)).kind).toBe("held");
        await there.release();
      }),
    );

    test(
      "the state that an owner has in memory is what everybody folds from its records",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        for (const drafts of [
          [stateChanged("idle", "running"), tickStarted()],
          [planned("init", "init.a", "init.b")],
          [stepStarted("init", "init.a")],
          [stepCompleted("init", "init.a", { n: 1 })],
        ]) {
          await writer.commit(drafts);
          const { manifest } = await otherProcess().look(runRoot);
          expect([manifest.revision, manifest.steps, manifest.tick]).toEqual([
            writer.manifest.revision,
            writer.manifest.steps,
            writer.manifest.tick,
          ]);
        }
        await writer.release();
      }),
    );
  });
}
