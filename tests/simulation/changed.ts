// The same files, open file or writer of a run with some calls done otherwise: how a guard is taken out.
export { replaced as changed } from "../../src/kernel/replaced.ts";
import type { RunLog, RunWriter } from "../../src/ports/run-log.ts";

/** A store whose owners write through changed writers, however they came to own the run. */
export function withWriters<Log extends RunLog>(store: Log, change: (writer: RunWriter) => RunWriter): Log {
  const through = <T extends { kind: string; writer?: RunWriter }>(owned: T): T =>
    owned.writer === undefined ? owned : { ...owned, writer: change(owned.writer) };
  return {
    ...store,
    acquire: async (runRoot, options) => through(await store.acquire(runRoot, options)),
    createOwned: async (...asked) => through(await store.createOwned(...asked)),
  };
}
