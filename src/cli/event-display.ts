// Prints each durable record as a dr.event.v1 line, for --jsonl.
import { RunError } from "../kernel/errors.ts";
import type { Observer } from "../operations/outcome.ts";
import { eventsOf } from "./events.ts";
import type { Host } from "./host.ts";

/** The work goes on when its reader goes away; that events were lost is told at the end. */
export function eventDisplay(host: Host): { observer: Observer; end(): void; refuseLostEvents(): void } {
  let lost: unknown = null;
  const observer: Observer = {
    onRecord(_runRoot, placed) {
      if (lost !== null) return;
      try {
        for (const event of eventsOf(placed)) host.write("stdout", `${JSON.stringify(event)}\n`);
      } catch (error) {
        lost = error;
      }
    },
  };
  return {
    observer,
    end() {},
    refuseLostEvents() {
      if (lost === null) return;
      const errno = (lost as { code?: unknown }).code;
      throw new RunError(
        "WRITE_FAILED",
        { reason: "the events could not be written; the work itself went on", stream: "stdout", errno },
        { cause: lost },
      );
    },
  };
}
