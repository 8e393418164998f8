// The same ports some time later, by the clock of the machine and by that of a look. Leases are as they were.
import type { Ports } from "../../src/ports/ports.ts";
import type { RunLook } from "../../src/ports/run-log.ts";
import { dueOf, type RunEntry, type Runs } from "../../src/ports/runs.ts";
import { changed } from "../simulation/changed.ts";

export function later(ports: Ports, ms: number): Ports {
  const { clock, store, runs } = ports;
  const lookedAt = (look: RunLook): RunLook => ({ ...look, now_ms: look.now_ms + ms });
  async function* list(...asked: Parameters<Runs["list"]>): AsyncGenerator<RunEntry> {
    for await (const entry of runs.list(...asked))
      yield entry.look === null ? entry : { ...entry, look: lookedAt(entry.look) };
  }
  return {
    ...ports,
    clock: changed(clock, { nowMs: () => clock.nowMs() + ms, uptimeMs: () => clock.uptimeMs() + ms }),
    store: changed(store, { look: async (...asked) => lookedAt(await store.look(...asked)) }),
    runs: changed(runs, { list, due: (runsRoot, limit) => dueOf(list(runsRoot), limit) }),
  };
}
