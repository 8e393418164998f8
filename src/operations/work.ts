// The one road into work on a run: read, judge, take the lease, judge again, act, report how the run is.
import { RunError } from "../kernel/errors.ts";
import { isLeftOpen } from "../orchestrator/left-open.ts";
import type { Ownership } from "../orchestrator/ownership.ts";
import { owning, owningNew, type FirstCommit, type OwningOptions } from "../orchestrator/owning.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-log.ts";
import type { AnyRecord } from "../run/log/record.ts";
import type { Outcome } from "./outcome.ts";

type Records = () => Promise<readonly AnyRecord[]>;

/** What a caller wants to do with a run under its lease. */
export interface Intent<Result> extends OwningOptions {
  /** What the run begins with, where it may have to be made; one that is there is worked on as it is. */
  makes?: FirstCommit;
  /**
   * Judges the run as it is, and again under the lease, since it may have moved. An outcome ends the work before
   * anything is written, and so does an error; null lets it continue. `records`: those of the run as it is.
   */
  judge?(run: RunLook, records: Records): Promise<Outcome<Result> | null> | Outcome<Result> | null;
  act(ownership: Ownership): Promise<Result>;
  /** Why the work stopped short, if it did. */
  shortfall?(run: RunLook, result: Result): Outcome<Result>["error"];
}

/** `run`: a run root, or a run that was just read and judged. Errors: `LOCK_HELD`, and those of the intent. */
export async function work<Result>(
  ports: Ports,
  run: string | RunLook,
  intent: Intent<Result>,
): Promise<Outcome<Result>> {
  if (intent.makes !== undefined && typeof run === "string") {
    const made = await owningNew(ports, run, intent.makes, intent, (ownership) => acted(ownership, intent, null));
    if (made !== null) return made.done;
  }
  const before = typeof run === "string" ? await ports.store.look(run) : run;
  const records: Records = () => ports.store.records(before.runRoot, before.manifest.journal);
  const settled = typeof run === "string" ? ((await intent.judge?.(before, records)) ?? null) : null;
  if (settled !== null) return settled;
  return await owning(ports, before, intent, async (ownership) => {
    const { revision } = ownership.writer.manifest;
    // Between the reading and the lease the owner before may have ended the run, or halted it.
    const now = await lookOf(ownership, before);
    const moved = (await intent.judge?.(now, () => ownership.view.records())) ?? null;
    const outcome = moved ?? (await acted(ownership, intent, before));
    if (ownership.writer.manifest.revision === revision) await refuseSuperseded(ownership);
    return outcome;
  });
}

/** A commit fails once another process has taken over; work that wrote nothing has not learned it. Errors: `LOCK_LOST`. */
async function refuseSuperseded({ writer }: Ownership): Promise<void> {
  if (await writer.isSuperseded())
    throw new RunError("LOCK_LOST", {
      reason: "another process took over",
      run_root: writer.runRoot,
      superseded: true,
    });
}

async function acted<Result>(
  ownership: Ownership,
  intent: Intent<Result>,
  before: RunLook | null,
): Promise<Outcome<Result>> {
  const result = await intent.act(ownership);
  const run = await lookOf(ownership, before);
  return { result, run, error: intent.shortfall?.(run, result) ?? null };
}

/** The run as its owner knows it: no other process has written since the lease was taken. */
async function lookOf({ ports, writer }: Ownership, before: RunLook | null): Promise<RunLook> {
  const { runRoot, manifest } = writer;
  const isUnmoved = before?.manifest.revision === manifest.revision;
  return {
    runRoot,
    now_ms: ports.clock.nowMs(),
    manifest,
    lease: { held: null, stale: null },
    state: isLeftOpen(writer) ? "interrupted" : manifest.execution_state,
    shownRevision: isUnmoved ? before.shownRevision : manifest.revision,
    requests: await writer.requests(),
    problems: [],
  };
}
