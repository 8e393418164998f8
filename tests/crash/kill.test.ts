// Real processes killed with SIGKILL at random points, again and again, until the run is done.
import { expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { makePorts } from "../../src/wiring.ts";
import type { RunLook } from "../../src/ports/run-log.ts";
import { repeatedBy } from "../simulation/chance.ts";
import type { SimulatedRandom } from "../simulation/random.ts";
import { isFull, Sweep } from "../simulation/sweep.ts";
import { Host, type PrintedEvent, type RealProcess } from "./real-processes.ts";

const KILLS = isFull ? 300 : 15;
const TIMEOUT_MS = isFull ? 30 * 60_000 : 600_000;
/** About as long as a start works on this corpus. */
const MAX_DELAY_MS = 60;
const EVENTS_OF_A_RUN = 90;

const ports = makePorts({ indexFolder: null, cliInvocation: "deep-research" });

function digestsOf({ manifest }: RunLook): unknown {
  return manifest.report_versions.map(({ trigger_type, digest, report_md_digest, evidence_digest }) => [
    trigger_type,
    digest,
    report_md_digest,
    evidence_digest,
  ]);
}

async function lostOf(runRoot: string, printed: readonly PrintedEvent[]): Promise<PrintedEvent[]> {
  const acknowledged = printed.filter(({ seq }) => seq !== undefined);
  if (acknowledged.length === 0) return [];
  const digests = new Map<number, string>((await ports.store.records(runRoot)).map(({ seq, digest }) => [seq, digest]));
  return acknowledged.filter(({ seq, digest }) => digests.get(seq ?? 0) !== digest);
}

/** Kills a process a random while behind a random event; false when it was done before. */
async function killSomewhere(process: RealProcess, random: SimulatedRandom): Promise<boolean> {
  const wanted = random.below(EVENTS_OF_A_RUN);
  const mark = await Promise.race([process.whenPrinted(() => process.events.length >= wanted), process.ended]);
  if (mark !== null) await Bun.sleep(random.below(MAX_DELAY_MS) / 4);
  process.signal("SIGKILL");
  return (await process.ended) === "SIGKILL";
}

test(
  `killed ${KILLS} times, a run loses nothing it printed, does nothing twice, and ends in the same report (S1, S2, S9, S10)`,
  async () => {
    using host = new Host();
    expect(await host.start("uninterrupted").ended).toBe(0);
    const expected = digestsOf(await ports.store.look(host.runRoot("uninterrupted")));
    const sweep = new Sweep("SIGKILL of real processes");
    let kills = 0;
    for (let run = 1; kills < KILLS; run++) {
      const [runId, printed] = [`dr_killed_${run}`, [] as PrintedEvent[]];
      const runRoot = host.runRoot(runId);
      for (let isDone = false; !isDone;) {
        const started = host.start(runId);
        // The last one of a run is left to finish.
        isDone = kills >= KILLS || !(await killSomewhere(started, sweep.chance));
        if (isDone) expect(await started.ended, repeatedBy()).toBe(0);
        printed.push(...started.events);
        const lost = await lostOf(runRoot, printed);
        expect(lost, repeatedBy()).toEqual([]);
        if (!isDone) sweep.note(`kill ${++kills}`, []);
      }
      const finished = printed.filter(({ event }) => event === "step.completed").map(({ data }) => data?.key);
      expect(finished.length, repeatedBy()).toBe(new Set(finished).size);
      const { run: ended } = await verifyRun(ports, runRoot);
      expect(ended?.state, repeatedBy()).toBe("completed");
      expect(digestsOf(ended as RunLook), repeatedBy()).toEqual(expected);
      const records = await ports.store.records(runRoot);
      const stepsDone = new Set<string>();
      for (const record of records) {
        if (record.kind === "step.started") expect(stepsDone.has(record.data.key), repeatedBy()).toBe(false);
        if (record.kind === "step.completed") stepsDone.add(record.data.key);
      }
    }
    expect(sweep.end()).toEqual([]);
  },
  TIMEOUT_MS,
);

test("control: a journal that ends before what was printed is seen", async () => {
  using host = new Host();
  const started = host.start("dr_cut");
  await started.whenPrinted(({ event }) => event === "step.completed");
  started.signal("SIGKILL");
  await started.ended;
  const runRoot = host.runRoot("dr_cut");
  expect(await lostOf(runRoot, started.events)).toEqual([]);
  const journal = readFileSync(`${runRoot}/journal.jsonl`, "utf8");
  for (const name of ["manifest.json", ".head"]) rmSync(`${runRoot}/${name}`, { force: true });
  writeFileSync(`${runRoot}/journal.jsonl`, journal.slice(0, journal.indexOf('"kind":"step.started"')));
  expect((await lostOf(runRoot, started.events)).length).toBeGreaterThan(0);
}, 600_000);

test("the lease of a killed owner is taken over at once, that of a stopped one is not (L3)", async () => {
  using host = new Host();
  for (const signal of ["SIGKILL", "SIGSTOP"] as const) {
    const runId = `dr_${signal.toLowerCase()}`;
    const owner = host.worker("start", runId, { stepMs: 300 });
    await owner.whenPrinted(({ event }) => event === "step.started");
    owner.signal(signal);
    if (signal === "SIGKILL") await owner.ended;
    const next = host.worker("tick", runId, { stepMs: 0 });
    expect(await next.ended).toBe(signal === "SIGKILL" ? 0 : 11);
  }
}, 600_000);
