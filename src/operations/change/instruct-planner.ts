// `approve` with a sentence: the planner makes the plan that waits for approval once more, as a person wishes. The new one waits, too.
import { RunError } from "../../kernel/errors.ts";
import { lift } from "../../orchestrator/drive.ts";
import type { Ownership } from "../../orchestrator/ownership.ts";
import type { Observer, StopSignals } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { haltKind } from "../../run/log/halt.ts";
import { isTerminal } from "../../run/log/lifecycle.ts";
import type { AnyRecord } from "../../run/log/record.ts";
import { hasPlanner } from "../../run/settings/settings.ts";
import { PLAN_STEP } from "../../stages/evidence.ts";
import type { Outcome } from "../outcome.ts";
import { work } from "../work.ts";
import { type ApproveResult, planOf, refuseUnlessWaiting } from "./approve-plan.ts";
import { drivenWork } from "./driven-work.ts";

const REASON = "a person wishes for another plan";

/**
 * The same instruction given again, as after a kill, continues what it began. Errors: `INVALID_STATE` when no plan waits, or where
 * no planner reads sentences; `RUN_TERMINAL`, `PAUSED`, `LOCK_HELD`; what kept the planner from a new plan.
 */
export async function instructPlanner(
  ports: Ports,
  runRoot: string,
  instruction: string,
  observer: Observer,
  signals?: StopSignals,
): Promise<Outcome<ApproveResult>> {
  const noted = await work(ports, runRoot, {
    reason: "approve",
    observer,
    signals,
    isQuiet: true,
    async judge(run, records) {
      const { state, manifest } = run;
      if (isTerminal(state)) throw new RunError("RUN_TERMINAL", { state, run_root: runRoot });
      refuseUnlessRead(run);
      if (isNoted(await records(), instruction)) return { result: null, run, error: null };
      refuseUnlessWaiting(manifest, runRoot);
      return null;
    },
    act: (ownership) => note(ownership, instruction),
  });
  // Where the new plan waits already, there is nothing left to do.
  const isMade = noted.result === null && isReviewed(noted.run);
  const options = { lifts: false, untilStage: "wave1", reason: "approve" } as const;
  const { run, error } = isMade ? noted : await work(ports, runRoot, drivenWork(ports, options, observer, signals));
  const after = run ?? (await ports.store.look(runRoot));
  const result = { ...(await planOf(ports, after)), edited: false };
  return isReviewed(after)
    ? { result: { ...result, waits: true }, run: after, error: null }
    : { result, run: after, error };
}

function refuseUnlessRead({ manifest: { settings }, runRoot }: RunLook): void {
  if (hasPlanner(settings)) return;
  const reason = "this run has no planner who reads a sentence: edit a copy of the plan, and approve that with --input";
  throw new RunError("INVALID_STATE", { reason, run_root: runRoot });
}

/** True when this was the last wish, and no plan was approved or edited since. */
function isNoted(records: readonly AnyRecord[], instruction: string): boolean {
  const last = records.findLast(
    ({ kind, data }) => kind === "plan.approved" || (kind === "step.reopened" && data.key === PLAN_STEP),
  );
  return last?.kind === "step.reopened" && last.data.instruction === instruction;
}

function isReviewed(run: RunLook | null): boolean {
  const halt = run?.manifest.halt ?? null;
  return halt !== null && haltKind(halt) === "human_review";
}

async function note(ownership: Ownership, instruction: string): Promise<null> {
  const { writer } = ownership;
  await lift(ownership, { lifts: false, reason: "approve" });
  const { current: stage } = writer.manifest.stage;
  await writer.commit([
    { kind: "step.reopened", data: { key: PLAN_STEP, stage, reason: REASON, instruction } },
    { kind: "halt.cleared", data: { kind: "human_review", reason: REASON, by: "person" } },
  ]);
  return null;
}
