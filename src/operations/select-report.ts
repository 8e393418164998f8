// `report select`: makes a published report version the current one.
import { RunError } from "../kernel/errors.ts";
import { ownerGone } from "../orchestrator/left-open.ts";
import type { Ownership } from "../orchestrator/ownership.ts";
import type { Ports } from "../ports/ports.ts";
import { mayReportManually, type ExecutionState } from "../run/lifecycle.ts";
import type { ReportVersion } from "../run/report.ts";
import type { Outcome } from "./outcome.ts";
import { work } from "./work.ts";
import { readReportBytes, versionOf } from "./read-report.ts";

export interface SelectResult {
  version: ReportVersion;
  already?: "already_selected";
}

/**
 * Writes nothing when the version is the current one. Errors: `NOT_FOUND`, `INVALID_STATE`, `LOCK_HELD`, and those of a
 * version that was altered, which nobody could be shown: `MISSING_ARTIFACT`, `INTEGRITY_ERROR`.
 */
export async function selectReport(
  ports: Ports,
  runRoot: string,
  versionIndex: number,
): Promise<Outcome<SelectResult>> {
  const run = await ports.store.look(runRoot);
  const version = versionOf(run, versionIndex);
  if (run.manifest.current_report_version_index === versionIndex) {
    // Another process may have written what is acknowledged here.
    await ports.folders.makeDurable(runRoot);
    return { result: { version, already: "already_selected" }, run, error: null };
  }
  refuseState(run.state, run.manifest.halt, runRoot);
  await readReportBytes(ports, runRoot, version);
  return await work(ports, run, {
    reason: "report select",
    async act(ownership) {
      await select(ownership, versionIndex);
      return { version };
    },
  });
}

async function select(ownership: Ownership, versionIndex: number): Promise<void> {
  const { writer } = ownership;
  const found = await ownerGone(ownership);
  if (found.length > 0) await writer.commit(found);
  refuseState(writer.manifest.execution_state, writer.manifest.halt, writer.runRoot);
  await writer.commit([{ kind: "report.selected", data: { version_index: versionIndex } }]);
}

function refuseState(state: ExecutionState, halt: unknown, runRoot: string): void {
  if (mayReportManually(state, halt)) return;
  throw new RunError("INVALID_STATE", {
    reason: "a report is selected while a run is paused, halted, interrupted or ended",
    state,
    run_root: runRoot,
  });
}
