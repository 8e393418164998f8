// Reads runs as they are now. It is apart from what writes, so that a process that only reads loads little.
import { isDamage } from "../../kernel/damage.ts";
import { errnoOf, RunError, type FileProblem } from "../../kernel/errors.ts";
import type { Files } from "../../ports/files.ts";
import type { RunFolders } from "../../ports/run-folders.ts";
import type { Inspection, LookOptions, RunLog, RunLook } from "../../ports/run-log.ts";
import { dueOf, type RunEntry, type Runs } from "../../ports/runs.ts";
import { REQUESTS_FOLDER } from "../../run/log/layout.ts";
import { deriveState } from "../../run/log/lifecycle.ts";
import { unlessErrno, withTypedErrors } from "../disk/durable-write.ts";
import { judgeForLook, viewOf } from "../lease/lease-reading.ts";
import { openRun, wantsWhole } from "../journal/run-reader.ts";
import { seenDamage } from "./seen-damage.ts";
import type { Machine } from "../disk/machine.ts";

/** So many looks take some 10 ms. */
const RUNS_A_TURN = 100;

/** What can be done with a run without owning it. */
type RunLooks = Pick<RunLog, "look"> &
  Pick<Runs, "names" | "list" | "due" | "placeOf"> &
  Pick<RunFolders, "makeDurable">;

export function runLooks(machine: Machine): RunLooks {
  const { files, clock } = machine;
  const look = (runRoot: string, options: LookOptions = {}): Promise<RunLook> =>
    reading(files, runRoot, async () => {
      const names = await namesIn(files, runRoot);
      // The lease is read before the run, so an owner that ends in between is at worst still called live.
      const lease = viewOf(await judgeForLook(machine, runRoot, names));
      const {
        manifest,
        problems,
        foldedRevision: shownRevision,
        isWhole,
      } = await openRun(files, runRoot, { names, ...options });
      const state = deriveState(manifest, lease);
      const requests = names.includes(REQUESTS_FOLDER)
        ? await (await import("../lease/request-files.ts")).readRequests(files, runRoot)
        : [];
      problems.push(...(await seenDamage(files, runRoot, manifest, names)));
      const whole = isWhole || !wantsWhole(options, manifest) ? null : await wholeOf(files, runRoot);
      const isSeen = ({ path }: FileProblem): boolean => problems.some((problem) => problem.path === path);
      problems.push(...(whole?.problems ?? []).filter((problem) => !isSeen(problem)));
      if (problems.length > 0) await refuseRemoved(files, runRoot);
      const look = { runRoot, now_ms: clock.nowMs(), manifest, lease, state, shownRevision, requests, problems };
      return whole?.isLost === true ? { ...look, isLost: true } : look;
    });
  async function* list(runsRoot: string, options?: LookOptions): AsyncGenerator<RunEntry> {
    const names = (await withTypedErrors("READ_FAILED", runsRoot, () => runNames(files, runsRoot))) ?? [];
    for (const [at, name] of names.entries()) {
      // Files answer at once: without a turn no signal and no timer would be heeded before the last run.
      if (at % RUNS_A_TURN === RUNS_A_TURN - 1) await clock.turn();
      const runRoot = `${runsRoot}/${name}`;
      let entry: RunEntry;
      try {
        entry = { runRoot, look: await look(runRoot, options), error: null };
      } catch (error) {
        if (error instanceof RunError && error.code === "NOT_FOUND") continue;
        // A run that cannot be read must not hide the others, so it is listed with its error.
        entry = { runRoot, look: null, error };
      }
      yield entry;
    }
  }
  return {
    look,
    makeDurable: (runRoot) =>
      changing(files, runRoot, async () => {
        const { makeDurable } = await import("./durability.ts");
        await makeDurable(machine, runRoot);
      }),
    names: (runsRoot) => withTypedErrors("READ_FAILED", runsRoot, () => runNames(files, runsRoot)),
    list,
    placeOf: (runRoot, path) => `${runRoot}/${path}`,
    due: (runsRoot, limit) => dueOf(list(runsRoot), limit),
  };
}

/** The journal, and the folds that it makes. */
async function wholeOf(files: Files, runRoot: string): Promise<Pick<Inspection, "problems" | "isLost">> {
  const { inspectRun } = await import("./inspection.ts");
  return await inspectRun(files, runRoot, { withContent: false });
}

/** Runs work that writes. Errors: `NOT_FOUND` when the run was removed meanwhile; the errno alone names only some file. */
export function changing<T>(files: Files, runRoot: string, work: () => Promise<T>): Promise<T> {
  return withTypedErrors("WRITE_FAILED", runRoot, () => unlessRemoved(files, runRoot, work));
}

/** Runs work that reads a run. Errors: `NOT_FOUND` when the run was removed meanwhile: what is missing then is no damage. */
export function reading<T>(files: Files, runRoot: string, work: () => Promise<T>): Promise<T> {
  return withTypedErrors("READ_FAILED", runRoot, () => unlessRemoved(files, runRoot, work));
}

async function unlessRemoved<T>(files: Files, runRoot: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || isDamage(error)) await refuseRemoved(files, runRoot, error);
    throw error;
  }
}

/** Errors: `NOT_FOUND` where the run was removed. */
export async function refuseRemoved(files: Files, runRoot: string, cause?: unknown): Promise<void> {
  if ((await files.facts(runRoot)) === null)
    throw new RunError("NOT_FOUND", { reason: "the run is gone", run_root: runRoot }, { cause });
}

async function runNames(files: Files, runsRoot: string): Promise<string[] | null> {
  const names = await unlessErrno(["ENOENT"], () => files.listFolders(runsRoot));
  return names?.filter((name) => !name.startsWith(".")) ?? null;
}

/** The files of a run root. Errors: `NOT_FOUND` where there is none. */
async function namesIn(files: Files, runRoot: string): Promise<string[]> {
  const names = await unlessErrno(["ENOENT", "ENOTDIR"], () => files.list(runRoot));
  if (names === null) throw new RunError("NOT_FOUND", { reason: "no run is here", run_root: runRoot });
  return names;
}
