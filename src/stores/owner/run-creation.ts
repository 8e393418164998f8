// Makes a run: its folder, its journal with the first records, its manifest.
import { RunError } from "../../kernel/errors.ts";
import { timestamp } from "../../ports/clock.ts";
import type { LaterContent, NewContent } from "../../ports/run-log.ts";
import { checkFirstDrafts } from "../../run/log/drafts.ts";
import { foldAll } from "../../run/log/fold.ts";
import { CHAIN_START, scanJournal, sealRecords } from "../../run/log/journal.ts";
import { JOURNAL_FILE, MANIFEST_FILE, QUARANTINE_FOLDER, TEMPORARY_PREFIX } from "../../run/log/layout.ts";
import { sealManifest } from "../../run/log/manifest-text.ts";
import type { Files } from "../../ports/files.ts";
import type { RecordDraft } from "../../run/log/record.ts";
import { storeContent } from "../disk/content-files.ts";
import { createFile, ensureAbsoluteFolder, ensureFolder, folderOf } from "../disk/durable-write.ts";
import { writeFold } from "../journal/fold-files.ts";
import { requireLocalDisk, type Machine } from "../disk/machine.ts";
import { knownRecords, quarantinedJournal, readJournal } from "../journal/stored-journal.ts";
import { temporaryName } from "../disk/temporary-names.ts";

/** Makes a run that no process owns yet. */
export async function create(
  machine: Machine,
  runRoot: string,
  drafts: readonly RecordDraft[],
  contents: readonly (NewContent | LaterContent)[],
): Promise<{ kind: "created" | "exists" }> {
  if ((await prepareFolder(machine, runRoot, drafts)) === "exists") return { kind: "exists" };
  return { kind: await linkJournal(machine, runRoot, drafts, contents) };
}

/** Makes the folder of a run. Errors: `INVALID_ARGS` for one on a network disk, `ALREADY_EXISTS` where a file stands. */
export async function prepareFolder(
  machine: Machine,
  runRoot: string,
  drafts: readonly RecordDraft[],
): Promise<"prepared" | "exists"> {
  const { files } = machine;
  requireLocalDisk(machine, runRoot);
  checkFirstDrafts(drafts);
  await ensureAbsoluteFolder(files, runRoot);
  if ((await files.facts(runRoot))?.kind === "file") {
    throw new RunError("ALREADY_EXISTS", { reason: "a file stands where the run root should be", run_root: runRoot });
  }
  return (await hasRun(files, runRoot)) ? "exists" : "prepared";
}

/** True when a record counts in this folder, or once did. */
export async function hasRun(files: Files, runRoot: string): Promise<boolean> {
  return (await findRun(files, runRoot)) === "run";
}

/** `unbegun`: a journal in which no record counts. A folder whose journal is lost, or in quarantine, is a run as well. */
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
 * Links the journal with its first records as a whole: from that moment the run exists. A journal in which no record counts is
 * moved to quarantine first, and never deleted.
 */
export async function linkJournal(
  machine: Machine,
  runRoot: string,
  drafts: readonly RecordDraft[],
  contents: readonly (NewContent | LaterContent)[],
): Promise<"created" | "exists"> {
  const { files, clock } = machine;
  const path = `${runRoot}/${JOURNAL_FILE}`;
  const name = temporaryName(machine, "create");
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
    const { bytes } = sealRecords(drafts, { end: 0, head: CHAIN_START }, 0, timestamp(clock.nowMs()));
    if (!(await createFile(files, { temporary: temporary("journal"), path }, bytes))) continue;
    await files.syncFolder(folderOf(runRoot));
    const manifest = foldAll(scanJournal(bytes).records);
    if (manifest !== null) {
      // Only the process that won the link comes here, so no other process writes this fold yet.
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
