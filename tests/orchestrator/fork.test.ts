// Forks: finished steps are adopted, not done again; what is damaged stays behind.
import { describe, expect, test } from "bun:test";
import { abortRun } from "../../src/operations/change/stop-run.ts";
import { forkRun, type ForkResult } from "../../src/operations/make/fork-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { codeOf, look, records, reportDigest, run, RUN_ROOT, RUNS_ROOT, RunWorld, start, STEP } from "./at-work.ts";

async function fork(world: RunWorld, overrides = {}): Promise<ForkResult> {
  const { ports, observer } = world.process("fork");
  return (await forkRun(ports, RUN_ROOT, { runsRoot: RUNS_ROOT, ...overrides }, observer)).result;
}

/** How often the outside was asked while this was done. */
async function performedBy(world: RunWorld, work: () => Promise<unknown>): Promise<string[]> {
  const before = world.outside.performances.length;
  await work();
  return world.outside.performances.slice(before).map(({ key }) => key);
}

describe("a fork", () => {
  test("of a completed run adopts every step: the outside is asked for nothing, the report is the same", async () => {
    const world = new RunWorld();
    await start(world);
    const { run_root, offered_steps } = await fork(world);
    const performed = await performedBy(world, async () => expect(codeOf(await run(world, run_root))).toBe("ok"));
    expect(performed).toEqual([]);
    const [parent, child] = [await look(world), await look(world, run_root)];
    expect(reportDigest(child)).toBe(reportDigest(parent) as string);
    expect(child.manifest.counters.steps_adopted).toBe(offered_steps);
    const adopted = (await records(world, run_root)).filter((record) => record.kind === "step.adopted");
    expect(adopted.every(({ data }) => data.from_run === "dr_world")).toBe(true);
    await verifyRun(world.process("verifier").ports, run_root);
  });

  test("of an aborted run goes on where it stood", async () => {
    const world = new RunWorld();
    await start(world, { untilStage: "citations" });
    await abortRun(world.process("abort").ports, RUN_ROOT, { waitSeconds: 1 });
    const { run_root } = await fork(world);
    const performed = await performedBy(world, () => run(world, run_root));
    expect(performed.some((key) => key.startsWith("wave"))).toBe(false);
    expect(performed).toContain("synthesis:draft-1");
    const uninterrupted = new RunWorld();
    await start(uninterrupted);
    expect(reportDigest(await look(world, run_root))).toBe(reportDigest(await look(uninterrupted)) as string);
  });

  test("of a fork names the run in which the step was done", async () => {
    const world = new RunWorld();
    await start(world);
    const first = await fork(world, { runId: "dr_first" });
    await run(world, first.run_root);
    const { ports, observer } = world.process("fork");
    const { result } = await forkRun(ports, first.run_root, { runsRoot: RUNS_ROOT, runId: "dr_second" }, observer);
    expect(await performedBy(world, () => run(world, result.run_root))).toEqual([]);
    const adopted = (await records(world, result.run_root)).find((record) => record.kind === "step.adopted");
    expect(adopted?.data.from_run).toBe("dr_world");
  });

  test("under another question does everything anew", async () => {
    const world = new RunWorld();
    await start(world);
    const { run_root } = await fork(world, { question: "How are options that take a value parsed?" });
    const performed = await performedBy(world, () => run(world, run_root));
    expect(performed).toContain("perspectives:plan");
    expect((await look(world, run_root)).manifest.counters.steps_adopted).toBe(0);
  });

  test("leaves behind a damaged source and what rests on it, and does that again", async () => {
    const world = new RunWorld();
    await start(world);
    const damaged = world.world.disk.paths().find((path) => /\/sources\/[0-9a-f]{64}$/.test(path));
    const bytes = world.world.disk.read(damaged ?? "") ?? new Uint8Array();
    world.world.disk.plantFile(damaged ?? "", bytes.with(0, (bytes[0] ?? 0) ^ 1));
    const { run_root, sources } = await fork(world);
    expect(sources).toBe((await look(world)).manifest.counters.sources - 1);
    const performed = await performedBy(world, async () => expect(codeOf(await run(world, run_root))).toBe("ok"));
    expect(performed.some((key) => key.startsWith("wave"))).toBe(true);
    expect(performed).not.toContain("perspectives:plan");
    await verifyRun(world.process("verifier").ports, run_root);
    expect(reportDigest(await look(world, run_root))).toBe(reportDigest(await look(world)) as string);
  });

  test("changes nothing in the run that it came from", async () => {
    const world = new RunWorld();
    await start(world);
    const ofParent = () =>
      new Map([...world.world.disk.snapshot()].filter(([path]) => path.startsWith(`${RUN_ROOT}/`)));
    const before = ofParent();
    await run(world, (await fork(world)).run_root);
    expect(ofParent()).toEqual(before);
    expect(world.outside.timesPerformed(STEP)).toBe(1);
  });
});
