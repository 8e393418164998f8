// Finds the journal of a run, also one that a remake moved, and reads the files beside it. Each damage has its error.
import { decodeUtf8 } from "../../kernel/decoded-text.ts";
import { errnoOf, type FaultFacts, RunError } from "../../kernel/errors.ts";
import type { FileHandle, Files } from "../../ports/files.ts";
import type { JournalScan } from "../../run/log/journal.ts";
import { HEAD_FILE, JOURNAL_FILE, MANIFEST_FILE, QUARANTINE_FOLDER } from "../../run/log/layout.ts";
import { claimOf, type ManifestReading, readManifestText, refuseNewer } from "../../run/log/manifest-text.ts";
import type { ChainHead } from "../../run/log/record-seal.ts";
import { isOddFile, nameOf, readWhole } from "../disk/durable-write.ts";
import { damageProblem, missingRecords } from "../disk/file-problems.ts";
import { decodeHead } from "./head-note.ts";

/** No run writes as much, so a larger file is damaged. */
export const MAX_JOURNAL_BYTES = 1024 * 1024 * 1024;
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;

export interface OpenJournal {
  handle: FileHandle;
  /** `journal.jsonl`, or the quarantined chain while a remake is unfinished. */
  journalPath: string;
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

export function refuseDamage(scan: JournalScan, path: string): void {
  if (scan.newer !== null) throw refuseNewer(scan.newer, path);
  if (scan.damage === null) return;
  throw journalError(scan.head.seq === 0, {
    reason: `the journal is damaged: ${scan.damage.reason}`,
    files: [damageProblem(scan.damage)],
  });
}

/** `isLost`: no record counts, so that nothing but a backup brings the journal back. */
export function journalError(isLost: boolean, facts: FaultFacts<"INTEGRITY_ERROR">): RunError {
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

export function tooLarge(path: string, bytes: number): RunError {
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

export function endsTooEarly(runRoot: string, known: number, found: number): RunError {
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
  const { scanJournal } = await import("../../run/log/journal.ts");
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
