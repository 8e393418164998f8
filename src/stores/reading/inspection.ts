// Reads a run from the first byte and finds what does not fit. Writes nothing.
import type { FileProblem } from "../../kernel/errors.ts";
import { counted } from "../../kernel/counted.ts";
import { foldFirst } from "../../run/log/first-fold.ts";
import { foldRecord } from "../../run/log/fold.ts";
import { JOURNAL_FILE, BLOCKED_URLS_FILE, HEAD_FILE, MANIFEST_FILE } from "../../run/log/layout.ts";
import { scanJournal, type JournalScan } from "../../run/log/journal.ts";
import type { AnyRecord, PlacedRecord } from "../../run/log/record.ts";
import { namedContent } from "../../run/log/named-content.ts";
import { claimOf, refuseNewer, sealManifest } from "../../run/log/manifest-text.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import type { Files } from "../../ports/files.ts";
import type { Inspection, InspectOptions } from "../../ports/run-log.ts";
import { checkContent } from "../disk/content-files.ts";
import { unlessDamaged } from "../../kernel/damage.ts";
import type { FoldFile } from "../../run/log/stage-folds.ts";
import { readWhole } from "../disk/durable-write.ts";
import { readResult } from "../journal/run-files.ts";
import { badFolds, deriveFolds } from "../journal/fold-files.ts";
import { decodeHead } from "../journal/head-note.ts";
import { damageProblem, foldOfAnother, foldProblem, JOURNAL_AWAY, missingRecords } from "../disk/file-problems.ts";
import { findJournal, readFold, readJournal } from "../journal/stored-journal.ts";

type Fold = Awaited<ReturnType<typeof readFold>>;

export async function inspectRun(
  files: Files,
  runRoot: string,
  { withContent = true }: InspectOptions = {},
): Promise<Inspection> {
  // Note and fold are read first, since a writer changes them after the journal: then neither can seem ahead.
  const note = decodeHead(await readWhole(files, `${runRoot}/${HEAD_FILE}`, 4096).catch(() => null));
  const fold = await readFold(files, runRoot);
  const journalPath = await findJournal(files, runRoot);
  const scan = scanJournal((await readJournal(files, journalPath)) ?? new Uint8Array());
  if (scan.newer !== null) throw refuseNewer(scan.newer, journalPath);
  const problems: FileProblem[] = [];
  const behind: string[] = [];
  const notes: string[] = [];
  if (journalPath !== `${runRoot}/${JOURNAL_FILE}`) problems.push(JOURNAL_AWAY);
  if (scan.damage !== null) problems.push(damageProblem(scan.damage));
  if (note !== null && note.seq > scan.head.seq) problems.push(missingRecords(note.seq, scan.head.seq));
  const noted = note === null ? undefined : scan.records[note.seq - 1]?.record.digest;
  if (note !== null && noted !== undefined && noted !== note.digest) {
    problems.push({ path: JOURNAL_FILE, expected: `record ${note.seq} = ${note.digest}`, found: noted });
  }
  if (scan.debris.length > 0)
    notes.push(`skipped ${counted(scan.debris.length, "incomplete journal line")} (nothing confirmed was lost)`);
  if (scan.lost.length > 0)
    notes.push(`ignored ${counted(scan.lost.length, "journal record")} of a process that no longer owned the run`);
  const { manifest, stateAt } = replay(scan, fold);
  const records = scan.records.map(({ record }) => record);
  const known = claimOf(fold);
  const isLost = manifest === null || (known !== null && known.run_id !== manifest.run_id);
  const found = { records, isDamaged: scan.damage !== null, isLost, manifest, problems, behind, notes };
  if (manifest === null) return found;
  const judged = judgeFold(fold, stateAt, scan, manifest);
  if (judged === "behind") behind.push(MANIFEST_FILE);
  else if (judged !== "current") problems.push(judged);
  const derive = async (): Promise<Map<string, FoldFile>> => await derivedFolds(files, runRoot, scan.records);
  for (const { ref, found, isMissing } of await badFolds(files, runRoot, manifest, derive)) {
    if (isMissing || isEarlierList(records, ref.path, found)) behind.push(ref.path);
    else problems.push({ path: ref.path, expected: ref.sha256, found });
  }
  for (const ref of withContent ? namedContent(records) : []) {
    const check = await checkContent(files, runRoot, ref);
    if (check.kind !== "good") problems.push({ path: ref.path, expected: ref.sha256, found: check.found });
  }
  const givenUp = records.flatMap((record) => (record.kind === "repair.done" ? (record.data.given_up ?? []) : []));
  if (givenUp.length > 0)
    notes.push(
      `${new Set(givenUp).size} file(s) of conversations were lost and given up by a repair; no result rests on them`,
    );
  for (const path of behind) notes.push(`${path} is missing or behind; the next writer brings it up`);
  return found;
}

/** True for an earlier list of what could not be reached. A crash between a new entry and its list leaves the list before. */
function isEarlierList(records: readonly AnyRecord[], path: string, found: string): boolean {
  return (
    path === BLOCKED_URLS_FILE &&
    records.some((record) => record.kind === "url.blocked" && record.data.fold?.sha256 === found)
  );
}

/** Folds every record, and keeps the state at the revision that manifest.json claims to hold. */
function replay(scan: JournalScan, fold: Fold): { manifest: Manifest | null; stateAt: string | null } {
  const claimed = fold?.kind === "manifest" ? fold.manifest.revision : null;
  const [first, ...rest] = scan.records;
  if (first === undefined) return { manifest: null, stateAt: null };
  const manifest = foldFirst(first);
  let stateAt = claimed === manifest.revision ? sealManifest(manifest).text : null;
  for (const placed of rest) {
    foldRecord(manifest, placed);
    if (claimed === manifest.revision) stateAt = sealManifest(manifest).text;
  }
  return { manifest, stateAt };
}

function judgeFold(
  fold: Fold,
  stateAt: string | null,
  scan: JournalScan,
  now: Manifest,
): "current" | "behind" | FileProblem {
  if (fold === null) return "behind";
  if (fold.text === sealManifest(now).text) return "current";
  if (fold.text === stateAt) return "behind";
  switch (fold.kind) {
    case "newer":
      throw refuseNewer(fold.version, MANIFEST_FILE);
    case "untrusted":
      return foldProblem(fold.reason);
    case "manifest":
      return foldOfAnother(fold.manifest);
    case "other_fold": {
      const { seq, digest } = fold.claim.journal;
      return scan.records[seq - 1]?.record.digest === digest ? "behind" : foldOfAnother(fold.claim);
    }
  }
}

/** The folds as the records make them. None when a result is gone that they are made of: that is a problem of its own. */
async function derivedFolds(
  files: Files,
  runRoot: string,
  records: readonly PlacedRecord[],
): Promise<Map<string, FoldFile>> {
  return (await unlessDamaged(deriveFolds(records, (ref) => readResult(files, runRoot, ref)))) ?? new Map();
}
