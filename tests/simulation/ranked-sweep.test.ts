// Runs whose excerpts a model chooses, killed or on a failing disk at any effect: the same page, and no reply is paid twice.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { RunLog } from "../../src/ports/run-log.ts";
import { forgetting } from "../conversations/talking-run.ts";
import type { Fault } from "./disk.ts";
import { frozenAt } from "./frozen-owner.ts";
import { liveViolations, outsideOf, recordsOf, repliesIn } from "./live-world.ts";
import { newRankedWorld } from "./ranked-outside.ts";
import { afterRecovery, beforeRecovery, faultyStart, goOn, uninterrupted, WAYS, type Reference } from "./run-checks.ts";
import { crashesOf, failuresOf } from "./run-sweeps.ts";
import { codeOf, type Ending, type ProcessOptions, type RunWorld } from "./run-world.ts";
import { control, evenly, numbersTo, sweep, SWEEP_TIMEOUT_MS } from "./sweep.ts";

setDefaultTimeout(SWEEP_TIMEOUT_MS);

let reference: Reference;
/** Of the uninterrupted run. */
let replies = 0;
beforeAll(async () => {
  const world = newRankedWorld();
  reference = await uninterrupted({}, world);
  expect(await liveViolations(world)).toEqual([]);
  replies = outsideOf(world).replies;
});

const wayOf = (drawn: number) => WAYS[drawn % WAYS.length] ?? "start";

async function violationsOf(world: RunWorld, ending: Ending, drawn: number, later?: ProcessOptions): Promise<string[]> {
  const violations = await beforeRecovery(world, ending);
  const kept = repliesIn(await recordsOf(world));
  const before = outsideOf(world).replies;
  const recovery = await goOn(world, wayOf(drawn), [], later);
  if (codeOf(recovery) === "RUN_TERMINAL") return violations;
  violations.push(...(await afterRecovery(world, reference, recovery)), ...(await liveViolations(world)));
  const requested = outsideOf(world).replies - before;
  if (requested !== replies - kept)
    violations.push(`${requested} replies were requested, of ${replies} ${kept} were there`);
  return violations;
}

async function killed(fault: Fault, drawn: number, later?: ProcessOptions): Promise<string[]> {
  const { world, ending } = await faultyStart([fault], {}, newRankedWorld());
  return await violationsOf(world, ending, drawn, later);
}

test("an uninterrupted run checks its model, ranks each part, and once more where nothing answers", async () => {
  const world = newRankedWorld();
  await uninterrupted({}, world);
  const records = await recordsOf(world);
  const names = records.flatMap(({ kind, data }) => (kind === "message.stored" ? [data.conversation] : []));
  expect(new Set(names).size).toBeGreaterThan(13);
  expect([...new Set(names)].some((name) => name.includes("-again-"))).toBe(true);
  expect(replies).toBe(new Set(names).size);
});

describe("a run whose excerpts a model chooses, killed at any effect", () => {
  test("comes to the same page, and requests no reply again (C1, C3, S9, S10)", async () =>
    expect(await sweep("with a ranker: killed", crashesOf(reference.trace), 12, killed)).toEqual([]));

  test("and killed again while it recovers (S4)", async () => {
    const twice = async (fault: Fault, drawn: number): Promise<string[]> => {
      const { world } = await faultyStart([fault], {}, newRankedWorld());
      const again: Fault = { kind: "crash-mid", at: 1 + (drawn % reference.trace.length) };
      return await violationsOf(world, await goOn(world, wayOf(drawn + 1), [again]), drawn);
    };
    expect(await sweep("with a ranker: killed again while recovering", crashesOf(reference.trace), 10, twice)).toEqual(
      [],
    );
  });

  test("control: a recovery that has forgotten the conversations requests replies again", async () => {
    const wrapStore = (store: RunLog): RunLog => forgetting(store, "message.stored");
    const forgetful = (fault: Fault, drawn: number) => killed(fault, drawn, { wrapStore });
    expect(await control(evenly(crashesOf(reference.trace), 12, 1300), forgetful)).toContain("replies were requested");
  });
});

test("a disk that fails at any effect of it costs nothing that was announced (S3, S6)", async () => {
  const failing = async (fault: Fault, drawn: number): Promise<string[]> => {
    const { world, ending, fired } = await faultyStart([fault], {}, newRankedWorld());
    return fired === 0 ? [] : await violationsOf(world, ending, drawn);
  };
  expect(await sweep("with a ranker: failing disk", failuresOf(reference.trace), 12, failing)).toEqual([]);
});

test("an owner of it that is frozen at any effect overwrites nothing and ends with a lost lease (L1, C1)", async () => {
  const frozen = async (at: number, drawn: number): Promise<string[]> => {
    const world = newRankedWorld();
    const violations = await frozenAt(world, reference, { at, way: wayOf(drawn) });
    return [...violations, ...(await liveViolations(world))];
  };
  const cases = numbersTo(reference.trace.length);
  expect(await sweep("with a ranker: frozen while a rival finishes", cases, 10, frozen)).toEqual([]);
});
