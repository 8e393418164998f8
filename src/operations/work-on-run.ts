// The shared road of tick, run and resume: look, take the lease, drive, look again.
import { RunError } from "../kernel/errors.ts";
import { typedError } from "../kernel/typed-error.ts";
import { haltForBug } from "../orchestrator/bug-halt.ts";
import { drive, type DriveOptions, type DriveResult } from "../orchestrator/drive.ts";
import { withNewSession, withSession, type Session } from "../orchestrator/session.ts";
import { Workbench } from "../orchestrator/workbench.ts";
import type { Observer, StopSignals } from "../ports/observer.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-log.ts";
import type { FirstDrafts } from "../run/record.ts";
import type { Outcome, RunResult } from "./outcome.ts";
import { settledOutcome, standingOutcome, workOutcome } from "./work-outcome.ts";

export async function workOnRun(
  ports: Ports,
  runRoot: string,
  options: DriveOptions & { reason: string },
  observer: Observer,
  signals?: StopSignals,
): Promise<Outcome<RunResult>> {
  const run = await ports.store.look(runRoot);
  const settled = await outcomeAsItStands(ports, run, options);
  if (settled !== null) return settled;
  const bench = await Workbench.open(ports, runRoot, run.manifest);
  try {
    // The first owner of a run writes its lease together with the start: a kill leaves a run that began, or none of both.
    const isQuiet = run.state === "idle";
    const asked = { reason: options.reason, observer, signals, isQuiet };
    const ended = await withSession(ports, runRoot, asked, async (session) => {
      // Between the look and the lease the owner before may have ended the run, or halted it.
      const moved = await outcomeAsItStands(ports, await ports.store.look(runRoot), options);
      if (moved === null) return { done: await driveOrHalt(session, bench, options) };
      // Or it was this process that slept, and another ended the run under a lease of its own.
      if (await session.writer.isSuperseded()) {
        throw new RunError("LOCK_LOST", { reason: "another process took over", run_root: runRoot });
      }
      return { moved };
    });
    if (ended.moved !== undefined) return { ...ended.moved, run: await ports.store.look(runRoot) };
    return await workOutcome(ports, runRoot, ended.done, signals);
  } finally {
    bench.close();
  }
}

/** Makes a run and works on it under one lease; null when a run is already there. */
export async function workOnNewRun(
  ports: Ports,
  runRoot: string,
  drafts: FirstDrafts,
  options: DriveOptions & { reason: string },
  observer: Observer,
  signals?: StopSignals,
): Promise<Outcome<RunResult> | null> {
  const { reason } = options;
  const begun = await withNewSession(ports, runRoot, drafts, { reason, observer, signals }, async (session) => {
    const bench = await Workbench.open(ports, runRoot, session.writer.manifest);
    try {
      return await driveOrHalt(session, bench, options);
    } finally {
      bench.close();
    }
  });
  return begun === null ? null : await workOutcome(ports, runRoot, begun.done, signals);
}

/** A run that meets a bug is halted with its facts: it is for a person, and no tick takes it up again by itself. */
async function driveOrHalt(session: Session, bench: Workbench, options: DriveOptions): Promise<DriveResult> {
  try {
    return await drive(session, bench, options);
  } catch (error) {
    if (typedError(error).code !== "INTERNAL") throw error;
    try {
      await haltForBug(session, error);
    } catch (failure) {
      if (failure instanceof RunError && failure.code === "LOCK_LOST") throw failure;
      // A writer that met the bug itself cannot write any more, so the caller tells what happened.
      throw error;
    }
    return { stopped_by: "halted", ticks: 1, steps_completed: 0, steps_adopted: 0 };
  }
}

async function outcomeAsItStands(
  ports: Ports,
  run: RunLook,
  { lifts }: DriveOptions,
): Promise<Outcome<RunResult> | null> {
  return (await settledOutcome(ports, run)) ?? (lifts ? null : standingOutcome(run, ports.clock.nowMs()));
}
