// The folds of a run as its owner keeps them. They are written when they are due, and repaired when they are missing or bad.
import { assert } from "../../kernel/assert.ts";
import { MANIFEST_FILE } from "../../run/log/layout.ts";
import { sealManifest } from "../../run/log/manifest-text.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import type { AnyRecord, RecordKind } from "../../run/log/record.ts";
import type { FoldFile } from "../../run/log/stage-folds.ts";
import { badFolds, deriveFolds, expectedFolds, writeFold } from "../journal/fold-files.ts";
import type { JournalFile } from "../journal/journal-file.ts";
import type { OwnedFolder } from "./owned-folder.ts";
import { readRecords, readResult } from "../journal/run-files.ts";

/** manifest.json is written at the latest when this many records are not in it. */
const MAX_UNFOLDED_RECORDS = 100;

/** Records after which manifest.json is written at once. People and other tools look for these changes. */
const FOLDED_AT_ONCE: ReadonlySet<string> = new Set<RecordKind>([
  "state.changed",
  "halt.raised",
  "halt.cleared",
  "tick.ended",
  "report.published",
  "report.selected",
  "settings.changed",
  "repair.done",
]);

export class OwnerFolds {
  readonly #folder: OwnedFolder;
  readonly #journal: JournalFile;
  readonly #manifest: Manifest;
  /** The revision of manifest.json; 0 while it is missing or cannot be trusted. */
  #foldedRevision: number;

  constructor(folder: OwnedFolder, journal: JournalFile, manifest: Manifest, foldedRevision: number) {
    this.#folder = folder;
    this.#journal = journal;
    this.#manifest = manifest;
    this.#foldedRevision = foldedRevision;
  }

  /** True when manifest.json can be trusted, and lags behind the journal. */
  get isBehind(): boolean {
    return this.#foldedRevision > 0 && this.#foldedRevision !== this.#manifest.revision;
  }

  /** Writes the folds that the records of a commit name, and manifest.json when it is due. */
  async writeBehind(written: readonly AnyRecord[], folds: readonly FoldFile[]): Promise<void> {
    for (const fold of folds) await this.#write(fold);
    const isDue = this.#manifest.revision - this.#foldedRevision > MAX_UNFOLDED_RECORDS;
    if (isDue || written.some(({ kind }) => FOLDED_AT_ONCE.has(kind))) await this.writeManifest();
  }

  async foldNow(): Promise<void> {
    await this.#repairOthers();
    if (this.#foldedRevision !== this.#manifest.revision) await this.writeManifest();
  }

  /** Rebuilds the folds that are missing or bad. Returns their paths. */
  async repair(): Promise<string[]> {
    const repaired = await this.#repairOthers();
    if (this.#foldedRevision > 0) return repaired;
    await this.writeManifest();
    return [...repaired, MANIFEST_FILE];
  }

  /** The same, and writes manifest.json in any case. */
  async rebuild(): Promise<string[]> {
    this.#foldedRevision = 0;
    return await this.repair();
  }

  async writeManifest(): Promise<void> {
    await this.#write({ path: MANIFEST_FILE, text: sealManifest(this.#manifest).text });
    this.#foldedRevision = this.#manifest.revision;
  }

  /** The folds other than manifest.json. */
  async #repairOthers(): Promise<string[]> {
    if (expectedFolds(this.#manifest).length === 0) return [];
    const { files, runRoot } = this.#folder;
    let derived: Promise<Map<string, FoldFile>> | null = null;
    const derive = (): Promise<Map<string, FoldFile>> => (derived ??= this.#derived());
    const bad = await badFolds(files, runRoot, this.#manifest, derive);
    if (bad.length === 0) return [];
    const folds = await derive();
    for (const { ref } of bad) {
      const fold = folds.get(ref.path);
      assert(fold !== undefined, `a fold that nothing derives: ${ref.path}`);
      await this.#write(fold);
    }
    return bad.map(({ ref }) => ref.path);
  }

  async #derived(): Promise<Map<string, FoldFile>> {
    const { files, runRoot } = this.#folder;
    const records = await readRecords(files, runRoot);
    return await deriveFolds(records, (ref) => readResult(files, runRoot, ref, this.#journal));
  }

  async #write(fold: FoldFile): Promise<void> {
    const { files, runRoot, durableFolders } = this.#folder;
    await writeFold(files, runRoot, fold, this.#folder.newTemporary(), durableFolders);
  }
}
