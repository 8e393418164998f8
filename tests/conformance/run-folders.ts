// The conformance suite of the port RunFolders, for every disk that runs can lie on.
import { describe, expect, test } from "bun:test";
import type { FileStore } from "../../src/stores/file-store.ts";
import { codeOf, mustAcquire, runIn, type LogWorld } from "./run-log.ts";
import { noted, runCreated } from "./sample-run.ts";

/** Of logs in folders, whose files a test can damage. */
export interface FolderWorld extends LogWorld<FileStore> {
  breakJournal: (runRoot: string) => Promise<void>;
  /** Makes a folder that looks like a run in which nothing was acknowledged. */
  halfMake: (runRoot: string) => Promise<void>;
}

export function testRunFolders(name: string, makeWorld: () => Promise<FolderWorld>): void {
  const withRun = runIn(makeWorld);

  describe(`${name}, as folders`, () => {
    test(
      "a folder in which nothing was acknowledged is begun anew",
      withRun(async ({ store, runsRoot, halfMake }) => {
        const root = `${runsRoot}/dr_half`;
        await halfMake(root);
        expect(await codeOf(store.look(root))).toBe("NOT_FOUND");
        expect(await codeOf(store.acquire(root))).toBe("NOT_FOUND");
        expect(await store.create(root, [runCreated("dr_half")], [])).toEqual({ kind: "created" });
        expect((await store.look(root)).manifest.run_id).toBe("dr_half");
        expect((await store.inspect(root)).problems).toEqual([]);
      }),
    );

    test(
      "list gives a broken run with its reason",
      withRun(async ({ store, runsRoot, breakJournal }) => {
        await store.create(`${runsRoot}/dr_b`, [runCreated("dr_b")], []);
        await breakJournal(`${runsRoot}/dr_b`);
        const entries = await Array.fromAsync(store.list(runsRoot));
        expect(entries.map(({ look }) => look?.manifest.run_id)).toEqual([undefined, "dr_sample"]);
        expect(entries[0]).toMatchObject({ runRoot: `${runsRoot}/dr_b`, error: { code: "INTEGRITY_ERROR" } });
      }),
    );

    test(
      "a repair of a healthy run loses nothing",
      withRun(async ({ store }, runRoot) => {
        const first = await mustAcquire(store, runRoot);
        await first.commit([noted("kept")]);
        await first.release();
        const repairing = await store.acquireForRepair(runRoot);
        if (repairing.kind === "held") throw new Error("held");
        const { writer } = repairing;
        const report = await repairing.repair();
        expect([report.quarantined, report.dropped_records]).toEqual([[], 0]);
        await writer.commit([{ kind: "repair.done", data: { reason: "a test", ...report } }]);
        await writer.release();
        expect((await store.look(runRoot)).manifest.revision).toBe(5);
        expect((await store.inspect(runRoot)).problems).toEqual([]);
      }),
    );
  });
}
