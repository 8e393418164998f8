// S6, S7: a disk that is full, broken or read-only at any effect, and an fsync that fails.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { text } from "./calls.ts";
import { anyMixture, dropUnsynced } from "./disk.ts";
import { numbersTo, Sweep, SWEEP_TIMEOUT_MS } from "./sweep.ts";
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
  RUN,
  storeOf,
  violations,
  workload,
  type Guard,
} from "./store-workload.ts";
import { SimulatedWorld } from "./world.ts";

setDefaultTimeout(SWEEP_TIMEOUT_MS);

const makeWorld = (): SimulatedWorld => new SimulatedWorld({ autoAdvance: true });
const ERRNOS = ["ENOSPC", "EIO", "EMFILE", "EINTR", "EROFS"] as const;

describe("an errno at every effect (S6)", () => {
  for (const errno of ERRNOS) {
    for (const forever of [false, true]) {
      const name = `${errno} ${forever ? "for ever" : "once"}`;
      test(`${name}: typed, nothing acknowledged is lost, the next process goes on`, async () => {
        expect((await sweepErrno(errno, forever, 18)).end()).toEqual([]);
      });
    }
  }

  test("control: an error that no errno names is seen as untyped", async () => {
    const nameless: Guard = (files) =>
      changed(files, {
        syncFolder: async (path) => {
          await files.syncFolder(path);
          throw new Error("something");
        },
      });
    expect(
      untyped(await endOf(workload(storeOf(makeWorld().spawn("writer"), nameless), new Acknowledged()))),
    ).not.toEqual([]);
  });

  test("short writes are failed writes", async () => {
    const sweep = new Sweep("store: short writes");
    const { effects } = await rehearse(makeWorld);
    for (const at of sweep.drawn(numbersTo(effects), 40)) {
      const world = makeWorld();
      const told = new Acknowledged();
      const actor = world.spawn("writer");
      actor.files.plan({ kind: "short-write", at });
      const end = await endOf(workload(storeOf(actor), told));
      if (actor.files.fired === 0) continue;
      actor.kill();
      sweep.note(`short write at ${at}`, [...untyped(end), ...(await aftermath(world, told))]);
    }
    expect(sweep.end()).toEqual([]);
  });
});

async function sweepErrno(errno: string, forever: boolean, count: number): Promise<Sweep> {
  const sweep = new Sweep("five errnos at every effect, once and for ever", `${errno} ${forever}`);
  const { effects } = await rehearse(makeWorld);
  for (const at of sweep.drawn(numbersTo(effects), count)) {
    const world = makeWorld();
    const told = new Acknowledged();
    const actor = world.spawn("writer");
    actor.files.plan({ kind: "fail", at, errno, forever });
    const end = await endOf(workload(storeOf(actor), told));
    if (actor.files.fired === 0) continue;
    actor.kill();
    sweep.note(`${errno}${forever ? " for ever" : ""} at ${at}`, [
      ...untyped(end),
      ...(await aftermath(world, told, !forever)),
    ]);
  }
  return sweep;
}

function untyped(end: string): string[] {
  return end === "crashed" || end.startsWith("untyped") ? [end] : [];
}

/** Looks, also as after a power cut, lets a process without faults go on, looks again; with `cutsPower` once more after one. */
async function aftermath(world: SimulatedWorld, told: Acknowledged, cutsPower = false): Promise<string[]> {
  const found = await violations(world, told);
  const dark = world.cloneKilled();
  dark.powerCut(dropUnsynced);
  found.push(...(await violations(dark, told)));
  const end = await endOf(recover(storeOf(world.spawn("next")), told));
  if (end !== "done") found.push(`the next process: ${end}`);
  found.push(...(await violations(world, told)));
  if (!cutsPower) return found;
  world.powerCut(dropUnsynced);
  found.push(...(await violations(world, told)));
  return found;
}

describe("an fsync of the journal that fails (S7)", () => {
  interface Failed {
    world: SimulatedWorld;
    told: Acknowledged;
    end: string;
    /** What the process did to the journal after the failure. */
    later: string[];
  }

  async function failedAt(at: number, guard: Guard): Promise<Failed> {
    const world = makeWorld();
    const told = new Acknowledged();
    const actor = world.spawn("writer");
    actor.files.plan({ kind: "fail", at, errno: "EIO" });
    const end = await endOf(workload(storeOf(actor, guard), told));
    const later = world.disk.trace
      .filter(
        ({ process, number, effect, path }) =>
          process === "writer" && number > at && path.endsWith("journal.jsonl") && effect !== "close",
      )
      .map(({ effect }) => `the failed process did ${effect} to the journal`);
    return { world, told, end, later };
  }

  async function sweepSyncs(row: SweepRow | null, guard: Guard): Promise<Sweep> {
    const sweep = new Sweep(row);
    const rehearsal = makeWorld();
    await workload(storeOf(rehearsal.spawn("writer")), new Acknowledged());
    const syncs = rehearsal.disk.trace.filter(
      ({ effect, path }) => effect === "sync" && path === `${RUN}/journal.jsonl`,
    );
    for (const { number } of syncs) {
      const { world, told, end, later } = await failedAt(number, guard);
      const held = await storeOf(world.spawn("rival")).look(RUN);
      world.kill();
      const found = [
        ...later,
        ...(end === "WRITE_FAILED" ? [] : [end]),
        ...(held.lease.held === null ? ["the lease was released"] : []),
      ];
      const next = await endOf(recover(storeOf(world.spawn("next"), guard), told));
      if (next !== "done") found.push(`the next process: ${next}`);
      if (!world.disk.paths().some((path) => path.startsWith(`${RUN}/quarantine/journal.`)))
        found.push("the journal was not remade");
      found.push(...(await violations(world, told)));
      for (const choices of [dropUnsynced, anyMixture(number), anyMixture(number + 1000)]) {
        const cut = world.cloneKilled();
        cut.powerCut(choices);
        found.push(...(await violations(cut, told)));
        await cut.clock.advance(LEASE_S * 1000);
        const end = await endOf(recover(storeOf(cut.spawn("last"), guard), told.copy()));
        if (end !== "done") found.push(`the last process: ${end}`);
      }
      sweep.note(`the fsync at ${number}`, found);
    }
    return sweep;
  }

  test("is final: WRITE_FAILED, the journal is made anew in another file, and all of it survives a power cut", async () => {
    const sweep = await sweepSyncs("failed fsync of the journal", intact);
    expect(sweep.end()).toEqual([]);
    expect(sweep.cases).toBeGreaterThan(15);
  });

  test("and the recovery may be killed at every effect", async () => {
    const sweep = new Sweep("failed fsync, then kill or errno in the recovery", "kill");
    const rehearsal = makeWorld();
    await workload(storeOf(rehearsal.spawn("writer")), new Acknowledged());
    const syncs = rehearsal.disk.trace.filter(
      ({ effect, path }) => effect === "sync" && path === `${RUN}/journal.jsonl`,
    );
    for (const which of sweep.drawn(numbersTo(syncs.length), 3)) {
      const { world, told } = await failedAt(syncs[which - 1]?.number ?? 0, intact);
      world.kill();
      const calm = world.cloneKilled();
      await recover(storeOf(calm.spawn("next")), new Acknowledged());
      for (const second of sweep.drawnWithin(changesOf(calm, "next"), 12)) {
        for (const kind of ["crash-mid", "crash-after"] as const) {
          const again = world.cloneKilled();
          const toldAgain = told.copy();
          const next = again.spawn("next");
          next.files.plan({ kind, at: second });
          await endOf(recover(storeOf(next), toldAgain));
          const between = await violations(again, toldAgain);
          const end = await endOf(recover(storeOf(again.spawn("third")), toldAgain));
          const after = await violations(again, toldAgain);
          again.powerCut(second % 2 === 0 ? dropUnsynced : anyMixture(second));
          sweep.note(`fsync ${which}, ${kind} ${second}`, [
            ...between.filter((problem) => !problem.includes("its chain is in quarantine")),
            ...(end === "done" ? [] : [`the third process: ${end}`]),
            ...after,
            ...(await violations(again, toldAgain)),
          ]);
        }
      }
    }
    expect(sweep.end()).toEqual([]);
  });

  test("and the recovery may meet an errno at every effect", async () => {
    const sweep = new Sweep("failed fsync, then kill or errno in the recovery", "errno");
    const rehearsal = makeWorld();
    await workload(storeOf(rehearsal.spawn("writer")), new Acknowledged());
    const syncs = rehearsal.disk.trace.filter(
      ({ effect, path }) => effect === "sync" && path === `${RUN}/journal.jsonl`,
    );
    for (const which of sweep.drawn(numbersTo(syncs.length), 2)) {
      const { world, told } = await failedAt(syncs[which - 1]?.number ?? 0, intact);
      world.kill();
      const calm = world.cloneKilled().spawn("next");
      await recover(storeOf(calm), new Acknowledged());
      for (const second of sweep.drawnWithin(numbersTo(calm.files.effects), 10)) {
        for (const errno of ["ENOSPC", "EIO"] as const) {
          const again = world.cloneKilled();
          const toldAgain = told.copy();
          const next = again.spawn("next");
          next.files.plan({ kind: "fail", at: second, errno });
          const end = await endOf(recover(storeOf(next), toldAgain));
          next.kill();
          const last = await endOf(recover(storeOf(again.spawn("third")), toldAgain));
          again.powerCut(second % 2 === 0 ? dropUnsynced : anyMixture(second));
          sweep.note(`fsync ${which}, ${errno} at ${second}: ${end}`, [
            ...untyped(end),
            ...(last === "done" ? [] : [`the third process: ${last}`]),
            ...(await violations(again, toldAgain)),
          ]);
        }
      }
    }
    expect(sweep.end()).toEqual([]);
  });

  test("control: without the note in the lock record the next owner chains on the lost bytes", async () => {
    const withoutNote: Guard = (files) =>
      changed(files, {
        open: async (path, mode) => {
          const handle = await files.open(path, mode);
          const forget = (bytes: Uint8Array): number | null =>
            text(bytes).includes("bad_sync") ? bytes.byteLength : null;
          return changed(handle, {
            writeAt: (bytes, position) => forget(bytes) ?? handle.writeAt(bytes, position),
          });
        },
      });
    expect((await sweepSyncs(null, withoutNote)).found.join("\n")).toMatch(/is gone|journal is damaged/);
  });
});
