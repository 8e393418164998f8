// Prints each durable record, and what models say as it comes, as dr.event.v1 lines, for --jsonl.
import { RunError } from "../kernel/errors.ts";
import type { Observer } from "../operations/outcome.ts";
import type { Clock } from "../ports/clock.ts";
import { chunkEvent, eventsOf, waitEvent } from "./events.ts";
import type { Host } from "./host.ts";

/** A pipe whose reader wanted no more, as \`head\` does: no failure of the work. */
export function hasReaderLeft(error: unknown): boolean {
  return (error as { code?: unknown }).code === "EPIPE";
}

/** The work goes on when its reader goes away; that events were lost is told at the end. */
export function eventDisplay(
  host: Host,
  clock: Pick<Clock, "nowMs">,
): { observer: Observer; end(): void; refuseLostEvents(): "all read" | "reader left" } {
  let lost: unknown = null;
  const print = (events: readonly unknown[]): void => {
    if (lost !== null) return;
    try {
      for (const event of events) host.write("stdout", `${JSON.stringify(event)}\n`);
    } catch (error) {
      lost = error;
    }
  };
  const observer: Observer = {
    onRecord: (_runRoot, placed) => print(eventsOf(placed)),
    onChunk: (key, chunk) => print([chunkEvent(key, chunk, clock.nowMs())]),
    onWait: (wait) => print([waitEvent(wait, clock.nowMs())]),
  };
  return {
    observer,
    end() {},
    refuseLostEvents() {
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
