// The store of runs as folders of files on a local disk.
import type { RunFolders } from "../ports/run-folders.ts";
import type { RunLog } from "../ports/run-log.ts";
import type { Runs } from "../ports/runs.ts";
import { parseWith } from "../run/common.ts";
import { requestSchema } from "../run/log/request.ts";
import { readContent } from "./disk/content-files.ts";
import { withTypedErrors } from "./disk/durable-write.ts";
import { inspectRun } from "./reading/inspection.ts";
import { FileJournalTail } from "./reading/journal-tail.ts";
import { requireLocalDisk, type Machine } from "./disk/machine.ts";
import { removeRequest, writeRequest } from "./lease/request-files.ts";
import { acquire, createOwned } from "./owner/run-acquisition.ts";
import { create } from "./owner/run-creation.ts";
import { readRecords, readResult, readSteps } from "./journal/run-files.ts";
import { changing, reading, refuseRemoved, runLooks } from "./reading/run-looks.ts";
import { bytesBelow, remove, sweepRemoved } from "./owner/run-removal.ts";
import { leavingNothing, unbegunAt } from "./owner/unbegun-folders.ts";
import type { LentLeases } from "./lease/lent-leases.ts";

export type FileStore = RunLog & Runs & RunFolders;

/** `lent`: leases that this process holds already and lends to its writers. */
export function fileStore(machine: Machine, lent?: LentLeases): FileStore {
  const { files } = machine;
  const writing = <T>(path: string, work: () => Promise<T>): Promise<T> => withTypedErrors("WRITE_FAILED", path, work);

  return {
    ...runLooks(machine),
    create: (runRoot, drafts, contents) =>
      writing(runRoot, () => leavingNothing(machine, runRoot, () => create(machine, runRoot, drafts, contents))),
    createOwned: (runRoot, drafts, options, contents = []) =>
      writing(runRoot, () =>
        leavingNothing(machine, runRoot, () => createOwned(machine, runRoot, drafts, options, contents)),
      ),
    acquire: (runRoot, options = {}) => changing(files, runRoot, () => acquire(machine, runRoot, options, lent)),
    async acquireForRepair(runRoot) {
      const taking = { reason: "repair", forRepair: true };
      const acquired = await changing(files, runRoot, () => acquire(machine, runRoot, taking, lent));
      return acquired.kind === "held" ? acquired : { ...acquired, repair: () => acquired.writer.repair() };
    },
    records: (runRoot, folded) =>
      reading(files, runRoot, async () => (await readRecords(files, runRoot, folded)).map(({ record }) => record)),
    readContent: (runRoot, ref) => reading(files, runRoot, () => readContent(files, runRoot, ref)),
    readResult: (runRoot, ref) => reading(files, runRoot, () => readResult(files, runRoot, ref)),
    readSteps: ({ runRoot, manifest }, stage) =>
      reading(files, runRoot, () => readSteps(files, runRoot, manifest, stage)),
    request: (runRoot, request, parts = []) =>
      changing(files, runRoot, async () => {
        // A request that its owner cannot read would be acknowledged and never heeded.
        parseWith(requestSchema, request, { request_id: request.request_id });
        requireLocalDisk(machine, runRoot);
        await writeRequest(machine, runRoot, request, parts);
      }),
    withdraw: (runRoot, requestId) => changing(files, runRoot, () => removeRequest(files, runRoot, requestId)),
    inspect: (runRoot, options) =>
      reading(files, runRoot, async () => {
        const found = await inspectRun(files, runRoot, options);
        if (found.problems.length > 0 || found.isLost) await refuseRemoved(files, runRoot);
        return found;
      }),
    follow(runRoot, afterSeq) {
      const tail = new FileJournalTail(machine, runRoot, afterSeq);
      return {
        next: () => reading(files, runRoot, () => tail.next()),
        wait: (...args) => reading(files, runRoot, () => tail.wait(...args)),
      };
    },
    bytesOf: (runRoot) => reading(files, runRoot, () => bytesBelow(files, runRoot)),
    remove: (runRoot, { expectedRevision } = {}) =>
      changing(files, runRoot, () => remove(machine, runRoot, expectedRevision)),
    unbegunAt: (runRoot) => reading(files, runRoot, () => unbegunAt(machine, runRoot)),
    sweepRemoved: (runsRoot) => writing(runsRoot, () => sweepRemoved(files, runsRoot)),
  };
}
