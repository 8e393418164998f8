// Whole live runs that are killed, lose power or meet a failing disk at any effect: no message is lost, no reply is paid twice.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { RunLog } from "../../src/ports/run-log.ts";
import { forgetting } from "../conversations/talking-run.ts";
import { anyMixture, dropUnsynced, type Fault } from "./disk.ts";
import { frozenAt } from "./frozen-owner.ts";
import { liveViolations, newLiveWorld, outsideOf, recordsOf, repliesIn } from "./live-world.ts";
import {
  afterRecovery,
  beforeRecovery,
  faultyStart,
  goOn,
  LEASE,
  uninterrupted,
  WAYS,
  type Reference,
} from "./run-checks.ts";
import { crashesOf, failuresOf, powerCutsOf, type PowerCut } from "./run-sweeps.ts";
import { codeOf, type Ending, type ProcessOptions, type RunWorld } from "./run-world.ts";
import { control, evenly, numbersTo, sweep, SWEEP_TIMEOUT_MS } from "./sweep.ts";

setDefaultTimeout(SWEEP_TIMEOUT_MS);

const YEARS_20_MS = 20 * 365.25 * 86_400_000;

let reference: Reference;
/** Of the uninterrupted run. */
let replies = 0;
beforeAll(async () => {
  const world = newLiveWorld();
  reference = await uninterrupted({}, world);
  expect(await liveViolations(world)).toEqual([]);
  replies = outsideOf(world).replies;
});

/** A live run has thousands of effects: a full sweep tries every seventh of its cases. */
const thinned = <T>(cases: readonly T[]): T[] => cases.filter((_, index) => index % 7 === 0);

/** The number is drawn for the case. */
const wayOf = (drawn: number) => WAYS[drawn % WAYS.length] ?? "start";

/** What is wrong right after the end of a process, and once another one has gone on to the end of the run. */
async function violationsOf(world: RunWorld, ending: Ending, drawn: number, later?: ProcessOptions): Promise<string[]> {
  const violations = await beforeRecovery(world, ending);
  const kept = repliesIn(await recordsOf(world));
  const before = outsideOf(world).replies;
  const recovery = await goOn(world, wayOf(drawn), [], later);
  // Whose lease was lost for good is forked, and begins the steps anew that were not finished.
  if (codeOf(recovery) === "RUN_TERMINAL") return violations;
  violations.push(...(await afterRecovery(world, reference, recovery)), ...(await liveViolations(world)));
  const asked = outsideOf(world).replies - before;
  if (asked !== replies - kept) violations.push(`${asked} replies were asked for, of ${replies} ${kept} were there`);
  return violations;
}

test("an uninterrupted run has conversations, risky tools and pages that give nothing", async () => {
  const world = newLiveWorld();
  await uninterrupted({}, world);
  const kinds = new Set((await recordsOf(world)).map(({ kind }) => kind));
  for (const kind of ["message.stored", "tool.requested", "tool.completed", "usage.reserved", "usage.settled"] as const)
    expect(kinds).toContain(kind);
  expect(kinds).toContain("url.blocked");
  for (const key of [
    "synthesis:outline",
    "synthesis:section:1",
    "synthesis:section:2",
    "synthesis:answer",
    "review:citations-1-1",
  ])
    expect(reference.steps).toContain(key);
  expect(outsideOf(world).posted).toHaveLength(8);
});

async function killed(fault: Fault, drawn: number, later?: ProcessOptions): Promise<string[]> {
  const { world, ending } = await faultyStart([fault], {}, newLiveWorld());
  return await violationsOf(world, ending, drawn, later);
}

describe("a live run that is killed at any effect", () => {
  test("goes on to the same report, asks for no reply again and calls no risky tool twice (C1, C2, C3, S9, S10)", async () =>
    expect(await sweep("with models: killed", thinned(crashesOf(reference.trace)), 10, killed)).toEqual([]));

  test("and killed again while it recovers (S4)", async () => {
    const twice = async (fault: Fault, drawn: number): Promise<string[]> => {
      const { world } = await faultyStart([fault], {}, newLiveWorld());
      const again: Fault = { kind: "crash-mid", at: 1 + (drawn % reference.trace.length) };
      return await violationsOf(world, await goOn(world, wayOf(drawn + 1), [again]), drawn);
    };
    const cases = thinned(crashesOf(reference.trace));
    expect(await sweep("with models: killed again while recovering", cases, 10, twice)).toEqual([]);
  });

  test("control: a recovery that has forgotten the conversations asks for replies again", async () => {
    const wrapStore = (store: RunLog): RunLog => forgetting(store, "message.stored");
    const forgetful = (fault: Fault, drawn: number) => killed(fault, drawn, { wrapStore });
    expect(await control(evenly(crashesOf(reference.trace), 6, 1300), forgetful)).toContain("replies were asked for");
  });
});

test("a power cut at any effect of a live run loses nothing that was announced (S5)", async () => {
  const unpowered = async ({ at, seed }: PowerCut, drawn: number): Promise<string[]> => {
    const { world, ending } = await faultyStart([{ kind: "crash-after", at }], {}, newLiveWorld());
    world.world.powerCut(seed === null ? dropUnsynced : anyMixture(seed));
    world.world.clock.suspend((LEASE.lease_seconds + 1) * 1000);
    return await violationsOf(world, ending, drawn);
  };
  expect(await sweep("with models: power cut", thinned(powerCutsOf(reference.trace)), 8, unpowered)).toEqual([]);
});

test("a disk that fails at any effect of a live run costs nothing that was announced (S3, S6)", async () => {
  const failing = async (fault: Fault, drawn: number): Promise<string[]> => {
    const { world, ending, fired } = await faultyStart([fault], {}, newLiveWorld());
    return fired === 0 ? [] : await violationsOf(world, ending, drawn);
  };
  expect(await sweep("with models: failing disk", thinned(failuresOf(reference.trace)), 10, failing)).toEqual([]);
});

test("an owner of a live run that is frozen at any effect overwrites nothing and ends with a lost lease (L1, C1)", async () => {
  const frozen = async (at: number, drawn: number): Promise<string[]> => {
    const world = newLiveWorld();
    const violations = await frozenAt(world, reference, { at, way: wayOf(drawn) });
    return [...violations, ...(await liveViolations(world))];
  };
  expect(
    await sweep("with models: frozen while a rival finishes", thinned(numbersTo(reference.trace.length)), 10, frozen),
  ).toEqual([]);
});

test("a clock that jumps years ahead and back while models are asked changes nothing (L4, S10)", async () => {
  const world = newLiveWorld();
  const outside = outsideOf(world);
  const { script } = outside;
  const { clock } = world.world;
  outside.script = (request, signal) => {
    clock.setNow(clock.nowMs() + (outside.replies % 2 === 0 ? 1 : -1.5) * YEARS_20_MS);
    return script(request, signal);
  };
  expect((await uninterrupted({}, world)).digests).toEqual(reference.digests);
  expect(await liveViolations(world)).toEqual([]);
});
