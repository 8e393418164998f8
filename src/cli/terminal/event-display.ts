// Prints events as dr.event.v1 lines, for --jsonl: every durable record, and what models say as it comes.
import { counted } from "../../kernel/counted.ts";
import type { Observer } from "../../ports/observer.ts";
import type { Clock } from "../../ports/clock.ts";
import { chunkEvent, eventsOf, waitEvent } from "../../surface/events.ts";
import type { Host } from "../host.ts";
import { GivenUp, OutputQueue } from "./output-queue.ts";
import { lostOutput } from "./print.ts";

/** The reader closed the pipe, as `head` does: no failure of the work. */
export function hasReaderLeft(error: unknown): boolean {
  return (error as { code?: unknown }).code === "EPIPE";
}

const STALLED = "note: the reader of the events takes no more; the work continues, and the events wait\n";

export interface EventDisplay {
  observer: Observer;
  /** Resolves when every event was written, or cannot be. Once `stop` has fired, a reader that stalls is given up. */
  end(stop?: AbortSignal): Promise<void>;
  /** How the reader of the events ended. Errors: `WRITE_FAILED` when an event could not be written to one that is still there. */
  readingEnd(): "all read" | "reader left" | "given up";
}

/** The work continues when the reader stalls or goes away. Lost events are reported at the end. */
export function eventDisplay(
  host: Pick<Host, "writeLater">,
  clock: Pick<Clock, "nowMs" | "uptimeMs" | "every">,
  stderr: OutputQueue,
): EventDisplay {
  const queue = new OutputQueue({ host, stream: "stdout", clock, onStall: () => stderr.push(STALLED) });
  const print = (events: readonly unknown[]): void => {
    for (const event of events) queue.push(`${JSON.stringify(event)}\n`);
  };
  return {
    observer: {
      onRecord: (_runRoot, record) => print(eventsOf(record)),
      onChunk(key, chunk) {
        // What a model says has no bound, and a step cannot wait for a reader. The whole reply comes later, as a record.
        if (queue.hasRoom) print([chunkEvent(key, chunk, clock.nowMs())]);
      },
      onWait: (wait) => print([waitEvent(wait, clock.nowMs())]),
      whenRoom: () => queue.whenRoom(),
    },
    async end(stop) {
      await queue.whenEmpty(stop);
      if (queue.lost instanceof GivenUp)
        stderr.push(`note: ${counted(queue.lost.unwritten, "event")} not written: their reader took no more\n`);
    },
    readingEnd() {
      const { lost } = queue;
      if (lost === null) return "all read";
      if (lost instanceof GivenUp) return "given up";
      if (hasReaderLeft(lost)) return "reader left";
      throw lostOutput("the events could not be written; the work itself continued", lost);
    },
  };
}
