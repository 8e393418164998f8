// A start or fork that ends before its run began leaves nothing, or a folder that list, prune and remove know.
import { expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errnoOf, RunError } from "../../src/kernel/errors.ts";
import { forkRun } from "../../src/operations/make/fork-run.ts";
import { listRuns } from "../../src/operations/look/list-runs.ts";
import { findRun } from "../../src/operations/look/locate-run.ts";
import { prunableRuns, pruneRuns } from "../../src/operations/care/prune-runs.ts";
import { removableRuns, removeRuns } from "../../src/operations/care/remove-runs.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Files } from "../../src/ports/files.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { fileStore } from "../../src/stores/file-store.ts";
import { realFiles } from "../../src/system/files.ts";
import { realProcesses } from "../../src/system/processes.ts";
import { livePorts } from "../live/live-run.ts";
import { changed } from "../simulation/changed.ts";
import { temporaryFolder } from "./made-run.ts";

// On a machine that may be busy.
setDefaultTimeout(60_000);

const RUN = join(import.meta.dir, "../fixtures/runs-0.1.0/local");
const ID = "dr_20260101000000_abcdef";
const SOURCE = `sources/${"ab".repeat(32)}`;

function portsWith(files: Files, minutesAhead = 0): Ports {
  const ports = livePorts();
  const { clock, random } = ports;
  const later: Clock = changed(clock, { nowMs: () => clock.nowMs() + minutesAhead * 60_000 });
  const store = fileStore({ files, clock: later, random, processes: realProcesses });
  return { ...ports, clock: later, store, runs: store, folders: store };
}

/** A folder as a killed `fork` leaves it, with further files. */
function leave(runsRoot: string, name: string, ...further: string[]): string {
  const runRoot = join(runsRoot, name);
  for (const path of [SOURCE, `${SOURCE}.txt`, ".tmp-create-x-journal", ...further]) {
    mkdirSync(join(runRoot, path, ".."), { recursive: true });
    writeFileSync(join(runRoot, path), "what somebody wrote");
  }
  return runRoot;
}

test("an hour after its last change, list, prune and remove take it", async () => {
  using folder = temporaryFolder();
  const [one, other] = [leave(folder.path, ID), leave(folder.path, "mine")];
  const ports = portsWith(realFiles, 61);
  const { result } = await listRuns(ports, folder.path, { size: true });
  expect(result.never_begun?.map(({ run_root, is_left }) => [run_root, is_left])).toEqual([
    [one, true],
    [other, true],
  ]);
  const { runRoot } = await findRun(ports, { runsRoot: folder.path, ref: "mine" }, "newest");
  const removed = await removeRuns(ports, await removableRuns(ports, folder.path, [runRoot]));
  expect(removed.result.bytes_freed).toBeGreaterThan(0);
  const pruned = await pruneRuns(ports, folder.path, await prunableRuns(ports, folder.path, { keep: 100 }));
  expect(pruned.result.removed.map(({ run_id }) => run_id)).toEqual([ID]);
  expect(readdirSync(folder.path)).toEqual([]);
});

test("whoever may still make a run there is left alone, and so is what somebody else made", async () => {
  using folder = temporaryFolder();
  const fresh = leave(folder.path, ID);
  const foreign = leave(folder.path, "papers", "notes.txt");
  mkdirSync(join(folder.path, "empty"));
  const now = portsWith(realFiles);
  expect(await prunableRuns(now, folder.path, { keep: 0 })).toEqual([]);
  const refused = await now.runs.remove(fresh).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "INVALID_STATE" });
  const later = portsWith(realFiles, 61);
  expect((await prunableRuns(later, folder.path, { keep: 0 })).map(({ run_id }) => run_id)).toEqual([ID]);
  expect(await later.runs.remove(foreign).catch((error: unknown) => error)).toMatchObject({ code: "NOT_FOUND" });
  expect(existsSync(join(foreign, "notes.txt"))).toBe(true);
});

test("a run that begins while its folder is moved aside is put back", async () => {
  using folder = temporaryFolder();
  const runRoot = leave(folder.path, ID);
  const racing = changed(realFiles, {
    rename(from, to) {
      if (from === runRoot) cpSync(join(RUN, "journal.jsonl"), join(runRoot, "journal.jsonl"));
      return realFiles.rename(from, to);
    },
  });
  const refused = await portsWith(racing, 61)
    .runs.remove(runRoot)
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "INVALID_STATE" });
  expect((await livePorts().store.look(runRoot)).manifest.run_id).toBe("local");
});

test.each(["a full disk", "a source that is removed in between"])(
  "a fork that fails by %s leaves nothing",
  async (by) => {
    using folder = temporaryFolder();
    const source = join(folder.path, "local");
    cpSync(RUN, source, { recursive: true });
    let opened = 0;
    const failing = changed(realFiles, {
      open(path, mode) {
        if (mode === "create" && !path.startsWith(source) && ++opened === 4) {
          if (by === "a full disk") throw Object.assign(new Error("no space"), { code: "ENOSPC" });
          rmSync(source, { recursive: true });
        }
        return realFiles.open(path, mode);
      },
    });
    const corpora = [join(RUN, "../corpus")];
    const error: unknown = await forkRun(
      portsWith(failing),
      source,
      { runsRoot: folder.path, runId: "fork", corpora },
      {},
    ).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RunError);
    if (by === "a full disk") expect(errnoOf((error as RunError).cause)).toBe("ENOSPC");
    expect(opened).toBeGreaterThan(3);
    expect(readdirSync(folder.path)).toEqual(by === "a full disk" ? ["local"] : []);
  },
);
