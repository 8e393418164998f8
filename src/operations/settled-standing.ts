// The standing of a run with the fork that it went on in, which is the only next step then.
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-store.ts";
import { standingOf, type Standing } from "./standing.ts";

/** As `triage` judges it. Of a run that a fork could settle it looks at the runs beside it. */
export async function settledStanding(ports: Ports, run: RunLook): Promise<Standing> {
  const standing = standingOf(ports, run);
  // Nothing waits for anybody: no fork settles it.
  if (!standing.needs_attention && run.problems.length === 0) return standing;
  const { settlingFork } = await import("./forks-of.ts");
  const { findingsOf } = await import("./triage-run.ts");
  const about = { runRoot: run.runRoot, runId: run.manifest.run_id };
  const fork = await settlingFork(ports, about, findingsOf(ports, run));
  if (fork === null) return standing;
  return { ...standing, needs_attention: false, why: { ...standing.why, went_on_in: fork.runId }, next: fork.next };
}
