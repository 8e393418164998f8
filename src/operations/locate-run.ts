// Finds the run that a person named: by path, by id, by a unique prefix of one, or the newest.
import { basename, dirname, isAbsolute, resolve } from "node:path";
import { RunError } from "../kernel/errors.ts";
import { RUN_ID_PATTERN, RUN_ID_RULE } from "../kernel/ids.ts";
import { nearestNames } from "../kernel/nearest.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunEntry, RunLook } from "../ports/run-store.ts";
import { MANIFEST_FILE } from "../run/layout.ts";
import { isTerminal } from "../run/lifecycle.ts";
import type { RunSelector } from "./options.ts";

/** Which run is meant when nothing is named. */
export type Preference = "newest" | "resumable";

/**
 * The absolute run root. Errors: `NOT_FOUND` with the nearest ids, `INVALID_ARGS` for what is no id and no path, for a
 * prefix of several ids and for an id that stands in two run roots.
 */
export async function locateRun(ports: Ports, selector: RunSelector, prefer: Preference): Promise<string> {
  const named = namesIn(selector);
  if (named.length > 1) throw new RunError("INVALID_ARGS", { reason: "the run is named more than once", named });
  const { runsRoot, ref, runRoot, manifestPath, runId } = selector;
  if (runRoot !== undefined) return atPath(ports, runRoot);
  if (manifestPath !== undefined) return atPath(ports, folderOfManifest(manifestPath));
  if (ref?.includes("/")) return atPath(ports, basename(ref) === MANIFEST_FILE ? dirname(ref) : ref);
  const entries = await ports.store.list(runsRoot);
  const id = runId ?? ref;
  return id === undefined ? newestOf(entries, prefer, runsRoot) : byId(entries, id, runsRoot);
}

function namesIn({ ref, runRoot, manifestPath, runId }: RunSelector): string[] {
  return [ref, runRoot, manifestPath, runId].filter((name) => name !== undefined);
}

function folderOfManifest(path: string): string {
  if (basename(path) !== MANIFEST_FILE) throw new RunError("INVALID_ARGS", { reason: `not a ${MANIFEST_FILE}`, path });
  return dirname(path);
}

async function atPath(ports: Ports, path: string): Promise<string> {
  if (!isAbsolute(path)) throw new RunError("INVALID_ARGS", { reason: "the path is not absolute", path });
  const runRoot = resolve(path);
  try {
    await ports.store.look(runRoot);
  } catch (error) {
    if (error instanceof RunError && error.code === "NOT_FOUND") {
      throw new RunError("NOT_FOUND", { reason: "the path holds no run", path: runRoot }, { cause: error });
    }
    // A run that is damaged is a run all the same: the operation says what is wrong with it.
  }
  return runRoot;
}

function byId(entries: RunEntry[], id: string, runsRoot: string): string {
  if (!RUN_ID_PATTERN.test(id))
    throw new RunError("INVALID_ARGS", { reason: `not a run id, which ${RUN_ID_RULE}`, run_id: id.slice(0, 200) });
  const exact = entries.filter((entry) => idOf(entry) === id);
  if (exact.length > 1) {
    const run_roots = exact.map((entry) => entry.runRoot);
    throw new RunError("INVALID_ARGS", {
      reason: "two run roots hold this id: name one by its path",
      run_id: id,
      run_roots,
    });
  }
  const matches = exact.length === 1 ? exact : entries.filter((entry) => idOf(entry).startsWith(id));
  const [match] = matches;
  if (match === undefined) {
    const nearest = nearestNames(id, entries.map(idOf));
    throw new RunError("NOT_FOUND", { reason: "no run has this id", run_id: id, runs_root: runsRoot, nearest });
  }
  if (matches.length > 1) {
    throw new RunError("INVALID_ARGS", {
      reason: "several runs begin like this",
      prefix: id,
      run_ids: matches.slice(0, 10).map(idOf),
    });
  }
  return match.runRoot;
}

/** A run that cannot be read goes by the name of its folder. */
function idOf(entry: RunEntry): string {
  return entry.look?.manifest.run_id ?? basename(entry.runRoot);
}

function newestOf(entries: RunEntry[], prefer: Preference, runsRoot: string): string {
  const looks = entries.flatMap(({ look }) =>
    look !== null && (prefer === "newest" || isResumable(look)) ? [look] : [],
  );
  const newest = looks.reduce<RunLook | null>(
    (best, look) => (best === null || isNewer(look, best) ? look : best),
    null,
  );
  if (newest !== null) return newest.runRoot;
  // Ids begin with their time: among runs that cannot be read, the last name is the newest.
  const unreadable = entries.findLast(({ look }) => look === null);
  if (unreadable !== undefined && prefer === "newest") return unreadable.runRoot;
  const reason = prefer === "newest" ? "there is no run yet" : "no run is interrupted, paused or halted";
  throw new RunError("NOT_FOUND", { reason, runs_root: runsRoot, runs: entries.length });
}

function isNewer(look: RunLook, than: RunLook): boolean {
  const [a, b] = [look.manifest, than.manifest];
  return a.created_at > b.created_at || (a.created_at === b.created_at && a.run_id > b.run_id);
}

/** True for what `resume` can continue: interrupted, paused, or halted and not ended. */
export function isResumable({ state, manifest }: RunLook): boolean {
  return state === "interrupted" || state === "paused" || (manifest.halt !== null && !isTerminal(state));
}
