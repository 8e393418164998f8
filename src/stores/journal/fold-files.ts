// The folds of a run on disk. They are written after the records that they come from, and rebuilt from the journal when bad.
import { RunError } from "../../kernel/errors.ts";
import type { Files } from "../../ports/files.ts";
import type { BlockedUrl } from "../../run/report/blocked-urls.ts";
import { foldFirst } from "../../run/log/first-fold.ts";
import { foldRecord } from "../../run/log/fold.ts";
import { TIMEOUT_JSON_PATH, TIMEOUT_MARKDOWN_PATH, timeoutMarkdown } from "../../run/log/halt.ts";
import { canonicalJson } from "../../kernel/canonical-json.ts";
import { digestOfBytes } from "../../kernel/digest.ts";
import type { PlacedRecord } from "../../run/log/record.ts";
import { BLOCKED_URLS_FILE } from "../../run/log/layout.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import { blockedFold, blockedIn, foldRef, foldsOnLeaving, type FoldFile } from "../../run/log/stage-folds.ts";
import type { ResultRef } from "../../run/log/step.ts";
import type { ContentRef } from "../../run/common.ts";
import { checkContent } from "../disk/content-files.ts";
import { ensureFolder, folderOf, replaceFile } from "../disk/durable-write.ts";

/** The folds beside manifest.json that there should be by now. */
export function expectedFolds(manifest: Manifest): ContentRef[] {
  const blocked = manifest.blocked_urls === undefined ? [] : [manifest.blocked_urls];
  const left = manifest.stage.history.flatMap(({ folds }) => folds);
  // When a file was written several times, the last one counts.
  const byPath = new Map([...left, ...blocked].map((ref) => [ref.path, ref]));
  return [...byPath.values(), ...timeoutFolds(manifest).map(foldRef)];
}

function timeoutFolds({ halt }: Manifest): FoldFile[] {
  if (halt?.schema_version !== "halt.timeout.v1") return [];
  return [
    { path: TIMEOUT_JSON_PATH, text: `${canonicalJson(halt)}\n` },
    { path: TIMEOUT_MARKDOWN_PATH, text: timeoutMarkdown(halt) },
  ];
}

/** Makes every fold anew from the records, by path. */
export async function deriveFolds(
  records: readonly PlacedRecord[],
  readResult: (ref: ResultRef) => Promise<unknown>,
): Promise<Map<string, FoldFile>> {
  const folds = new Map<string, FoldFile>();
  const [first, ...rest] = records;
  if (first === undefined) return folds;
  const manifest = foldFirst(first);
  const blocked: BlockedUrl[] = [];
  for (const placed of rest) {
    blocked.push(...blockedIn(placed.record));
    if (placed.record.kind === "url.blocked" && placed.record.data.fold !== undefined)
      folds.set(BLOCKED_URLS_FILE, blockedFold(blocked));
    if (placed.record.kind === "stage.entered") {
      const { steps } = manifest;
      const left = await foldsOnLeaving(placed.record.data.from, steps, {
        async readResult(key) {
          const ref = steps[key]?.result;
          if (ref === undefined)
            throw new RunError("INTEGRITY_ERROR", { reason: "a finished step without a result", key });
          return await readResult(ref);
        },
        readBlocked: async () => blocked,
      });
      for (const fold of left) folds.set(fold.path, fold);
    }
    foldRecord(manifest, placed);
  }
  for (const fold of timeoutFolds(manifest)) folds.set(fold.path, fold);
  return folds;
}

export async function writeFold(
  files: Files,
  runRoot: string,
  fold: FoldFile,
  temporary: string,
  durableFolders?: Set<string>,
): Promise<void> {
  if (fold.path.includes("/")) await ensureFolder(files, runRoot, folderOf(fold.path), durableFolders);
  await replaceFile(files, { temporary, path: `${runRoot}/${fold.path}` }, new TextEncoder().encode(fold.text));
}

/**
 * The folds that are missing, or that hold neither what their record says nor what `derive` makes. Both are right: this version
 * may make another fold of the same records than the version that wrote them.
 */
export async function badFolds(
  files: Files,
  runRoot: string,
  manifest: Manifest,
  derive: () => Promise<ReadonlyMap<string, FoldFile>>,
): Promise<{ ref: ContentRef; found: string; isMissing: boolean }[]> {
  const bad: { ref: ContentRef; found: string; isMissing: boolean }[] = [];
  for (const ref of expectedFolds(manifest)) {
    const check = await checkContent(files, runRoot, ref);
    if (check.kind !== "good") bad.push({ ref, found: check.found, isMissing: check.kind === "missing" });
  }
  if (bad.every(({ isMissing }) => isMissing)) return bad;
  const derived = await derive();
  return bad.filter(({ ref, found }) => {
    const fold = derived.get(ref.path);
    return fold === undefined || digestOfBytes(fold.text) !== found;
  });
}
