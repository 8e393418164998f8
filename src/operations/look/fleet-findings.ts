// Runs of a store that no worker takes although they are due: what each worker lacks, and what a person has to see first.
import { timestamp } from "../../ports/clock.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { isDue } from "../../ports/runs.ts";
import { stepsOn } from "../../run/next-steps/next-step.ts";
import { finding, type Finding } from "./conditions.ts";

/** Gives the findings of a run. Over folders there are none. */
export async function fleetFindings(ports: Ports, runsRoot: string): Promise<(run: RunLook) => Finding[]> {
  const { fleet } = ports;
  if (fleet === undefined) return () => [];
  const [lacking, workers] = await Promise.all([fleet.lacking(runsRoot), fleet.workers()]);
  return (run) => {
    const lacks = lacking.get(run.runRoot);
    const [first] = lacks ?? [];
    if (lacks === undefined || first === undefined || !isDue(run)) return [];
    const gaveUp = lacks.some(({ worker }) => worker === null);
    // Another worker may have what this one lacks.
    const isWithout = workers.every(({ id }) => lacks.some(({ worker }) => worker === id));
    const since = timestamp(Math.min(...lacks.map(({ since_ms }) => since_ms)));
    const why = { since, what: lacks.map(({ what }) => what), workers: workers.length, gave_up: gaveUp };
    const next = [stepsOn(run.runRoot)("resume", "continue here, once it has what it needs")];
    return [finding("waits_for_worker", gaveUp || isWithout, why, next)];
  };
}

/** Why no worker takes a run says more than that it is due. */
export function withFleet(ofFleet: readonly Finding[], findings: [Finding, ...Finding[]]): [Finding, ...Finding[]] {
  const [first, ...others] = ofFleet;
  return first === undefined ? findings : [first, ...others, ...findings];
}
