// The conformance suite of a store that can be out of reach: what the port RunLog promises meanwhile and afterwards.
import { describe, expect, test } from "bun:test";
import { digestOfJson } from "../../src/kernel/digest.ts";
import { STORE_PATIENCE_MS, type RunLog, type RunWriter } from "../../src/ports/run-log.ts";
import type { Link } from "./link.ts";
import { codeOf, mustAcquire, runIn, type LogWorld } from "./run-log.ts";
import { noted, pauseRequest, runCreated, sourceNamed } from "./sample-run.ts";

/** `store` is behind the link; other processes reach it all the time. */
export interface AwayWorld extends LogWorld {
  link: Link;
}

const SHORT_MS = 5_000;
const LONG_MS = 2 * STORE_PATIENCE_MS;

const REF = { path: "sources/none", sha256: digestOfJson("none") };

const CALLS: Record<Exclude<keyof RunLog, "follow">, (store: RunLog, runRoot: string) => Promise<unknown>> = {
  create: (store, runRoot) => store.create(`${runRoot}-new`, [runCreated("dr_new")], []),
  createOwned: (store, runRoot) => store.createOwned(`${runRoot}-owned`, [runCreated("dr_owned")], {}),
  look: (store, runRoot) => store.look(runRoot),
  acquire: (store, runRoot) => store.acquire(runRoot),
  records: (store, runRoot) => store.records(runRoot),
  readContent: (store, runRoot) => store.readContent(runRoot, REF),
  readResult: (store, runRoot) => store.readResult(runRoot, { digest: REF.sha256, content: { ...REF, bytes: 1 } }),
  readSteps: async (store, runRoot) => {
    const manifest = { stage: { current: "wave1", history: [] } } as never;
    return await store.readSteps({ runRoot, manifest }, "init");
  },
  request: (store, runRoot) => store.request(runRoot, pauseRequest()),
  withdraw: (store, runRoot) => store.withdraw(runRoot, "req-1"),
  inspect: (store, runRoot) => store.inspect(runRoot),
};

type WriterCall = Exclude<
  keyof RunWriter,
  "runRoot" | "epoch" | "ownerId" | "manifest" | "unrecordedTakeover" | "refresh" | "release"
>;

const WRITER_CALLS: Record<WriterCall, (writer: RunWriter) => Promise<unknown>> = {
  readContent: (writer) => writer.readContent(REF),
  readResult: (writer) => writer.readResult({ digest: REF.sha256, content: { ...REF, bytes: 1 } }),
  readSteps: (writer) => writer.readSteps("review"),
  records: (writer) => writer.records(),
  requests: (writer) => writer.requests(),
  requestPart: (writer) => writer.requestPart("req-1", 0, { sha256: REF.sha256, bytes: 1 }),
  dropRequest: (writer) => writer.dropRequest("req-1"),
  findLoss: (writer) => writer.findLoss(),
  isSuperseded: (writer) => writer.isSuperseded(),
  foldNow: (writer) => writer.foldNow(),
  repairFolds: (writer) => writer.repairFolds(),
  storeContent: (writer) => writer.storeContent("sources/x", new Uint8Array(1)),
  commit: (writer) => writer.commit([noted("a")]),
};

/** An owner may answer these from what it knows: no other process changes it. */
const KNOWN_TO_OWNER: ReadonlySet<string> = new Set<WriterCall>([
  "readContent",
  "readResult",
  "readSteps",
  "requests",
  "foldNow",
  "repairFolds",
]);

export function testAwayStore(name: string, makeWorld: () => Promise<AwayWorld>): void {
  const withRun = runIn(makeWorld);

  describe(`${name}, out of reach`, () => {
    for (const [call, ask] of Object.entries(CALLS))
      test(
        `${call} waits for a store that comes back in time, and says UNAVAILABLE about one that stays away`,
        withRun(async ({ store, otherProcess, link }, runRoot) => {
          const expected = call.startsWith("create") ? "no error" : await codeOf(() => ask(otherProcess(), runRoot));
          if (call === "acquire") await (await mustAcquire(otherProcess(), runRoot, { force: true })).release();
          link.cut(LONG_MS);
          expect(await codeOf(() => ask(store, runRoot))).toBe("UNAVAILABLE");
          link.cut(SHORT_MS);
          expect(await codeOf(() => ask(store, runRoot))).toBe(expected);
        }),
      );

    for (const [call, ask] of Object.entries(WRITER_CALLS))
      test(
        `${call} of an owner does so, too`,
        withRun(async ({ store, link }, runRoot) => {
          const writer = await mustAcquire(store, runRoot);
          const expected = await codeOf(() => ask(writer));
          link.cut(SHORT_MS);
          expect(await codeOf(() => ask(writer))).toBe(expected);
          link.cut(LONG_MS);
          const away = KNOWN_TO_OWNER.has(call) ? ["UNAVAILABLE", expected] : ["UNAVAILABLE"];
          expect(away).toContain(await codeOf(() => ask(writer)));
        }),
      );

    test(
      "a tail does so, and misses nothing",
      withRun(async ({ store, otherProcess, link }, runRoot) => {
        const tail = store.follow(runRoot, 0);
        link.cut(LONG_MS);
        expect(await codeOf(() => tail.next())).toBe("UNAVAILABLE");
        const writer = await mustAcquire(otherProcess(), runRoot);
        await writer.commit([noted("a")]);
        link.cut(SHORT_MS);
        expect((await tail.next()).map(({ seq }) => seq)).toEqual([1, 2, 3]);
        await writer.release();
      }),
    );

    test(
      "a refresh asks once, and may be asked again: the lease is as before",
      withRun(async ({ store, otherProcess, advance, link }, runRoot) => {
        const writer = await mustAcquire(store, runRoot, { lease_seconds: 30 });
        link.cut(SHORT_MS);
        expect(await codeOf(() => writer.refresh())).toBe("UNAVAILABLE");
        expect(link.state).toBe("down");
        await advance(SHORT_MS);
        expect(await writer.refresh()).toEqual({ kind: "refreshed", reclaimed: false });
        await advance(27_000);
        expect((await otherProcess().acquire(runRoot)).kind).toBe("held");
        await writer.commit([noted("goes on")]);
        await writer.release();
      }),
    );

    test(
      "a release is no error; the lease runs out by itself, and nothing was written",
      withRun(async ({ store, otherProcess, advance, link }, runRoot) => {
        const writer = await mustAcquire(store, runRoot, { lease_seconds: 60 });
        link.cut(LONG_MS);
        await writer.release();
        const other = otherProcess();
        expect((await other.acquire(runRoot)).kind).toBe("held");
        await advance(61_000);
        expect((await other.look(runRoot)).manifest.revision).toBe(2);
        expect((await mustAcquire(other, runRoot)).epoch).toBe(2);
      }),
    );

    test(
      "a commit whose answer was lost on the way is there once",
      withRun(async ({ store, link }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        link.cut(SHORT_MS, "answers lost");
        const written = await writer.commit([noted("a"), noted("b")]);
        expect(written.map(({ seq }) => seq)).toEqual([3, 4]);
        await writer.commit([noted("c")]);
        expect((await store.records(runRoot)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
        expect((await store.inspect(runRoot)).problems).toEqual([]);
        await writer.release();
      }),
    );

    for (const cut of ["down", "answers lost"] as const)
      test(
        `a commit that gave up (${cut}) is there whole or not at all, and its writer writes nothing more`,
        withRun(async ({ store, otherProcess, advance, link }, runRoot) => {
          const writer = await mustAcquire(store, runRoot, { lease_seconds: 60 });
          link.cut(LONG_MS, cut);
          expect(await codeOf(() => writer.commit([noted("a"), noted("b")]))).toBe("UNAVAILABLE");
          await advance(LONG_MS);
          expect(await codeOf(() => writer.commit([noted("later")]))).toBe("UNAVAILABLE");
          expect(await codeOf(() => writer.storeContent("sources/x", new Uint8Array(1)))).toBe("UNAVAILABLE");
          await writer.release();
          const next = await mustAcquire(otherProcess(), runRoot);
          const notes = (await next.records()).flatMap((record) =>
            record.kind === "manifest.patched" ? [record.data.patch["note"]] : [],
          );
          expect(notes).toEqual(cut === "down" ? [] : ["a", "b"]);
          await next.commit([noted("goes on")]);
          expect((await store.inspect(runRoot)).problems).toEqual([]);
          await next.release();
        }),
      );

    test(
      "an owner whose run was taken over meanwhile is LOCK_LOST when it is back",
      withRun(async ({ store, otherProcess, advance, link }, runRoot) => {
        const writer = await mustAcquire(store, runRoot, { lease_seconds: 10 });
        link.cut(SHORT_MS);
        await advance(11_000);
        const next = await mustAcquire(otherProcess(), runRoot);
        expect(await codeOf(() => writer.commit([noted("late")]))).toBe("LOCK_LOST");
        expect(await writer.refresh()).toMatchObject({ kind: "lost", superseded: true });
        await writer.release();
        expect(await next.findLoss()).toBe(null);
        await next.release();
      }),
    );

    test(
      "content that was stored before stays readable for the next owner",
      withRun(async ({ store, otherProcess, link }, runRoot) => {
        const writer = await mustAcquire(store, runRoot);
        const { draft, path, bytes } = sourceNamed("kept");
        const ref = await writer.storeContent(path, bytes);
        await writer.commit([draft]);
        link.cut(LONG_MS);
        expect(["UNAVAILABLE", "no error"]).toContain(await codeOf(() => writer.readContent(ref)));
        const next = await mustAcquire(otherProcess(), runRoot, { force: true });
        expect(await next.readContent(ref)).toEqual(bytes);
        await next.release();
      }),
    );
  });
}
