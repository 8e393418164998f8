// Removes run roots: one rename under the lease hides the folder, then it is removed file by file. A kill leaves it for a sweep.
import { isOutOfRoom, RunError } from "../../kernel/errors.ts";
import type { Files } from "../../ports/files.ts";
import type { Removal } from "../../ports/runs.ts";
import type { Held } from "../../ports/lease.ts";
import { folderOf, unlessErrno } from "../disk/durable-write.ts";
import { claim } from "../lease/lease-claim.ts";
import { heldBy, judgeInForce, readLeases, viewpoint } from "../lease/lease-reading.ts";
import { openRun } from "../journal/run-reader.ts";
import { findJournal } from "../journal/stored-journal.ts";
import type { Machine } from "../disk/machine.ts";
import { REMOVED_NAME, removedName, removeTree } from "../disk/removed-folders.ts";
import { removeUnbegun, unbegunAt } from "./unbegun-folders.ts";

const REMOVAL_LEASE_S = 120;

export async function remove(machine: Machine, runRoot: string, expectedRevision?: number): Promise<Removal> {
  const { files, random } = machine;
  const unbegun = await unbegunAt(machine, runRoot);
  if (unbegun !== null) {
    const bytes_freed = unbegun.is_left ? await removeUnbegun(machine, runRoot) : null;
    if (bytes_freed !== null) return { kind: "removed", bytes_freed };
    const reason = "a run is being made here, or was until less than an hour ago";
    throw new RunError("INVALID_STATE", { reason, run_root: runRoot });
  }
  await requireRun(files, runRoot);
  const parent = folderOf(runRoot);
  const aside = removedName(runRoot, random);
  // A run that lies where nothing works on it can still be removed.
  const anywhere = { ...machine, networkFileSystemOf: () => undefined };
  const moving = { machine: anywhere, runRoot, aside, expectedRevision };
  let held: Held | null;
  try {
    held = await moveUnderLease(moving);
  } catch (error) {
    if (!isOutOfRoom(error)) throw error;
    held = await moveWithoutRoom(moving);
  }
  if (held !== null) return held;
  await files.syncFolder(parent === "" ? "/" : parent);
  return { kind: "removed", bytes_freed: await removeTree(files, aside) };
}

interface Moving {
  machine: Machine;
  runRoot: string;
  aside: string;
  expectedRevision: number | undefined;
}

/** Once the folder is moved, no command finds the run. A power cut brings it back whole, or not at all. */
async function moveUnderLease({ machine, runRoot, aside, expectedRevision }: Moving): Promise<Held | null> {
  const { files } = machine;
  const claimed = await claim(machine, runRoot, { lease_seconds: REMOVAL_LEASE_S, reason: "remove" });
  if (claimed.kind === "held") return heldBy(claimed);
  const { lease } = claimed;
  try {
    await requireRevision(files, runRoot, expectedRevision);
    if (await lease.isSuperseded()) throw new RunError("LOCK_LOST", { reason: "another process took over" });
    await files.rename(runRoot, aside);
  } catch (error) {
    await lease.release();
    throw error;
  }
  await lease.abandon();
  return null;
}

/**
 * A full disk takes no claim, and removing runs makes room. Claims are made by path, so none can come once the folder is moved.
 * When one came before, the folder is moved back.
 */
async function moveWithoutRoom({ machine, runRoot, aside, expectedRevision }: Moving): Promise<Held | null> {
  const { files } = machine;
  await requireRevision(files, runRoot, expectedRevision);
  await files.rename(runRoot, aside);
  const here = viewpoint(machine);
  const judged = judgeInForce(machine, await readLeases(machine, aside), here);
  if (judged.kind !== "held") return null;
  await files.rename(aside, runRoot);
  return heldBy(judged);
}

/** Errors: `NOT_FOUND`, also for a folder behind a link, which is not ours. A damaged run is a run. */
async function requireRun(files: Files, runRoot: string): Promise<void> {
  if ((await files.facts(runRoot))?.kind !== "folder")
    throw new RunError("NOT_FOUND", { reason: "no run is here", run_root: runRoot });
  try {
    await findJournal(files, runRoot);
  } catch (error) {
    if (!(error instanceof RunError) || error.code !== "INTEGRITY_ERROR") throw error;
  }
}

async function requireRevision(files: Files, runRoot: string, expected: number | undefined): Promise<void> {
  if (expected === undefined) return;
  const { revision } = (await openRun(files, runRoot)).manifest;
  if (revision === expected) return;
  throw new RunError("REVISION_MISMATCH", { expected_revision: expected, revision, run_root: runRoot });
}

/** Finishes removals that were killed. Returns the bytes that were freed. */
export async function sweepRemoved(files: Files, runsRoot: string): Promise<number> {
  let bytes = 0;
  for (const name of (await unlessErrno(["ENOENT"], () => files.listFolders(runsRoot))) ?? []) {
    if (REMOVED_NAME.test(name)) bytes += await removeTree(files, `${runsRoot}/${name}`);
  }
  return bytes;
}

/** The bytes of the regular files below a folder. A file with two names counts once. */
export async function bytesBelow(files: Files, folder: string, seen = new Set<string>()): Promise<number> {
  let bytes = 0;
  for (const name of (await unlessErrno(["ENOENT"], () => files.list(folder))) ?? []) {
    const facts = await files.facts(`${folder}/${name}`);
    if (facts?.kind === "folder") bytes += await bytesBelow(files, `${folder}/${name}`, seen);
    if (facts?.kind !== "file" || (facts.links > 1 && seen.has(facts.identity))) continue;
    if (facts.links > 1) seen.add(facts.identity);
    bytes += facts.size;
  }
  return bytes;
}
