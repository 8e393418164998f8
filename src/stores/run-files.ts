// Reads what stands beside the journal of a run: results, steps of finished stages, requests.
import { errnoOf, RunError } from "../kernel/errors.ts";
import { digestOfJson } from "../kernel/digest.ts";
import { decodeUtf8, parseStrictJson } from "../kernel/strict-json.ts";
import type { Files } from "../ports/files.ts";
import { parseWith } from "../run/common.ts";
import { JOURNAL_FILE, MAX_RECORD_BYTES, readRecordLine, scanJournal, type PlacedRecord } from "../run/journal.ts";
import { REQUESTS_FOLDER } from "../run/layout.ts";
import type { Manifest } from "../run/manifest.ts";
import { requestSchema, type Request } from "../run/request.ts";
import { stageFileSchema } from "../run/stage-folds.ts";
import type { Stage } from "../run/stage.ts";
import { stageFile } from "../run/layout.ts";
import type { ResultRef, Steps } from "../run/step.ts";
import { checkContent, readContent } from "./content-files.ts";
import { readWhole } from "./durable-write.ts";
import { deriveFolds } from "./fold-files.ts";
import { findJournal, refuseDamage } from "./run-reader.ts";

export async function readRecords(files: Files, runRoot: string): Promise<PlacedRecord[]> {
  const path = await findJournal(files, runRoot);
  const bytes = (await readWhole(files, path, Number.MAX_SAFE_INTEGER)) ?? new Uint8Array();
  const scan = scanJournal(bytes);
  refuseDamage(scan, path);
  return scan.records;
}

/** The value of a finished step, from its content file or from the record that starts at its offset. */
export async function readResult(files: Files, runRoot: string, ref: ResultRef): Promise<unknown> {
  if (ref.content !== undefined) return parseStrictJson(await readContent(files, runRoot, ref.content));
  if (ref.offset === undefined) throw new RunError("INTEGRITY_ERROR", { reason: "a result without a place", run_root: runRoot });
  const handle = await files.open(await findJournal(files, runRoot), "read");
  let bytes: Uint8Array;
  try {
    bytes = await handle.readAt(ref.offset, MAX_RECORD_BYTES);
  } finally {
    await handle.close();
  }
  const reading = readRecordLine(decodeUtf8(bytes.subarray(0, Math.max(0, bytes.indexOf(0x0a)))));
  const record = reading.kind === "record" ? reading.record : null;
  if ((record?.kind === "step.completed" || record?.kind === "step.adopted") && digestOfJson(record.data.value) === ref.digest) {
    return record.data.value;
  }
  throw new RunError("INTEGRITY_ERROR", {
    reason: "the record of a result does not hold it",
    run_root: runRoot,
    files: [{ path: JOURNAL_FILE, expected: ref.digest, found: `another record at byte ${ref.offset}` }],
  });
}

/** The steps of a stage: of the current one from the manifest, of a finished one from its fold or, if that is bad, the journal. */
export async function readSteps(files: Files, runRoot: string, manifest: Manifest, stage: Stage): Promise<Steps> {
  if (manifest.stage.current === stage) return manifest.steps;
  const ref = manifest.stage.history.flatMap(({ folds }) => folds).find(({ path }) => path === stageFile(stage));
  if (ref === undefined) return {};
  const check = await checkContent(files, runRoot, ref);
  const text =
    check.kind === "good"
      ? decodeUtf8(check.bytes)
      : (await deriveFolds(await readRecords(files, runRoot), (result) => readResult(files, runRoot, result))).get(ref.path)?.text;
  return parseWith(stageFileSchema, JSON.parse(text ?? "null"), { path: ref.path }).steps;
}

/** Requests that wait, oldest name first. What is no request is left alone: the owner never acts on what it cannot read. */
export async function readRequests(files: Files, runRoot: string): Promise<Request[]> {
  const folder = `${runRoot}/${REQUESTS_FOLDER}`;
  let names: string[];
  try {
    names = await files.list(folder);
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return [];
    throw error;
  }
  const requests: Request[] = [];
  for (const name of names) {
    if (!name.endsWith(".json")) continue;
    const request = await readRequest(files, `${folder}/${name}`);
    if (request !== null && `${request.request_id}.json` === name) requests.push(request);
  }
  return requests;
}

async function readRequest(files: Files, path: string): Promise<Request | null> {
  try {
    const bytes = await readWhole(files, path, 64 * 1024);
    if (bytes === null) return null;
    const parsed = requestSchema.safeParse(parseStrictJson(bytes));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof RunError || errnoOf(error) !== undefined) return null;
    throw error;
  }
}
