// Finds the run that a person named: by path, by id, by a unique prefix of one, or the newest.
import { basename, dirname, isAbsolute, resolve } from "node:path";
import { RunError } from "../../kernel/errors.ts";
import { RUN_ID_PATTERN, RUN_ID_RULE } from "../../kernel/ids.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { MANIFEST_FILE } from "../../run/log/layout.ts";
import { isTerminal } from "../../run/log/lifecycle.ts";
import type { RunSelector } from "../options.ts";

/** The run that is meant when nothing is named. */
export type Preference = "newest" | "resumable";

/** A run that was found. */
export interface FoundRun {
  /** Absolute. */
  runRoot: string;
  /** What was read of it in finding it; null where none was needed, or where it failed. */
  seen: RunLook | null;
}

/**
 * The run that is meant. Errors: `NOT_FOUND` with the nearest ids, `INVALID_ARGS` for what is no id and no path, for a
 * prefix of several ids and for an id that is in two run roots.
 */
export async function findRun(ports: Ports, selector: RunSelector, prefer: Preference): Promise<FoundRun> {
  const { runsRoot, ref: id } = selector;
  if (id?.includes("/")) return atPath(ports, basename(id) === MANIFEST_FILE ? dirname(id) : id);
  if (id === undefined) return await newestOf(ports, runsRoot, prefer);
  if (!RUN_ID_PATTERN.test(id))
    throw new RunError("INVALID_ARGS", { reason: `not a run id, which ${RUN_ID_RULE}`, run_id: id.slice(0, 200) });
  const called = await byName(ports, id, runsRoot);
  return theOnly(id, called.length > 0 ? called : await byId(ports, id, runsRoot));
}

async function atPath(ports: Ports, path: string): Promise<FoundRun> {
  if (!isAbsolute(path)) throw new RunError("INVALID_ARGS", { reason: "the path is not absolute", path });
  const runRoot = resolve(path);
  try {
    return { runRoot, seen: await ports.store.look(runRoot) };
  } catch (error) {
    if (error instanceof RunError && error.code === "NOT_FOUND" && (await ports.folders.unbegunAt(runRoot)) === null) {
      throw new RunError("NOT_FOUND", { reason: "the path holds no run", path: runRoot }, { cause: error });
    }
    // The run is damaged. The operation that it was found for says what is wrong.
    return { runRoot, seen: null };
  }
}

interface Named extends FoundRun {
  run_id: string;
}

const MAX_SHOWN_IDS = 10;

/** Most runs lie in a folder that has their id as its name: then no other run is read. */
async function byName(ports: Ports, id: string, runsRoot: string): Promise<Named[]> {
  const names = (await ports.runs.names(runsRoot)) ?? [];
  const found: Named[] = [];
  for (const name of names.includes(id) ? [id] : names.filter((one) => one.startsWith(id))) {
    if (found.length === MAX_SHOWN_IDS) break;
    const runRoot = `${runsRoot}/${name}`;
    const named = await namedAt(ports, runRoot);
    if (named?.run_id === name) found.push(named);
  }
  return found;
}

/** A run that cannot be read, or was never begun, goes by the name of its folder; null where no run is. */
async function namedAt(ports: Ports, runRoot: string): Promise<Named | null> {
  try {
    const seen = await ports.store.look(runRoot);
    return { run_id: seen.manifest.run_id, runRoot, seen };
  } catch (error) {
    if (error instanceof RunError && error.code === "NOT_FOUND" && (await ports.folders.unbegunAt(runRoot)) === null)
      return null;
    return { run_id: basename(runRoot), runRoot, seen: null };
  }
}

/** Reads every run, since a folder may have been renamed. What was read is not kept. */
async function byId(ports: Ports, run_id: string, runs_root: string): Promise<Named[]> {
  const all: Named[] = [];
  for await (const { runRoot, look } of ports.runs.list(runs_root))
    all.push({ run_id: look?.manifest.run_id ?? basename(runRoot), runRoot, seen: null });
  const exact = all.filter((one) => one.run_id === run_id);
  if (exact.length > 1) {
    const reason = "two run roots hold this id: name one by its path";
    throw new RunError("INVALID_ARGS", { reason, run_id, run_roots: exact.map(({ runRoot }) => runRoot) });
  }
  const found = exact.length === 1 ? exact : all.filter((one) => one.run_id.startsWith(run_id));
  if (found.length > 0) return found;
  const nearest = nearestNames(run_id, [...new Set(all.map((one) => one.run_id))]);
  throw new RunError("NOT_FOUND", { reason: "no run has this id", run_id, runs_root, nearest });
}

function theOnly(prefix: string, found: readonly Named[]): FoundRun {
  const [match, ...others] = found;
  if (match !== undefined && others.length === 0) return match;
  const reason = `"${prefix}" matches ${found.length} runs; type more of the id`;
  const run_ids = found.slice(0, MAX_SHOWN_IDS).map(({ run_id }) => run_id);
  throw new RunError("INVALID_ARGS.several_runs", { reason, run_ids });
}

async function newestOf(ports: Ports, runsRoot: string, prefer: Preference): Promise<FoundRun> {
  let newest: (FoundRun & { birth: string }) | null = null;
  let unreadable: string | null = null;
  let runs = 0;
  for await (const { runRoot, look } of ports.runs.list(runsRoot)) {
    runs++;
    // Ids begin with their time: among runs that cannot be read, the last name is the newest.
    if (look === null) unreadable = runRoot;
    else if (prefer === "newest" || isResumable(look)) {
      const birth = `${look.manifest.created_at} ${look.manifest.run_id}`;
      if (newest === null || birth > newest.birth) newest = { birth, runRoot, seen: look };
    }
  }
  if (newest !== null) return newest;
  if (unreadable !== null && prefer === "newest") return { runRoot: unreadable, seen: null };
  const reason = prefer === "newest" ? "there is no run yet" : "no run is interrupted, paused or halted";
  throw new RunError("NOT_FOUND", { reason, runs_root: runsRoot, runs });
}

/** True for a run that `resume` can continue: interrupted, paused, or halted and not ended. */
function isResumable({ state, manifest }: RunLook): boolean {
  return state === "interrupted" || state === "paused" || (manifest.halt !== null && !isTerminal(state));
}
