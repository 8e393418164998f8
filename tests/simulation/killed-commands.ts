// A command that is killed at any effect, or finds the disk full there, and is given again: what is asked of every one.
import { RunError, type ErrorCode } from "../../src/kernel/errors.ts";
import { startRun } from "../../src/operations/change/start-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import type { RunOptions } from "../../src/operations/options.ts";
import type { RunLook } from "../../src/ports/run-log.ts";
import { Crashed, type Fault } from "./disk.ts";
import { numbersTo, sweep } from "./sweep.ts";
import type { SweepRow } from "./sweep-rows.ts";
import { RUN_ROOT, RunWorld, startOptions, type RunProcess } from "./run-world.ts";

export interface KilledCommand {
  /** The run as it is when the command is given. */
  begin(): Promise<RunWorld>;
  command(process: RunProcess): Promise<unknown>;
  /** The error of a second one that finds all done but the answer. */
  doneAlready?: ErrorCode;
  /** What is wrong with the run in the end. */
  violationsOf(world: RunWorld, begun: RunLook): Promise<string[]>;
}

/** A run that was worked on so far, and then once more. */
export async function worked(
  options: RunOptions,
  then?: (process: RunProcess) => Promise<unknown>,
  world = new RunWorld(),
): Promise<RunWorld> {
  const { ports, observer, asked } = world.process("first");
  await startRun(ports, { ...startOptions(asked), ...options }, observer);
  await then?.(world.process("preparation"));
  return world;
}

export function unless(holds: boolean, violation: string): string[] {
  return holds ? [] : [violation];
}

export function lookAt(world: RunWorld, runRoot = RUN_ROOT): Promise<RunLook> {
  return world.process("looker").ports.store.look(runRoot);
}

/** True when the command was killed. */
export async function isKilled(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return false;
  } catch (error) {
    if (error instanceof Crashed) return true;
    throw error;
  }
}

/** Faults at about `count` of the effects of the command, each time in an equal world; then it is given again. */
export async function killedAnywhere(
  row: SweepRow,
  one: KilledCommand,
  count: number,
  everyNth = 1,
): Promise<string[]> {
  const base = (await one.begin()).cloneKilled();
  const begun = await lookAt(base);
  const faults = numbersTo(await effectsOf(one, base.cloneKilled())).flatMap((at): Fault[] => [
    { kind: "crash-mid", at },
    { kind: "crash-after", at },
    { kind: "fail", at, errno: "ENOSPC", forever: true },
  ]);
  const tried = faults.filter((_, index) => index % everyNth === 0);
  return await sweep(row, tried, count, async (fault) => {
    const world = base.cloneKilled();
    const process = world.process("command");
    process.actor.files.plan(fault);
    const violations = await violationsOfEnding(one.command(process));
    if (fault.kind !== "fail") violations.push(...unless(process.actor.files.fired > 0, "the fault did not strike"));
    process.actor.kill();
    const { problems } = await world.process("inspector").ports.store.inspect(RUN_ROOT);
    violations.push(...problems.map(({ path, found }) => `before recovery ${path}: ${found}`));
    await again(one, world);
    await verifyRun(world.process("verifier").ports, RUN_ROOT);
    return [...violations, ...(await one.violationsOf(world, begun))];
  });
}

/** To be killed, and to refuse with a type, is no violation. */
async function violationsOfEnding(work: Promise<unknown>): Promise<string[]> {
  try {
    await work;
    return [];
  } catch (error) {
    const isExpected = error instanceof Crashed || (error instanceof RunError && error.code !== "INTERNAL");
    return unless(isExpected, `an error without a type: ${String(error)}`);
  }
}

async function effectsOf(one: KilledCommand, world: RunWorld): Promise<number> {
  const process = world.process("command");
  await one.command(process);
  return process.actor.files.effects;
}

async function again(one: KilledCommand, world: RunWorld): Promise<void> {
  try {
    await one.command(world.process("command again"));
  } catch (error) {
    if (!(error instanceof RunError) || error.code !== one.doneAlready) throw error;
  }
}
