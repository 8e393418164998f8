// Commands that change a run, killed at any effect and given again: pause, abort, report generate, report select, fork.
import { describe, expect, test } from "bun:test";
import { RunError } from "../../src/kernel/errors.ts";
import { abortRun } from "../../src/operations/abort-run.ts";
import { forkRun } from "../../src/operations/fork-run.ts";
import { generateReport } from "../../src/operations/generate-report.ts";
import { pauseRun } from "../../src/operations/pause-run.ts";
import { selectReport } from "../../src/operations/select-report.ts";
import { runRun } from "../../src/operations/run-run.ts";
import { startRun } from "../../src/operations/start-run.ts";
import { verifyRun } from "../../src/operations/verify-run.ts";
import type { RunOptions } from "../../src/operations/options.ts";
import type { RunLook } from "../../src/ports/run-store.ts";
import { Crashed, type Fault } from "./disk.ts";
import { numbersTo, sample, sweep, SWEEP_TIMEOUT_MS } from "./run-sweeps.ts";
import { RUN_ROOT, RUNS_ROOT, RunWorld, startOptions, type RunProcess } from "./run-world.ts";

const FORK_ROOT = `${RUNS_ROOT}/dr_fork`;

interface Case {
  /** How far the run is when the command is given. */
  before: RunOptions;
  /** What else was done before. */
  prepare?(process: RunProcess): Promise<unknown>;
  command(process: RunProcess): Promise<unknown>;
  /** What is wrong with the run in the end. */
  violationsOf(world: RunWorld, begun: RunLook): Promise<string[]>;
}

const CASES: Record<string, Case> = {
  pause: {
    before: { untilStage: "citations" },
    command: ({ ports }) => pauseRun(ports, RUN_ROOT, { waitSeconds: 1 }),
    violationsOf: async (world) => unless((await lookAt(world)).state === "paused", "it is not paused"),
  },
  abort: {
    before: { untilStage: "citations" },
    command: ({ ports }) => abortRun(ports, RUN_ROOT, { waitSeconds: 1 }),
    violationsOf: async (world) => unless((await lookAt(world)).state === "aborted", "it is not aborted"),
  },
  "report generate": {
    before: {},
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
    before: {},
    async prepare({ ports, observer }) {
      await generateReport(ports, RUN_ROOT, observer);
    },
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
    before: {},
    command: ({ ports, observer }) => forkRun(ports, RUN_ROOT, { runsRoot: RUNS_ROOT, runId: "dr_fork" }, observer),
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
};

function unless(holds: boolean, violation: string): string[] {
  return holds ? [] : [violation];
}

function lookAt(world: RunWorld, runRoot = RUN_ROOT): Promise<RunLook> {
  return world.process("looker").ports.store.look(runRoot);
}

async function worldBefore(one: Case): Promise<RunWorld> {
  const world = new RunWorld();
  const { ports, observer } = world.process("first");
  await startRun(ports, { ...startOptions(), ...one.before }, observer);
  await one.prepare?.(world.process("preparation"));
  return world.cloneKilled();
}

/** How many effects the command has. */
async function effectsOf(one: Case): Promise<number> {
  const process = (await worldBefore(one)).process("command");
  await one.command(process);
  return process.actor.files.effects;
}

/** True when the command was killed. */
async function crashes(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return false;
  } catch (error) {
    if (error instanceof Crashed) return true;
    throw error;
  }
}

async function again(one: Case, world: RunWorld): Promise<void> {
  try {
    await one.command(world.process("command again"));
  } catch (error) {
    // Killed when all was done but the answer: the second fork of one id says that it is there.
    if (!(error instanceof RunError) || error.code !== "ALREADY_EXISTS") throw error;
  }
}

describe("killed at any effect and given again", () => {
  for (const [name, one] of Object.entries(CASES)) {
    test(
      `${name} comes to its end (S1, S4)`,
      async () => {
        const base = await worldBefore(one);
        const begun = await lookAt(base);
        const faults = numbersTo(await effectsOf(one)).flatMap((at): Fault[] => [
          { kind: "crash-mid", at },
          { kind: "crash-after", at },
        ]);
        const killed = async (fault: Fault): Promise<string[]> => {
          const world = base.cloneKilled();
          const process = world.process("command");
          process.actor.files.plan(fault);
          const violations = unless(await crashes(one.command(process)), "the fault did not strike");
          const { problems } = await world.process("inspector").ports.store.inspect(RUN_ROOT);
          violations.push(...problems.map(({ path, found }) => `before recovery ${path}: ${found}`));
          await again(one, world);
          await verifyRun(world.process("verifier").ports, RUN_ROOT);
          return [...violations, ...(await one.violationsOf(world, begun))];
        };
        expect(await sweep(`crash in ${name}`, sample(faults, 8, 3), killed)).toEqual([]);
      },
      SWEEP_TIMEOUT_MS,
    );
  }

  test("control: a command that is not given again is seen unfinished", async () => {
    const one = CASES["pause"] as Case;
    const world = await worldBefore(one);
    const process = world.process("command");
    process.actor.files.plan({ kind: "crash-before", at: 20 });
    expect(await crashes(one.command(process))).toBe(true);
    expect(await one.violationsOf(world, await lookAt(world))).toEqual(["it is not paused"]);
  });
});
