// Whole runs that are killed, lose power or meet a failing disk at any effect, and then go on in a fresh process.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { RunLog } from "../../src/ports/run-log.ts";
import { withWriters } from "./changed.ts";
import { anyMixture, dropUnsynced, type Fault } from "./disk.ts";
import {
  afterRecovery,
  beforeRecovery,
  faultyStart,
  goOn,
  goOnOrFork,
  LEASE,
  newRunWorld,
  uninterrupted,
  WAYS,
  type Reference,
} from "./run-checks.ts";
import {
  crashesOf,
  failuresOf,
  isWrite,
  powerCutsOf,
  withoutAtomicRename,
  withoutErrors,
  withoutSync,
  type PowerCut,
} from "./run-sweeps.ts";
import type { ProcessOptions } from "./run-world.ts";
import { control, evenly, isFull, numbersTo, sweep, SWEEP_TIMEOUT_MS } from "./sweep.ts";

setDefaultTimeout(SWEEP_TIMEOUT_MS);

let reference: Reference;
beforeAll(async () => {
  reference = await uninterrupted();
});

/** The number is drawn for the case. */
const wayOf = (drawn: number) => WAYS[drawn % WAYS.length] ?? "start";
const SECOND_SWEEP_STRIDE = 80;

test("an uninterrupted run goes through both waves and a redraft", () => {
  expect(reference.steps).toContain("review:revise-2");
  expect(reference.steps.filter((key) => key.startsWith("wave2:"))).not.toEqual([]);
  expect(new Set(reference.steps).size).toBe(reference.steps.length);
});

// --- kill -9 at every effect --------------------------------------------------------------------------------------

async function killed(fault: Fault, drawn: number, first?: ProcessOptions, later?: ProcessOptions): Promise<string[]> {
  const { world, ending } = await faultyStart([fault], first);
  const violations = await beforeRecovery(world, ending);
  return [...violations, ...(await afterRecovery(world, reference, await goOn(world, wayOf(drawn), [], later)))];
}

describe("killed at any effect", () => {
  test("nothing announced is lost, nothing finished is done again, the report is the same (S1, S2, S3, S9, S10)", async () =>
    expect(
      await sweep(
        "killed before, in or after every effect that changes the disk",
        crashesOf(reference.trace),
        24,
        killed,
      ),
    ).toEqual([]));

  test("control: a replacement that is not atomic is seen torn", async () => {
    const wrapped = { wrapFiles: withoutAtomicRename };
    const { trace } = await uninterrupted(wrapped);
    const torn = trace.flatMap(({ effect, path }, index): Fault[] =>
      effect === "write" && path.endsWith("/manifest.json") ? [{ kind: "crash-mid", at: index + 1 }] : [],
    );
    const guardless = (fault: Fault, index: number) => killed(fault, index, wrapped);
    expect(await control(evenly(torn, 3), guardless)).toContain("before recovery manifest.json");
  });

  test("control: a recovery that does not know finished steps again does them again", async () => {
    const forgetting = (store: RunLog): RunLog =>
      withWriters(store, (writer) => {
        for (const step of Object.values(writer.manifest.steps)) step.state = "planned";
        return writer;
      });
    const forgetful = (fault: Fault, index: number) => killed(fault, index, {}, { wrapStore: forgetting });
    expect(await control(evenly(crashesOf(reference.trace), 8, 700), forgetful)).toContain("is done again");
  });

  test("control: a driver that answers differently each time gives another report", async () => {
    const world = newRunWorld();
    const { afterStep } = world.outside;
    world.outside.afterStep = (step, result) =>
      step.kind === "draft"
        ? { ...(result as object), gaps: [{ gap_id: "g1", text: step.process, reason: "it differs" }] }
        : afterStep(step, result);
    const { ending } = await faultyStart([{ kind: "crash-before", at: 900 }], {}, world);
    expect(await beforeRecovery(world, ending)).toEqual([]);
    expect((await afterRecovery(world, reference, await goOn(world, "run"))).join()).toContain("another report");
  });
});

describe("killed again while it recovers", () => {
  test("the recovery converges (S4)", async () => {
    const { length } = reference.trace;
    const ats = isFull ? numbersTo(length).filter((at) => at % SECOND_SWEEP_STRIDE === 1) : numbersTo(length);
    const pairs = ats.flatMap((first) => (isFull ? ats : [0]).map((second) => ({ first, second })));
    const twice = async (pair: { first: number; second: number }, drawn: number): Promise<string[]> => {
      const { world } = await faultyStart([{ kind: "crash-after", at: pair.first }]);
      // Where not every pair is tried, the second crash is drawn.
      const second = pair.second || 1 + (drawn % length);
      const interrupted = await goOn(world, wayOf(drawn), [{ kind: "crash-mid", at: second }]);
      const violations = await beforeRecovery(world, interrupted);
      await goOn(world, wayOf(drawn + 1), [{ kind: "crash-after", at: Math.ceil(second / 3) }]);
      return [...violations, ...(await afterRecovery(world, reference, await goOn(world, wayOf(drawn + 2))))];
    };
    expect(await sweep("killed again while recovering", pairs, 10, twice)).toEqual([]);
  });
});

// --- the power goes -----------------------------------------------------------------------------------------------

async function unpowered(
  { at, seed }: PowerCut,
  drawn: number,
  faults: Fault[],
  first?: ProcessOptions,
): Promise<string[]> {
  const { world, ending } = await faultyStart([...faults, { kind: "crash-after", at }], first);
  world.world.powerCut(seed === null ? dropUnsynced : anyMixture(seed));
  // The lease of another boot runs out by the clock.
  world.world.clock.suspend((LEASE.lease_seconds + 1) * 1000);
  const violations = await beforeRecovery(world, ending);
  return [...violations, ...(await afterRecovery(world, reference, await goOn(world, wayOf(drawn))))];
}

describe("a power cut at any effect", () => {
  test("loses nothing that was announced (S5)", async () =>
    expect(
      await sweep(
        "power cut behind every effect that changes the disk",
        powerCutsOf(reference.trace),
        18,
        (cut, drawn) => unpowered(cut, drawn, []),
      ),
    ).toEqual([]));

  test("behind a failed fsync loses nothing that was announced either (S7)", async () => {
    const syncs = numbersTo(reference.trace.length).filter((at) => reference.trace[at - 1]?.effect === "sync");
    const failing = async (at: number, drawn: number): Promise<string[]> => {
      const fault: Fault = { kind: "fail", at, errno: "EIO", on: ["sync"] };
      return await unpowered({ at: at + 20 + (drawn % 30), seed: drawn % 3 === 0 ? null : drawn }, drawn, [fault]);
    };
    expect(await sweep("power cut behind a failed fsync", syncs, 8, failing)).toEqual([]);
  });

  test("control: without fsync announced records are lost", async () => {
    const guardless = (cut: PowerCut, index: number) => unpowered(cut, index, [], { wrapFiles: withoutSync });
    const late = powerCutsOf(reference.trace).filter(({ at, seed }) => at > 300 && seed === null);
    expect(await control(evenly(late, 4), guardless)).toMatch(/announced and is lost|a look fails/);
  });
});

// --- the disk fails -----------------------------------------------------------------------------------------------

async function failing(fault: Fault, drawn: number, first?: ProcessOptions): Promise<string[]> {
  const { world, ending, fired } = await faultyStart([fault], first);
  if (fired === 0) return [];
  const violations = await beforeRecovery(world, ending);
  return [...violations, ...(await goOnOrFork(world, wayOf(drawn), reference))];
}

describe("a disk that fails at any effect", () => {
  test("a typed error or a finished run, nothing announced is lost, and it can go on (S3, S6)", async () =>
    expect(
      await sweep("ENOSPC, EIO, EMFILE, EINTR, EROFS at every effect", failuresOf(reference.trace), 24, failing),
    ).toEqual([]));

  test("a write that takes only a part is a failure as well (S6, S8)", async () => {
    const short = numbersTo(reference.trace.length).flatMap((at) =>
      isWrite(reference.trace[at - 1] ?? { effect: "facts" }) ? [{ kind: "short-write", at } as const] : [],
    );
    expect(await sweep("short writes", short, 10, failing)).toEqual([]);
  });

  test("control: errors that are hidden leave a run that does not verify", async () => {
    const guardless = (fault: Fault, index: number) => failing(fault, index, { wrapFiles: withoutErrors });
    const { trace } = reference;
    const linked = numbersTo(trace.length).filter(
      (at) => trace[at - 1]?.effect === "link" && trace[at - 1]?.path.includes("/sources/"),
    );
    const written = linked.map(
      (at) => trace.findLastIndex(({ effect }, index) => effect === "write" && index < at) + 1,
    );
    const full = evenly(written, 4).map((at): Fault => ({ kind: "fail", at, errno: "ENOSPC" }));
    expect(await control(full, guardless)).not.toBe("");
  });
});

test("an fsync that fails at the very end strands nothing: whoever looks for work next makes the journal anew (S7)", async () => {
  const syncs = reference.trace.flatMap(({ effect, path }, index) =>
    effect === "sync" && path.endsWith("/journal.jsonl") ? [index + 1] : [],
  );
  const last = syncs.slice(-6);
  expect(last).toHaveLength(6);
  for (const [index, at] of last.entries())
    expect(await failing({ kind: "fail", at, errno: "EIO" }, index)).toEqual([]);
});
