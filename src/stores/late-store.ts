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
    create: async (...args) => await (await whole()).create(...args),
    createOwned: async (...args) => await (await whole()).createOwned(...args),
    acquire: async (...args) => await (await whole()).acquire(...args),
    acquireForRepair: async (...args) => await (await whole()).acquireForRepair(...args),
    records: async (...args) => await (await whole()).records(...args),
    readContent: async (...args) => await (await whole()).readContent(...args),
    readResult: async (...args) => await (await whole()).readResult(...args),
    readSteps: async (...args) => await (await whole()).readSteps(...args),
    request: async (...args) => await (await whole()).request(...args),
    withdraw: async (...args) => await (await whole()).withdraw(...args),
    inspect: async (...args) => await (await whole()).inspect(...args),
    follow(...args) {
      let tail: LogTail | null = null;
      const opened = async (): Promise<LogTail> => (tail ??= (await whole()).follow(...args));
      return {
        next: async () => await (await opened()).next(),
        wait: async (...waiting) => await (await opened()).wait(...waiting),
      };
    },
    bytesOf: async (...args) => await (await whole()).bytesOf(...args),
    remove: async (...args) => await (await whole()).remove(...args),
    unbegunAt: async (...args) => await (await whole()).unbegunAt(...args),
    sweepRemoved: async (...args) => await (await whole()).sweepRemoved(...args),
  };
}
