// A run in memory: its records, its files and its requests, read by the same pure rules as those on a disk.
import { assert } from "../../src/kernel/assert.ts";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { RunError } from "../../src/kernel/errors.ts";
import { parseStrictJson } from "../../src/kernel/strict-json.ts";
import { parseWith, relativePathSchema, type ContentRef } from "../../src/run/common.ts";
import { foldAll } from "../../src/run/log/fold.ts";
import { CHAIN_START, scanJournal, sealRecords } from "../../src/run/log/journal.ts";
import { stageFile } from "../../src/run/log/layout.ts";
import type { Manifest } from "../../src/run/log/manifest.ts";
import type { AnyRecord, PlacedRecord, RecordDraft } from "../../src/run/log/record.ts";
import type { Request } from "../../src/run/log/request.ts";
import { stageFileSchema } from "../../src/run/log/stage-folds.ts";
import type { Stage } from "../../src/run/stage.ts";
import { MAX_CONTENT_BYTES } from "../../src/stores/disk/content-files.ts";
import type { MemoryClaim } from "./memory-lease.ts";
import type { MemoryGuard } from "./memory-writer.ts";
import type { ResultRef, Steps } from "../../src/run/log/step.ts";

export interface MemoryRun {
  records: AnyRecord[];
  /** Content and folds, by their path below the run root. */
  files: Map<string, Uint8Array>;
  requests: Map<string, Request>;
  /** The claim with the highest epoch. */
  claim: MemoryClaim | null;
}

const wakers = new WeakMap<MemoryRun, Set<() => void>>();

/** Calls back at each record that is added, until it is told to stop. */
export function onAdded(run: MemoryRun, wake: () => void): () => void {
  const waiting = wakers.get(run) ?? new Set();
  wakers.set(run, waiting.add(wake));
  return () => void waiting.delete(wake);
}

/** Adds records; what is kept went through JSON, as everything on a disk does. */
export function appendTo(run: MemoryRun, drafts: readonly RecordDraft[], epoch: number, ts: string): AnyRecord[] {
  const { seq, digest } = run.records.at(-1) ?? CHAIN_START;
  const { bytes } = sealRecords(drafts, { end: 0, head: { seq, epoch, digest } }, epoch, ts);
  const added = scanJournal(bytes, 0, { seq, epoch, digest }).records.map(({ record }) => record);
  assert(added.length === drafts.length, "sealed records read back");
  run.records.push(...added);
  for (const wake of wakers.get(run) ?? []) wake();
  return added;
}

/** In memory the place of a record is its number. */
export function placed(record: AnyRecord): PlacedRecord {
  return { record: structuredClone(record), offset: record.seq, end: record.seq };
}

export function manifestOf(run: MemoryRun): Manifest {
  const manifest = foldAll(run.records.map(placed));
  assert(manifest !== null, "a run in memory has its first record");
  return manifest;
}

export function waiting(run: MemoryRun): Request[] {
  return [...run.requests.values()].sort((a, b) => (a.request_id < b.request_id ? -1 : 1));
}

/** A request goes with the bytes that came with it. */
export function dropRequest(run: MemoryRun, requestId: string): void {
  run.requests.delete(requestId);
  for (const path of run.files.keys()) if (path.startsWith(`requests/${requestId}.`)) run.files.delete(path);
}

function refuseOutside(path: string): void {
  if (!relativePathSchema.safeParse(path).success)
    throw new RunError("PATH_TRAVERSAL", { reason: "a path that leaves the run root", path });
}

export function storeContent(run: MemoryRun, path: string, bytes: Uint8Array, without?: MemoryGuard): ContentRef {
  refuseOutside(path);
  if (bytes.byteLength > MAX_CONTENT_BYTES && without !== "sizes")
    throw new RunError("INPUT_TOO_LARGE", { reason: "the content is too large", path });
  run.files.set(path, without === "own bytes" ? bytes : bytes.slice());
  return { path, sha256: digestOfBytes(bytes), bytes: bytes.byteLength };
}

export function readContent(
  run: MemoryRun,
  ref: Pick<ContentRef, "path" | "sha256">,
  without?: MemoryGuard,
): Uint8Array {
  refuseOutside(ref.path);
  const bytes = run.files.get(ref.path);
  const found = bytes === undefined ? "nothing" : digestOfBytes(bytes);
  if (bytes !== undefined && (found === ref.sha256 || without === "own bytes"))
    return without === "own bytes" ? bytes : bytes.slice();
  throw new RunError(bytes === undefined ? "MISSING_ARTIFACT" : "INTEGRITY_ERROR", {
    files: [{ path: ref.path, expected: ref.sha256, found }],
  });
}

export function readResult(run: MemoryRun, ref: ResultRef): unknown {
  if (ref.content !== undefined) return parseStrictJson(readContent(run, ref.content));
  const record = run.records.find(({ seq }) => seq === ref.offset);
  if (
    (record?.kind === "step.completed" || record?.kind === "step.adopted") &&
    record.data.result_digest === ref.digest
  ) {
    return structuredClone(record.data.value);
  }
  throw new RunError("INTEGRITY_ERROR", {
    reason: "the record of a result does not hold the result",
    expected: ref.digest,
  });
}

export function readSteps(run: MemoryRun, manifest: Manifest, stage: Stage): Steps {
  if (manifest.stage.current === stage) return manifest.steps;
  const ref = manifest.stage.history.flatMap(({ folds }) => folds).find(({ path }) => path === stageFile(stage));
  return ref === undefined
    ? {}
    : parseWith(stageFileSchema, parseStrictJson(readContent(run, ref)), { path: ref.path }).steps;
}
