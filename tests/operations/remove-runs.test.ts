// `remove` and `prune`: what goes, what stays, and that nothing beside a run is touched.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import { RunError } from "../../src/kernel/errors.ts";
import { prunableRuns, pruneRuns, type PruneOptions } from "../../src/operations/care/prune-runs.ts";
import { removableRuns, removeRuns } from "../../src/operations/care/remove-runs.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { later } from "./later.ts";
import {
  codeOf,
  makeCompletedRun,
  makeRun,
  temporaryFolder,
  testPorts,
  tickStarted,
  TO_PAUSED,
  TO_RUNNING,
  withWriter,
} from "./made-run.ts";

const ports = testPorts();

describe("remove", () => {
  test("says what a run takes, deletes it, and leaves its neighbours alone", async () => {
    using folder = temporaryFolder();
    const root = await makeCompletedRun(ports, folder.path, "dr_1");
    await makeRun(ports, folder.path, "dr_2");
    fs.writeFileSync(`${folder.path}/notes.txt`, "mine");
    const runs = await removableRuns(ports, folder.path, [root, root]);
    const [run] = runs;
    expect(runs).toHaveLength(1);
    expect(run).toMatchObject({
      run_id: "dr_1",
      execution_state: "completed",
      bytes: await ports.runs.bytesOf(root),
    });
    const { result, error } = await removeRuns(ports, runs);
    expect(error).toBe(null);
    expect(result).toMatchObject({ removed: [{ run_id: "dr_1", run_root: root }] });
    expect(result.bytes_freed).toBeGreaterThanOrEqual(run?.bytes ?? Infinity);
    expect(fs.readdirSync(folder.path).sort()).toEqual(["dr_2", "notes.txt"]);
  });

  test("looks at all before it deletes the first: one that is held keeps all of them", async () => {
    using folder = temporaryFolder();
    const free = await makeRun(ports, folder.path, "dr_free");
    const busy = await makeRun(ports, folder.path, "dr_busy");
    await withWriter(ports, busy, async () => {
      expect(await codeOf(removableRuns(ports, folder.path, [free, busy]))).toBe("LOCK_HELD");
      // Taken between the look and the removal: told, with what is gone by then.
      const { result, error } = await removeRuns(ports, [
        { run_id: "dr_free", run_root: free },
        { run_id: "dr_busy", run_root: busy },
      ]);
      expect(error).toMatchObject({ code: "LOCK_HELD", facts: { run_root: busy } });
      expect(result.removed.map(({ run_id }) => run_id)).toEqual(["dr_free"]);
    });
    expect(fs.readdirSync(folder.path)).toEqual(["dr_busy"]);
  });

  test("never follows a link: neither to a run nor out of one", async () => {
    using folder = temporaryFolder();
    using elsewhere = temporaryFolder();
    fs.writeFileSync(`${elsewhere.path}/precious`, "precious");
    const root = await makeRun(ports, folder.path, "dr_1");
    fs.symlinkSync(elsewhere.path, `${root}/sources`);
    fs.symlinkSync(`${elsewhere.path}/precious`, `${root}/linked`);
    fs.linkSync(`${elsewhere.path}/precious`, `${root}/second-name`);
    fs.symlinkSync(root, `${folder.path}/dr_link`);
    expect(await codeOf(ports.runs.remove(`${folder.path}/dr_link`))).toBe("NOT_FOUND");
    await removeRuns(ports, await removableRuns(ports, folder.path, [root]));
    expect(fs.readFileSync(`${elsewhere.path}/precious`, "utf8")).toBe("precious");
    expect(fs.readdirSync(folder.path)).toEqual(["dr_link"]);
  });

  test("refuses what holds the runs root, and what is no run", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_1");
    fs.mkdirSync(`${folder.path}/plain`);
    expect(await codeOf(removableRuns(ports, `${root}/runs`, [root]))).toBe("INVALID_ARGS");
    expect(await codeOf(removableRuns(ports, folder.path, [`${folder.path}/plain`]))).toBe("NOT_FOUND");
  });

  test("what was left of another removal and cannot be deleted keeps no run from going, and is told", async () => {
    using folder = temporaryFolder();
    const refused: Ports["folders"]["sweepRemoved"] = () =>
      Promise.reject(new RunError("WRITE_FAILED", { reason: "EACCES", errno: "EACCES" }));
    const stuck = { ...ports, folders: { ...ports.folders, sweepRemoved: refused } };
    const root = await makeRun(ports, folder.path, "dr_1");
    const { result, error } = await removeRuns(stuck, [{ run_id: "dr_1", run_root: root }]);
    expect([error?.code, result.removed.length, fs.existsSync(root)]).toEqual(["WRITE_FAILED", 1, false]);
    expect((await pruneRuns(stuck, folder.path, [])).error).toMatchObject({ code: "WRITE_FAILED" });
  });

  test("a run in a folder of another name is told by its id", async () => {
    using folder = temporaryFolder();
    const renamed = `${folder.path}/of last year`;
    fs.renameSync(await makeRun(ports, folder.path, "dr_1"), renamed);
    const { result } = await removeRuns(ports, await removableRuns(ports, folder.path, [renamed]));
    expect(result.removed).toMatchObject([{ run_id: "dr_1", run_root: renamed }]);
  });

  test("a run that cannot be read can be removed", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_1");
    fs.writeFileSync(`${root}/journal.jsonl`, "garbage\n");
    expect(await removableRuns(ports, folder.path, [root])).toMatchObject([{ run_id: "dr_1", execution_state: null }]);
    await removeRuns(ports, await removableRuns(ports, folder.path, [root]));
    expect(fs.readdirSync(folder.path)).toEqual([]);
  });
});

const DAY_MS = 86_400_000;

/** Runs of every condition, `days` after they were made. */
async function zoo(runsRoot: string, days: number): Promise<Ports> {
  await makeCompletedRun(ports, runsRoot, "dr_done1");
  await Bun.sleep(5);
  await makeCompletedRun(ports, runsRoot, "dr_done2");
  await makeRun(ports, runsRoot, "dr_idle");
  for (const [id, drafts] of [
    ["dr_paused", [TO_RUNNING, TO_PAUSED]],
    ["dr_interrupted", [TO_RUNNING, tickStarted(ports)]],
  ] as const) {
    const root = await makeRun(ports, runsRoot, id);
    await withWriter(ports, root, async (writer) => void (await writer.commit(drafts)));
  }
  return later(ports, days * DAY_MS);
}

describe("prune", () => {
  test("names what has ended and is old enough, the oldest first, and never more than --keep allows", async () => {
    using folder = temporaryFolder();
    const then = await zoo(folder.path, 31);
    const named = async (options: PruneOptions): Promise<string[]> =>
      (await prunableRuns(then, folder.path, options)).map(({ run_id }) => run_id);
    expect(await named({ olderThanMs: 30 * DAY_MS })).toEqual(["dr_done1", "dr_done2"]);
    expect(await named({ olderThanMs: 32 * DAY_MS })).toEqual([]);
    expect(await named({ keep: 1 })).toEqual(["dr_done1"]);
    expect(await named({ keep: 2, olderThanMs: DAY_MS })).toEqual([]);
    expect(await named({ states: ["paused", "interrupted"] })).toEqual(["dr_paused", "dr_interrupted"]);
    expect(await codeOf(prunableRuns(then, folder.path, {}))).toBe("INVALID_ARGS");
  });

  test("goes on behind a run that cannot be deleted, and ends with that error", async () => {
    using folder = temporaryFolder();
    const then = await zoo(folder.path, 31);
    const runs = await prunableRuns(then, folder.path, { states: ["completed", "paused"] });
    const refused: Ports["runs"]["remove"] = async (root, options) => {
      if (!root.endsWith("dr_done1")) return await ports.runs.remove(root, options);
      throw new RunError("WRITE_FAILED", { reason: "EACCES", errno: "EACCES" });
    };
    const { result, error } = await pruneRuns(
      { ...ports, runs: { ...ports.runs, remove: refused } },
      folder.path,
      runs,
    );
    expect(error).toMatchObject({ code: "WRITE_FAILED", facts: { errno: "EACCES" } });
    expect(result.removed.map(({ run_id }) => run_id)).toEqual(["dr_done2", "dr_paused"]);
    expect(result.spared).toMatchObject([{ run_id: "dr_done1", reason: "it cannot be deleted: EACCES" }]);
  });

  test("removes what it named; a run that somebody took or that moved on meanwhile stays", async () => {
    using folder = temporaryFolder();
    const then = await zoo(folder.path, 31);
    const runs = await prunableRuns(then, folder.path, { states: ["completed", "paused", "interrupted"] });
    await withWriter(ports, `${folder.path}/dr_paused`, async () => undefined);
    await withWriter(ports, `${folder.path}/dr_interrupted`, async () => {
      const { result, error } = await pruneRuns(ports, folder.path, runs);
      expect(error).toBe(null);
      expect(result.removed.map(({ run_id }) => run_id)).toEqual(["dr_done1", "dr_done2"]);
      expect(result.spared).toMatchObject([
        { run_id: "dr_paused", reason: "it moved on meanwhile" },
        { run_id: "dr_interrupted", reason: "a process works on it" },
      ]);
    });
    expect(fs.readdirSync(folder.path).sort()).toEqual(["dr_idle", "dr_interrupted", "dr_paused"]);
  });

  test("finishes a removal that was cut off", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_1");
    fs.renameSync(root, `${folder.path}/.removed-dr_1-own_abcdefghjkmn`);
    expect((await pruneRuns(ports, folder.path, [])).result.bytes_freed).toBeGreaterThan(0);
    expect(fs.readdirSync(folder.path)).toEqual([]);
  });
});
