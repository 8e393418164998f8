// The embedded default: runs as folders of files on a local file system.
import { canonicalJson } from "../kernel/canonical-json.ts";
import { errnoOf, RunError } from "../kernel/errors.ts";
import type { Files } from "../ports/files.ts";
import type { LookOptions, RunEntry, RunLook, RunStore } from "../ports/run-store.ts";
import { REQUESTS_FOLDER } from "../run/layout.ts";
import { deriveState } from "../run/lifecycle.ts";
import { parseWith } from "../run/common.ts";
import { requestSchema } from "../run/request.ts";
import { readContent } from "./content-files.ts";
import { createFile, ensureFolder, withTypedErrors } from "./durable-write.ts";
import { inspectRun } from "./inspection.ts";
import { FileJournalTail } from "./journal-tail.ts";
import { leaseFiles } from "./lease-files.ts";
import { judgeForLook } from "./lease-reading.ts";
import { viewOf } from "./lease-view.ts";
import { requireLocalDisk } from "./local-disk.ts";
import { acquire, createOwned } from "./run-acquisition.ts";
import { create, type FileStoreDependencies } from "./run-creation.ts";
import { readRecords, readRequests, readResult, readSteps, removeRequest } from "./run-files.ts";
import { openRun } from "./run-reader.ts";
import { bytesBelow, remove, sweepRemoved } from "./run-removal.ts";
import { seenDamage } from "./seen-damage.ts";
import { settle } from "./run-settlement.ts";
import { temporaryName } from "./temporary-names.ts";

export function fileStore(dependencies: FileStoreDependencies): RunStore {
  const { files } = dependencies;
  const leases = leaseFiles(dependencies);
  /** A run that lies where nothing works on it can still be removed. */
  const anyLeases = leaseFiles({ ...dependencies, networkFileSystemOf: () => undefined });
  const reading = <T>(path: string, work: () => Promise<T>): Promise<T> => withTypedErrors("READ_FAILED", path, work);
  const writing = <T>(path: string, work: () => Promise<T>): Promise<T> => withTypedErrors("WRITE_FAILED", path, work);
  /** Of a run that was removed meanwhile, the errno says only that some file is not there. */
  const changing = <T>(runRoot: string, work: () => Promise<T>): Promise<T> =>
    writing(runRoot, async () => {
      try {
        return await work();
      } catch (error) {
        if (errnoOf(error) !== "ENOENT" || (await files.facts(runRoot)) !== null) throw error;
        throw new RunError("NOT_FOUND", { reason: "the run is gone", run_root: runRoot }, { cause: error });
      }
    });

  const look = (runRoot: string, options: LookOptions = {}): Promise<RunLook> =>
    reading(runRoot, async () => {
      const names = await namesIn(files, runRoot);
      // The lease before the run: an owner that ends in between is at worst still called live.
      const lease = viewOf(await judgeForLook(dependencies, runRoot, names));
      const {
        manifest,
        problems,
        foldedRevision: shownRevision,
      } = await openRun(files, runRoot, { names, ...options });
      const state = deriveState(manifest, lease);
      const requests = names.includes(REQUESTS_FOLDER) ? await readRequests(files, runRoot) : [];
      problems.push(...(await seenDamage(files, runRoot, manifest, names)));
      return { runRoot, manifest, lease, state, shownRevision, requests, problems };
    });

  return {
    look,
    names: (runsRoot) => reading(runsRoot, () => runNames(files, runsRoot)),
    async *list(runsRoot, options): AsyncGenerator<RunEntry> {
      for (const name of (await reading(runsRoot, () => runNames(files, runsRoot))) ?? []) {
        const runRoot = `${runsRoot}/${name}`;
        let entry: RunEntry;
        try {
          entry = { runRoot, look: await look(runRoot, options), error: null };
        } catch (error) {
          if (error instanceof RunError && error.code === "NOT_FOUND") continue;
          // One run that nobody foresaw must not hide the others: it is listed with its error.
          entry = { runRoot, look: null, error };
        }
        yield entry;
      }
    },
    create: (runRoot, drafts, contents) => writing(runRoot, () => create(dependencies, runRoot, drafts, contents)),
    createOwned: (runRoot, drafts, options) =>
      writing(runRoot, () => createOwned(dependencies, leases, runRoot, drafts, options)),
    acquire: (runRoot, options = {}) => changing(runRoot, () => acquire(dependencies, leases, runRoot, options)),
    settle: (runRoot) => changing(runRoot, () => settle(dependencies, leases, runRoot)),
    records: (runRoot) => reading(runRoot, () => readRecords(files, runRoot)),
    readContent: (runRoot, ref) => reading(runRoot, () => readContent(files, runRoot, ref)),
    readResult: (runRoot, ref) => reading(runRoot, () => readResult(files, runRoot, ref)),
    readSteps: ({ runRoot, manifest }, stage) => reading(runRoot, () => readSteps(files, runRoot, manifest, stage)),
    request: (runRoot, request) =>
      changing(runRoot, async () => {
        // What its owner could not read would be acknowledged and never heeded.
        parseWith(requestSchema, request, { request_id: request.request_id });
        requireLocalDisk(dependencies, runRoot);
        await ensureFolder(files, runRoot, REQUESTS_FOLDER);
        const temporary = `${runRoot}/${temporaryName(dependencies, "request")}`;
        const place = { temporary, path: `${runRoot}/${REQUESTS_FOLDER}/${request.request_id}.json` };
        await createFile(files, place, new TextEncoder().encode(`${canonicalJson(request)}\n`));
      }),
    withdraw: (runRoot, requestId) => changing(runRoot, () => removeRequest(files, runRoot, requestId)),
    inspect: (runRoot, options) => reading(runRoot, () => inspectRun(files, runRoot, options)),
    follow(runRoot, afterSeq) {
      const tail = new FileJournalTail(dependencies, leases, runRoot, afterSeq);
      return { next: () => reading(runRoot, () => tail.next()) };
    },
    bytesOf: (runRoot) => reading(runRoot, () => bytesBelow(files, runRoot)),
    remove: (runRoot, { expectedRevision } = {}) =>
      changing(runRoot, () => remove(dependencies, anyLeases, runRoot, expectedRevision)),
    sweepRemoved: (runsRoot) => writing(runsRoot, () => sweepRemoved(files, runsRoot)),
  };
}

async function runNames(files: Files, runsRoot: string): Promise<string[] | null> {
  try {
    return (await files.listFolders(runsRoot)).filter((name) => !name.startsWith("."));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
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
