// Makes the journal anew in another file, after a failed fsync or to set damage aside.
import { RunError } from "../../kernel/errors.ts";
import type { Files } from "../../ports/files.ts";
import { JOURNAL_FILE, HEAD_FILE, MANIFEST_FILE, QUARANTINE_FOLDER } from "../../run/log/layout.ts";
import { scanJournal, type JournalScan } from "../../run/log/journal.ts";
import { createFile, ensureFolder, removeQuietly } from "../disk/durable-write.ts";
import { findJournal, refuseDamage, readJournal } from "./stored-journal.ts";

export interface Remade {
  scan: JournalScan;
  quarantined: string[];
}

/**
 * Works under the lease, in this order: rename the journal into quarantine, read it there, write a new file up to the last
 * record that counts, fsync, link, fsync the folder. After a crash in between, readers find the chain in quarantine. With
 * `dropDamage` the folds that know of dropped records are set aside as well. They go last: until then they say that records
 * are missing.
 */
export async function remakeJournal(
  files: Files,
  runRoot: string,
  epoch: number,
  dropDamage: boolean,
): Promise<Remade> {
  const quarantined: string[] = [];
  const setAside = async (name: string): Promise<void> => {
    const path = `${runRoot}/${name}`;
    if ((await files.facts(path)) === null) return;
    await ensureFolder(files, runRoot, QUARANTINE_FOLDER);
    const target = await freeName(files, runRoot, name, epoch);
    await files.rename(path, `${runRoot}/${target}`);
    await files.syncFolder(`${runRoot}/${QUARANTINE_FOLDER}`);
    await files.syncFolder(runRoot);
    quarantined.push(target);
  };
  await setAside(JOURNAL_FILE);
  const source = await findJournal(files, runRoot);
  const bytes = (await readJournal(files, source)) ?? new Uint8Array();
  const scan = scanJournal(bytes);
  if (!dropDamage || scan.newer !== null) refuseDamage(scan, source);
  if (scan.head.seq === 0)
    throw new RunError("INTEGRITY_ERROR.journal_lost", {
      reason: "no record of the journal counts",
      run_root: runRoot,
      journal_lost: true,
    });
  const place = { temporary: `${runRoot}/.tmp-${epoch}-journal`, path: `${runRoot}/${JOURNAL_FILE}` };
  await removeQuietly(files, place.temporary);
  if (!(await createFile(files, place, countingBytes(bytes, scan)))) {
    throw new RunError("LOCK_LOST", { reason: "another process made the journal anew", run_root: runRoot });
  }
  if (dropDamage) {
    await setAside(MANIFEST_FILE);
    await removeQuietly(files, `${runRoot}/${HEAD_FILE}`);
  }
  return { scan, quarantined };
}

/**
 * The records that count, each at the offset that it had, since results are found by it. The bytes between become lines that
 * end in a space.
 */
function countingBytes(bytes: Uint8Array, scan: JournalScan): Uint8Array {
  const made = new Uint8Array(scan.records.at(-1)?.end ?? 0).fill(SPACE);
  for (const { offset, end } of scan.records) {
    if (offset > 0) made[offset - 1] = LINE_FEED;
    made.set(bytes.subarray(offset, end), offset);
  }
  return made;
}

const SPACE = 0x20;
const LINE_FEED = 0x0a;

async function freeName(files: Files, runRoot: string, name: string, epoch: number): Promise<string> {
  const dot = name.lastIndexOf(".");
  for (let round = 0; ; round++) {
    const suffix = round === 0 ? String(epoch) : `${epoch}-${round}`;
    const target = `${QUARANTINE_FOLDER}/${name.slice(0, dot)}.${suffix}${name.slice(dot)}`;
    if ((await files.facts(`${runRoot}/${target}`)) === null) return target;
  }
}
