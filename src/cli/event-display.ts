// Prints each durable record, and what models say as it comes, as dr.event.v1 lines, for --jsonl.
import { RunError } from "../kernel/errors.ts";
import type { Observer } from "../operations/outcome.ts";
import type { Clock } from "../ports/clock.ts";
import { chunkEvent, eventsOf, waitEvent } from "./events.ts";
import type { Host } from "./host.ts";
import { OutputQueue } from "./output-queue.ts";

/** The reader closed the pipe, as `head` does: no failure of the work. */
export function hasReaderLeft(error: unknown): boolean {
  return (error as { code?: unknown }).code === "EPIPE";
}

const STALLED = "note: the reader of the events takes none; the work goes on, and the events wait for it\n";

export interface EventDisplay {
  observer: Observer;
  /** Resolves when every event was written, or cannot be. */
  end(): Promise<void>;
  /** Errors: `WRITE_FAILED` when an event could not be written to a reader that is still there. */
  refuseLostEvents(): "all read" | "reader left";
}

/** The work goes on when its reader stalls or goes away; that events were lost is told at the end. */
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
      onRecord: (_runRoot, placed) => print(eventsOf(placed)),
      onChunk: (key, chunk) => print([chunkEvent(key, chunk, clock.nowMs())]),
      onWait: (wait) => print([waitEvent(wait, clock.nowMs())]),
      whenRoom: () => queue.whenRoom(),
    },
    end: () => queue.whenEmpty(),
    refuseLostEvents() {
      const { lost } = queue;
      if (lost === null) return "all read";
      if (hasReaderLeft(lost)) return "reader left";
      const errno = (lost as { code?: unknown }).code;
      throw new RunError(
        "WRITE_FAILED",
        { reason: "the events could not be written; the work itself went on", stream: "stdout", errno },
        { cause: lost },
      );
    },
  };
}
