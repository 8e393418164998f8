// Makes a run: its folder, its first records in one link, its first fold.
import { RunError } from "../kernel/errors.ts";
import { timestamp } from "../ports/clock.ts";
import { checkFirstDrafts } from "../run/drafts.ts";
import { foldAll } from "../run/fold.ts";
import { CHAIN_START, frameRecord, JOURNAL_FILE, MAX_RECORD_BYTES, scanJournal, sealRecord } from "../run/journal.ts";
import { MANIFEST_FILE, QUARANTINE_FOLDER } from "../run/layout.ts";
import { sealManifest } from "../run/manifest.ts";
import type { RecordDraft } from "../run/record.ts";
import { storeContent } from "./content-files.ts";
import { createFile, ensureAbsoluteFolder, ensureFolder, folderOf } from "./durable-write.ts";
import { writeFold } from "./fold-files.ts";
import type { LeaseDependencies } from "./lease-reading.ts";
import type { LentLeases } from "./lent-leases.ts";
import { requireLocalDisk } from "./local-disk.ts";
import { knownRecords, quarantinedJournal, readJournal } from "./run-reader.ts";

export interface FileStoreDependencies extends LeaseDependencies {
  /** Leases that this process holds already, and that its writers may work under. */
  lent?: LentLeases;
}

/**
 * The journal is linked whole with its first records, which is the moment the run exists. A folder in which no record
 * counts is no run yet and is begun anew; what lies in it is set aside, never deleted.
 */
export async function create(
  dependencies: FileStoreDependencies,
  runRoot: string,
  drafts: readonly RecordDraft[],
  contents: readonly { path: string; bytes: Uint8Array }[],
): Promise<{ kind: "created" } | { kind: "exists" }> {
  const { files, clock, random } = dependencies;
  requireLocalDisk(dependencies, runRoot);
  checkFirstDrafts(drafts);
  await ensureAbsoluteFolder(files, runRoot);
  if ((await files.facts(runRoot))?.kind === "file") {
    throw new RunError("ALREADY_EXISTS", { reason: "a file stands where the run root should be", run_root: runRoot });
  }
  const path = `${runRoot}/${JOURNAL_FILE}`;
  const mark = Array.from(random.bytes(6), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const temporary = (what: string): string => `${runRoot}/.tmp-create-${mark}-${what}`;
  for (;;) {
    const existing = await readJournal(files, path);
    if (existing !== null) {
      const scan = scanJournal(existing);
      if (scan.head.seq > 0 || scan.damage !== null || scan.newer !== null) return { kind: "exists" };
      if ((await knownRecords(files, runRoot)) > 0) return { kind: "exists" };
      await ensureFolder(files, runRoot, QUARANTINE_FOLDER);
      await files.rename(path, `${runRoot}/${QUARANTINE_FOLDER}/unbegun.${mark}.jsonl`);
      continue;
    }
    // While a remake is unfinished, or when the journal was lost, the run is there although its journal is not.
    if ((await quarantinedJournal(files, runRoot)) !== null || (await knownRecords(files, runRoot)) > 0)
      return { kind: "exists" };
    for (const content of contents) {
      await storeContent(files, runRoot, content, {
        temporary: temporary("content"),
        requireOwner: async () => undefined,
      });
    }
    const text = firstLines(drafts, timestamp(clock.nowMs()));
    if (!(await createFile(files, { temporary: temporary("journal"), path }, new TextEncoder().encode(text)))) continue;
    await files.syncFolder(folderOf(runRoot));
    const manifest = foldAll(scanJournal(new TextEncoder().encode(text)).records);
    if (manifest !== null) {
      // Only the winner of the link comes here, so nobody else writes this fold yet.
      await writeFold(
        files,
        runRoot,
        { path: MANIFEST_FILE, text: sealManifest(manifest).text },
        temporary("manifest"),
      );
    }
    return { kind: "created" };
  }
}

function firstLines(drafts: readonly RecordDraft[], ts: string): string {
  let text = "";
  let { seq, digest: prev } = CHAIN_START;
  for (const draft of drafts) {
    const { record, line } = sealRecord(draft, { seq: seq + 1, ts, epoch: 0, prev });
    if (Buffer.byteLength(line) > MAX_RECORD_BYTES)
      throw new RunError("INPUT_TOO_LARGE", { reason: "the record is too large", kind: draft.kind });
    text += frameRecord(line);
    seq = record.seq;
    prev = record.digest;
  }
  return text;
}
