// The store of files as processes open it: what only looks is there at once, what writes is loaded when it is first asked for.
import type { LogTail } from "../ports/run-log.ts";
import type { FileStore } from "./file-store.ts";
import type { FileStoreDependencies } from "./run-creation.ts";
import { runLooks } from "./run-looks.ts";

export function lateStore(dependencies: FileStoreDependencies): FileStore {
  let loaded: Promise<FileStore> | null = null;
  const whole = (): Promise<FileStore> =>
    (loaded ??= import("./file-store.ts").then(({ fileStore }) => fileStore(dependencies)));
  return {
    ...runLooks(dependencies, async () => {
      const { leaseFiles } = await import("./lease-files.ts");
      return (await import("./journal-remedy.ts")).journalRemedy(dependencies, leaseFiles(dependencies));
    }),
    create: async (...asked) => await (await whole()).create(...asked),
    createOwned: async (...asked) => await (await whole()).createOwned(...asked),
    acquire: async (...asked) => await (await whole()).acquire(...asked),
    acquireForRepair: async (runRoot) => await (await whole()).acquireForRepair(runRoot),
    records: async (runRoot) => await (await whole()).records(runRoot),
    readContent: async (...asked) => await (await whole()).readContent(...asked),
    readResult: async (...asked) => await (await whole()).readResult(...asked),
    readSteps: async (...asked) => await (await whole()).readSteps(...asked),
    request: async (...asked) => await (await whole()).request(...asked),
    withdraw: async (...asked) => await (await whole()).withdraw(...asked),
    inspect: async (...asked) => await (await whole()).inspect(...asked),
    follow(...asked) {
      let tail: LogTail | null = null;
      return { next: async () => await (tail ??= (await whole()).follow(...asked)).next() };
    },
    bytesOf: async (runRoot) => await (await whole()).bytesOf(runRoot),
    remove: async (...asked) => await (await whole()).remove(...asked),
    sweepRemoved: async (runsRoot) => await (await whole()).sweepRemoved(runsRoot),
  };
}
