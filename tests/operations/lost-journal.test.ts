// A journal that is lost from its first record on: every command says what helps, and none leads to itself.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { forkRun } from "../../src/operations/make/fork-run.ts";
import { removableRuns, removeRuns } from "../../src/operations/care/remove-runs.ts";
import { repairRun } from "../../src/operations/care/repair-run.ts";
import { triageRun } from "../../src/operations/look/triage-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { RunError } from "../../src/kernel/errors.ts";
import { adviceOn } from "../../src/surface/fault-advice.ts";
import { livePorts } from "../live/live-run.ts";
import { cli } from "../cli/fake-host.ts";
import { makeCompletedRun, makeRun, temporaryFolder, TO_PAUSED, TO_RUNNING, withWriter } from "./made-run.ts";

// On a machine that may be busy.
setDefaultTimeout(60_000);

const RUNS = join(import.meta.dir, "../fixtures/runs-0.1.0");
const ports = livePorts();

const FORMS: Record<string, (journal: string) => void> = {
  gone: (journal) => rmSync(journal),
  empty: (journal) => truncateSync(journal, 0),
  "a blank line": (journal) => writeFileSync(journal, " \n"),
  "cut inside its first record": (journal) => truncateSync(journal, 300),
  "with another byte in its first record": (journal) => {
    const bytes = readFileSync(journal);
    bytes[80] = (bytes[80] ?? 0) ^ 1;
    writeFileSync(journal, bytes);
  },
  "a folder": (journal) => {
    rmSync(journal);
    mkdirSync(journal);
  },
  "that of another run": (journal) => cpSync(join(RUNS, "live/journal.jsonl"), journal),
};

function stepsOf(error: unknown): string[] {
  if (!(error instanceof RunError)) throw error;
  return adviceOn(error, { isRepaired: false }).steps.map(({ verb }) => verb);
}

/** A manifest that is current is trusted, one of another version only says how far the journal went. */
const MADE: Record<string, (folder: string) => Promise<string>> = {
  "of 0.1.0": async (folder) => {
    cpSync(join(RUNS, "local"), join(folder, "local"), { recursive: true });
    return join(folder, "local");
  },
  "of today, completed": async (folder) => await makeCompletedRun(ports, folder, "dr_done"),
  "of today, paused": async (folder) => {
    const runRoot = await makeRun(ports, folder, "dr_paused");
    await withWriter(ports, runRoot, async (writer) => void (await writer.commit([TO_RUNNING, TO_PAUSED])));
    return runRoot;
  },
};

describe.each(Object.entries(FORMS))("a journal that is %s", (_name, damage) => {
  test.each(Object.entries(MADE))("in a run %s leads to a backup, or to remove", async (which, made) => {
    using folder = temporaryFolder();
    const runRoot = await made(folder.path);
    damage(join(runRoot, "journal.jsonl"));
    const asked: (() => Promise<unknown>)[] = [
      () => verifyRun(ports, runRoot),
      () => repairRun(ports, runRoot, { dryRun: true }),
      () => repairRun(ports, runRoot, { dryRun: false }),
    ];
    // The others have no corpus, which is said first.
    if (which === "of 0.1.0") asked.push(() => forkRun(ports, runRoot, { runsRoot: folder.path }, {}));
    for (const ask of asked) {
      const steps = stepsOf(await ask().catch((error: unknown) => error));
      expect(steps).not.toContain("repair");
      expect(steps.at(-1)).toBe("remove");
    }
    // Without --yes nothing is asked for that could keep nothing.
    const unconfirmed = await cli(["repair", runRoot]);
    expect(unconfirmed.code).toBe(12);
    expect(unconfirmed.stderr).toContain(`deep-research remove ${runRoot}`);
    const { result } = await triageRun(ports, runRoot);
    expect(result.findings.flatMap(({ next }) => next.map(({ verb }) => verb))).not.toContain("repair");
    const { result: removed } = await removeRuns(ports, await removableRuns(ports, folder.path, [runRoot]));
    expect(removed.removed).toHaveLength(1);
  });
});

test("control: with its first record whole, a repair keeps what stands before the damage, and says what to do with the run", async () => {
  using folder = temporaryFolder();
  const runRoot = join(folder.path, "interrupted");
  cpSync(join(RUNS, "interrupted"), runRoot, { recursive: true });
  appendFileSync(join(runRoot, "journal.jsonl"), "no record\n");
  const { result } = await repairRun(ports, runRoot, { dryRun: false });
  expect(result.quarantined.length).toBeGreaterThan(0);
  // Nobody works on it: there is nothing to watch or to pause.
  const verbs = result.next.map(({ verb }) => verb);
  expect(verbs).not.toContain("watch");
  expect(verbs).not.toContain("pause");
  expect(verbs.length).toBeGreaterThan(0);
});
