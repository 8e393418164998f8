// `triage --all`: every run that a person should know of, the worst first; the others are counted.
import { basename } from "node:path";
import { typedError } from "../../kernel/typed-error.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { isTerminal } from "../../run/log/lifecycle.ts";
import type { Condition, Finding } from "./conditions.ts";
import { fleetFindings, withFleet } from "./fleet-findings.ts";
import { askingOnce } from "./standing.ts";
import { findingsOf, forkIn, settledByFork, unseen, withFork, type Fork, type TriageResult } from "./triage-run.ts";

export interface TriagedRun extends TriageResult {
  /** The name of its folder where it cannot be read. */
  run_id: string;
  run_root: string;
}

export type TriageAllResult = Awaited<ReturnType<typeof triageAll>>["result"];

/** Reads every run, with the journals of those that have not ended, or `deep` with all; writes nothing in them. */
export async function triageAll(ports: Ports, runsRoot: string, { deep = false }: { deep?: boolean } = {}) {
  const shown: TriagedRun[] = [];
  const forks = new Map<string, Fork>();
  const by_condition: Partial<Record<Condition, number>> = {};
  let looked_at = 0;
  const asking = askingOnce(ports);
  const ofFleet = await fleetFindings(ports, runsRoot);
  const options = { wholeLog: deep ? "of all runs" : "of open runs" } as const;
  for await (const { runRoot, look, error } of ports.runs.list(runsRoot, options)) {
    looked_at++;
    const findings: TriageResult["findings"] =
      look === null ? [unseen(runRoot, error)] : findingsOrBug(asking, look, ofFleet);
    const [{ condition }] = findings;
    by_condition[condition] = (by_condition[condition] ?? 0) + 1;
    const manifest = condition === "unreadable" ? undefined : look?.manifest;
    const known = look === null || manifest === undefined ? null : forkIn(look);
    if (known !== null && forks.get(known.of)?.hasBegun !== true) forks.set(known.of, known.fork);
    if (!isWorthReporting(look, findings)) continue;
    shown.push({ run_id: manifest?.run_id ?? basename(runRoot), run_root: runRoot, findings });
  }
  const isSeenTo = ({ run_id, findings }: TriagedRun): boolean =>
    forks.get(run_id)?.hasBegun === true && settledByFork(findings).length > 0;
  const withItsFork = (run: TriagedRun): TriagedRun => {
    const fork = forks.get(run.run_id);
    return fork === undefined ? run : { ...run, findings: withFork(run.findings, fork) };
  };
  const runs = shown
    .filter((run) => !isSeenTo(run))
    .map(withItsFork)
    .sort(worstFirst);
  const need_somebody = runs.filter(({ findings }) => findings.some((finding) => finding.needs_attention)).length;
  const settled = shown.filter(isSeenTo);
  const counts = {
    looked_at,
    need_somebody,
    /** Every run by the condition it is in. */
    by_condition,
    /** Failed runs that were continued in a fork: a person has seen to them. */
    failed_and_forked: settled.filter(({ findings }) => findings[0].condition === "failed").length,
    /** All of these runs, also damaged ones and those that found no evidence. */
    went_on_in_fork: settled.length,
  };
  return { result: { runs, counts }, run: null, error: null };
}

/** One run that meets a bug must not hide the others. */
function findingsOrBug(ports: Ports, look: RunLook, ofFleet: (run: RunLook) => Finding[]): TriageResult["findings"] {
  try {
    return withFleet(ofFleet(look), findingsOf(ports, look));
  } catch (error) {
    return [unseen(look.runRoot, typedError(error))];
  }
}

/** Runs that wait for time alone are reported, too: a person at night wants to know why they do not move. */
function isWorthReporting(look: RunLook | null, findings: readonly Finding[]): boolean {
  if (findings.some((finding) => finding.needs_attention)) return true;
  return (
    findings.some(({ condition }) => condition === "silent" || condition === "waits_for_worker") ||
    (look !== null && look.manifest.halt !== null && !isTerminal(look.state))
  );
}

/** Damage comes first, then runs that do not move, then runs that wait by themselves or on request. */
const WORST_FIRST = [
  "damaged",
  "unreadable",
  "failed",
  "halted",
  "interrupted",
  "late",
  "cannot_write",
  "waits_for_worker",
  "corpus_missing",
  "not_started",
  "silent",
  "quota",
  "request_waits",
  "paused",
] as const;

function rankOf({ findings }: TriagedRun): number {
  const [first] = findings;
  const { condition } = findings.find((finding) => finding.needs_attention) ?? first;
  const kind = first.condition === "halted" && !first.needs_attention ? "quota" : condition;
  return WORST_FIRST.findIndex((one) => one === kind);
}

/** Among equals the newest first: ids begin with their time. */
function worstFirst(a: TriagedRun, b: TriagedRun): number {
  return rankOf(a) - rankOf(b) || (a.run_id < b.run_id ? 1 : -1);
}
