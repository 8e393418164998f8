// Hands work to the workers of a store: the run is at work from its first record on, and its maker gives it up.
import { RunError } from "../kernel/errors.ts";
import type { Fleet } from "../ports/fleet.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunResult } from "./outcome.ts";
import type { Intent } from "./work.ts";
import { reportPaths } from "./work-outcome.ts";

/** Errors: `INVALID_ARGS.store` where runs lie in folders. */
export function fleetOf({ fleet }: Pick<Ports, "fleet">): Fleet {
  if (fleet !== undefined) return fleet;
  const reason =
    "workers share a store, and none is named: runs in folders are worked on by `start`, and continued by `tick --all`";
  throw new RunError("INVALID_ARGS.store", { reason, option: "--store" });
}

/** The same intent without its work. */
export function handedOn(ports: Ports, intent: Intent<RunResult>): Intent<RunResult> {
  return {
    ...intent,
    performs: false,
    async act({ writer }) {
      const nothing = { ticks: 0, steps_completed: 0, steps_adopted: 0 };
      return { stopped_by: "handed_on", ...nothing, ...reportPaths(ports, writer) };
    },
    shortfall: () => null,
  };
}
