// The embedded default: runs as folders of files on a local file system.
import { assert } from "../kernel/assert.ts";
import { RunError, errnoOf } from "../kernel/errors.ts";
import { newOwnerId } from "../kernel/ids.ts";
import { canonicalJson } from "../kernel/canonical-json.ts";
import { timestamp } from "../ports/clock.ts";
import type { Files } from "../ports/files.ts";
import type { LeaseStore } from "../ports/lease-store.ts";
import type { AcquireOptions, Acquisition, RunEntry, RunLook, RunStore, RunWriter } from "../ports/run-store.ts";
import { CHAIN_START, frameRecord, JOURNAL_FILE, MAX_RECORD_BYTES, scanJournal, sealRecord } from "../run/journal.ts";
import type { RecordDraft } from "../run/record.ts";
import { MANIFEST_FILE, QUARANTINE_FOLDER, REQUESTS_FOLDER } from "../run/layout.ts";
import { deriveState } from "../run/lifecycle.ts";
import { REQUEST_ID_PATTERN } from "../run/request.ts";
import { isCondemned } from "../run/lease.ts";
import { foldAll } from "../run/fold.ts";
import { manifestSchema, sealManifest, type Manifest } from "../run/manifest.ts";
import { issuesOf } from "../run/common.ts";
import { storeContent, readContent } from "./content-files.ts";
import {
  createFile,
  ensureAbsoluteFolder,
  ensureFolder,
  folderOf,
  readWhole,
  withTypedErrors,
} from "./durable-write.ts";
import { writeFold } from "./fold-files.ts";
import { inspectRun } from "./inspection.ts";
import { JournalCondemned, JournalFile, leaveCondemned } from "./journal-file.ts";
import { remakeJournal } from "./journal-remake.ts";
import { judgeForLook, leaseFiles, type LeaseDependencies } from "./lease-files.ts";
import { viewOf, viewpoint } from "./lease-view.ts";
import { readRecords, readRequests, readResult, readSteps, removeRequest } from "./run-files.ts";
import { findJournal, knownRecords, openRun, quarantinedJournal, type OpenedRun } from "./run-reader.ts";
import { FileRunWriter } from "./run-writer.ts";

export interface FileStoreDependencies extends LeaseDependencies {
  /** Names the network file system that a path lies on, or undefined for a local one. */
  networkFileSystemOf?: (path: string) => string | undefined;
}

const DEFAULT_LEASE_S = 120;
const MAX_ROUNDS = 20;

export function fileStore(dependencies: FileStoreDependencies): RunStore {
  const { files } = dependencies;
  const leases = leaseFiles(dependencies);
  const reading = <T>(path: string, work: () => Promise<T>): Promise<T> => withTypedErrors("READ_FAILED", path, work);
  const writing = <T>(path: string, work: () => Promise<T>): Promise<T> => withTypedErrors("WRITE_FAILED", path, work);

  const look = (runRoot: string): Promise<RunLook> =>
    reading(runRoot, async () => {
      const names = await namesIn(files, runRoot);
      // The lease before the run: an owner that ends in between is at worst still called live.
      const lease = viewOf(await judgeForLook(dependencies, runRoot, names));
      const { manifest } = await openRun(files, runRoot);
      const state = deriveState({
        recorded: manifest.execution_state,
        tickIsOpen: manifest.tick.is_open,
        leaseIsHeld: lease.held !== null,
      });
      const requests = names.includes(REQUESTS_FOLDER) ? await readRequests(files, runRoot) : [];
      return { runRoot, manifest, lease, state, requests };
    });

  return {
    look,
    async list(runsRoot) {
      const entries: RunEntry[] = [];
      for (const name of await reading(runsRoot, () => folderNames(dependencies, runsRoot))) {
        const runRoot = `${runsRoot}/${name}`;
        try {
          entries.push({ runRoot, look: await look(runRoot), error: null });
        } catch (error) {
          if (!(error instanceof RunError)) throw error;
          if (error.code !== "NOT_FOUND") entries.push({ runRoot, look: null, error });
        }
      }
      return entries;
    },
    create: (runRoot, drafts, contents) => writing(runRoot, () => create(dependencies, runRoot, drafts, contents)),
    acquire: (runRoot, options = {}) => writing(runRoot, () => acquire(dependencies, leases, runRoot, options)),
    records: (runRoot) => reading(runRoot, () => readRecords(files, runRoot)),
    readContent: (runRoot, ref) => reading(runRoot, () => readContent(files, runRoot, ref)),
    readResult: (runRoot, ref) => reading(runRoot, () => readResult(files, runRoot, ref)),
    readSteps: ({ runRoot, manifest }, stage) => reading(runRoot, () => readSteps(files, runRoot, manifest, stage)),
    request: (runRoot, request) =>
      writing(runRoot, async () => {
        assert(REQUEST_ID_PATTERN.test(request.request_id), `no name for a file: ${request.request_id}`);
        await ensureFolder(files, runRoot, REQUESTS_FOLDER);
        const temporary = `${runRoot}/.tmp-request-${newOwnerId(dependencies.random.bytes(12))}`;
        const place = { temporary, path: `${runRoot}/${REQUESTS_FOLDER}/${request.request_id}.json` };
        await createFile(files, place, new TextEncoder().encode(`${canonicalJson(request)}\n`));
      }),
    withdraw: (runRoot, requestId) => writing(runRoot, () => removeRequest(files, runRoot, requestId)),
    inspect: (runRoot) => reading(runRoot, () => inspectRun(files, runRoot)),
  };
}

async function folderNames({ files }: FileStoreDependencies, runsRoot: string): Promise<string[]> {
  try {
    return await files.list(runsRoot);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** The files of a run root. Errors: `NOT_FOUND` where there is none. */
async function namesIn(files: Files, runRoot: string): Promise<string[]> {
  try {
    return await files.list(runRoot);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT" || errno === "ENOTDIR")
      throw new RunError("NOT_FOUND", { reason: "no run is here", run_root: runRoot });
    throw error;
  }
}

// --- create -------------------------------------------------------------------------------------------------------

/**
 * The journal is linked whole with its first records, which is the moment the run exists. A folder in which no record
 * counts is no run yet and is begun anew; what lies in it is set aside, never deleted.
 */
async function create(
  dependencies: FileStoreDependencies,
  runRoot: string,
  drafts: readonly RecordDraft[],
  contents: readonly { path: string; bytes: Uint8Array }[],
): Promise<{ kind: "created" } | { kind: "exists" }> {
  const { files, clock, random } = dependencies;
  const network = dependencies.networkFileSystemOf?.(runRoot);
  if (network !== undefined) {
    throw new RunError("INVALID_ARGS", {
      reason: `runs must lie on a local disk: appends are not atomic on ${network}`,
      path: runRoot,
    });
  }
  await ensureAbsoluteFolder(files, runRoot);
  if ((await files.facts(runRoot))?.kind === "file") {
    throw new RunError("ALREADY_EXISTS", { reason: "a file stands where the run root should be", run_root: runRoot });
  }
  const path = `${runRoot}/${JOURNAL_FILE}`;
  const mark = Array.from(random.bytes(6), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const temporary = (what: string): string => `${runRoot}/.tmp-create-${mark}-${what}`;
  for (;;) {
    const existing = await readWhole(files, path, Number.MAX_SAFE_INTEGER);
    if (existing !== null) {
      const scan = scanJournal(existing);
      if (scan.head.seq > 0 || scan.damage !== null || scan.newer !== null) return { kind: "exists" };
      if ((await knownRecords(files, runRoot)) > 0) return { kind: "exists" };
      await ensureFolder(files, runRoot, QUARANTINE_FOLDER);
      await files.rename(path, `${runRoot}/${QUARANTINE_FOLDER}/unbegun.${mark}.jsonl`);
      continue;
    }
    // While a remake is unfinished, or when the journal was lost, the run is there although its journal is not.
    if ((await quarantinedJournal(files, runRoot)) !== null || (await knownRecords(files, runRoot)) > 0)
      return { kind: "exists" };
    for (const content of contents) {
      await storeContent(files, runRoot, content, {
        temporary: temporary("content"),
        requireOwner: async () => undefined,
      });
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
        { path: "manifest.json", text: sealManifest(manifest).text },
        temporary("manifest"),
      );
    }
    return { kind: "created" };
  }
}

function firstLines(drafts: readonly RecordDraft[], ts: string): string {
  let text = "";
  let { seq, digest: prev } = CHAIN_START;
  for (const draft of drafts) {
    const { record, line } = sealRecord(draft, { seq: seq + 1, ts, epoch: 0, prev });
    if (line.length > MAX_RECORD_BYTES)
      throw new RunError("INPUT_TOO_LARGE", { reason: "the record is too large", kind: draft.kind });
    text += frameRecord(line);
    seq = record.seq;
    prev = record.digest;
  }
  return text;
}

// --- acquire ------------------------------------------------------------------------------------------------------

async function acquire(
  dependencies: FileStoreDependencies,
  leases: LeaseStore,
  runRoot: string,
  options: AcquireOptions,
): Promise<Acquisition> {
  const { files, clock } = dependencies;
  const { boot_id } = viewpoint(dependencies);
  for (let aboveEpoch = 0, round = 1; ; round++) {
    // A folder without a run gets no lease files.
    await findJournal(files, runRoot);
    const outcome = await leases.claim(runRoot, {
      lease_seconds: options.lease_seconds ?? DEFAULT_LEASE_S,
      aboveEpoch,
      force: options.force ?? false,
      ...(options.reason === undefined ? {} : { reason: options.reason }),
    });
    if (outcome.kind === "held") return outcome;
    const { lease } = outcome;
    let journal: JournalFile | null = null;
    try {
      const isCondemnedFile = isCondemned(lease.record, boot_id);
      const { opened, remade } = await openForOwner(
        files,
        runRoot,
        lease.record.epoch,
        isCondemnedFile,
        options.forRepair ?? false,
      );
      if (isCondemnedFile) await lease.noteBadSync(false);
      refuseForged(opened.manifest, runRoot);
      if (opened.manifest.epoch >= lease.record.epoch) {
        // The claims were removed by hand; the journal remembers a higher epoch.
        aboveEpoch = opened.manifest.epoch;
        await lease.release();
        continue;
      }
      journal = await JournalFile.open(files, runRoot, opened.journalPath, opened);
      const writer = new FileRunWriter({
        files,
        clock,
        runRoot,
        lease,
        journal,
        manifest: opened.manifest,
        foldedRevision: opened.foldedRevision,
        onCommit: options.onCommit,
        remade,
      });
      await begin(writer, lease.record, options.reason);
      return { kind: "acquired", writer };
    } catch (error) {
      await journal?.close();
      if (error instanceof JournalCondemned) await leaveCondemned(lease);
      else await lease.release();
      // A late owner's record came first. It has lost its lease, so this does not go on for long.
      if (error instanceof RunError && error.code === "REVISION_MISMATCH" && round < MAX_ROUNDS) continue;
      throw error;
    }
  }
}

/** Opens the run under the lease, with a journal that can be written: one that is condemned or gone is made anew. */
async function openForOwner(
  files: Files,
  runRoot: string,
  epoch: number,
  isCondemnedFile: boolean,
  forRepair: boolean,
): Promise<{ opened: OpenedRun; remade?: { quarantined: string[]; dropped_records: number } }> {
  try {
    if (isCondemnedFile || (await files.facts(`${runRoot}/${JOURNAL_FILE}`)) === null)
      await remakeJournal(files, runRoot, epoch, false);
    const opened = await openRun(files, runRoot);
    // Opening reads the tail; a repair looks for damage before it as well.
    if (forRepair) await readRecords(files, runRoot);
    return { opened };
  } catch (error) {
    if (!forRepair || !(error instanceof RunError) || error.code !== "INTEGRITY_ERROR") throw error;
    const bytes = await readWhole(files, await findJournal(files, runRoot), Number.MAX_SAFE_INTEGER);
    if (scanJournal(bytes ?? new Uint8Array()).head.seq === 0 && (await quarantinedJournal(files, runRoot)) === null)
      throw error;
    const known = await knownRecords(files, runRoot);
    const { quarantined, scan } = await remakeJournal(files, runRoot, epoch, true);
    const dropped_records = Math.max(0, Math.max(countLines(bytes) - scan.lost.length, known) - scan.head.seq);
    return { opened: await openRun(files, runRoot), remade: { quarantined, dropped_records } };
  }
}

/** A look trusts a sealed fold; whoever goes on from it walks it by its schema once. */
function refuseForged(manifest: Manifest, runRoot: string): void {
  const parsed = manifestSchema.safeParse(manifest);
  if (parsed.success) return;
  throw new RunError("INTEGRITY_ERROR", {
    reason: "the manifest does not fit its schema although its digest does",
    run_root: runRoot,
    files: [{ path: MANIFEST_FILE, expected: "manifest.v1", found: issuesOf(parsed.error)[0]?.at ?? "another form" }],
  });
}

/** The first act of every owner: until this record counts, it has done nothing. */
async function begin(
  writer: RunWriter & { tookOver: string | undefined },
  lease: { owner_id: string; pid: number; hostname?: string | undefined },
  reason?: string,
): Promise<void> {
  await writer.commit([
    {
      kind: "lease.taken",
      data: {
        owner_id: lease.owner_id,
        pid: lease.pid,
        hostname: lease.hostname ?? "",
        ...(reason === undefined ? {} : { reason }),
        ...(writer.tookOver === undefined ? {} : { took_over: writer.tookOver }),
      },
    },
  ]);
}

/** Lines that were written as records, whether or not they still count. */
function countLines(bytes: Uint8Array | null): number {
  if (bytes === null) return 0;
  return new TextDecoder()
    .decode(bytes)
    .split("\n")
    .filter((line) => line !== "" && !line.endsWith(" ")).length;
}
