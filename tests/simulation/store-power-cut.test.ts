// S5: the power goes after any effect; what was acknowledged, and the content it names, is on the disk.
import { expect, setDefaultTimeout, test } from "bun:test";
import { anyMixture, dropUnsynced, type PowerCutChoices } from "./disk.ts";
import { isFull, numbersTo, Sweep, SWEEP_TIMEOUT_MS } from "./sweep.ts";
import type { SweepRow } from "./sweep-rows.ts";
import { changed } from "./changed.ts";
import {
  Acknowledged,
  changesOf,
  endOf,
  intact,
  LEASE_S,
  recover,
  rehearse,
  storeOf,
  violations,
  workload,
  type Guard,
} from "./store-workload.ts";
import { SimulatedWorld, type SimulatedRandom } from "./world.ts";

setDefaultTimeout(SWEEP_TIMEOUT_MS);

const makeWorld = (): SimulatedWorld => new SimulatedWorld({ autoAdvance: true });
const MIXTURES = isFull ? 12 : 3;

function choicesFor(chance: SimulatedRandom): [name: string, choices: () => PowerCutChoices][] {
  const seeds = numbersTo(MIXTURES).map(() => chance.next());
  return [
    ["dropped", () => dropUnsynced],
    ...seeds.map((seed): [string, () => PowerCutChoices] => [`mixture ${seed}`, () => anyMixture(seed)]),
  ];
}

/** The power goes at an effect of the workload, and in a second round at an effect of the recovery. */
async function sweepPowerCuts(row: SweepRow | null, count: number, guard: Guard = intact): Promise<Sweep> {
  const sweep = new Sweep(row);
  const { effects, digests } = await rehearse(makeWorld, guard);
  for (const at of sweep.drawn(numbersTo(effects), count)) {
    const crashed = makeWorld();
    const told = new Acknowledged();
    const actor = crashed.spawn("writer");
    actor.files.plan({ kind: "crash-after", at });
    await endOf(workload(storeOf(actor, guard), told));
    for (const [how, choices] of choicesFor(sweep.chance)) {
      const world = crashed.cloneKilled();
      const toldNow = told.copy();
      world.powerCut(choices());
      const before = await violations(world, toldNow, digests);
      // A lease of the boot before is nobody's provably dead process: it has to expire.
      await world.clock.advance(LEASE_S * 1000);
      const end = await endOf(recover(storeOf(world.spawn("next"), guard), toldNow));
      const after = await violations(world, toldNow);
      world.powerCut(choices());
      const again = await violations(world, toldNow);
      sweep.note(`${how} after effect ${at}`, [
        ...before,
        ...(end === "done" ? [] : [`the next process: ${end}`]),
        ...after,
        ...again,
      ]);
      if (guard !== intact && sweep.found.length > 0) return sweep;
    }
  }
  return sweep;
}

test("a power cut after every effect keeps what was acknowledged (S5)", async () => {
  expect((await sweepPowerCuts("store: power cut at every effect", 40)).end()).toEqual([]);
});

test("a kill, its recovery, and a power cut at every effect of that keep it as well", async () => {
  const sweep = new Sweep("kill, then power cut at every effect of the recovery");
  const { effects } = await rehearse(makeWorld);
  for (const at of sweep.drawn(numbersTo(effects), 14)) {
    const crashed = makeWorld();
    const told = new Acknowledged();
    const actor = crashed.spawn("writer");
    actor.files.plan({ kind: "crash-after", at });
    await endOf(workload(storeOf(actor), told));
    const calm = crashed.cloneKilled();
    await recover(storeOf(calm.spawn("next")), new Acknowledged());
    for (const second of sweep.drawnWithin(changesOf(calm, "next"), 7)) {
      const world = crashed.cloneKilled();
      const toldNow = told.copy();
      const next = world.spawn("next");
      next.files.plan({ kind: "crash-after", at: second });
      await endOf(recover(storeOf(next), toldNow));
      const seed = sweep.chance.next();
      world.powerCut(seed % 2 === 0 ? dropUnsynced : anyMixture(seed));
      const between = await violations(world, toldNow);
      await world.clock.advance(LEASE_S * 1000);
      const end = await endOf(recover(storeOf(world.spawn("third")), toldNow));
      sweep.note(`killed at ${at}, power cut at ${second} of the recovery, mixture ${seed}`, [
        ...between,
        ...(end === "done" ? [] : [`the third process: ${end}`]),
        ...(await violations(world, toldNow)),
      ]);
    }
  }
  expect(sweep.end()).toEqual([]);
});

test("control: without fsync of files acknowledged records are lost", async () => {
  const withoutSync: Guard = (files) =>
    changed(files, {
      open: async (path, mode) => changed(await files.open(path, mode), { sync: () => undefined }),
    });
  expect((await sweepPowerCuts(null, 300, withoutSync)).found.join("\n")).toMatch(/is gone|NOT_FOUND/);
});

test("control: without fsync of folders acknowledged content is lost", async () => {
  const withoutFolderSync: Guard = (files) => changed(files, { syncFolder: () => undefined });
  expect((await sweepPowerCuts(null, 300, withoutFolderSync)).found.join("\n")).toMatch(/NOT_FOUND|MISSING_ARTIFACT/);
});
