// Watching a run: every durable record once and in order, until the run stops, is removed, or the watcher leaves.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import { atWaits } from "./at-waits.ts";
import { RunError } from "../../src/kernel/errors.ts";
import { removeRuns } from "../../src/operations/care/remove-runs.ts";
import { followRun, type WatchOptions, type WatchResult } from "../../src/operations/look/watch-run.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { RunWriter } from "../../src/ports/run-log.ts";
import type { AnyRecord } from "../../src/run/log/record.ts";
import { SharedTail } from "../../src/surface/shared-tail.ts";
import {
  codeOf,
  makeCompletedRun,
  makeRun,
  noEvidenceHalt,
  temporaryFolder,
  testPorts,
  tickStarted,
  TO_PAUSED,
  TO_RUNNING,
  withWriter,
} from "./made-run.ts";

const ports = testPorts();

type Act = () => unknown;

interface Watched {
  records: AnyRecord[];
  states: string[];
  result: WatchResult;
}

/** Does one act between any two looks; after the last one the watcher leaves. */
function acting(acts: Act[]): Ports {
  return atWaits(ports, async () => {
    const act = acts.shift();
    if (act === undefined) throw new RunError("INTERRUPTED_BY_SIGNAL", { signal: "SIGINT" });
    await act();
  });
}

async function watch(runRoot: string, acts: Act[], options: Partial<WatchOptions> = {}): Promise<Watched> {
  const records: AnyRecord[] = [];
  const states: string[] = [];
  const watcher = {
    onRecord: (_root: string, record: AnyRecord) => void records.push(record),
    onRun: ({ state }: { state: string }) => void states.push(state),
  };
  const { result } = await followRun(acting(acts), runRoot, { sinceSeq: 0, follow: false, ...options }, watcher);
  return { records, states, result };
}

test("a state is told once its record is durable, not when a look shows it first", async () => {
  using folder = temporaryFolder();
  const runRoot = await makeCompletedRun(ports, folder.path, "dr_1");
  const all = await ports.store.records(runRoot);
  const batches = [all.slice(0, -1), all.slice(-1)];
  const told: (number | string)[] = [];
  const wait = async (): Promise<void> => void told.push("waited");
  const store = { ...ports.store, follow: () => ({ next: async () => batches.shift() ?? [], wait }) };
  await followRun(
    { ...ports, store },
    runRoot,
    { sinceSeq: 0, follow: false },
    {
      onRecord: (_root, record) => void told.push(record.seq),
      onRun: ({ state }) => void told.push(state),
    },
  );
  expect(told).toEqual([...all.slice(0, -1).map(({ seq }) => seq), "waited", all.length, "completed"]);
});

const kindsOf = ({ records }: Watched): string[] => records.map(({ kind }) => kind);

async function held(runRoot: string): Promise<RunWriter> {
  const acquired = await ports.store.acquire(runRoot);
  if (acquired.kind === "held") throw new Error("held");
  return acquired.writer;
}

describe("what is told", () => {
  test("every record of a run that ended, and from a record on", async () => {
    using folder = temporaryFolder();
    const root = await makeCompletedRun(ports, folder.path, "dr_1");
    const whole = await watch(root, []);
    const { revision } = (await ports.store.look(root)).manifest;
    expect(whole.records.map(({ seq }) => seq)).toEqual(Array.from({ length: revision }, (_, at) => at + 1));
    expect(whole.result).toMatchObject({
      records: revision,
      last_seq: revision,
      status: { execution_state: "completed" },
    });
    const rest = await watch(root, [], { sinceSeq: revision - 2 });
    expect(rest.records).toEqual(whole.records.slice(-2));
    expect((await watch(root, [], { sinceSeq: revision + 5 })).records).toEqual([]);
  });

  test("what others write meanwhile, once, until it pauses", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_1");
    const watched = await watch(root, [
      () => withWriter(ports, root, async (writer) => void (await writer.commit([TO_RUNNING]))),
      () => undefined,
      () => withWriter(ports, root, async (writer) => void (await writer.commit([TO_PAUSED]))),
    ]);
    expect(kindsOf(watched)).toEqual(["run.created", "lease.taken", "state.changed", "lease.taken", "state.changed"]);
    expect(watched.states).toEqual(["idle", "running", "running", "paused"]);
  });

  test("nothing of a record before its owner noted it as durable, and nothing half-written", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_1");
    const writer = await held(root);
    await writer.commit([TO_RUNNING]);
    const before = fs.readFileSync(`${root}/.head`);
    const folded = fs.readFileSync(`${root}/manifest.json`);
    await writer.commit([tickStarted(ports)]);
    const after = fs.readFileSync(`${root}/.head`);
    const journal = fs.readFileSync(`${root}/journal.jsonl`);
    fs.writeFileSync(`${root}/.head`, before);
    fs.writeFileSync(`${root}/manifest.json`, folded);
    fs.truncateSync(`${root}/journal.jsonl`, journal.length - 20);
    const seen: number[] = [];
    const tail = ports.store.follow(root, 0);
    const told = async (): Promise<number> => seen.push(...(await tail.next()).map(({ seq }) => seq));
    await told();
    expect(seen).toEqual([1, 2, 3]);
    // The line is whole, and its fsync has not returned.
    fs.writeFileSync(`${root}/journal.jsonl`, journal);
    await told();
    expect(seen).toEqual([1, 2, 3]);
    fs.writeFileSync(`${root}/.head`, after);
    await told();
    expect(seen).toEqual([1, 2, 3, 4]);
    await writer.release();
  });

  test("a torn line is not told and does not end the watching", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_1");
    const debris = (): void => fs.appendFileSync(`${root}/journal.jsonl`, '{"data":{"torn');
    const watched = await watch(root, [
      debris,
      () => withWriter(ports, root, async (writer) => void (await writer.commit([TO_RUNNING, TO_PAUSED]))),
    ]);
    expect(kindsOf(watched)).toEqual(["run.created", "lease.taken", "state.changed", "state.changed"]);
  });

  test("after a repair dropped what was told, what the repair wrote", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_1");
    await withWriter(ports, root, async (writer) => void (await writer.commit([TO_RUNNING])));
    let nowMs = 0;
    const shared = { store: ports.store, clock: { uptimeMs: () => (nowMs += 1_000) }, runRoot: root };
    const tails = [
      ports.store.follow(root, 0),
      ports.store.follow(root, 3),
      new SharedTail({ ...shared, afterSeq: 0 }).reader(0),
      new SharedTail({ ...shared, afterSeq: 3 }).reader(3),
    ];
    const counts = await Promise.all(tails.map(async (tail) => (await tail.next()).length));
    expect(counts).toEqual([3, 0, 3, 0]);
    const journal = fs.readFileSync(`${root}/journal.jsonl`, "utf8");
    fs.writeFileSync(`${root}/journal.jsonl`, journal.replace('"from":"idle"', '"from":"xxxx"'));
    fs.rmSync(`${root}/manifest.json`);
    fs.rmSync(`${root}/.head`);
    const acquired = await ports.folders.acquireForRepair(root);
    if (acquired.kind === "held") throw new Error("held");
    await acquired.repair();
    await acquired.writer.release();
    for (const tail of tails) {
      const told = await tail.next();
      expect(told.map(({ kind, seq, epoch }) => [kind, seq, epoch])).toEqual([["lease.taken", 3, 2]]);
      expect(await tail.next()).toEqual([]);
    }
  });
});

describe("when it ends", () => {
  test("at a halt, and with --follow at the end of the run", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_1");
    const halted = async (): Promise<void> =>
      await withWriter(
        ports,
        root,
        async (writer) => void (await writer.commit([TO_RUNNING, noEvidenceHalt(root, "dr_1")])),
      );
    await halted();
    expect((await watch(root, [])).result.status.halt).toBe("no_evidence");
    const aborted = {
      kind: "state.changed" as const,
      data: { from: "running" as const, to: "aborted" as const, reason: "test" },
    };
    const watched = await watch(
      root,
      [() => undefined, () => withWriter(ports, root, async (writer) => void (await writer.commit([aborted])))],
      { follow: true },
    );
    expect(watched.states).toEqual(["running", "running", "aborted"]);
  });

  test("not when the owner dies: the run shows as interrupted, and goes on with the next one", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_1");
    const writer = await held(root);
    await writer.commit([TO_RUNNING, tickStarted(ports)]);
    const dies = (): void => {
      const claim = fs.readFileSync(`${root}/.lock.1`, "utf8");
      fs.writeFileSync(
        `${root}/.lock.1`,
        claim.replace(/"process_started":"\d+"/, (found) => `"process_started":"${"7".repeat(found.length - 21)}"`),
      );
    };
    const ended = { kind: "tick.ended" as const, data: { tick: 1, stopped_by: "interrupted", worked_ms: 0 } };
    const watched = await watch(root, [
      dies,
      () => withWriter(ports, root, async (next) => void (await next.commit([ended, TO_PAUSED]))),
    ]);
    expect(watched.states).toEqual(["running", "interrupted", "paused"]);
  });

  test("with NOT_FOUND when the run is removed, with the signal when the watcher leaves; the run stays as it is", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_1");
    const bytes = fs.readFileSync(`${root}/journal.jsonl`);
    expect(await codeOf(watch(root, [() => undefined]))).toBe("INTERRUPTED_BY_SIGNAL");
    expect(fs.readFileSync(`${root}/journal.jsonl`)).toEqual(bytes);
    expect(fs.readdirSync(root).sort()).toEqual(["journal.jsonl", "manifest.json"]);
    expect(await codeOf(watch(root, [() => removeRuns(ports, [{ run_id: "dr_1", run_root: root }])]))).toBe(
      "NOT_FOUND",
    );
  });
});
