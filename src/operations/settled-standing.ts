// The standing of a run with the fork that it went on in, which is the only next step then.
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-store.ts";
import { settlingFork } from "./forks-of.ts";
import { standingOf, type Standing } from "./standing.ts";
import { findingsOf } from "./triage-run.ts";

/** As `triage` judges it. Of a run that a fork could settle it looks at the runs beside it. */
export async function settledStanding(ports: Ports, run: RunLook): Promise<Standing> {
  const standing = standingOf(ports, run);
  const about = { runRoot: run.runRoot, runId: run.manifest.run_id };
  const fork = await settlingFork(ports, about, findingsOf(ports, run));
  if (fork === null) return standing;
  return { ...standing, needs_attention: false, why: { ...standing.why, went_on_in: fork.runId }, next: fork.next };
}
