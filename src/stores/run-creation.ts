// Makes a run: its folder, its first records in one link, its first fold.
import { RunError } from "../kernel/errors.ts";
import { timestamp } from "../ports/clock.ts";
import type { LaterContent, NewContent } from "../ports/run-log.ts";
import { checkFirstDrafts } from "../run/drafts.ts";
import { foldAll } from "../run/fold.ts";
import { CHAIN_START, frameRecord, JOURNAL_FILE, MAX_RECORD_BYTES, scanJournal, sealRecord } from "../run/journal.ts";
import { MANIFEST_FILE, QUARANTINE_FOLDER, TEMPORARY_PREFIX } from "../run/layout.ts";
import { sealManifest } from "../run/manifest.ts";
import type { Files } from "../ports/files.ts";
import type { RecordDraft } from "../run/record.ts";
import { storeContent } from "./content-files.ts";
import { createFile, ensureAbsoluteFolder, ensureFolder, folderOf } from "./durable-write.ts";
import { writeFold } from "./fold-files.ts";
import type { LeaseDependencies } from "./lease-reading.ts";
import type { LentLeases } from "./lent-leases.ts";
import { requireLocalDisk } from "./local-disk.ts";
import { knownRecords, quarantinedJournal, readJournal } from "./run-reader.ts";
import { temporaryName } from "./temporary-names.ts";

export interface FileStoreDependencies extends LeaseDependencies {
  /** Leases that this process holds already, and that its writers may work under. */
  lent?: LentLeases;
}

/** Makes a run that nobody owns yet. */
export async function create(
  dependencies: FileStoreDependencies,
  runRoot: string,
  drafts: readonly RecordDraft[],
  contents: readonly (NewContent | LaterContent)[],
): Promise<{ kind: "created" | "exists" }> {
  if ((await prepareFolder(dependencies, runRoot, drafts)) === "exists") return { kind: "exists" };
  return { kind: await linkJournal(dependencies, runRoot, drafts, contents) };
}

/** Makes the folder of a run. Errors: `INVALID_ARGS` for one on a network disk, `ALREADY_EXISTS` where a file stands. */
export async function prepareFolder(
  dependencies: FileStoreDependencies,
  runRoot: string,
  drafts: readonly RecordDraft[],
): Promise<"prepared" | "exists"> {
  const { files } = dependencies;
  requireLocalDisk(dependencies, runRoot);
  checkFirstDrafts(drafts);
  await ensureAbsoluteFolder(files, runRoot);
  if ((await files.facts(runRoot))?.kind === "file") {
    throw new RunError("ALREADY_EXISTS", { reason: "a file stands where the run root should be", run_root: runRoot });
  }
  return (await hasRun(files, runRoot)) ? "exists" : "prepared";
}

/** True when a record counts here, or once did. */
export async function hasRun(files: Files, runRoot: string): Promise<boolean> {
  return (await findRun(files, runRoot)) === "run";
}

/** `unbegun`: a journal without a record that counts. A lost journal and an unfinished remake leave a run, too. */
async function findRun(files: Files, runRoot: string): Promise<"run" | "unbegun" | "nothing"> {
  const journal = await readJournal(files, `${runRoot}/${JOURNAL_FILE}`);
  if (journal !== null) {
    const { head, damage, newer } = scanJournal(journal);
    if (head.seq > 0 || damage !== null || newer !== null) return "run";
  } else if ((await quarantinedJournal(files, runRoot)) !== null) return "run";
  if ((await knownRecords(files, runRoot)) > 0) return "run";
  return journal === null ? "nothing" : "unbegun";
}

/**
 * The journal is linked whole with its first records, which is the moment the run exists. A folder in which no record
 * counts is no run yet and is begun anew; what lies in it is set aside, never deleted.
 */
export async function linkJournal(
  dependencies: FileStoreDependencies,
  runRoot: string,
  drafts: readonly RecordDraft[],
  contents: readonly (NewContent | LaterContent)[],
): Promise<"created" | "exists"> {
  const { files, clock } = dependencies;
  const path = `${runRoot}/${JOURNAL_FILE}`;
  const name = temporaryName(dependencies, "create");
  const temporary = (what: string): string => `${runRoot}/${name}-${what}`;
  const storing = { temporary: temporary("content"), requireOwner: async () => undefined };
  for (;;) {
    const found = await findRun(files, runRoot);
    if (found === "run") return "exists";
    if (found === "unbegun") {
      await ensureFolder(files, runRoot, QUARANTINE_FOLDER);
      await files.rename(path, `${runRoot}/${QUARANTINE_FOLDER}/unbegun${name.replace(TEMPORARY_PREFIX, ".")}.jsonl`);
      continue;
    }
    for (const content of contents) {
      const bytes = "read" in content ? await content.read() : content.bytes;
      await storeContent(files, runRoot, { path: content.path, bytes }, storing);
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
    return "created";
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
