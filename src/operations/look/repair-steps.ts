// The next steps behind files of a run that are damaged or missing.
import type { RunLook } from "../../ports/run-log.ts";
import { JOURNAL_FILE } from "../../run/log/layout.ts";
import { stepsOn, type NextStep } from "../../run/next-steps/next-step.ts";

/** Where a repair could not undo the damage, only a fork helps: another repair changes nothing. */
export function repairSteps(runRoot: string, isBeyondRepair = false): NextStep[] {
  const step = stepsOn(runRoot);
  if (isBeyondRepair)
    return [
      step("fork", "continue in a new run without what is missing"),
      step("verify", "after bringing it back from a backup: check it"),
    ];
  return [
    step("verify", "see everything that is damaged"),
    step("repair", "see what a repair would do", { dry_run: true }),
    step("repair", "repair what can be repaired"),
  ];
}

/** Nothing but a backup brings a journal back of which no record counts. */
export function lostSteps(runRoot: string): NextStep[] {
  const step = stepsOn(runRoot);
  return [
    step("verify", "after putting the journal back from a backup"),
    step("remove", "or delete what is left of it"),
  ];
}

/**
 * The steps that repair the damage that was found, then those that the state of the run asks for. Behind a damaged journal
 * those would be refused.
 */
export function repairsFirst(run: RunLook, ofState: readonly NextStep[]): NextStep[] {
  if (run.isLost === true) return lostSteps(run.runRoot);
  const repairing = repairSteps(run.runRoot, isRepaired(run, run.problems));
  if (run.problems.some(({ path }) => path === JOURNAL_FILE)) return repairing;
  // The fork that the state of a failed run asks for says more, such as more time.
  const first = repairing.map(
    (step) => (step.verb === "fork" ? ofState.find(({ verb }) => verb === "fork") : null) ?? step,
  );
  return [...first, ...ofState.filter(({ verb }) => !repairing.some((step) => step.verb === verb))];
}

/** True when a repair has seen to all of this damage already, and could not bring it back. */
export function isRepaired({ manifest }: Pick<RunLook, "manifest">, files: readonly { path: string }[]): boolean {
  const missing = manifest.missing ?? [];
  return files.length > 0 && files.every((file) => missing.some(({ path }) => path === file.path));
}
