// The conformance suite of the port Runs: which runs there are, which are due, what they take, and their removal.
import { describe, expect, test } from "bun:test";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { timestamp } from "../../src/ports/clock.ts";
import type { RunLog } from "../../src/ports/run-log.ts";
import type { Runs } from "../../src/ports/runs.ts";
import type { RecordDraft } from "../../src/run/log/record.ts";
import { codeOf, mustAcquire, runIn, type LogWorld } from "./run-log.ts";
import { haltRaised, noted, pauseRequest, runCreated, sourceNamed, stateChanged, tickStarted } from "./sample-run.ts";

type Store = RunLog & Runs;

export function testRuns(name: string, makeWorld: () => Promise<LogWorld<Store>>): void {
  const withRun = runIn(makeWorld);

  /** Makes a run with these records behind its first, and nobody holds it. */
  async function made(store: Store, runRoot: string, drafts: readonly RecordDraft[]): Promise<string> {
    await store.create(runRoot, [runCreated(runRoot.slice(runRoot.lastIndexOf("/") + 1))], []);
    const writer = await mustAcquire(store, runRoot);
    if (drafts.length > 0) await writer.commit(drafts);
    await writer.release();
    return runRoot;
  }

  async function due(store: Runs, runsRoot: string, limit?: number): Promise<string[]> {
    const entries = await Array.fromAsync(store.due(runsRoot, limit));
    return entries.map(({ runRoot }) => runRoot.slice(runsRoot.length + 1));
  }

  describe(`${name}, its runs`, () => {
    test(
      "where no runs root is, there are no runs, none is due, and there is nothing to remove",
      withRun(async ({ store, runsRoot }) => {
        const nowhere = `${runsRoot}/nowhere`;
        expect(await store.names(nowhere)).toBe(null);
        expect(await Array.fromAsync(store.list(nowhere))).toEqual([]);
        expect(await due(store, nowhere)).toEqual([]);
        expect(await codeOf(store.remove(`${runsRoot}/dr_none`))).toBe("NOT_FOUND");
      }),
    );

    test(
      "names and list give the runs by name, and list what a look gives of each",
      withRun(async ({ store, otherProcess, runsRoot }) => {
        for (const id of ["dr_b", "dr_a"]) await made(store, `${runsRoot}/${id}`, [noted(id)]);
        await store.request(`${runsRoot}/dr_b`, pauseRequest());
        const other = otherProcess();
        expect(await other.names(runsRoot)).toEqual(["dr_a", "dr_b", "dr_sample"]);
        for await (const { runRoot, look, error } of other.list(runsRoot)) {
          const { now_ms: _listed, ...listed } = look ?? { now_ms: 0 };
          const { now_ms: _looked, ...looked } = await other.look(runRoot);
          expect([listed, error]).toEqual([looked, null]);
        }
      }),
    );

    test(
      "runs of another root are not among them",
      withRun(async ({ store, runsRoot }) => {
        await made(store, `${runsRoot}/deeper/dr_x`, [stateChanged("idle", "running")]);
        expect((await Array.fromAsync(store.list(runsRoot))).map(({ look }) => look?.manifest.run_id)).toEqual([
          "dr_sample",
        ]);
        expect(await due(store, runsRoot)).toEqual([]);
        expect(await store.names(`${runsRoot}/deeper`)).toEqual(["dr_x"]);
        expect(await due(store, `${runsRoot}/deeper`)).toEqual(["dr_x"]);
      }),
    );

    // --- due --------------------------------------------------------------------------------------------------------

    test(
      "a run is due when it goes on by itself and nobody holds it",
      withRun(async ({ store, runsRoot }) => {
        const running = stateChanged("idle", "running");
        await made(store, `${runsRoot}/dr_idle`, []);
        await made(store, `${runsRoot}/dr_running`, [running]);
        await made(store, `${runsRoot}/dr_left-open`, [running, tickStarted()]);
        await made(store, `${runsRoot}/dr_paused`, [running, stateChanged("running", "paused")]);
        await made(store, `${runsRoot}/dr_aborted`, [running, stateChanged("running", "aborted")]);
        await made(store, `${runsRoot}/dr_halted`, [running, haltRaised("gate_blocked")]);
        await made(store, `${runsRoot}/dr_held`, [running]);
        const writer = await mustAcquire(store, `${runsRoot}/dr_held`, { lease_seconds: 600 });
        expect(await due(store, runsRoot)).toEqual(["dr_left-open", "dr_running"]);
        await writer.release();
        expect(await due(store, runsRoot)).toEqual(["dr_held", "dr_left-open", "dr_running"]);
        expect(await due(store, runsRoot, 2)).toHaveLength(2);
      }),
    );

    test(
      "one whose owner died is due at once or when its lease ran out, and not before its halt is over",
      withRun(async ({ store, otherProcess, dyingProcess, advance, runsRoot }, runRoot) => {
        await dyingProcess(async (dying) => {
          const writer = await mustAcquire(dying, runRoot, { lease_seconds: 60 });
          await writer.commit([stateChanged("idle", "running"), tickStarted()]);
        });
        await advance(61_000);
        expect(await due(otherProcess(), runsRoot)).toEqual(["dr_sample"]);
        const { now_ms } = await store.look(runRoot);
        const writer = await mustAcquire(store, runRoot);
        await writer.commit([haltRaised("quota", timestamp(now_ms + 3_600_000))]);
        await writer.release();
        expect(await due(store, runsRoot)).toEqual([]);
        await advance(3_600_001);
        expect(await due(store, runsRoot)).toEqual(["dr_sample"]);
      }),
    );

    test(
      "one that is held is given when its owner misses its heartbeats, so that somebody tells of it",
      withRun(async ({ store, otherProcess, advance, runsRoot }, runRoot) => {
        const writer = await mustAcquire(store, runRoot, { lease_seconds: 600 });
        await writer.commit([stateChanged("idle", "running")]);
        expect(await due(otherProcess(), runsRoot)).toEqual([]);
        await advance(90_000);
        const [entry] = await Array.fromAsync(otherProcess().due(runsRoot));
        expect(entry?.look?.lease.held?.owner_id).toBe(writer.ownerId);
        await writer.refresh();
        expect(await due(otherProcess(), runsRoot)).toEqual([]);
        await writer.release();
      }),
    );

    // --- bytes and removal ------------------------------------------------------------------------------------------

    test(
      "what is printed for a file tells it from every other file and run",
      withRun(async ({ store, runsRoot }, runRoot) => {
        const places = [runRoot, `${runsRoot}/dr_other`].flatMap((root) =>
          ["manifest.json", "reports/1/report.md"].map((path) => [root, path, store.placeOf(root, path)] as const),
        );
        for (const [root, path, place] of places)
          expect([place.includes(root), place.includes(path)]).toEqual([true, true]);
        expect(new Set(places.map(([, , place]) => place)).size).toBe(4);
      }),
    );

    test(
      "what a run takes grows with what is stored in it",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const before = await store.bytesOf(runRoot);
        expect(before).toBeGreaterThan(0);
        const writer = await mustAcquire(store, runRoot);
        await writer.storeContent("sources/large", new Uint8Array(50_000));
        await writer.release();
        expect(await otherProcess().bytesOf(runRoot)).toBeGreaterThanOrEqual(before + 50_000);
      }),
    );

    test(
      "a removed run is gone for everyone, and its name is free again",
      withRun(async ({ store, otherProcess, runsRoot }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        const ref = await writer.storeContent("sources/x", new Uint8Array([1, 2, 3]));
        await writer.release();
        const tail = otherProcess().follow(runRoot, 0);
        await tail.next();
        const bytes = await store.bytesOf(runRoot);
        const removal = await otherProcess().remove(runRoot);
        expect(removal.kind === "removed" && removal.bytes_freed).toBeGreaterThanOrEqual(bytes);
        for (const ask of [
          () => store.look(runRoot),
          () => store.acquire(runRoot),
          () => store.readContent(runRoot, ref),
          () => store.request(runRoot, pauseRequest()),
          () => tail.next(),
          () => store.remove(runRoot),
        ])
          expect(await codeOf(ask)).toBe("NOT_FOUND");
        expect(await Array.fromAsync(store.list(runsRoot))).toEqual([]);
        expect(await store.create(runRoot, [runCreated()], [])).toEqual({ kind: "created" });
        const next = await mustAcquire(store, runRoot);
        // Nothing of the earlier run is in the later one.
        expect(await codeOf(() => next.readContent(ref))).toBe("MISSING_ARTIFACT");
        expect((await next.records()).map(({ kind }) => kind)).toEqual(["run.created", "lease.taken"]);
        await next.release();
      }),
    );

    test(
      "a run that is held, or at another revision than was looked at, is not removed",
      withRun(async ({ store, otherProcess }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        expect(await otherProcess().remove(runRoot)).toMatchObject({ kind: "held", by: { owner_id: writer.ownerId } });
        await writer.commit([noted("goes on")]);
        await writer.release();
        expect(await codeOf(store.remove(runRoot, { expectedRevision: 2 }))).toBe("REVISION_MISMATCH");
        expect((await store.look(runRoot)).manifest.revision).toBe(3);
        // The refusal has left no lease behind.
        await (await mustAcquire(otherProcess(), runRoot, { isQuiet: true })).release();
        expect((await store.remove(runRoot, { expectedRevision: 3 })).kind).toBe("removed");
      }),
    );

    test(
      "an owner that comes back after its run was removed brings nothing of it back",
      withRun(async ({ store, otherProcess, advance, runsRoot }, runRoot) => {
        const late = await mustAcquire(store, runRoot, { lease_seconds: 10 });
        await advance(11_000);
        expect((await otherProcess().remove(runRoot)).kind).toBe("removed");
        for (const write of [
          () => late.commit([noted("late")]),
          () => late.storeContent("sources/late", new Uint8Array(1)),
        ])
          expect(await codeOf(write)).not.toBe("no error");
        expect((await late.refresh().catch(() => ({ kind: "refused" }))).kind).not.toBe("refreshed");
        await late.release();
        expect(await codeOf(store.look(runRoot))).toBe("NOT_FOUND");
        expect(await Array.fromAsync(store.list(runsRoot))).toEqual([]);
      }),
    );

    test(
      "the removal of one run touches no other, also where both hold the same content",
      withRun(async ({ store, runsRoot }, runRoot) => {
        const { draft, path, bytes } = sourceNamed("in both");
        for (const id of ["dr_a", "dr_b"])
          await store.create(`${runsRoot}/${id}`, [runCreated(id), draft], [{ path, bytes }]);
        await store.remove(`${runsRoot}/dr_a`);
        const other = `${runsRoot}/dr_b`;
        expect(await store.readContent(other, { path, sha256: digestOfBytes(bytes) })).toEqual(bytes);
        expect((await store.inspect(other)).problems).toEqual([]);
        expect((await store.look(runRoot)).manifest.revision).toBe(1);
      }),
    );

    test(
      "of many that remove one run, one does",
      withRun(async ({ otherProcess }, runRoot) => {
        const outcomes = await Promise.all(
          Array.from({ length: 5 }, async () => {
            try {
              return (await otherProcess().remove(runRoot)).kind;
            } catch (error) {
              return (error as { code?: string }).code ?? "bug";
            }
          }),
        );
        expect(outcomes.filter((outcome) => outcome === "removed")).toHaveLength(1);
        for (const outcome of outcomes) expect(["removed", "held", "NOT_FOUND", "LOCK_HELD"]).toContain(outcome);
      }),
    );
  });
}
