// `repair`: rebuilds folds, sets damage aside in quarantine, gives lost messages up, and says what it did.
import { RunError, type FileProblem } from "../../kernel/errors.ts";
import { counted } from "../../kernel/counted.ts";
import { ownerGone } from "../../orchestrator/left-open.ts";
import { keepLease } from "../../orchestrator/lease-keeper.ts";
import { giveUpLost } from "../../conversations/lost-conversations.ts";
import { lockHeld } from "../../orchestrator/owning.ts";
import { RunView } from "../../orchestrator/run-view.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RepairReport } from "../../ports/run-folders.ts";
import type { Inspection } from "../../ports/run-log.ts";
import { digestSchema } from "../../run/common.ts";
import { stepsOn, type NextStep } from "../../run/next-steps/next-step.ts";
import type { RecordData } from "../../run/log/record.ts";
import { lostJournal } from "./lost-journal.ts";
import { isRepaired, repairSteps } from "../look/repair-steps.ts";
import type { Outcome } from "../outcome.ts";
import { costOf, type RepairCost } from "./repair-cost.ts";
import { standingOf } from "../look/standing.ts";

export interface RepairResult {
  /** What was wrong before. */
  problems: FileProblem[];
  notes: string[];
  /** What the repair of the journal costs, foreseen before it; null where nothing is lost. */
  cost: RepairCost | null;
  /** Relative to the run root. */
  quarantined: string[];
  rebuilt: string[];
  dropped_records: number;
  /** Lost messages that no result rests on. */
  given_up: string[];
  /** Steps whose conversations begin anew because of it. Those that `waiting` names begin anew only when a person resumes. */
  begun_anew: string[];
  waiting: string[];
  /** What no repair can bring back: content that is missing. */
  remaining: FileProblem[];
  next: NextStep[];
}

export async function repairRun(
  ports: Ports,
  runRoot: string,
  options: { dryRun: boolean },
): Promise<Outcome<RepairResult>> {
  const inspection = await ports.store.inspect(runRoot);
  const { problems, behind, notes } = inspection;
  const lost = await lostJournal(ports, runRoot, inspection);
  if (lost !== null) throw lost;
  const found = { problems, notes, cost: await costOf(ports, runRoot, inspection) };
  const nothing = { quarantined: [], rebuilt: [], dropped_records: 0, given_up: [], begun_anew: [], waiting: [] };
  if (problems.length === 0 && (options.dryRun || behind.length === 0)) {
    const run = await ports.store.look(runRoot);
    return { result: { ...found, ...nothing, remaining: [], next: [] }, run, error: null };
  }
  if (options.dryRun) {
    const next = nextAfterLook(runRoot, inspection, found.cost);
    return { result: { ...found, ...nothing, remaining: problems, next }, run: null, error: null };
  }
  const acquired = await ports.folders.acquireForRepair(runRoot);
  if (acquired.kind === "held") throw lockHeld(runRoot, acquired);
  const { writer } = acquired;
  const keeper = keepLease(ports.clock, writer, writer.manifest.settings.lease);
  let did;
  try {
    const repaired = await acquired.repair();
    // Once this lease is released, nothing shows any more that the owner before died at work.
    const gone = await ownerGone({ writer, view: new RunView(writer) }, reasonOf(repaired));
    if (gone.length > 0) await writer.commit(gone);
    const { records, problems: left } = await ports.store.inspect(runRoot);
    const missing = left.map(({ path }) => path);
    const { paths, drafts, begun_anew, waiting } = giveUpLost(writer.manifest, records, missing);
    const remaining = left.filter(({ path }) => !paths.includes(path));
    const done = { ...repaired, given_up: paths };
    const reason = problems[0]?.found ?? notes[0] ?? "requested";
    await writer.commit([{ kind: "repair.done", data: { reason, ...done, ...missingOf(remaining) } }, ...drafts]);
    await writer.foldNow();
    did = { ...done, begun_anew, waiting, remaining };
  } finally {
    keeper.stop();
    await writer.release();
  }
  const { remaining } = did;
  const facts = { run_root: runRoot, files: remaining, repaired: true };
  const error = remaining.length === 0 ? null : new RunError("MISSING_ARTIFACT", facts);
  // Under its own lease the run would count as one that is worked on.
  const run = await ports.store.look(runRoot);
  return { result: { ...found, ...did, next: standingOf(ports, run).next }, run, error };
}

function nextAfterLook(runRoot: string, { manifest, problems }: Inspection, cost: RepairCost | null): NextStep[] {
  if (manifest !== null && isRepaired({ manifest }, problems)) return repairSteps(runRoot, true);
  return [stepsOn(runRoot)("repair", "repair it; damage goes to quarantine/", cost === null ? {} : { yes: true })];
}

/** With records lost, a journal may end in the middle of work that had ended well. */
function reasonOf({ dropped_records: dropped }: RepairReport): string | undefined {
  return dropped === 0 ? undefined : `a repair gave up ${counted(dropped, "record")} behind the last one that is left`;
}

/** The missing content: its problem names the digest that it should have. */
function missingOf(remaining: readonly FileProblem[]): Pick<RecordData<"repair.done">, "missing"> {
  const missing = remaining.flatMap(({ path, expected }) => {
    const { success, data: sha256 } = digestSchema.safeParse(expected);
    return success ? [{ path, sha256 }] : [];
  });
  return missing.length === 0 ? {} : { missing };
}
