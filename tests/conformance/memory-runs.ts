// The runs of a memory: which there are, which are due, and their removal.
import { RunError } from "../../src/kernel/errors.ts";
import type { RunLog } from "../../src/ports/run-log.ts";
import { dueOf, type RunEntry, type Runs } from "../../src/ports/runs.ts";
import type { Memory } from "./memory-log.ts";

export function memoryRuns(log: RunLog, memory: Memory): Runs {
  const namesIn = (runsRoot: string): string[] =>
    [...memory.keys()]
      .flatMap((root) => (root.startsWith(`${runsRoot}/`) ? [root.slice(runsRoot.length + 1)] : []))
      .filter((name) => !name.includes("/"))
      .sort();
  const bytesOf = async (runRoot: string): Promise<number> => {
    const run = memory.get(runRoot);
    if (run === undefined) throw new RunError("NOT_FOUND", { reason: "no run is here", run_root: runRoot });
    const lengths = [...run.files.values()].map(({ byteLength }) => byteLength);
    return lengths.reduce((sum, length) => sum + length, JSON.stringify(run.records).length);
  };
  async function* list(runsRoot: string): AsyncGenerator<RunEntry> {
    for (const name of namesIn(runsRoot)) {
      const runRoot = `${runsRoot}/${name}`;
      yield { runRoot, look: await log.look(runRoot), error: null };
    }
  }
  return {
    names: async (runsRoot) => (namesIn(runsRoot).length === 0 ? null : namesIn(runsRoot)),
    list,
    due: (runsRoot, limit) => dueOf(list(runsRoot), limit),
    placeOf: (runRoot, path) => `${path} of ${runRoot}`,
    bytesOf,
    async remove(runRoot, { expectedRevision } = {}) {
      // The epoch of the remover makes every earlier owner a late one.
      const acquired = await log.acquire(runRoot, { reason: "remove", isQuiet: true });
      if (acquired.kind === "held") return acquired;
      const { writer } = acquired;
      const { revision } = writer.manifest;
      if (expectedRevision !== undefined && expectedRevision !== revision) {
        await writer.release();
        throw new RunError("REVISION_MISMATCH", { expected_revision: expectedRevision, revision });
      }
      const bytes_freed = await bytesOf(runRoot);
      memory.delete(runRoot);
      return { kind: "removed", bytes_freed };
    },
  };
}
