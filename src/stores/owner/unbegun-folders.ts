// Folders in which a run was to be made and no journal was ever linked: a `start` or `fork` that was killed early leaves them.
import { RUN_ID_PATTERN } from "../../kernel/ids.ts";
import type { UnbegunFolder } from "../../ports/run-folders.ts";
import { MANIFEST_FILE } from "../../run/log/layout.ts";
import { folderOf, nameOf, unlessErrno } from "../disk/durable-write.ts";
import { judgeInForce, readLeases, viewpoint } from "../lease/lease-reading.ts";
import type { Machine } from "../disk/machine.ts";
import { hasRun } from "./run-creation.ts";
import { removedName, removeTree } from "../disk/removed-folders.ts";

/** A process that makes a run writes more often than this. */
const SILENT_MS = 3_600_000;
/** What is written before a journal is linked. A folder with anything else is not ours to delete. */
const WRITTEN_BEFORE =
  /^(?:\.tmp-[^/]+|\.lock(?:\.\d+)?|quarantine\/unbegun\.[^/]+|(?:sources|results)\/[0-9a-f]{64}(?:\.txt|\.json)?|(?:wave-[12]|summaries)\/[a-z0-9-]+\.\d+\.(?:json|md)|operator\/(?:prompts|answers|drafts)\/.+)$/;
/** An id that was made for a run. An empty folder of any other name is not ours. */
const MADE_ID = /^dr_\d{14}_[a-z0-9]{6}$/;

/** Null for a run, and for a folder of anything else. */
export async function unbegunAt(machine: Machine, runRoot: string): Promise<UnbegunFolder | null> {
  const { files, clock } = machine;
  if (!RUN_ID_PATTERN.test(nameOf(runRoot)) || (await files.facts(runRoot))?.kind !== "folder") return null;
  if ((await files.facts(`${runRoot}/${MANIFEST_FILE}`)) !== null) return null;
  const found = { bytes: 0, changed_at_ms: 0, isOurs: true, files: 0 };
  await walk(machine, runRoot, "", found);
  if (!found.isOurs || (found.files === 0 && !MADE_ID.test(nameOf(runRoot)))) return null;
  if (await hasRun(files, runRoot)) return null;
  const isHeld = judgeInForce(machine, await readLeases(machine, runRoot), viewpoint(machine)).kind === "held";
  const isLeft = !isHeld && clock.nowMs() - found.changed_at_ms >= SILENT_MS;
  return { run_root: runRoot, bytes: found.bytes, is_left: isLeft };
}

interface Walked {
  bytes: number;
  changed_at_ms: number;
  isOurs: boolean;
  files: number;
}

async function walk(machine: Machine, runRoot: string, below: string, found: Walked): Promise<void> {
  const { files, clock } = machine;
  const folder = below === "" ? runRoot : `${runRoot}/${below}`;
  const facts = await files.facts(folder);
  found.changed_at_ms = Math.max(found.changed_at_ms, facts?.changed_at_ms ?? clock.nowMs());
  for (const name of (await unlessErrno(["ENOENT"], () => files.list(folder))) ?? []) {
    const path = below === "" ? name : `${below}/${name}`;
    const entry = await files.facts(`${runRoot}/${path}`);
    if (entry?.kind === "folder") await walk(machine, runRoot, path, found);
    else if (entry !== null) {
      found.files++;
      found.bytes += entry.size;
      found.isOurs &&= entry.kind === "file" && WRITTEN_BEFORE.test(path);
      found.changed_at_ms = Math.max(found.changed_at_ms, entry.changed_at_ms ?? clock.nowMs());
    }
  }
}

/**
 * Removes such a folder: moves it aside, and back again when a run was begun in it or its lease was taken in between. Returns
 * the bytes that were freed; null when a run is being made there.
 */
export async function removeUnbegun(machine: Machine, runRoot: string): Promise<number | null> {
  const { files, random } = machine;
  const aside = removedName(runRoot, random);
  await files.rename(runRoot, aside);
  const judged = judgeInForce(machine, await readLeases(machine, aside), viewpoint(machine));
  if (judged.kind === "held" || (await hasRun(files, aside))) {
    await files.rename(aside, runRoot);
    return null;
  }
  await files.syncFolder(folderOf(aside) === "" ? "/" : folderOf(aside));
  return await removeTree(files, aside);
}

/** Makes a run; when that fails early, nothing stays of a folder that was made for it. */
export async function leavingNothing<T>(machine: Machine, runRoot: string, make: () => Promise<T>): Promise<T> {
  const wasThere = (await machine.files.facts(runRoot)) !== null;
  try {
    return await make();
  } catch (error) {
    // The first error is reported. What cannot be removed now, `prune` removes later.
    if (!wasThere) await removeOwn(machine, runRoot).catch(() => undefined);
    throw error;
  }
}

async function removeOwn(machine: Machine, runRoot: string): Promise<void> {
  if ((await unbegunAt(machine, runRoot)) !== null) await removeUnbegun(machine, runRoot);
}
