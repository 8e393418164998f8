// Opens a run from its fold and the journal's tail, or from the whole journal when the fold cannot be trusted. Writes nothing.
import { unlessThrown } from "../../kernel/unless-thrown.ts";
import type { Digest } from "../../kernel/digest.ts";
import { errnoOf, type FaultFacts, RunError } from "../../kernel/errors.ts";
import { decodeUtf8 } from "../../kernel/decoded-text.ts";
import type { FileHandle, Files } from "../../ports/files.ts";
import type { AcquireOptions, FileProblem, LookOptions } from "../../ports/run-log.ts";
import { JOURNAL_FILE, HEAD_FILE, MANIFEST_FILE, QUARANTINE_FOLDER } from "../../run/log/layout.ts";
import { isTerminal } from "../../run/log/lifecycle.ts";
import { readRecordPlace, type ChainHead } from "../../run/log/record-seal.ts";
import type { JournalScan } from "../../run/log/journal.ts";
import {
  claimIn,
  claimOf,
  readManifestText,
  refuseNewer,
  type ManifestClaim,
  type ManifestReading,
} from "../../run/log/manifest-text.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import { isOddFile, nameOf, readWhole } from "../disk/durable-write.ts";
import { damageProblem, foldOfAnother, foldProblem, JOURNAL_AWAY, missingRecords } from "../disk/file-problems.ts";
import { decodeHead } from "./head-note.ts";

/** No run writes as much, so a larger file is damaged. */
export const MAX_JOURNAL_BYTES = 1024 * 1024 * 1024;
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;
const LINE_FEED = 0x0a;
/** The line before the first record. */
const FRAMING = new TextEncoder().encode(" \n");

/** Facts of a journal in which no record counts. No repair makes anything of it. */

export interface OpenedRun {
  manifest: Manifest;
  /** Where the last terminated line ends. */
  end: number;
  head: ChainHead;
  /** The revision of manifest.json; 0 when it has to be rebuilt. */
  foldedRevision: number;
  /** What does not verify: a fold that cannot be trusted, a journal that is not in its place. */
  problems: FileProblem[];
  /** Every byte of the journal was read, and fits. */
  isWhole: boolean;
}

export interface OpenOptions extends LookOptions {
  /** Decides whether a sealed fold can be trusted; by default it can. */
  trusts?: (journal: FileHandle, size: number, fold: Manifest) => Promise<boolean>;
  /** Folds from the first record on. The fold on disk then says no more than how far the journal went. */
  foldsAnew?: boolean;
  /** The files of the run root, so that a file that is not there need not be opened. */
  names?: readonly string[];
  /** An earlier look. Its manifest is used instead of the fold on disk. */
  seen?: AcquireOptions["seen"];
  /** The open journal of a caller that continues with it. */
  journal?: OpenJournal;
}

export interface OpenJournal {
  handle: FileHandle;
  /** `journal.jsonl`, or the quarantined chain while a remake is unfinished. */
  journalPath: string;
}

/** Errors: `NOT_FOUND` when no run is here, `INTEGRITY_ERROR`, `SCHEMA_UNSUPPORTED`. */
export async function openRun(files: Files, runRoot: string, options: OpenOptions = {}): Promise<OpenedRun> {
  const { trusts, names = [HEAD_FILE], cutShort = false, foldsAnew = false, seen, journal } = options;
  // A writer changes the journal before note and fold. Both are read before the journal, so that neither seems ahead of it.
  const note = names.includes(HEAD_FILE) ? decodeHead(await readNote(files, `${runRoot}/${HEAD_FILE}`)) : null;
  const fold = seenFold(seen) ?? (await readFold(files, runRoot));
  if (fold?.kind === "newer") throw refuseNewer(fold.version, `${runRoot}/${MANIFEST_FILE}`);
  const { handle, journalPath } = journal ?? (await openJournal(files, runRoot, "read"));
  let opened: OpenedRun | null;
  let known = note?.seq ?? 0;
  try {
    const { size } = await handle.facts();
    if (size > MAX_JOURNAL_BYTES) throw tooLarge(journalPath, size);
    const sealed = fold?.kind === "manifest" ? fold.manifest : null;
    const trusted = sealed !== null && ((await trusts?.(handle, size, sealed)) ?? true) ? sealed : null;
    const claim = fold?.kind === "other_fold" ? fold.claim : (trusted ?? (sealed && claimIn(sealed)));
    known = Math.max(known, claim?.journal.seq ?? 0);
    // To read all of the journal, it is read once.
    const whole = trusted !== null && wantsWhole(options, trusted) ? await handle.readAt(0, size) : null;
    const tail = trusted === null || foldsAnew ? null : await foldTail(handle, size, trusted, whole);
    // What was seen does not fit the journal any more, as after a repair, so the fold on disk is read.
    if (tail === null && seen !== undefined) return await openRun(files, runRoot, { ...options, seen: undefined });
    opened = tail ?? (await foldWhole(whole ?? (await handle.readAt(0, size)), claim, journalPath, runRoot));
    if (opened === null && known > 0) throw endsTooEarly(runRoot, known, 0);
    if (opened === null) throw new RunError("NOT_FOUND", { reason: "no run was begun here", run_root: runRoot });
    if (whole !== null && !opened.isWhole) {
      const { isPlainChain } = await import("./chain-check.ts");
      opened.isWhole = isPlainChain(whole);
    }
  } finally {
    if (journal === undefined) await handle.close();
  }
  if (seen !== undefined && opened.foldedRevision > 0) opened.foldedRevision = seen.shownRevision;
  if (opened.head.seq < known) {
    if (!cutShort) throw endsTooEarly(runRoot, known, opened.head.seq);
    opened.problems.push(missingRecords(known, opened.head.seq));
  }
  if (journalPath !== `${runRoot}/${JOURNAL_FILE}`) opened.problems.push(JOURNAL_AWAY);
  if (fold?.kind === "untrusted") opened.problems.push(foldProblem(fold.reason));
  return opened;
}

/** True when `look` has to know that the whole journal fits. */
export function wantsWhole({ wholeLog }: LookOptions, { execution_state }: Manifest): boolean {
  return wholeLog === "of all runs" || (wholeLog === "of open runs" && !isTerminal(execution_state));
}

/** A copy of the manifest of `look`, to be folded on; null when `look` could not trust the fold, or found none. */
function seenFold(seen: OpenOptions["seen"]): { kind: "manifest"; manifest: Manifest } | null {
  if (seen === undefined || seen.shownRevision === 0) return null;
  return { kind: "manifest", manifest: structuredClone(seen.manifest) };
}

/** True when the journal has another record in place of the one that a manifest folded last. */
function isOfAnother({ journal }: ManifestClaim, { records }: JournalScan): boolean {
  const found = records[journal.seq - 1]?.record.digest;
  return found !== undefined && found !== journal.digest;
}

/** Opens the journal. Only when it is not in its place is it looked for elsewhere, which costs more. */
export async function openJournal(files: Files, runRoot: string, mode: "append" | "read"): Promise<OpenJournal> {
  const path = `${runRoot}/${JOURNAL_FILE}`;
  try {
    return { handle: await files.open(path, mode), journalPath: path };
  } catch (error) {
    if (errnoOf(error) !== "ENOENT" && !isOddFile(error)) throw error;
  }
  const journalPath = await findJournal(files, runRoot);
  return { handle: await files.open(journalPath, mode), journalPath };
}

/** Loads the code that reads and folds records, which `look` does not need where the manifest is current. */
async function loadFolding() {
  const [{ scanJournal }, { foldAll, foldRecord }] = await Promise.all([
    import("../../run/log/journal.ts"),
    import("../../run/log/fold.ts"),
  ]);
  return { scanJournal, foldAll, foldRecord };
}

/** Reads no more than the tail, where the whole journal was not read yet. */
async function foldTail(
  handle: FileHandle,
  size: number,
  trusted: Manifest,
  whole: Uint8Array | null,
): Promise<OpenedRun | null> {
  const { offset, seq, digest } = trusted.journal;
  if (offset === 0 || offset >= size) return null;
  const isWhole = seq === 1 && offset === FRAMING.length;
  const before = isWhole ? FRAMING : FRAMING.subarray(-1);
  const start = offset - before.length;
  const read = whole?.subarray(start, size) ?? (await handle.readAt(start, size - start));
  // A record counts only behind a line feed.
  if (!before.every((byte, at) => read[at] === byte)) return null;
  const bytes = read.subarray(before.length);
  const folded = readFolded(bytes, seq, digest);
  if (folded === null) return null;
  const manifest = trusted;
  const foldedRevision = trusted.revision;
  const { head } = folded;
  if (folded.length === bytes.length) return { manifest, end: size, head, foldedRevision, problems: [], isWhole };
  const { foldRecord, scanJournal } = await loadFolding();
  const scan = scanJournal(bytes.subarray(folded.length), offset + folded.length, head);
  // What looks like damage may hang on a record before the tail. Only the whole journal can show that.
  if (scan.damage !== null || scan.newer !== null) return null;
  for (const placed of scan.records) foldRecord(manifest, placed);
  return { manifest, end: scan.end, head: scan.head, foldedRevision, problems: [], isWhole };
}

/** Finds the record that the manifest folded last in the first line of `bytes`: the length of the line, and the chain up to it. */
function readFolded(bytes: Uint8Array, seq: number, digest: Digest): { length: number; head: ChainHead } | null {
  const end = bytes.indexOf(LINE_FEED);
  if (end < 0) return null;
  const place = readRecordPlace(unlessThrown(() => decodeUtf8(bytes.subarray(0, end)), ""));
  if (place === null || place.seq !== seq || place.digest !== digest) return null;
  return { length: end + 1, head: place };
}

async function foldWhole(
  bytes: Uint8Array,
  claim: ManifestClaim | null,
  journalPath: string,
  runRoot: string,
): Promise<OpenedRun | null> {
  const { foldAll, scanJournal } = await loadFolding();
  const scan = scanJournal(bytes);
  refuseDamage(scan, journalPath);
  const manifest = foldAll(scan.records);
  if (manifest === null) return null;
  if (claim !== null && claim.run_id !== manifest.run_id) {
    throw journalError(true, {
      reason: "manifest and journal belong to different runs",
      run_root: runRoot,
      files: [{ path: MANIFEST_FILE, expected: manifest.run_id, found: claim.run_id }],
    });
  }
  // When the journal ends before that record, the caller finds out.
  const problems = claim !== null && isOfAnother(claim, scan) ? [foldOfAnother(claim)] : [];
  return { manifest, end: scan.end, head: scan.head, foldedRevision: 0, problems, isWhole: true };
}

export function refuseDamage(scan: JournalScan, path: string): void {
  if (scan.newer !== null) throw refuseNewer(scan.newer, path);
  if (scan.damage === null) return;
  throw journalError(scan.head.seq === 0, {
    reason: `the journal is damaged: ${scan.damage.reason}`,
    files: [damageProblem(scan.damage)],
  });
}

/** `isLost`: no record counts, so that nothing but a backup brings the journal back. */
function journalError(isLost: boolean, facts: FaultFacts<"INTEGRITY_ERROR">): RunError {
  return isLost
    ? new RunError("INTEGRITY_ERROR.journal_lost", { ...facts, journal_lost: true })
    : new RunError("INTEGRITY_ERROR", facts);
}

export async function readNote(files: Files, path: string): Promise<Uint8Array | null> {
  try {
    return await readWhole(files, path, 4096);
  } catch (error) {
    if (error instanceof RunError || isOddFile(error)) return null;
    throw error;
  }
}

/** Reads manifest.json; null when nothing is there. */
export async function readFold(files: Files, runRoot: string): Promise<(ManifestReading & { text: string }) | null> {
  let text = "";
  try {
    const bytes = await readWhole(files, `${runRoot}/${MANIFEST_FILE}`, MAX_MANIFEST_BYTES);
    if (bytes === null) return null;
    text = decodeUtf8(bytes);
    return { ...readManifestText(text), text };
  } catch (error) {
    if (error instanceof RunError) return { kind: "untrusted", reason: error.message, text };
    if (isOddFile(error)) return { kind: "untrusted", reason: "not a regular file", text };
    throw error;
  }
}

/** The path of the journal: `journal.jsonl`, or the chain in quarantine while a remake is unfinished. */
export async function findJournal(files: Files, runRoot: string): Promise<string> {
  const path = `${runRoot}/${JOURNAL_FILE}`;
  const facts = await files.facts(path);
  if (facts?.kind === "file") return path;
  if (facts !== null) throw journalError(true, { reason: "the journal is not a regular file", path });
  const best = await quarantinedJournal(files, runRoot);
  if (best !== null) return best;
  const known = await knownRecords(files, runRoot);
  if (known > 0) throw endsTooEarly(runRoot, known, 0);
  throw new RunError("NOT_FOUND", { reason: "no run is here", run_root: runRoot });
}

/** How many records the run surely had, by the files beside the journal; 0 when none was acknowledged yet. */
export async function knownRecords(files: Files, runRoot: string): Promise<number> {
  const note = decodeHead(await readNote(files, `${runRoot}/${HEAD_FILE}`));
  const fold = await readFold(files, runRoot);
  return Math.max(note?.seq ?? 0, claimOf(fold)?.journal.seq ?? 0);
}

function tooLarge(path: string, bytes: number): RunError {
  return new RunError("INTEGRITY_ERROR", {
    reason: "the journal is larger than a journal can be",
    files: [{ path: nameOf(path), expected: `at most ${MAX_JOURNAL_BYTES} bytes`, found: `${bytes} bytes` }],
  });
}

/** The bytes of a journal; null when nothing is there. Errors: `INTEGRITY_ERROR` for one that is too large. */
export async function readJournal(files: Files, path: string): Promise<Uint8Array | null> {
  const facts = await files.facts(path);
  if (facts !== null && facts.size > MAX_JOURNAL_BYTES) throw tooLarge(path, facts.size);
  return await readWhole(files, path, MAX_JOURNAL_BYTES);
}

function endsTooEarly(runRoot: string, known: number, found: number): RunError {
  return journalError(found === 0, {
    reason: "the journal ends before a record that was already acknowledged",
    run_root: runRoot,
    files: [missingRecords(known, found)],
  });
}

/** The path of the chain in quarantine with the highest epoch and seq; null when there is none. */
export async function quarantinedJournal(files: Files, runRoot: string): Promise<string | null> {
  const folder = `${runRoot}/${QUARANTINE_FOLDER}`;
  if ((await files.facts(folder))?.kind !== "folder") return null;
  const { scanJournal } = await loadFolding();
  let best: { path: string; head: ChainHead } | null = null;
  for (const name of await files.list(folder)) {
    if (!name.startsWith("journal.")) continue;
    const path = `${folder}/${name}`;
    const bytes = await readJournal(files, path);
    if (bytes === null) continue;
    const { head } = scanJournal(bytes);
    if (head.seq === 0) continue;
    if (best === null || head.epoch > best.head.epoch || (head.epoch === best.head.epoch && head.seq > best.head.seq)) {
      best = { path, head };
    }
  }
  return best?.path ?? null;
}
