// S1, S2, S4, S8: a process killed at any effect, and its successor too, leaves the old state or the new one.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Files } from "../../src/ports/files.ts";
import { bytes, text } from "./calls.ts";
import type { Fault } from "./disk.ts";
import { numbersTo, Sweep, SWEEP_TIMEOUT_MS } from "./sweep.ts";
import type { SweepRow } from "./sweep-rows.ts";
import { changed } from "./changed.ts";
import {
  Acknowledged,
  changesOf,
  endOf,
  intact,
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
const KINDS = ["crash-before", "crash-mid", "crash-after"] as const;

async function crashedAt(fault: Fault, order?: "record first"): Promise<{ world: SimulatedWorld; told: Acknowledged }> {
  const world = makeWorld();
  const told = new Acknowledged();
  const actor = world.spawn("writer");
  actor.files.plan(fault);
  const end = await endOf(workload(storeOf(actor), told, order));
  if (end !== "crashed" && end !== "done") throw new Error(`${end} at ${JSON.stringify(fault)}`);
  return { world, told };
}

interface Control {
  /** Taken out of the next process. */
  guard?: Guard;
  order?: "record first";
  /** What it has to find; then it ends. */
  until: RegExp;
}

async function sweepCrashes(row: SweepRow | null, count: number, control?: Control): Promise<Sweep> {
  const { guard = intact, order, until } = control ?? {};
  const sweep = new Sweep(row);
  const { effects, digests } = await rehearse(makeWorld);
  for (const kind of KINDS) {
    for (const at of sweep.drawn(numbersTo(effects), count)) {
      const { world, told } = await crashedAt({ kind, at }, order);
      const before = await violations(world, told, order === undefined ? digests : undefined);
      const end = await endOf(recover(storeOf(world.spawn("next"), guard), told));
      const after = await violations(world, told);
      sweep.note(`${kind} ${at}`, [...before, ...(end === "done" ? [] : [`the next process: ${end}`]), ...after]);
      if (until?.test(sweep.found.join("\n"))) return sweep;
    }
  }
  return sweep;
}

describe("a crash at every effect", () => {
  test("keeps everything acknowledged before any recovery (S2), the old or the new state (S1), and recovery goes on", async () => {
    expect((await sweepCrashes("killed at every effect", 35)).end()).toEqual([]);
  });

  test("during recovery too: the third process finds everything and ends it (S4)", async () => {
    const sweep = new Sweep("killed again at every effect of the recovery");
    const { effects } = await rehearse(makeWorld);
    for (const at of sweep.drawn(numbersTo(effects), 9)) {
      const { world, told } = await crashedAt({ kind: "crash-after", at });
      const calm = world.cloneKilled();
      const rehearsal = calm.spawn("next");
      await recover(storeOf(rehearsal), new Acknowledged());
      for (const second of sweep.drawnWithin(changesOf(calm, "next"), 9)) {
        const again = world.cloneKilled();
        const toldAgain = told.copy();
        const next = again.spawn("next");
        next.files.plan({ kind: "crash-mid", at: second });
        await endOf(recover(storeOf(next), toldAgain));
        const between = await violations(again, toldAgain);
        const end = await endOf(recover(storeOf(again.spawn("third")), toldAgain));
        sweep.note(`crash-after ${at}, then crash-mid ${second}`, [
          ...between,
          ...(end === "done" ? [] : [`the third process: ${end}`]),
          ...(await violations(again, toldAgain)),
        ]);
      }
    }
    expect(sweep.end()).toEqual([]);
  });

  test("control: a record that is written before the file it names is found", async () => {
    const until = /results\/.*nothing/;
    expect((await sweepCrashes(null, 300, { order: "record first", until })).found.join("\n")).toMatch(until);
  });

  test("control: without the line before each record a torn one eats the next", async () => {
    const control = { guard: withoutFraming, until: EATEN };
    expect((await sweepCrashes(null, 90, control)).found.join("\n")).toMatch(EATEN);
  });
});

describe("a torn last line (S8)", () => {
  /** The last append of a run cut off after each of its bytes; the record before it was acknowledged. */
  async function sweepCuts(row: SweepRow | null, guard: Guard): Promise<Sweep> {
    const sweep = new Sweep(row);
    const whole = makeWorld();
    const toldAll = new Acknowledged();
    await workload(storeOf(whole.spawn("writer")), toldAll);
    // Neither names a record before its commit has ended.
    for (const later of [".head", "manifest.json"]) whole.disk.erase(`${RUN}/${later}`);
    const journal = whole.disk.text(`${RUN}/journal.jsonl`) ?? "";
    const before = journal.lastIndexOf("\n", journal.lastIndexOf("\n", journal.length - 2) - 1) + 1;
    const lastBytes = journal.length - before;
    for (const kept of sweep.drawn(numbersTo(lastBytes), 60).map((number) => number - 1)) {
      const world = whole.cloneKilled();
      const told = toldAll.copy();
      world.disk.plantFile(`${RUN}/journal.jsonl`, journal.slice(0, before + kept));
      // It was torn before its commit ended, so nobody was told of it.
      told.records.delete(Math.max(...told.records.keys()));
      const found = await violations(world, told);
      const end = await endOf(recover(storeOf(world.spawn("next"), guard), told));
      sweep.note(`cut after ${kept} bytes`, [
        ...found,
        ...(end === "done" ? [] : [end]),
        ...(await violations(world, told)),
      ]);
    }
    return sweep;
  }

  test("costs nothing acknowledged and never eats the next record, cut at every byte", async () => {
    expect((await sweepCuts("torn lines", intact)).end()).toEqual([]);
  });

  test("control: without the line before each record it does", async () => {
    const { found } = await sweepCuts(null, withoutFraming);
    expect(found.join("\n")).toMatch(EATEN);
  });
});

/** Writes records without the space and line feed before each, and shows the writer what it wants to read back. */
function withoutFraming(files: Files): Files {
  const open: Files["open"] = async (path, mode) => {
    const handle = await files.open(path, mode);
    if (mode !== "append") return handle;
    let stripped = 0;
    let wanted: Uint8Array | null = null;
    return changed(handle, {
      async write(content) {
        const short = bytes(text(content).replaceAll(/^ \n/gm, ""));
        stripped += content.byteLength - short.byteLength;
        wanted = content;
        return (await handle.write(short)) === short.byteLength ? content.byteLength : 0;
      },
      readAt: (position, length) => wanted ?? handle.readAt(position, length),
      facts: async () => {
        const facts = await handle.facts();
        return { ...facts, size: facts.size + stripped };
      },
    });
  };
  return changed(files, { open });
}

const EATEN = /is gone|journal is damaged/;
