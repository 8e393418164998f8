// The intent of tick, run, resume and start: research continues, tick by tick, until something stops it.
import { RunError } from "../../kernel/errors.ts";
import { unlessDamaged } from "../../kernel/damage.ts";
import { typedError } from "../../kernel/typed-error.ts";
import { haltForBug } from "../../orchestrator/bug-halt.ts";
import { drive, type DriveOptions, type DriveResult } from "../../orchestrator/drive.ts";
import type { Ownership } from "../../orchestrator/ownership.ts";
import type { Observer, StopSignals } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import type { RunResult } from "../outcome.ts";
import type { Intent } from "../work.ts";
import { reportPaths, settledOutcome, shortfall, standingOutcome } from "../work-outcome.ts";

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
    judge: async (run) => {
      const settled = await settledOutcome(ports, run);
      if (settled !== null) return { ...settled, result: { ...settled.result, ...(await answerOf(ports, run)) } };
      return lifts(run.state) ? null : standingOutcome(ports, run);
    },
    act: async (ownership) => {
      const { writer } = ownership;
      const done = await driveOrHalt(ownership, { ...options, lifts: lifts(writer.manifest.execution_state) });
      return { ...done, ...reportPaths(ports, writer), ...(await answerOf(ports, writer)) };
    },
    shortfall: (run, result) => shortfall(run, result, signals),
  };
}

/** The answer of the report of a completed run; nothing where its files are damaged, which other commands report. */
async function answerOf(
  { store }: Ports,
  { runRoot, manifest }: Pick<RunLook, "runRoot" | "manifest">,
): Promise<Pick<RunResult, "answer">> {
  const index = manifest.current_report_version_index;
  const version = manifest.report_versions.find(({ version_index }) => version_index === index);
  if (manifest.execution_state !== "completed" || version === undefined) return {};
  const [{ readReportBytes, parseReport }, { answerMarkdown }] = await Promise.all([
    import("../report/read-report.ts"),
    import("../../pages/answer-text.ts"),
  ]);
  const read = await unlessDamaged(readReportBytes({ store }, runRoot, version));
  const answer = read === null ? "" : answerMarkdown(parseReport(read.json, version));
  return answer === "" ? {} : { answer };
}

/** A bug halts the run with the facts of the bug, so that no tick follows before a person has seen it. */
async function driveOrHalt(ownership: Ownership, options: DriveOptions): Promise<DriveResult> {
  try {
    return await drive(ownership, options);
  } catch (error) {
    if (typedError(error).code !== "INTERNAL") throw error;
    try {
      await haltForBug(ownership, error);
    } catch (failure) {
      if (failure instanceof RunError && failure.code === "LOCK_LOST") throw failure;
      // Where the writer met the bug, it cannot write the halt, so the caller reports the bug.
      throw error;
    }
    return { stopped_by: "halted", ticks: 1, steps_completed: 0, steps_adopted: 0 };
  }
}
