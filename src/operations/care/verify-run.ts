// `verify`: walks over a whole run and returns what it found.
import type { Ports } from "../../ports/ports.ts";
import { damageError, verification, type Checked } from "../../stages/verification.ts";
import { lostJournal } from "./lost-journal.ts";
import type { Outcome } from "../outcome.ts";

export interface VerifyResult extends Checked {
  /**
   * How far the run had come: `report` with everything below it; `evidence` while there is no report; `nothing` while
   * nothing was stored.
   */
  looked_at: "report" | "evidence" | "nothing";
  /** Notes on what is no damage: folds that are behind, debris between records. */
  notes: string[];
}

/**
 * Checks everything a run rests on; writes nothing. Errors: `INTEGRITY_ERROR`, or `MISSING_ARTIFACT` when files are
 * missing and nothing else is wrong, both with `files: [{path, expected, found}]`; `NOT_FOUND`; `SCHEMA_UNSUPPORTED`.
 */
export async function verifyRun(ports: Ports, runRoot: string): Promise<Outcome<VerifyResult>> {
  const { problems, isLost, checked, notes } = await verification(ports.store, runRoot);
  if (problems.length > 0) {
    ports.damage.note(runRoot, problems);
    throw (
      (await lostJournal(ports, runRoot, { isLost, problems })) ?? damageError(problems, { run_root: runRoot, checked })
    );
  }
  ports.damage.forget(runRoot);
  const run = await ports.store.look(runRoot);
  return { result: { looked_at: lookedAt(checked), ...checked, notes }, run, error: null };
}

function lookedAt({ reports, files, step_results }: Checked): VerifyResult["looked_at"] {
  if (reports > 0) return "report";
  return files > 0 || step_results > 0 ? "evidence" : "nothing";
}
