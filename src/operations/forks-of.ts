// Runs that went on in a fork: somebody has seen to them.
import { dirname } from "node:path";
import type { Ports } from "../ports/ports.ts";
import { stepsOn, type NextStep } from "../run/next-step.ts";
import type { Finding } from "./triage-run.ts";

/** True for findings that a fork settles: going on in the run itself would lead to the same again. */
function isSettledByFork({ condition, why }: Finding): boolean {
  return condition === "failed" || condition === "damaged" || (condition === "halted" && why["kind"] === "no_evidence");
}

/** The findings that need somebody, when a fork settles all of them. Who forks a run that is damaged goes on without it: nothing that it waits for besides is left for anybody. */
export function settledByFork(findings: readonly Finding[]): Finding[] {
  const open = findings.filter(({ needs_attention }) => needs_attention);
  const isGone = open.some(({ condition }) => condition === "damaged");
  const settled = isGone ? open : open.filter(isSettledByFork);
  return settled.length === open.length ? settled : [];
}

/** The fork beside the run that settles these findings; null where there is none, or where it would settle too little. */
export async function settlingFork(
  { store }: Pick<Ports, "store">,
  run: { runRoot: string; runId: string },
  findings: readonly Finding[],
): Promise<{ runId: string; next: NextStep[] } | null> {
  if (settledByFork(findings).length === 0) return null;
  for await (const { runRoot, look } of store.list(dirname(run.runRoot), { cutShort: true })) {
    if (look?.manifest.forked_from?.run_id !== run.runId) continue;
    return { runId: look.manifest.run_id, next: [stepsOn(runRoot)("status", "see how the fork stands")] };
  }
  return null;
}

/** The findings of a run that was forked beside itself name the fork; all others stay as they are. */
export async function settleForked(
  ports: Pick<Ports, "store">,
  run: { runRoot: string; runId: string },
  findings: readonly Finding[],
): Promise<Finding[]> {
  const fork = await settlingFork(ports, run, findings);
  if (fork === null) return [...findings];
  const settled = settledByFork(findings);
  return findings.map((finding) =>
    settled.includes(finding)
      ? { ...finding, needs_attention: false, why: { ...finding.why, went_on_in: fork.runId }, next: fork.next }
      : finding,
  );
}
