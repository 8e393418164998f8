// Reads a run from the first byte and says what does not fit. Writes nothing.
import { foldFirst, foldRecord } from "../run/fold.ts";
import type { ContentRef } from "../run/common.ts";
import { JOURNAL_FILE, scanJournal, type JournalScan } from "../run/journal.ts";
import type { PlacedRecord } from "../run/record.ts";
import { HEAD_FILE, MANIFEST_FILE } from "../run/layout.ts";
import { refuseNewer, sealManifest, type Manifest } from "../run/manifest.ts";
import type { Files } from "../ports/files.ts";
import type { FileProblem, Inspection } from "../ports/run-store.ts";
import { checkContent } from "./content-files.ts";
import { readWhole } from "./durable-write.ts";
import { badFolds } from "./fold-files.ts";
import { decodeHead } from "./head-note.ts";
import { findJournal, readFold } from "./run-reader.ts";

type Fold = Awaited<ReturnType<typeof readFold>>;

export async function inspectRun(files: Files, runRoot: string): Promise<Inspection> {
  // Notes and folds first: a writer that goes on meanwhile moves them after the journal.
  const note = decodeHead(await readWhole(files, `${runRoot}/${HEAD_FILE}`, 4096).catch(() => null));
  const fold = await readFold(files, runRoot);
  const journalPath = await findJournal(files, runRoot);
  const scan = scanJournal((await readWhole(files, journalPath, Number.MAX_SAFE_INTEGER)) ?? new Uint8Array());
  if (scan.newer !== null) throw refuseNewer(scan.newer, journalPath);
  const problems: FileProblem[] = [];
  const notes: string[] = [];
  if (journalPath !== `${runRoot}/${JOURNAL_FILE}`) {
    problems.push({ path: JOURNAL_FILE, expected: "the journal", found: "nothing; its chain is in quarantine" });
  }
  if (scan.damage !== null) {
    problems.push({
      path: JOURNAL_FILE,
      expected: "a record that counts",
      found: `${scan.damage.reason} at byte ${scan.damage.offset}`,
    });
  }
  if (note !== null && note.seq > scan.head.seq) {
    problems.push({ path: JOURNAL_FILE, expected: `at least ${note.seq} records`, found: `${scan.head.seq} records` });
  }
  const noted = note === null ? undefined : scan.records[note.seq - 1]?.record.digest;
  if (note !== null && noted !== undefined && noted !== note.digest) {
    problems.push({ path: JOURNAL_FILE, expected: `record ${note.seq} = ${note.digest}`, found: noted });
  }
  if (scan.debris.length > 0)
    notes.push(`${scan.debris.length} torn line(s) in the journal, never acknowledged, were skipped`);
  if (scan.lost.length > 0)
    notes.push(`${scan.lost.length} record(s) lost their race against another owner and do not count`);
  const { manifest, stateAt } = replay(scan, fold);
  if (manifest === null) return { scan, manifest, problems, notes };
  checkManifest(fold, stateAt, manifest, problems, notes);
  for (const { ref, found, isMissing } of await badFolds(files, runRoot, manifest)) {
    if (isMissing) notes.push(`${ref.path} is missing; the next writer rebuilds it`);
    else problems.push({ path: ref.path, expected: ref.sha256, found });
  }
  for (const ref of namedContent(scan.records)) {
    const check = await checkContent(files, runRoot, ref);
    if (check.kind !== "good") problems.push({ path: ref.path, expected: ref.sha256, found: check.found });
  }
  return { scan, manifest, problems, notes };
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

function checkManifest(
  fold: Fold,
  stateAt: string | null,
  now: Manifest,
  problems: FileProblem[],
  notes: string[],
): void {
  if (fold === null) {
    notes.push(`${MANIFEST_FILE} is missing; the next writer rebuilds it`);
    return;
  }
  if (fold.text === sealManifest(now).text) return;
  if (stateAt !== null && fold.text === stateAt) {
    notes.push(`${MANIFEST_FILE} is behind the journal; the next writer brings it up`);
    return;
  }
  if (fold.kind === "newer") throw refuseNewer(fold.version, MANIFEST_FILE);
  problems.push({
    path: MANIFEST_FILE,
    expected: "a state that the journal folds to",
    found: fold.kind === "untrusted" ? fold.reason : `revision ${fold.manifest.revision} of another history`,
  });
}

/** Every content file that a counting record names, each once. */
export function namedContent(records: readonly PlacedRecord[]): ContentRef[] {
  const named = new Map<string, ContentRef>();
  for (const { record } of records) for (const ref of contentOf(record)) named.set(ref.path, ref);
  return [...named.values()];
}

function contentOf(record: PlacedRecord["record"]): ContentRef[] {
  switch (record.kind) {
    case "run.created":
      return record.data.forked_from?.offers ? [record.data.forked_from.offers] : [];
    case "step.completed":
    case "step.adopted":
      return record.data.content === undefined ? record.data.files : [record.data.content, ...record.data.files];
    case "source.stored":
      return record.data.files;
    case "state.changed":
      return record.data.report_files ?? [];
    case "report.published":
      return record.data.report_files;
    default:
      return [];
  }
}
