// The store as programs open it: code that only looks is there at once, code that writes is loaded when it is first needed.
import type { LogTail } from "../ports/run-log.ts";
import type { FileStore } from "./file-store.ts";
import { runLooks } from "./reading/run-looks.ts";
import type { Machine } from "./disk/machine.ts";
import type { LentLeases } from "./lease/lent-leases.ts";

export function lateStore(machine: Machine, lent: LentLeases): FileStore {
  let loaded: Promise<FileStore> | null = null;
  const whole = (): Promise<FileStore> =>
    (loaded ??= import("./file-store.ts").then(({ fileStore }) => fileStore(machine, lent)));
  return {
    ...runLooks(machine),
    create: async (...asked) => await (await whole()).create(...asked),
    createOwned: async (...asked) => await (await whole()).createOwned(...asked),
    acquire: async (...asked) => await (await whole()).acquire(...asked),
    acquireForRepair: async (...asked) => await (await whole()).acquireForRepair(...asked),
    records: async (...asked) => await (await whole()).records(...asked),
    readContent: async (...asked) => await (await whole()).readContent(...asked),
    readResult: async (...asked) => await (await whole()).readResult(...asked),
    readSteps: async (...asked) => await (await whole()).readSteps(...asked),
    request: async (...asked) => await (await whole()).request(...asked),
    withdraw: async (...asked) => await (await whole()).withdraw(...asked),
    inspect: async (...asked) => await (await whole()).inspect(...asked),
    follow(...asked) {
      let tail: LogTail | null = null;
      const opened = async (): Promise<LogTail> => (tail ??= (await whole()).follow(...asked));
      return {
        next: async () => await (await opened()).next(),
        wait: async (...waiting) => await (await opened()).wait(...waiting),
      };
    },
    bytesOf: async (...asked) => await (await whole()).bytesOf(...asked),
    remove: async (...asked) => await (await whole()).remove(...asked),
    unbegunAt: async (...asked) => await (await whole()).unbegunAt(...asked),
    sweepRemoved: async (...asked) => await (await whole()).sweepRemoved(...asked),
  };
}
