// The same ports some time later, by the clock of the machine and by that of a look. Leases are as they were.
import type { Ports } from "../../src/ports/ports.ts";
import type { RunLook } from "../../src/ports/run-log.ts";
import { changed } from "../simulation/changed.ts";

export function later(ports: Ports, ms: number): Ports {
  const { clock, store, folders } = ports;
  const lookedAt = (look: RunLook): RunLook => ({ ...look, now_ms: look.now_ms + ms });
  return {
    ...ports,
    clock: changed(clock, { nowMs: () => clock.nowMs() + ms, uptimeMs: () => clock.uptimeMs() + ms }),
    store: changed(store, { look: async (...asked) => lookedAt(await store.look(...asked)) }),
    folders: changed(folders, {
      async *list(...asked) {
        for await (const entry of folders.list(...asked))
          yield entry.look === null ? entry : { ...entry, look: lookedAt(entry.look) };
      },
    }),
  };
}
