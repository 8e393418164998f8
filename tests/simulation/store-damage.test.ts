// D1, D2 at the store: every byte of journal and manifest damaged, and older copies put back.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { RunError } from "../../src/kernel/errors.ts";
import type { FileStore } from "../../src/stores/file-store.ts";
import { scanJournal } from "../../src/run/log/journal.ts";
import type { PlacedRecord } from "../../src/run/log/record.ts";
import {
  leaveStage,
  noted,
  planned,
  runCreated,
  sourceNamed,
  withoutPlaces,
  stateChanged,
  stepCompleted,
} from "../conformance/sample-run.ts";
import { bytes } from "./calls.ts";
import { numbersTo, Sweep, SWEEP_TIMEOUT_MS } from "./sweep.ts";
import { Acknowledged, endOf, mustAcquire, RUN, storeOf, violations } from "./store-workload.ts";
import { SimulatedWorld } from "./world.ts";

setDefaultTimeout(SWEEP_TIMEOUT_MS);

const JOURNAL = `${RUN}/journal.jsonl`;
const MANIFEST = `${RUN}/manifest.json`;
const HEAD = `${RUN}/.head`;

/** A small finished run, and the same run a few records earlier. */
let healthy: SimulatedWorld;
let told: Acknowledged;
let state: string;
let records: PlacedRecord[];
let older: Record<"journal" | "manifest" | "head", Uint8Array>;

beforeAll(async () => {
  healthy = new SimulatedWorld({ autoAdvance: true });
  told = new Acknowledged();
  const store = storeOf(healthy.spawn("writer"));
  const source = sourceNamed("A source.");
  await store.create(RUN, [runCreated(), source.draft], [source]);
  told.isCreated = true;
  const writer = await mustAcquire(store);
  await writer.commit([
    stateChanged("idle", "running"),
    planned("init", "init.a"),
    stepCompleted("init", "init.a", { a: 1 }),
  ]);
  await leaveStage(writer, "init", "perspectives");
  await writer.foldNow();
  older = { journal: read(JOURNAL), manifest: read(MANIFEST), head: read(HEAD) };
  await writer.commit([noted("one more")]);
  await writer.commit([stateChanged("running", "paused")]);
  await writer.release();
  state = withoutPlaces((await store.look(RUN)).manifest);
  records = scanJournal(read(JOURNAL)).records;
  told.note(await store.records(RUN));
});

function read(path: string): Uint8Array {
  return healthy.disk.read(path) ?? new Uint8Array();
}

interface Damage {
  name: string;
  apply: (whole: Uint8Array, at: number) => Uint8Array;
}

const set = (value: number) => (whole: Uint8Array, at: number) => {
  const copy = whole.slice();
  copy[at] = value;
  return copy;
};
const DAMAGES: Damage[] = [
  { name: "lowest bit flipped", apply: (whole, at) => set((whole[at] ?? 0) ^ 0x01)(whole, at) },
  { name: "highest bit flipped", apply: (whole, at) => set((whole[at] ?? 0) ^ 0x80)(whole, at) },
  { name: "zeroed", apply: set(0) },
  { name: "a space", apply: set(0x20) },
  { name: "a line feed", apply: set(0x0a) },
  { name: "cut from here", apply: (whole, at) => whole.slice(0, at) },
  { name: "taken out", apply: (whole, at) => Buffer.concat([whole.subarray(0, at), whole.subarray(at + 1)]) },
  {
    name: "a letter added",
    apply: (whole, at) => Buffer.concat([whole.subarray(0, at), bytes("x"), whole.subarray(at)]),
  },
  {
    name: "a byte order mark added",
    apply: (whole, at) => Buffer.concat([whole.subarray(0, at), bytes("\ufeff"), whole.subarray(at)]),
  },
];

/** Looks at the damaged run: a typed error or exactly the undamaged state, and `inspect` says that something is there. */
async function judge(world: SimulatedWorld): Promise<string[]> {
  const found: string[] = [];
  const store = storeOf(world.spawn("looker"));
  try {
    if (withoutPlaces((await store.look(RUN)).manifest) !== state) found.push("look gives another state");
  } catch (error) {
    if (!(error instanceof RunError) || error.code === "NOT_FOUND") found.push(`look: ${String(error)}`);
  }
  try {
    const { problems, notes } = await store.inspect(RUN);
    if (problems.length === 0 && notes.length === 0) found.push("inspect says nothing");
  } catch (error) {
    if (!(error instanceof RunError) || error.code === "NOT_FOUND") found.push(`inspect: ${String(error)}`);
  }
  return found;
}

/** Repairs as the command does; what counted before the damage still counts, and nothing is wrong afterwards. */
async function repair(world: SimulatedWorld, keptFor: number): Promise<string[]> {
  const store = storeOf(world.spawn("repairer"));
  try {
    return await repairBy(store, world, keptFor);
  } catch (error) {
    if (error instanceof RunError) return [`repair: ${error.message}`];
    throw error;
  }
}

async function repairBy(store: FileStore, world: SimulatedWorld, keptFor: number): Promise<string[]> {
  const acquired = await store.acquireForRepair(RUN);
  if (acquired.kind === "held") return ["held"];
  const { writer } = acquired;
  const report = await acquired.repair();
  await writer.commit([{ kind: "repair.done", data: { reason: "a test", ...report } }]);
  await writer.release();
  const kept = new Acknowledged();
  kept.isCreated = true;
  kept.note(records.flatMap(({ record, end }) => (end <= keptFor ? [record] : [])));
  const found = await violations(world, kept);
  const after = await store.records(RUN);
  const same = records.filter(({ record }, index) => after[index]?.digest === record.digest).length;
  if (report.dropped_records < records.length - same)
    found.push(`${records.length - same} records were dropped, ${report.dropped_records} reported`);
  return found;
}

async function sweepBytes(path: string, count: number): Promise<Sweep> {
  const sweep = new Sweep("every byte of journal and manifest damaged", path);
  const whole = read(path);
  const firstRecordEnd = records[0]?.end ?? 0;
  const frames = path === JOURNAL ? records.flatMap(({ offset }) => [offset - 2, offset - 1, offset]) : [];
  const drawn = sweep.drawn(numbersTo(whole.byteLength), count).map((position) => position - 1);
  for (const at of new Set([...frames, ...drawn])) {
    for (const { name: what, apply } of DAMAGES) {
      const damaged = apply(whole, at);
      if (Buffer.compare(damaged, whole) === 0) continue;
      const world = healthy.cloneKilled();
      world.disk.plantFile(path, damaged);
      const found = await judge(world);
      // Without its first record there is no run to repair.
      if (path === MANIFEST || at >= firstRecordEnd)
        found.push(...(await repair(world, path === MANIFEST ? Infinity : at)));
      sweep.note(`${path}, byte ${at} of ${whole.byteLength}: ${what}`, found);
    }
  }
  return sweep;
}

describe("a damaged byte (D1)", () => {
  test("of the journal is found, changes no state, and can be repaired", async () => {
    expect((await sweepBytes(JOURNAL, 25)).end()).toEqual([]);
  });

  test("of the manifest is found, changes no state, and is rebuilt", async () => {
    expect((await sweepBytes(MANIFEST, 15)).end()).toEqual([]);
  });

  test("of `.head` never makes a healthy run look damaged, unless a whole note says so", async () => {
    const whole = read(HEAD);
    for (let at = 0; at < whole.byteLength; at++) {
      const world = healthy.cloneKilled();
      world.disk.plantFile(HEAD, set((whole[at] ?? 0) ^ 0x01)(whole, at));
      expect(await violations(world, told)).toEqual([]);
    }
  });

  test("without its first record a run is INTEGRITY_ERROR for repair too, never begun anew", async () => {
    const world = healthy.cloneKilled();
    world.disk.plantFile(JOURNAL, set(0x7e)(read(JOURNAL), 10));
    const store = storeOf(world.spawn("repairer"));
    expect(store.acquireForRepair(RUN)).rejects.toMatchObject({ code: "INTEGRITY_ERROR" });
    expect(await store.create(RUN, [runCreated()], [])).toEqual({ kind: "exists" });
  });

  test("an empty or missing journal is damage as long as anything beside it knows better", async () => {
    for (const take of [() => null, () => new Uint8Array(), () => bytes(" \n{torn")]) {
      for (const witness of [[], [MANIFEST], [HEAD]]) {
        const world = healthy.cloneKilled();
        const left = take();
        if (left === null) world.disk.erase(JOURNAL);
        else world.disk.plantFile(JOURNAL, left);
        for (const path of witness) world.disk.erase(path);
        const store = storeOf(world.spawn("looker"));
        expect(store.look(RUN)).rejects.toMatchObject({ code: "INTEGRITY_ERROR" });
        expect(store.acquire(RUN)).rejects.toMatchObject({ code: "INTEGRITY_ERROR" });
        expect(await store.create(RUN, [runCreated()], [])).toEqual({ kind: "exists" });
      }
    }
  });

  test("control: with nothing beside the journal, a cut inside the last record is not seen", async () => {
    const world = healthy.cloneKilled();
    world.disk.plantFile(JOURNAL, read(JOURNAL).slice(0, -5));
    world.disk.erase(HEAD);
    world.disk.erase(MANIFEST);
    expect((await judge(world)).join()).toContain("another state");
  });
});

test("a journal that is cut short under its owner is INTEGRITY_ERROR at the next commit", async () => {
  const world = healthy.cloneKilled();
  const writer = await mustAcquire(storeOf(world.spawn("owner")));
  world.disk.plantFile(JOURNAL, read(JOURNAL).slice(0, 2000));
  expect(writer.commit([noted("x")])).rejects.toMatchObject({ code: "INTEGRITY_ERROR" });
});

describe("a repair that is killed", () => {
  /** A run with a damaged record, where that stands, and how many effects its repair has. */
  async function toRepair(): Promise<{ damaged: SimulatedWorld; last: number; effects: number }> {
    const last = records.at(-3)?.offset ?? 0;
    const damaged = healthy.cloneKilled();
    damaged.disk.plantFile(JOURNAL, set(0x7e)(read(JOURNAL), last + 4));
    const rehearsal = damaged.cloneKilled();
    await repair(rehearsal, last);
    const effects = rehearsal.disk.trace.filter(({ process }) => process === "repairer").length;
    return { damaged, last, effects };
  }

  test("at any effect is ended by the next one", async () => {
    const sweep = new Sweep("repair killed, or on a failing disk", "killed");
    const { damaged, last, effects } = await toRepair();
    for (const at of sweep.drawn(numbersTo(effects), 40)) {
      const world = damaged.cloneKilled();
      const first = world.spawn("first");
      first.files.plan({ kind: "crash-after", at });
      try {
        const acquired = await storeOf(first).acquireForRepair(RUN);
        if (acquired.kind === "acquired") await acquired.repair();
      } catch {
        // It was killed; that is what this is about.
      }
      world.kill();
      sweep.note(`killed at ${at}`, await repairAgain(world, last));
    }
    expect(sweep.end()).toEqual([]);
  });

  test("or that meets a full or broken disk at any effect, too", async () => {
    const sweep = new Sweep("repair killed, or on a failing disk", "errno");
    const { damaged, last, effects } = await toRepair();
    for (const at of sweep.drawn(numbersTo(effects), 20)) {
      for (const errno of ["ENOSPC", "EIO"] as const) {
        const world = damaged.cloneKilled();
        const first = world.spawn("first");
        first.files.plan({ kind: "fail", at, errno });
        const end = await endOf(
          storeOf(first)
            .acquireForRepair(RUN)
            .then(async (acquired) => {
              if (acquired.kind === "acquired") await acquired.repair();
            }),
        );
        world.kill();
        const found = end.startsWith("untyped") ? [end] : [];
        sweep.note(`${errno} at ${at}: ${end}`, [...found, ...(await repairAgain(world, last))]);
      }
    }
    expect(sweep.end()).toEqual([]);
  });

  async function repairAgain(world: SimulatedWorld, keptFor: number): Promise<string[]> {
    // What was dropped may have been said by nobody: the first repair died before it could.
    return (await repair(world, keptFor)).filter((problem) => !problem.includes("dropped"));
  }
});

describe("an older copy put back (D2)", () => {
  async function lookAfter(...back: (keyof typeof older)[]): Promise<string> {
    const world = healthy.cloneKilled();
    const paths = { journal: JOURNAL, manifest: MANIFEST, head: HEAD };
    for (const what of back) world.disk.plantFile(paths[what], older[what]);
    const store = storeOf(world.spawn("looker"));
    try {
      const { manifest } = await store.look(RUN);
      const { problems, notes } = await store.inspect(RUN);
      return `${withoutPlaces(manifest) === state ? "the state now" : "an older state"}, ${problems.length} problems, ${notes.length} notes`;
    } catch (error) {
      return error instanceof RunError ? error.code : String(error);
    }
  }

  test("of the journal is found by the manifest or by .head", async () => {
    expect(await lookAfter("journal")).toBe("INTEGRITY_ERROR");
    expect(await lookAfter("journal", "manifest")).toBe("INTEGRITY_ERROR");
    expect(await lookAfter("journal", "head")).toBe("INTEGRITY_ERROR");
  });

  test("of the manifest alone is merely behind", async () => {
    expect(await lookAfter("manifest")).toBe("the state now, 0 problems, 1 notes");
  });

  test("control: of all three together it is not seen, as the guarantees say", async () => {
    expect(await lookAfter("journal", "manifest", "head")).toBe("an older state, 0 problems, 0 notes");
  });

  test("the journal of another run is found", async () => {
    const other = new SimulatedWorld({ autoAdvance: true });
    await storeOf(other.spawn("writer")).create(RUN, [runCreated("dr_other")], []);
    const world = healthy.cloneKilled();
    world.disk.plantFile(JOURNAL, other.disk.read(JOURNAL) ?? new Uint8Array());
    expect(storeOf(world.spawn("looker")).look(RUN)).rejects.toMatchObject({ code: "INTEGRITY_ERROR" });
  });
});

describe("a journal made anew", () => {
  test("keeps every record at its offset, so that results of finished stages stay readable", async () => {
    const world = new SimulatedWorld({ autoAdvance: true });
    const first = world.spawn("first");
    const store = storeOf(first);
    await store.create(RUN, [runCreated()], []);
    const writer = await mustAcquire(store);
    await writer.commit([planned("init", "init.a")]);
    first.files.plan({ kind: "crash-mid", at: first.files.effects + 1 });
    await writer.commit([noted("torn: debris in the middle of the journal")]).catch(() => undefined);
    const second = storeOf(world.spawn("second"));
    const next = await mustAcquire(second);
    await next.commit([stepCompleted("init", "init.a", { a: 1 })]);
    await leaveStage(next, "init", "perspectives");
    const failing = world.spawn("third");
    await next.release();
    const third = await mustAcquire(storeOf(failing));
    failing.files.plan({ kind: "fail", at: failing.files.effects + 2, errno: "EIO" });
    expect(third.commit([noted("its fsync fails")])).rejects.toMatchObject({ code: "WRITE_FAILED" });
    failing.kill();
    const last = storeOf(world.spawn("last"));
    const fourth = await mustAcquire(last);
    expect(world.disk.paths().some((path) => path.startsWith(`${RUN}/quarantine/journal.`))).toBe(true);
    const step = (await fourth.readSteps("init"))["init.a"];
    expect(step?.result?.offset).toBeGreaterThan(0);
    expect(await fourth.readResult(step?.result ?? { digest: "sha256:" })).toEqual({ a: 1 });
    await fourth.release();
    expect((await last.inspect(RUN)).problems).toEqual([]);
  });
});
