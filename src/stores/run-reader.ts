// Opens a run: its fold plus the journal's tail, or the whole journal when the fold cannot be trusted. Writes nothing.
import { errnoOf, RunError } from "../kernel/errors.ts";
import { decodeUtf8 } from "../kernel/strict-json.ts";
import type { FileHandle, Files } from "../ports/files.ts";
import { foldAll, foldRecord } from "../run/fold.ts";
import { JOURNAL_FILE, readRecordLine, scanJournal, type ChainHead, type JournalScan } from "../run/journal.ts";
import { HEAD_FILE, MANIFEST_FILE, QUARANTINE_FOLDER } from "../run/layout.ts";
import { readManifestText, refuseNewer, type Manifest, type ManifestReading } from "../run/manifest.ts";
import { readWhole } from "./durable-write.ts";
import { decodeHead } from "./head-note.ts";

const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;

export interface OpenedRun {
  manifest: Manifest;
  /** The journal file: `journal.jsonl`, or the quarantined chain while a remake is unfinished. */
  journalPath: string;
  /** Where the last terminated line ends. */
  end: number;
  head: ChainHead;
  /** The revision that manifest.json holds; 0 when it must be rebuilt. */
  foldedRevision: number;
}

/** Errors: `NOT_FOUND` when no run is here, `INTEGRITY_ERROR`, `SCHEMA_UNSUPPORTED`. */
export async function openRun(files: Files, runRoot: string): Promise<OpenedRun> {
  // Notes before folds before the journal: a writer moves them in the other order, so none can seem ahead.
  const note = decodeHead(await readNote(files, `${runRoot}/${HEAD_FILE}`));
  const fold = await readFold(files, runRoot);
  if (fold?.kind === "newer") throw refuseNewer(fold.version, `${runRoot}/${MANIFEST_FILE}`);
  const trusted = fold?.kind === "manifest" ? fold.manifest : null;
  const journalPath = await findJournal(files, runRoot);
  const handle = await files.open(journalPath, "read");
  let opened: OpenedRun | null;
  try {
    const { size } = await handle.facts();
    opened = (trusted === null ? null : await foldTail(handle, size, trusted, journalPath)) ?? (await foldWhole(handle, size, trusted, journalPath, runRoot));
  } finally {
    await handle.close();
  }
  const behind = Math.max(note?.seq ?? 0, trusted?.journal.seq ?? 0);
  if (opened.head.seq < behind) {
    throw new RunError("INTEGRITY_ERROR", {
      reason: "the journal ends before a record that was already acknowledged",
      run_root: runRoot,
      files: [{ path: JOURNAL_FILE, expected: `at least ${behind} records`, found: `${opened.head.seq} records` }],
    });
  }
  return opened;
}

async function foldTail(handle: FileHandle, size: number, trusted: Manifest, journalPath: string): Promise<OpenedRun | null> {
  const { offset, seq, digest } = trusted.journal;
  const bytes = await handle.readAt(offset, Math.max(0, size - offset));
  const from = chainBefore(bytes, seq, digest);
  if (from === null) return null;
  const scan = scanJournal(bytes, offset, from);
  // What looks like damage may hang on a record before the tail: only the whole journal can tell.
  if (scan.damage !== null || scan.newer !== null) return null;
  const manifest = trusted;
  const foldedRevision = trusted.revision;
  for (const placed of scan.records.slice(1)) foldRecord(manifest, placed);
  return { manifest, journalPath, end: scan.end, head: scan.head, foldedRevision };
}

/** The chain before the first line of `bytes`, when that line is the record that the manifest says it is. */
function chainBefore(bytes: Uint8Array, seq: number, digest: string): ChainHead | null {
  const end = bytes.indexOf(0x0a);
  if (end < 0) return null;
  let line: string;
  try {
    line = decodeUtf8(bytes.subarray(0, end));
  } catch {
    return null;
  }
  const reading = readRecordLine(line);
  if (reading.kind !== "record" || reading.record.seq !== seq || reading.record.digest !== digest) return null;
  return { seq: seq - 1, epoch: 0, digest: reading.record.prev };
}

async function foldWhole(
  handle: FileHandle,
  size: number,
  trusted: Manifest | null,
  journalPath: string,
  runRoot: string,
): Promise<OpenedRun> {
  const scan = scanJournal(await handle.readAt(0, size));
  refuseDamage(scan, journalPath);
  const manifest = foldAll(scan.records);
  if (manifest === null) throw new RunError("NOT_FOUND", { reason: "no run was begun here", run_root: runRoot });
  if (trusted !== null && trusted.run_id !== manifest.run_id) {
    throw new RunError("INTEGRITY_ERROR", {
      reason: "manifest and journal belong to different runs",
      run_root: runRoot,
      files: [{ path: MANIFEST_FILE, expected: manifest.run_id, found: trusted.run_id }],
    });
  }
  return { manifest, journalPath, end: scan.end, head: scan.head, foldedRevision: 0 };
}

export function refuseDamage(scan: JournalScan, path: string): void {
  if (scan.newer !== null) throw refuseNewer(scan.newer, path);
  if (scan.damage === null) return;
  throw new RunError("INTEGRITY_ERROR", {
    reason: `the journal is damaged: ${scan.damage.reason}`,
    files: [{ path: JOURNAL_FILE, expected: "a record that counts", found: `${scan.damage.reason} at byte ${scan.damage.offset}` }],
  });
}

async function readNote(files: Files, path: string): Promise<Uint8Array | null> {
  try {
    return await readWhole(files, path, 4096);
  } catch (error) {
    if (error instanceof RunError || errnoOf(error) === "ELOOP" || errnoOf(error) === "EFTYPE") return null;
    throw error;
  }
}

async function readFold(files: Files, runRoot: string): Promise<ManifestReading | null> {
  const bytes = await readWhole(files, `${runRoot}/${MANIFEST_FILE}`, MAX_MANIFEST_BYTES);
  if (bytes === null) return null;
  try {
    return readManifestText(decodeUtf8(bytes));
  } catch (error) {
    if (error instanceof RunError) return { kind: "untrusted", reason: error.message };
    throw error;
  }
}

/** `journal.jsonl`, or while a remake is unfinished the quarantined chain with the highest epoch and seq. */
export async function findJournal(files: Files, runRoot: string): Promise<string> {
  const path = `${runRoot}/${JOURNAL_FILE}`;
  const facts = await files.facts(path);
  if (facts?.kind === "file") return path;
  if (facts !== null) throw new RunError("INTEGRITY_ERROR", { reason: "the journal is not a regular file", path });
  const best = await bestQuarantined(files, runRoot);
  if (best !== null) return best;
  throw new RunError("NOT_FOUND", { reason: "no run is here", run_root: runRoot });
}

async function bestQuarantined(files: Files, runRoot: string): Promise<string | null> {
  const folder = `${runRoot}/${QUARANTINE_FOLDER}`;
  if ((await files.facts(folder))?.kind !== "folder") return null;
  let best: { path: string; head: ChainHead } | null = null;
  for (const name of await files.list(folder)) {
    if (!name.startsWith("journal.")) continue;
    const path = `${folder}/${name}`;
    const bytes = await readWhole(files, path, Number.MAX_SAFE_INTEGER);
    if (bytes === null) continue;
    const { head } = scanJournal(bytes);
    if (head.seq === 0) continue;
    if (best === null || head.epoch > best.head.epoch || (head.epoch === best.head.epoch && head.seq > best.head.seq)) {
      best = { path, head };
    }
  }
  return best?.path ?? null;
}
