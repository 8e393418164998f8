// Commands that change a run, killed at any effect and given again: pause, abort, report generate, report select, fork.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { askRun } from "../../src/operations/change/ask-run.ts";
import { abortRun } from "../../src/operations/change/stop-run.ts";
import { forkRun } from "../../src/operations/make/fork-run.ts";
import { generateReport } from "../../src/operations/report/generate-report.ts";
import { pauseRun } from "../../src/operations/change/stop-run.ts";
import { selectReport } from "../../src/operations/report/select-report.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { isKilled, killedAnywhere, lookAt, unless, worked, type KilledCommand } from "./killed-commands.ts";
import { SWEEP_TIMEOUT_MS } from "./sweep.ts";
import { RUN_ROOT, RUNS_ROOT, type RunProcess } from "./run-world.ts";

setDefaultTimeout(SWEEP_TIMEOUT_MS);

const FORK_ROOT = `${RUNS_ROOT}/dr_fork`;

const CASES: Record<string, KilledCommand> = {
  pause: {
    begin: () => worked({ untilStage: "citations" }),
    command: ({ ports }) => pauseRun(ports, RUN_ROOT, { waitSeconds: 1 }),
    violationsOf: async (world) => unless((await lookAt(world)).state === "paused", "it is not paused"),
  },
  abort: {
    begin: () => worked({ untilStage: "citations" }),
    command: ({ ports }) => abortRun(ports, RUN_ROOT, { waitSeconds: 1 }),
    violationsOf: async (world) => unless((await lookAt(world)).state === "aborted", "it is not aborted"),
  },
  "report generate": {
    begin: () => worked({}),
    command: ({ ports, observer }) => generateReport(ports, RUN_ROOT, observer),
    async violationsOf(world, begun) {
      const { report_versions } = (await lookAt(world)).manifest;
      const evidence = new Set<string>(report_versions.map(({ evidence_digest }) => evidence_digest));
      // Killed behind the record, the first command has made its version, and the second one made another.
      const made = report_versions.length - begun.manifest.report_versions.length;
      return [
        ...unless(made === 1 || made === 2, `${made} versions were made`),
        ...unless(evidence.size === 1, "the versions differ"),
      ];
    },
  },
  "report select": {
    begin: () => worked({}, ({ ports, observer }) => generateReport(ports, RUN_ROOT, observer)),
    command: ({ ports }) => selectReport(ports, RUN_ROOT, 1),
    async violationsOf(world) {
      const { current_report_version_index, report_versions } = (await lookAt(world)).manifest;
      return [
        ...unless(current_report_version_index === 1, "it is not the current version"),
        ...unless(report_versions.length === 2, "a version was made or lost"),
      ];
    },
  },
  fork: {
    begin: () => worked({}),
    command: ({ ports, observer }) => forkRun(ports, RUN_ROOT, { runsRoot: RUNS_ROOT, runId: "dr_fork" }, observer),
    doneAlready: "ALREADY_EXISTS",
    async violationsOf(world, begun) {
      const performed = world.outside.performances.length;
      const { ports, observer } = world.process("run of the fork");
      await runRun(ports, FORK_ROOT, {}, observer);
      await verifyRun(ports, FORK_ROOT);
      const [parent, child] = [begun, await lookAt(world, FORK_ROOT)].map(
        ({ manifest }) => manifest.report_versions[0]?.digest,
      );
      return [
        ...unless(world.outside.performances.length === performed, "the fork does steps again"),
        ...unless(child !== undefined && child === parent, "the fork ends in another report"),
      ];
    },
  },
  ask: {
    begin: () => worked({}),
    command: (process) => asked(process),
    async violationsOf(world, begun) {
      const performed = world.outside.performances.length;
      // The same line again finds all done.
      await asked(world.process("once more"));
      const [parent, child] = [await lookAt(world), await lookAt(world, ASK_ROOT)];
      const page = child.manifest.report_versions[0]?.digest;
      await verifyRun(world.process("verifier of the answer").ports, ASK_ROOT);
      return [
        ...unless(world.outside.performances.length === performed, "the question does steps again"),
        ...unless(page === (await pageOfUnharmedAsk()), "it ends in another report"),
        ...unless(child.manifest.follows?.run_id === begun.manifest.run_id, "it follows nothing"),
        ...unless(parent.manifest.revision === begun.manifest.revision, "the run before was changed"),
      ];
    },
  },
};

const ASK_ROOT = `${RUNS_ROOT}/dr_ask`;

function asked({ ports, observer }: RunProcess): ReturnType<typeof askRun> {
  const question = "And how are errors in options reported?";
  return askRun(ports, RUN_ROOT, { question, runsRoot: RUNS_ROOT, runId: "dr_ask" }, observer);
}

let unharmed: Promise<string | undefined> | undefined;
function pageOfUnharmedAsk(): Promise<string | undefined> {
  unharmed ??= (async () => {
    const world = await worked({}, asked);
    return (await lookAt(world, ASK_ROOT)).manifest.report_versions[0]?.digest;
  })();
  return unharmed;
}

const ROW = "`pause`, `abort`, `report generate`, `report select`, `fork`, `ask`: killed or disk full";

describe("killed at any effect or on a full disk, and given again", () => {
  for (const [name, one] of Object.entries(CASES)) {
    test(`${name} comes to its end (S1, S4)`, async () => expect(await killedAnywhere(ROW, one, 9)).toEqual([]));
  }

  test("control: a command that is not given again is seen unfinished", async () => {
    const one = CASES["pause"] as KilledCommand;
    const world = await one.begin();
    const process = world.process("command");
    process.actor.files.plan({ kind: "crash-before", at: 20 });
    expect(await isKilled(one.command(process))).toBe(true);
    expect(await one.violationsOf(world, await lookAt(world))).toEqual(["it is not paused"]);
  });
});
