// Reads the records of a run, the results of its steps, and the steps of its stages.
import { RunError } from "../../kernel/errors.ts";
import { digestOfJson } from "../../kernel/digest.ts";
import { decodeUtf8 } from "../../kernel/decoded-text.ts";
import { parseStrictJson } from "../../kernel/strict-json.ts";
import type { Files } from "../../ports/files.ts";
import type { FoldedUpTo } from "../../run/common.ts";
import { JOURNAL_FILE, stageFile } from "../../run/log/layout.ts";
import { MAX_RECORD_BYTES, readFittedLine, scanFolded } from "../../run/log/journal.ts";
import type { AnyRecord, PlacedRecord } from "../../run/log/record.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import type { StageFile } from "../../run/log/stage-folds.ts";
import type { Stage } from "../../run/stage.ts";
import type { ResultRef, Steps } from "../../run/log/step.ts";
import { checkContent, readContent } from "../disk/content-files.ts";
import { deriveFolds } from "./fold-files.ts";
import type { JournalFile } from "./journal-file.ts";
import { findJournal, refuseDamage, readJournal } from "./stored-journal.ts";

/** `folded`: the last folded record, by a manifest that was just read. */
export async function readRecords(
  files: Files,
  runRoot: string,
  folded: FoldedUpTo | null = null,
): Promise<PlacedRecord[]> {
  const path = await findJournal(files, runRoot);
  const bytes = (await readJournal(files, path)) ?? new Uint8Array();
  const scan = scanFolded(bytes, folded);
  refuseDamage(scan, path);
  return scan.records;
}

/** The value of a finished step, from its content file or from the record that starts at its offset. */
export async function readResult(
  files: Files,
  runRoot: string,
  ref: ResultRef,
  journal?: Pick<JournalFile, "readAt" | "records">,
): Promise<unknown> {
  if (ref.content !== undefined) return parseStrictJson(await readContent(files, runRoot, ref.content));
  if (ref.offset === undefined)
    throw new RunError("INTEGRITY_ERROR", { reason: "a result without a content file or a record", run_root: runRoot });
  const length = MAX_RECORD_BYTES + 1;
  const bytes =
    journal === undefined
      ? await readJournalAt(files, runRoot, ref.offset, length)
      : await journal.readAt(ref.offset, length);
  // Bytes that are no UTF-8 fit no digest, and the digest of the result is checked.
  const reading = readFittedLine(new TextDecoder().decode(bytes.subarray(0, Math.max(0, bytes.indexOf(0x0a)))));
  if (reading.kind === "record" && holdsResult(reading.record, ref)) return reading.record.data.value;
  // Debris may have been added or removed, so the record is elsewhere. Its digest still says which one it is.
  const records = journal === undefined ? await readRecords(files, runRoot) : await journal.records();
  for (const { record } of records) if (holdsResult(record, ref)) return record.data.value;
  throw new RunError("INTEGRITY_ERROR", {
    reason: "the record of a result does not hold the result",
    run_root: runRoot,
    files: [{ path: JOURNAL_FILE, expected: ref.digest, found: `another record at byte ${ref.offset}` }],
  });
}

async function readJournalAt(files: Files, runRoot: string, offset: number, length: number): Promise<Uint8Array> {
  const handle = await files.open(await findJournal(files, runRoot), "read");
  try {
    return await handle.readAt(offset, length);
  } finally {
    await handle.close();
  }
}

type ResultRecord = Extract<AnyRecord, { kind: "step.completed" | "step.adopted" }>;

function holdsResult(record: AnyRecord, ref: ResultRef): record is ResultRecord {
  const isResult = record.kind === "step.completed" || record.kind === "step.adopted";
  return (
    isResult &&
    record.data.result_digest === ref.digest &&
    record.data.value !== undefined &&
    digestOfJson(record.data.value) === ref.digest
  );
}

/** The steps of the current stage from the manifest; those of a finished stage from its fold, or from the journal. */
export async function readSteps(files: Files, runRoot: string, manifest: Manifest, stage: Stage): Promise<Steps> {
  if (manifest.stage.current === stage) return manifest.steps;
  const ref = manifest.stage.history.flatMap(({ folds }) => folds).find(({ path }) => path === stageFile(stage));
  if (ref === undefined) return {};
  const check = await checkContent(files, runRoot, ref);
  const text =
    check.kind === "good"
      ? decodeUtf8(check.bytes)
      : (await deriveFolds(await readRecords(files, runRoot), (result) => readResult(files, runRoot, result))).get(
          ref.path,
        )?.text;
  if (text === undefined)
    throw new RunError("MISSING_ARTIFACT", { reason: "the file of the steps of a stage is gone", path: ref.path });
  // No schema is needed: its digest is in the journal, or it was made from the journal just now.
  return (JSON.parse(text) as StageFile).steps;
}
