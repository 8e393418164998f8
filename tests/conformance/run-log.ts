// The conformance suite of the port RunLog: every adapter runs it, and nothing above a log may rely on more.
import { describe, expect, test as bunTest } from "bun:test";
import { digestOfBytes, digestOfJson } from "../../src/kernel/digest.ts";
import { RunError } from "../../src/kernel/errors.ts";
import { timestamp, type Clock } from "../../src/ports/clock.ts";
import type { Lease } from "../../src/ports/lease.ts";
import type { AcquireOptions, RunLog, RunWriter } from "../../src/ports/run-log.ts";
import type { AnyRecord, FirstDrafts } from "../../src/run/log/record.ts";
import {
  contentOf,
  foldedText,
  leaveStage,
  noted,
  pauseRequest,
  PLAN,
  planned,
  reportPublished,
  reportSelected,
  runCreated,
  sourceNamed,
  stateChanged,
  stepCompleted,
  stepStarted,
  tickEnded,
  tickStarted,
  withoutPlaces,
} from "./sample-run.ts";
import { takeoverOf } from "./takeover.ts";

/** A log with what it takes to see it from several processes. */
export interface LogWorld<Log extends RunLog = RunLog> {
  store: Log;
  runsRoot: string;
  /** The log as another process of this host has it. */
  otherProcess: () => Log;
  /** The log as a process that dies at once after `work`; it releases nothing. */
  dyingProcess: (work: (store: Log) => Promise<void>) => Promise<void>;
  clock: Clock;
  /** Lets time go by on both clocks. */
  advance: (ms: number) => Promise<void>;
  /** Sets the wall clock of the store. */
  setNow: (ms: number) => void;
  end?: () => Promise<void>;
}

/** How a case comes into a run of tests; a control collects them instead. */
export type Register = (title: string, work: () => Promise<void>) => void;

export async function codeOf(work: Promise<unknown> | (() => Promise<unknown>)): Promise<string> {
  try {
    await (typeof work === "function" ? work() : work);
    return "no error";
  } catch (error) {
    if (error instanceof RunError) return error.code;
    throw error;
  }
}

export async function mustAcquire(store: RunLog, runRoot: string, options?: AcquireOptions): Promise<RunWriter> {
  const acquired = await store.acquire(runRoot, options);
  if (acquired.kind === "held") throw new Error(`held by ${acquired.by.owner_id}`);
  return acquired.writer;
}

/** Makes tests of work on a fresh world that holds one run. */
export const runIn =
  <W extends LogWorld>(makeWorld: () => Promise<W>) =>
  (work: (world: W, runRoot: string) => Promise<void>) =>
  async () => {
    const world = await makeWorld();
    try {
      const runRoot = `${world.runsRoot}/dr_sample`;
      expect(await world.store.create(runRoot, [runCreated()], [])).toEqual({ kind: "created" });
      await work(world, runRoot);
    } finally {
      await world.end?.();
    }
  };

export function testRunLog(name: string, makeWorld: () => Promise<LogWorld>, test: Register = bunTest): void {
  const withRun = runIn(makeWorld);

  describe(name, () => {
    // --- create and look --------------------------------------------------------------------------------------------

    test(
      "a run is created once; the second time it exists and stays as it is",
      withRun(async ({ store }, runRoot) => {
        expect(await store.create(runRoot, [runCreated("dr_other")], [])).toEqual({ kind: "exists" });
        const { manifest, state, lease, requests } = await store.look(runRoot);
        expect(manifest).toMatchObject({
          run_id: "dr_sample",
          revision: 1,
          execution_state: "idle",
          status: "idle",
          epoch: 0,
        });
        expect([state, lease, requests]).toEqual(["idle", { held: null, stale: null }, []]);
      }),
    );

    test(
      "the files of a new run are there with its records",
      withRun(async ({ store, runsRoot }) => {
        const { draft, path, bytes } = sourceNamed("first");
        const other = `${runsRoot}/dr_with-files`;
        await store.create(other, [runCreated("dr_with-files"), draft], [{ path, bytes }]);
        expect((await store.look(other)).manifest).toMatchObject({ revision: 2, counters: { sources: 1 } });
        expect(await store.readContent(other, { path, sha256: digestOfBytes(bytes) })).toEqual(bytes);
      }),
    );

    test(
      "of many that create one run at once, one does",
      withRun(async ({ otherProcess, runsRoot }) => {
        const root = `${runsRoot}/dr_race`;
        const outcomes = await Promise.all(
          Array.from({ length: 8 }, (_, n) => otherProcess().create(root, [runCreated(`dr_race-${n}`)], [])),
        );
        expect(outcomes.filter(({ kind }) => kind === "created")).toHaveLength(1);
      }),
    );

    test(
      "where no run is, every call says NOT_FOUND",
      withRun(async ({ store, runsRoot }) => {
        const none = `${runsRoot}/dr_none`;
        expect(await codeOf(store.look(none))).toBe("NOT_FOUND");
        expect(await codeOf(store.acquire(none))).toBe("NOT_FOUND");
        expect(await codeOf(store.records(none))).toBe("NOT_FOUND");
        expect(await codeOf(store.inspect(none))).toBe("NOT_FOUND");
        expect(await codeOf(store.follow(none, 0).next())).toBe("NOT_FOUND");
      }),
    );

    test(
      "what a look returns is the caller's: changing it changes no run",
      withRun(async ({ store }, runRoot) => {
        const look = await store.look(runRoot);
        look.manifest.steps["x"] = { stage: "init", state: "planned", attempts: 0, failures_since_resume: 0 };
        look.manifest.query.text = "changed";
        expect((await store.look(runRoot)).manifest).toMatchObject({ steps: {}, query: { text: "What is asked?" } });
      }),
    );

    // --- following and removing -------------------------------------------------------------------------------------

    test(
      "a tail gives every record once and in order, from wherever it begins",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const tail = otherProcess().follow(runRoot, 0);
        const late = otherProcess().follow(runRoot, 3);
        const seqs = async (of: typeof tail): Promise<number[]> => (await of.next()).map(({ seq }) => seq);
        expect([await seqs(tail), await seqs(late)]).toEqual([[1], []]);
        const writer = await mustAcquire(store, runRoot);
        await writer.commit([noted("a")]);
        expect([await seqs(tail), await seqs(late)]).toEqual([[2, 3], []]);
        await writer.commit([noted("b"), noted("c")]);
        await writer.commit([noted("d")]);
        expect([await seqs(tail), await seqs(late)]).toEqual([
          [4, 5, 6],
          [4, 5, 6],
        ]);
        expect([await seqs(tail), await seqs(late)]).toEqual([[], []]);
        await writer.release();
        const records = await store.records(runRoot);
        expect(await otherProcess().follow(runRoot, 0).next()).toEqual(records);
      }),
    );

    test(
      "what an owner left that died is given out",
      withRun(async ({ store, dyingProcess }, runRoot) => {
        const tail = store.follow(runRoot, 0);
        await dyingProcess(async (dying) => {
          const writer = await mustAcquire(dying, runRoot);
          await writer.commit([stateChanged("idle", "running"), tickStarted()]);
        });
        expect((await tail.next()).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
        expect((await store.look(runRoot)).state).toBe("interrupted");
      }),
    );

    test(
      "a wait ends as soon as there is more to read, also for what came before it, and else after its time",
      withRun(async ({ store, otherProcess, clock }, runRoot) => {
        const tail = otherProcess().follow(runRoot, 0);
        const waited = async (atMostMs: number): Promise<number> => {
          const sinceMs = clock.uptimeMs();
          await tail.wait(atMostMs);
          return clock.uptimeMs() - sinceMs;
        };
        await tail.next();
        expect(await waited(2_000)).toBe(2_000);
        const writer = await mustAcquire(store, runRoot);
        expect(await waited(60_000)).toBeLessThanOrEqual(500);
        expect((await tail.next()).map(({ seq }) => seq)).toEqual([2]);
        expect(await waited(2_000)).toBe(2_000);
        const waiting = waited(60_000);
        await writer.commit([noted("a")]);
        expect(await waiting).toBeLessThanOrEqual(500);
        // Whoever heard of it and has not read it yet is not told again.
        expect(await waited(2_000)).toBe(2_000);
        expect((await tail.next()).map(({ seq }) => seq)).toEqual([3]);
        await writer.release();
      }),
    );

    test(
      "a wait ends with the reason of its signal",
      withRun(async ({ store, clock }, runRoot) => {
        const tail = store.follow(runRoot, 0);
        await tail.next();
        const gone = new AbortController();
        const waiting = tail.wait(60_000, gone.signal).catch((reason: unknown) => reason);
        void clock.sleep(300).then(() => gone.abort("the reader is gone"));
        expect(await waiting).toBe("the reader is gone");
        expect(await tail.wait(60_000, gone.signal).catch((reason: unknown) => reason)).toBe("the reader is gone");
      }),
    );

    // --- commits ----------------------------------------------------------------------------------------------------

    test(
      "the first act of an owner is lease.taken with its epoch",
      withRun(async ({ store }, runRoot) => {
        const heard: string[] = [];
        const writer = await mustAcquire(store, runRoot, {
          reason: "to test",
          onCommit: ({ kind }) => heard.push(kind),
        });
        expect([writer.epoch, await takeoverOf(writer), writer.manifest.revision]).toEqual([1, undefined, 2]);
        const records = await store.records(runRoot);
        expect(records.map(({ seq, kind, epoch }) => [seq, kind, epoch])).toEqual([
          [1, "run.created", 0],
          [2, "lease.taken", 1],
        ]);
        expect(records[1]?.data).toMatchObject({ owner_id: writer.ownerId, reason: "to test" });
        await writer.commit([noted("a")]);
        expect(heard).toEqual(["lease.taken", "manifest.patched"]);
        await writer.release();
      }),
    );

    test(
      "a commit is seen by everyone as soon as it resolves",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        const written = await writer.commit([stateChanged("idle", "running"), tickStarted()]);
        expect(written.map(({ seq }) => seq)).toEqual([3, 4]);
        const look = await otherProcess().look(runRoot);
        expect([look.state, look.manifest.revision, look.lease.held?.owner_id]).toEqual(["running", 4, writer.ownerId]);
        await writer.release();
      }),
    );

    test(
      "expectedRevision is a compare-and-set",
      withRun(async ({ store }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        await writer.commit([noted("a")], { expectedRevision: 2 });
        expect(await codeOf(writer.commit([noted("b")], { expectedRevision: 2 }))).toBe("REVISION_MISMATCH");
        await writer.commit([noted("c")], { expectedRevision: 3 });
        expect(writer.manifest.revision).toBe(4);
        const both = await Promise.all(
          [0, 1].map((n) => codeOf(writer.commit([noted(`race ${n}`)], { expectedRevision: 4 }))),
        );
        expect(both).toEqual(["no error", "REVISION_MISMATCH"]);
        await writer.release();
      }),
    );

    test(
      "commits side by side keep their order, and each gets its own records",
      withRun(async ({ store }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        const written = await Promise.all(
          Array.from({ length: 50 }, (_, n) =>
            writer.commit(
              n % 7 === 0 ? [noted(`${n}`), noted(`${n} too`)] : [noted(`${n}`)],
              n === 20 ? { expectedRevision: 25 } : {},
            ),
          ),
        );
        const notes = written.map((records) =>
          records.map(({ data }) => (data as { patch: { note: string } }).patch.note),
        );
        expect(notes.map(([first]) => first)).toEqual(Array.from({ length: 50 }, (_, n) => `${n}`));
        expect(notes.filter(({ length }) => length === 2)).toHaveLength(8);
        const seqs = written.flat().map(({ seq }) => seq);
        expect(seqs).toEqual(seqs.map((_, index) => 3 + index));
        expect((await store.records(runRoot)).slice(2).map(({ seq }) => seq)).toEqual(seqs);
        await writer.release();
      }),
    );

    test(
      "one bad commit among many fails alone",
      withRun(async ({ store }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        const outcomes = await Promise.all([
          codeOf(writer.commit([noted("a")])),
          codeOf(writer.commit([noted("b")])),
          codeOf(writer.commit([noted("x".repeat(2 * 1024 * 1024))])),
          codeOf(writer.commit([noted("lone \ud800 surrogate")])),
          codeOf(writer.commit([noted("c")])),
        ]);
        expect(outcomes).toEqual(["no error", "no error", "INPUT_TOO_LARGE", "SCHEMA_VALIDATION_FAILED", "no error"]);
        await writer.commit([noted("d")]);
        expect(writer.manifest.revision).toBe(6);
        await writer.release();
      }),
    );

    test(
      "what the fold would refuse is refused before it is written",
      withRun(async ({ store }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        expect(writer.commit([stateChanged("running", "paused")])).rejects.toThrow("no change from");
        expect(writer.commit([runCreated()])).rejects.toThrow("created once");
        expect(writer.commit([reportSelected(1)])).rejects.toThrow("no report version 1");
        expect(writer.commit([reportPublished(1), reportPublished(1)])).rejects.toThrow("published once");
        await writer.commit([stateChanged("idle", "running")]);
        await writer.commit([reportPublished(1), reportPublished(2), reportSelected(1)]);
        expect(writer.commit([reportPublished(2)])).rejects.toThrow("published once");
        expect(writer.manifest).toMatchObject({ execution_state: "running", current_report_version_index: 1 });
        await writer.release();
        expect((await store.look(runRoot)).manifest.report_versions).toHaveLength(2);
      }),
    );

    test(
      "a run whose first records nobody could read back is not made",
      withRun(async ({ store, runsRoot }) => {
        const root = `${runsRoot}/dr_unreadable`;
        const hopeless = [
          [planned("init", "init.one")],
          [runCreated("no id"), noted("a")],
          [runCreated(), runCreated()],
        ];
        for (const [first, ...rest] of hopeless as FirstDrafts[]) {
          expect(store.create(root, [first, ...rest], [])).rejects.toThrow();
          expect(await codeOf(store.look(root))).toBe("NOT_FOUND");
        }
        expect(await store.create(root, [runCreated("dr_unreadable")], [])).toEqual({ kind: "created" });
      }),
    );

    test(
      "a run that is made and owned in one go has an owner from its first record on",
      withRun(async ({ store, otherProcess, runsRoot }) => {
        const [root, announced] = [`${runsRoot}/dr_owned`, [] as string[]];
        const drafts: FirstDrafts = [runCreated("dr_owned"), stateChanged("idle", "running")];
        const onCommit = ({ kind }: AnyRecord): number => announced.push(kind);
        const owned = await store.createOwned(root, drafts, { onCommit });
        if (owned.kind !== "acquired") throw new Error(owned.kind);
        expect(announced).toEqual(["run.created", "state.changed", "lease.taken"]);
        expect(await takeoverOf(owned.writer)).toBeUndefined();
        expect(await store.look(root)).toMatchObject({ state: "running", lease: { held: {}, stale: null } });
        expect((await otherProcess().acquire(root)).kind).toBe("held");
        expect((await otherProcess().createOwned(root, drafts, {})).kind).toBe("exists");
        await owned.writer.release();
        expect((await store.look(root)).state).toBe("running");
      }),
    );

    test(
      "a run that is made and owned in one go brings its files along",
      withRun(async ({ store, runsRoot }) => {
        const root = `${runsRoot}/dr_brought`;
        const bytes = new TextEncoder().encode("{}");
        const content = { path: "results/brought.json", sha256: digestOfBytes(bytes), bytes: bytes.byteLength };
        const files = [{ path: content.path, read: async () => bytes }];
        const owned = await store.createOwned(root, [runCreated("dr_brought")], {}, files);
        if (owned.kind !== "acquired") throw new Error(owned.kind);
        expect(await owned.writer.readContent(content)).toEqual(bytes);
        await owned.writer.release();
        expect(await store.readContent(root, content)).toEqual(bytes);
      }),
    );

    test(
      "a run whose maker died at once is interrupted, and its next owner is told",
      withRun(async ({ store, dyingProcess, runsRoot }) => {
        const root = `${runsRoot}/dr_left`;
        const drafts: FirstDrafts = [runCreated("dr_left"), stateChanged("idle", "running")];
        await dyingProcess(async (dying) => void (await dying.createOwned(root, drafts, {})));
        expect((await store.look(root)).state).toBe("interrupted");
        expect(await takeoverOf(await mustAcquire(store, root))).toBe("owner_dead");
      }),
    );

    test(
      "the manifest is the fold of the records that count",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        await writer.commit([stateChanged("idle", "running"), tickStarted(), planned("init", "init.one")]);
        for (let n = 0; n < 120; n++) await writer.commit([noted(`${n}`)]);
        await writer.commit([stepStarted("init", "init.one")]);
        await writer.commit([stepCompleted("init", "init.one", { n: 1 })]);
        await leaveStage(writer, "init", "perspectives");
        await writer.foldNow();
        await writer.commit([noted("not folded")]);
        await writer.release();
        const other = otherProcess();
        const folded = foldedText(await other.records(runRoot));
        expect(withoutPlaces((await other.look(runRoot)).manifest)).toBe(folded);
        expect(withoutPlaces(writer.manifest)).toBe(folded);
        const inspection = await other.inspect(runRoot);
        expect(withoutPlaces(inspection.manifest)).toBe(folded);
        expect(inspection.problems).toEqual([]);
      }),
    );

    test(
      "a quiet owner writes nothing before its first commit, which also says whose the run is",
      withRun(async ({ store }, runRoot) => {
        const before = await store.records(runRoot);
        const refused = await mustAcquire(store, runRoot, { isQuiet: true, reason: "refused" });
        await refused.release();
        expect(await store.records(runRoot)).toEqual(before);

        const writer = await mustAcquire(store, runRoot, { isQuiet: true, reason: "taken" });
        const written = await writer.commit([noted("a")]);
        expect(written.map(({ kind }) => kind)).toEqual(["manifest.patched"]);
        const added = (await store.records(runRoot)).slice(before.length);
        expect(added.map(({ kind, epoch }) => [kind, epoch])).toEqual([
          ["lease.taken", writer.epoch],
          ["manifest.patched", writer.epoch],
        ]);
        await writer.release();
      }),
    );

    test(
      "a quiet owner's first record precedes all others, also where its first commit fails and another waits",
      withRun(async ({ store }, runRoot) => {
        const writer = await mustAcquire(store, runRoot, { isQuiet: true });
        const codes = await Promise.all([
          codeOf(writer.commit([noted("refused")], { expectedRevision: 999 })),
          codeOf(writer.commit([noted("a")])),
          codeOf(writer.commit([noted("b")])),
        ]);
        expect(codes).toEqual(["REVISION_MISMATCH", "no error", "no error"]);
        const ours = (await store.records(runRoot)).filter((record) => record.epoch === writer.epoch);
        expect(ours.map(({ kind }) => kind)).toEqual(["lease.taken", "manifest.patched", "manifest.patched"]);
        await writer.release();
      }),
    );

    test(
      "a quiet owner that claims again before its first commit says once whose the run is, by its new name",
      withRun(async ({ store, advance }, runRoot) => {
        const writer = await mustAcquire(store, runRoot, { isQuiet: true, lease_seconds: 10, reason: "a test" });
        await advance(60_000);
        expect(await writer.refresh()).toEqual({ kind: "refreshed", reclaimed: true });
        await writer.commit([noted("a")]);
        const taken = (await store.records(runRoot)).filter((record) => record.kind === "lease.taken");
        expect(taken.map(({ epoch, data }) => [epoch, data])).toMatchObject([
          [2, { owner_id: writer.ownerId, reason: "a test" }],
        ]);
        await writer.release();
      }),
    );

    test(
      "after a release manifest.json shows what the owner left",
      withRun(async ({ store }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        await writer.release();
        const look = await store.look(runRoot);
        expect([look.manifest.revision, look.shownRevision]).toEqual([2, 2]);
      }),
    );

    test(
      "times of a run do not go back, also where the clock does and another owner comes",
      withRun(async ({ store, otherProcess, setNow }, runRoot) => {
        const times = async (): Promise<string[]> => (await store.records(runRoot)).map(({ ts }) => ts);
        const writer = await mustAcquire(store, runRoot);
        await writer.commit([noted("a")]);
        const { now_ms } = await store.look(runRoot);
        setNow(now_ms - 3_600_000);
        await writer.commit([noted("b")]);
        await writer.release();
        const next = await mustAcquire(otherProcess(), runRoot);
        await next.commit([noted("c")]);
        expect(await times()).toEqual((await times()).toSorted());
        setNow(now_ms + 60_000);
        await next.commit([noted("d")]);
        expect((await times()).at(-1)).toBe(timestamp(now_ms + 60_000));
        expect((await store.look(runRoot)).manifest.updated_at).toBe(timestamp(now_ms + 60_000));
        await next.release();
      }),
    );

    test(
      "a look says when it was taken, by the clock that judges the lease",
      withRun(async ({ store, otherProcess, advance }, runRoot) => {
        const writer = await mustAcquire(store, runRoot, { lease_seconds: 60 });
        const before = await otherProcess().look(runRoot);
        expect(before.lease.held?.expires_at_ms).toBe(before.now_ms + 60_000);
        await advance(10_000);
        const after = await otherProcess().look(runRoot);
        expect([after.now_ms - before.now_ms, after.lease.held?.expires_at_ms]).toEqual([
          10_000,
          before.lease.held?.expires_at_ms ?? 0,
        ]);
        await writer.release();
      }),
    );

    // --- the lease --------------------------------------------------------------------------------------------------

    test(
      "a held lease is held: by whom, and until when",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const writer = await mustAcquire(store, runRoot, { lease_seconds: 60 });
        const second = await otherProcess().acquire(runRoot);
        if (second.kind !== "held") throw new Error("two owners");
        expect(await writer.isSuperseded()).toBe(false);
        const { lease } = await otherProcess().look(runRoot);
        expect(lease.held).toMatchObject({ owner_id: writer.ownerId, epoch: 1, purpose: "work" });
        expect(second.by).toEqual(lease.held as Lease);
        await writer.release();
      }),
    );

    test(
      "the purpose of a lease is seen by others, also after it was claimed again",
      withRun(async ({ store, otherProcess, advance }, runRoot) => {
        const writer = await mustAcquire(store, runRoot, { lease_seconds: 10, purpose: "report", reason: "to see" });
        const seen = async (): Promise<unknown[]> => {
          const { held } = (await otherProcess().look(runRoot)).lease;
          const refused = await otherProcess().acquire(runRoot);
          return [held?.epoch, held?.purpose, refused.kind === "held" ? refused.by.purpose : "not held"];
        };
        expect(await seen()).toEqual([1, "report", "report"]);
        await advance(10_001);
        expect(await writer.refresh()).toEqual({ kind: "refreshed", reclaimed: true });
        expect(await seen()).toEqual([2, "report", "report"]);
        await writer.release();
        const next = await mustAcquire(otherProcess(), runRoot);
        expect(await seen()).toEqual([3, "work", "work"]);
        await next.release();
      }),
    );

    test(
      "after a release nobody holds it, and the writer is dead",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        await writer.release();
        expect((await store.look(runRoot)).lease).toEqual({ held: null, stale: null });
        expect(await codeOf(writer.commit([noted("late")]))).toBe("LOCK_NOT_HELD");
        expect(await codeOf(writer.storeContent("sources/x", new Uint8Array(1)))).toBe("LOCK_NOT_HELD");
        expect(await codeOf(writer.foldNow())).toBe("LOCK_NOT_HELD");
        expect((await writer.refresh()).kind).toBe("lost");
        await writer.release();
        const next = await mustAcquire(otherProcess(), runRoot);
        expect([next.epoch, await takeoverOf(next)]).toEqual([2, undefined]);
        expect(await codeOf(writer.commit([noted("later")]))).toBe("LOCK_NOT_HELD");
        await next.release();
      }),
    );

    test(
      "the epoch rises at every acquisition",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const epochs: number[] = [];
        for (const process of [store, otherProcess(), store, otherProcess()]) {
          const writer = await mustAcquire(process, runRoot);
          epochs.push(writer.epoch);
          await writer.release();
        }
        expect(epochs).toEqual([1, 2, 3, 4]);
        expect((await store.records(runRoot)).map(({ epoch }) => epoch)).toEqual([0, 1, 2, 3, 4]);
      }),
    );

    test(
      "the lease of a dead process is taken over at once, and its open tick shows as interrupted",
      withRun(async ({ store, dyingProcess }, runRoot) => {
        await dyingProcess(async (dying) => {
          const writer = await mustAcquire(dying, runRoot);
          await writer.commit([stateChanged("idle", "running"), tickStarted()]);
          expect((await store.look(runRoot)).state).toBe("running");
        });
        const look = await store.look(runRoot);
        expect([look.state, look.manifest.execution_state, look.lease.stale?.why]).toEqual([
          "interrupted",
          "running",
          "owner_dead",
        ]);
        const writer = await mustAcquire(store, runRoot);
        expect([writer.epoch, await takeoverOf(writer)]).toEqual([2, "owner_dead"]);
        expect(writer.manifest.counters.takeovers).toBe(1);
        await writer.commit([tickEnded()]);
        await writer.release();
      }),
    );

    test(
      "a run that was left at work stays interrupted until an owner writes that down",
      withRun(async ({ store, dyingProcess, otherProcess }, runRoot) => {
        await dyingProcess(async (dying) => {
          await (await mustAcquire(dying, runRoot)).commit([stateChanged("idle", "running")]);
        });
        const seen = async (): Promise<unknown[]> => {
          const { state, lease, manifest } = await store.look(runRoot);
          return [state, lease.stale?.why, manifest.revision];
        };
        const { revision } = (await store.look(runRoot)).manifest;
        expect(await seen()).toEqual(["interrupted", "owner_dead", revision]);
        // One that is refused, and one that ends after its first record.
        await (await mustAcquire(store, runRoot, { isQuiet: true })).release();
        expect(await seen()).toEqual(["interrupted", "owner_dead", revision]);
        await (await mustAcquire(otherProcess(), runRoot)).release();
        expect(await seen()).toEqual(["interrupted", "owner_dead", revision + 1]);
        const writer = await mustAcquire(store, runRoot, { isQuiet: true });
        expect(writer.unrecordedTakeover).toBe("owner_dead");
        await writer.commit([stateChanged("running", "interrupted"), stateChanged("interrupted", "running")]);
        expect([await takeoverOf(writer), writer.unrecordedTakeover]).toEqual(["owner_dead", undefined]);
        await writer.release();
        expect(await seen()).toEqual(["running", undefined, revision + 4]);
      }),
    );

    test(
      "an expired lease is taken over; the old owner is LOCK_LOST and nothing of it counts",
      withRun(async ({ store, otherProcess, advance }, runRoot) => {
        const slow = await mustAcquire(store, runRoot, { lease_seconds: 10 });
        await slow.commit([noted("in time")]);
        await advance(10_001);
        expect((await store.look(runRoot)).lease.stale?.why).toBe("expired");
        const quick = await mustAcquire(otherProcess(), runRoot);
        expect([quick.epoch, await takeoverOf(quick)]).toEqual([2, "expired"]);
        expect(await slow.isSuperseded()).toBe(true);
        expect(await codeOf(slow.commit([noted("too late")]))).toBe("LOCK_LOST");
        expect(await codeOf(slow.commit([noted("dead")]))).toBe("LOCK_LOST");
        expect(await slow.refresh()).toMatchObject({ kind: "lost", code: "LOCK_NOT_OWNED", superseded: true });
        await quick.commit([noted("goes on")]);
        await slow.release();
        expect((await store.look(runRoot)).lease.held?.owner_id).toBe(quick.ownerId);
        const notes = (await store.records(runRoot)).flatMap((record) =>
          record.kind === "manifest.patched" ? [record.data.patch["note"]] : [],
        );
        expect(notes).toEqual(["in time", "goes on"]);
        expect((await store.inspect(runRoot)).problems).toEqual([]);
        await quick.release();
      }),
    );

    test(
      "a refresh keeps the lease; one that expired unnoticed is claimed again",
      withRun(async ({ store, otherProcess, advance }, runRoot) => {
        const writer = await mustAcquire(store, runRoot, { lease_seconds: 10 });
        for (let n = 0; n < 3; n++) {
          await advance(6_000);
          expect(await writer.refresh()).toEqual({ kind: "refreshed", reclaimed: false });
          expect((await otherProcess().acquire(runRoot)).kind).toBe("held");
        }
        await advance(60_000);
        expect(await writer.refresh()).toEqual({ kind: "refreshed", reclaimed: true });
        expect(writer.epoch).toBe(2);
        expect((await otherProcess().acquire(runRoot)).kind).toBe("held");
        await writer.commit([noted("goes on")]);
        await writer.release();
      }),
    );

    test(
      "a forced acquisition ends a live owner",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const hung = await mustAcquire(store, runRoot);
        const sweep = await mustAcquire(otherProcess(), runRoot, { force: true });
        expect([sweep.epoch, await takeoverOf(sweep)]).toEqual([2, "forced"]);
        expect(await codeOf(hung.commit([noted("hung")]))).toBe("LOCK_LOST");
        await sweep.release();
      }),
    );

    test(
      "of many that acquire at once, one does",
      withRun(async ({ otherProcess, advance }, runRoot) => {
        const outcomes = await Promise.all(
          Array.from({ length: 8 }, async () => {
            try {
              return await otherProcess().acquire(runRoot);
            } catch (error) {
              if (error instanceof RunError && error.code === "LOCK_HELD") return { kind: "held" as const };
              throw error;
            }
          }),
        );
        const writers = outcomes.flatMap((outcome) => (outcome.kind === "acquired" ? [outcome.writer] : []));
        expect(writers).toHaveLength(1);
        await advance(1);
        await writers[0]?.commit([noted("alone")]);
        await writers[0]?.release();
      }),
    );

    test(
      "a long reason with odd characters is no obstacle to a lease",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const writer = await mustAcquire(store, runRoot, { reason: "\u0001é🙂".repeat(2_000) });
        expect((await otherProcess().acquire(runRoot)).kind).toBe("held");
        await writer.refresh();
        await writer.release();
        expect((await store.look(runRoot)).lease).toEqual({ held: null, stale: null });
      }),
    );

    // --- content, results, steps ------------------------------------------------------------------------------------

    test(
      "content is read back by digest; equal bytes twice are no error",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        const { draft, path, bytes } = sourceNamed("some bytes");
        const ref = await writer.storeContent(path, bytes);
        expect(ref).toEqual({ path, sha256: digestOfBytes(bytes), bytes: bytes.byteLength });
        expect(await writer.storeContent(path, bytes)).toEqual(ref);
        await writer.commit([draft]);
        expect(await writer.readContent(ref)).toEqual(bytes);
        expect(await otherProcess().readContent(runRoot, ref)).toEqual(bytes);
        const missing = { path: "sources/none", sha256: ref.sha256 };
        expect(await codeOf(store.readContent(runRoot, missing))).toBe("MISSING_ARTIFACT");
        expect(await codeOf(store.readContent(runRoot, { path, sha256: digestOfBytes("others") }))).toBe(
          "INTEGRITY_ERROR",
        );
        await writer.release();
      }),
    );

    test(
      "bytes under a name that nothing named yet give way to others",
      withRun(async ({ store }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        await writer.storeContent("reports/1/report.md", new TextEncoder().encode("from a writer that died"));
        const ref = await writer.storeContent("reports/1/report.md", new TextEncoder().encode("the report"));
        expect(new TextDecoder().decode(await writer.readContent(ref))).toBe("the report");
        await writer.release();
      }),
    );

    test(
      "a path that leaves the run root is refused",
      withRun(async ({ store }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        for (const path of ["../x", "/etc/passwd", "a/../../x", "a//b", "./a", ""]) {
          expect(await codeOf(writer.storeContent(path, new Uint8Array(1)))).toBe("PATH_TRAVERSAL");
          expect(await codeOf(store.readContent(runRoot, { path, sha256: digestOfBytes("") }))).toBe("PATH_TRAVERSAL");
        }
        await writer.release();
      }),
    );

    test(
      "results are read where their record stands and from their content",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        const large = { text: "long ".repeat(2_000) };
        const { path, bytes } = contentOf(large);
        await writer.commit([
          planned("init", "init.small", "init.large"),
          stepCompleted("init", "init.small", { é: [1, 2] }),
        ]);
        await writer.commit([stepCompleted("init", "init.large", large, await writer.storeContent(path, bytes))]);
        await writer.release();
        const { manifest } = await otherProcess().look(runRoot);
        const { "init.small": small, "init.large": big } = manifest.steps;
        expect(small?.result?.offset).toBeGreaterThan(0);
        expect(big?.result?.content?.path).toBe(path);
        expect(await store.readResult(runRoot, small?.result ?? { digest: digestOfJson(0) })).toEqual({ é: [1, 2] });
        expect(await store.readResult(runRoot, big?.result ?? { digest: digestOfJson(0) })).toEqual(large);
        expect(
          await codeOf(
            store.readResult(runRoot, { digest: digestOfJson("other"), offset: small?.result?.offset ?? 0 }),
          ),
        ).toBe("INTEGRITY_ERROR");
        expect(await codeOf(store.readResult(runRoot, { digest: digestOfJson("none") }))).toBe("INTEGRITY_ERROR");
      }),
    );

    test(
      "the steps of a finished stage stay readable",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        await leaveStage(writer, "init", "perspectives");
        await writer.commit([
          planned("perspectives", "perspectives.plan"),
          stepStarted("perspectives", "perspectives.plan"),
        ]);
        await writer.commit([stepCompleted("perspectives", "perspectives.plan", PLAN)]);
        const before = structuredClone(await writer.readSteps("perspectives"));
        await leaveStage(writer, "perspectives", "wave1");
        expect(writer.manifest.steps).toEqual({});
        expect(await writer.readSteps("perspectives")).toEqual(before);
        await writer.release();
        const other = otherProcess();
        const look = await other.look(runRoot);
        expect(await other.readSteps(look, "perspectives")).toEqual(before);
        expect(await other.readSteps(look, "init")).toEqual({});
        expect(await other.readSteps(look, "review")).toEqual({});
        expect(
          await other.readResult(runRoot, before["perspectives.plan"]?.result ?? { digest: digestOfJson(0) }),
        ).toEqual(PLAN);
        expect((await other.inspect(runRoot)).problems).toEqual([]);
      }),
    );

    // --- requests ---------------------------------------------------------------------------------------------------

    test(
      "a request that its owner could not read is refused, not acknowledged",
      withRun(async ({ store }, runRoot) => {
        const tooLong = { ...pauseRequest("req-1"), reason: "x".repeat(501) };
        expect(await codeOf(store.request(runRoot, tooLong))).toBe("SCHEMA_VALIDATION_FAILED");
        expect((await store.look(runRoot)).requests).toEqual([]);
      }),
    );

    test(
      "a request reaches the owner, and is gone once dropped",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        await otherProcess().request(runRoot, pauseRequest("req-2"));
        await otherProcess().request(runRoot, pauseRequest("req-1"));
        await otherProcess().request(runRoot, pauseRequest("req-1"));
        expect(await writer.requests()).toEqual([pauseRequest("req-1"), pauseRequest("req-2")]);
        expect((await store.look(runRoot)).requests).toHaveLength(2);
        await writer.dropRequest("req-1");
        await writer.dropRequest("never-there");
        expect(await writer.requests()).toEqual([pauseRequest("req-2")]);
        await writer.release();
      }),
    );
  });
}
