// The newest interrupted run of a question, which `resume: true` continues with.
import { listRuns } from "../operations/look/list-runs.ts";
import type { ConsoleParts } from "./request.ts";

/** The folder of the run; null where there is none. */
export async function interruptedRun(
  { ports, runsRoot }: Pick<ConsoleParts, "ports" | "runsRoot">,
  { question, run_id }: Readonly<Record<string, unknown>>,
): Promise<string | null> {
  const { result } = await listRuns(ports, runsRoot, { states: ["interrupted"] });
  for (const listed of result.runs) {
    if (run_id !== undefined && listed.run_id !== run_id) continue;
    // The list shortens questions, so the whole one is read here.
    const { manifest } = await ports.store.look(listed.run_root);
    if (question === undefined || (typeof question === "string" && manifest.query.text === question.trim()))
      return listed.run_root;
  }
  return null;
}
