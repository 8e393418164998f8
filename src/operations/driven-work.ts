// The intent of tick, run, resume and start: research goes on, tick by tick, until something stops it.
import { RunError } from "../kernel/errors.ts";
import { typedError } from "../kernel/typed-error.ts";
import { haltForBug } from "../orchestrator/bug-halt.ts";
import { drive, type DriveOptions, type DriveResult } from "../orchestrator/drive.ts";
import type { Ownership } from "../orchestrator/ownership.ts";
import type { Observer, StopSignals } from "../ports/observer.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-log.ts";
import type { RunResult } from "./outcome.ts";
import type { Intent } from "./work.ts";
import { reportPaths, settledOutcome, shortfall, standingOutcome } from "./work-outcome.ts";

export interface DrivenOptions extends Omit<DriveOptions, "lifts"> {
  /** Whether a pause, a hold or a halt is lifted; `if_paused` lifts a pause alone. */
  lifts: boolean | "if_paused";
  reason: string;
}

export function drivenWork(
  ports: Ports,
  options: DrivenOptions,
  observer: Observer,
  signals?: StopSignals,
): Intent<RunResult> {
  const lifts = (state: RunLook["state"]): boolean =>
    options.lifts === "if_paused" ? state === "paused" : options.lifts;
  return {
    reason: options.reason,
    observer,
    signals,
    performs: true,
    judge: async (run) =>
      (await settledOutcome(ports, run)) ?? (lifts(run.state) ? null : standingOutcome(run, ports.clock.nowMs())),
    act: async (ownership) => {
      const { writer } = ownership;
      const done = await driveOrHalt(ownership, { ...options, lifts: lifts(writer.manifest.execution_state) });
      return { ...done, ...reportPaths(writer) };
    },
    shortfall: (run, result) => shortfall(run, result, signals),
  };
}

/** A bug halts the run with the facts of the bug, so that no tick goes on before a person has looked. */
async function driveOrHalt(ownership: Ownership, options: DriveOptions): Promise<DriveResult> {
  try {
    return await drive(ownership, options);
  } catch (error) {
    if (typedError(error).code !== "INTERNAL") throw error;
    try {
      await haltForBug(ownership, error);
    } catch (failure) {
      if (failure instanceof RunError && failure.code === "LOCK_LOST") throw failure;
      // Where the writer met the bug, it cannot write the halt, so the caller tells of the bug.
      throw error;
    }
    return { stopped_by: "halted", ticks: 1, steps_completed: 0, steps_adopted: 0 };
  }
}
