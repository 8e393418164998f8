// The feeds of the runs that a client follows.
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-log.ts";
import type { ProgressEvent } from "../surface/own-workers.ts";
import { RunFeed } from "./run-feed.ts";

export class Feeds {
  readonly #ports: Ports;
  readonly #feeds = new Map<string, RunFeed>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Clients of all runs together. */
  get clients(): number {
    return [...this.#feeds.values()].reduce((sum, feed) => sum + feed.clients, 0);
  }

  of({ runRoot, manifest }: Pick<RunLook, "runRoot" | "manifest">): RunFeed {
    const feed = this.#feeds.get(runRoot) ?? new RunFeed(this.#ports, runRoot, manifest.revision);
    this.#feeds.set(runRoot, feed);
    return feed;
  }

  /** Called when a client has left: drops the feeds without clients. */
  tidy(): void {
    for (const [runRoot, feed] of this.#feeds) if (feed.clients === 0) this.#feeds.delete(runRoot);
  }

  /** Publishes what a process of this console reports about its run. */
  publish(runRoot: string, event: ProgressEvent): void {
    const feed = this.#feeds.get(runRoot);
    if (feed === undefined) return;
    if (event.seq === undefined) feed.say(`event: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`);
    else feed.hurry();
  }
}
