// The folds of a run as its owner keeps them. They are written when they are due, and repaired when they are missing or bad.
import { assert } from "../../kernel/assert.ts";
import type { Files } from "../../ports/files.ts";
import { MANIFEST_FILE } from "../../run/log/layout.ts";
import { sealManifest } from "../../run/log/manifest-text.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import type { AnyRecord, PlacedRecord, RecordKind } from "../../run/log/record.ts";
import type { FoldFile } from "../../run/log/stage-folds.ts";
import type { ResultRef } from "../../run/log/step.ts";
import { badFolds, deriveFolds, expectedFolds } from "../journal/fold-files.ts";

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

/** Where folds lie, and what they are made of. */
export interface FoldPlace {
  /** To be read now. */
  readonly files: () => Files;
  readonly runRoot: string;
  /** Writes a fold whole, or leaves the one before. */
  write(fold: FoldFile): Promise<void>;
  records(): Promise<PlacedRecord[]>;
  readResult(ref: ResultRef): Promise<unknown>;
}

export class OwnerFolds {
  readonly #place: FoldPlace;
  readonly #manifest: Manifest;
  /** The revision of manifest.json; 0 while it is missing or cannot be trusted. */
  #foldedRevision: number;

  constructor(place: FoldPlace, manifest: Manifest, foldedRevision: number) {
    this.#place = place;
    this.#manifest = manifest;
    this.#foldedRevision = foldedRevision;
  }

  /** True when manifest.json can be trusted, and lags behind the journal. */
  get isBehind(): boolean {
    return this.#foldedRevision > 0 && this.#foldedRevision !== this.#manifest.revision;
  }

  /** Writes the folds that the records of a commit name, and manifest.json when it is due. */
  async writeBehind(written: readonly AnyRecord[], folds: readonly FoldFile[]): Promise<void> {
    for (const fold of folds) await this.#place.write(fold);
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
    await this.#place.write({ path: MANIFEST_FILE, text: sealManifest(this.#manifest).text });
    this.#foldedRevision = this.#manifest.revision;
  }

  /** The folds other than manifest.json. */
  async #repairOthers(): Promise<string[]> {
    if (expectedFolds(this.#manifest).length === 0) return [];
    const { files, runRoot } = this.#place;
    let derived: Promise<Map<string, FoldFile>> | null = null;
    const derive = (): Promise<Map<string, FoldFile>> => (derived ??= this.#derived());
    const bad = await badFolds(files(), runRoot, this.#manifest, derive);
    if (bad.length === 0) return [];
    const folds = await derive();
    for (const { ref } of bad) {
      const fold = folds.get(ref.path);
      assert(fold !== undefined, `a fold that nothing derives: ${ref.path}`);
      await this.#place.write(fold);
    }
    return bad.map(({ ref }) => ref.path);
  }

  async #derived(): Promise<Map<string, FoldFile>> {
    return await deriveFolds(await this.#place.records(), (ref) => this.#place.readResult(ref));
  }
}
