// Opens a run from its fold and the journal's tail, or from the whole journal when the fold cannot be trusted. Writes nothing.
import { unlessThrown } from "../../kernel/unless-thrown.ts";
import type { Digest } from "../../kernel/digest.ts";
import { RunError, type FileProblem } from "../../kernel/errors.ts";
import { decodeUtf8 } from "../../kernel/decoded-text.ts";
import type { FileHandle, Files } from "../../ports/files.ts";
import type { AcquireOptions, LookOptions } from "../../ports/run-log.ts";
import { JOURNAL_FILE, HEAD_FILE, MANIFEST_FILE } from "../../run/log/layout.ts";
import { isTerminal } from "../../run/log/lifecycle.ts";
import { readRecordPlace, type ChainHead } from "../../run/log/record-seal.ts";
import type { JournalScan } from "../../run/log/journal.ts";
import { claimIn, type ManifestClaim, refuseNewer } from "../../run/log/manifest-text.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import { foldOfAnother, foldProblem, JOURNAL_AWAY, missingRecords } from "../disk/file-problems.ts";
import { decodeHead } from "./head-note.ts";
import {
  endsTooEarly,
  journalError,
  MAX_JOURNAL_BYTES,
  type OpenJournal,
  openJournal,
  readFold,
  readNote,
  refuseDamage,
  tooLarge,
} from "./stored-journal.ts";

const LINE_FEED = 0x0a;
/** The line before the first record. */
const FRAMING = new TextEncoder().encode(" \n");

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
