// Ports whose waits, for time or for a record, do something else instead.
import type { Ports } from "../../src/ports/ports.ts";
import { changed } from "../simulation/changed.ts";

export function atWaits(ports: Ports, wait: (ms: number, signal?: AbortSignal) => Promise<void>): Ports {
  const { clock, store } = ports;
  return {
    ...ports,
    clock: changed(clock, { sleep: wait }),
    store: changed(store, { follow: (...asked) => changed(store.follow(...asked), { wait }) }),
  };
}
