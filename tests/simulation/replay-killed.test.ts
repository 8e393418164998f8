// A replay in the simulated world, killed or without power at any effect, from the first that makes its run: given again, it comes
// to the report that its bundle names.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { fixtureDriver } from "../../src/drivers/fixture.ts";
import { startRun } from "../../src/operations/change/start-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { readSmallFile } from "../../src/system/small-file.ts";
import { BUNDLES } from "../fixtures/recorded-runs.ts";
import { bundleIn, replayOptions } from "../operations/replayed.ts";
import { dropUnsynced, type Fault, type TraceEntry } from "./disk.ts";
import { beforeRecovery, LEASE } from "./run-checks.ts";
import { crashesOf, powerCutsOf } from "./run-sweeps.ts";
import {
  codeOf,
  endingOf,
  RUN_ID,
  RUN_ROOT,
  RUNS_ROOT,
  RunWorld,
  type Ending,
  type ProcessOptions,
} from "./run-world.ts";
import { control, evenly, isFull, SWEEP_TIMEOUT_MS } from "./sweep.ts";

setDefaultTimeout(SWEEP_TIMEOUT_MS);

const BUNDLE = join(BUNDLES, "live");
const CASES = isFull ? 2_000 : 24;

async function replay(world: RunWorld, faults: Fault[] = [], options?: ProcessOptions): Promise<Ending> {
  const { ports, actor, observer, signals } = world.process("replayer", options);
  actor.files.plan(...faults);
  const driver = fixtureDriver(bundleIn(BUNDLE));
  const replaying = { ...ports, inputs: { read: readSmallFile }, loadDriver: async () => driver };
  const asked = replayOptions(BUNDLE, RUNS_ROOT, { runId: RUN_ID, lease: LEASE });
  const ending = await endingOf(() => startRun(replaying, asked, observer, signals));
  actor.kill();
  return ending;
}

/** What is wrong with the run once the same replay was given again. */
async function givenAgain(world: RunWorld): Promise<string[]> {
  const code = codeOf(await replay(world));
  const { ports } = world.process("looker");
  const { manifest } = await ports.store.look(RUN_ROOT);
  const digest = manifest.report_versions[0]?.digest;
  return [
    ...(code === "ok" ? [] : [`it ends with ${code}`]),
    ...(digest === bundleIn(BUNDLE).report_digest ? [] : [`another report: ${digest}`]),
    ...(await verifyRun(ports, RUN_ROOT).then(
      () => [],
      (error: unknown) => [String(error)],
    )),
  ];
}

let trace: readonly TraceEntry[];
beforeAll(async () => {
  const world = new RunWorld();
  expect(codeOf(await replay(world))).toBe("ok");
  trace = world.world.disk.trace;
});

test("killed before, in or after an effect", async () => {
  const killed = async (fault: Fault): Promise<string[]> => {
    const world = new RunWorld();
    const ending = await replay(world, [fault]);
    return [...(await beforeRecovery(world, ending)), ...(await givenAgain(world))];
  };
  expect(await control(evenly(crashesOf(trace), CASES), killed)).toBe("");
});

test("without power behind an effect", async () => {
  const cut = async ({ at }: { at: number }): Promise<string[]> => {
    const world = new RunWorld();
    await replay(world, [{ kind: "crash-after", at }]);
    world.world.powerCut(dropUnsynced);
    // The lease of another boot runs out by the clock.
    world.world.clock.suspend((LEASE.lease_seconds + 1) * 1000);
    return await givenAgain(world);
  };
  const cuts = powerCutsOf(trace).filter(({ seed }) => seed === null);
  expect(await control(evenly(cuts, CASES), cut)).toBe("");
});

test("control: a run that is made without what its bundle brings does not come to its end", async () => {
  const emptyHanded: ProcessOptions = {
    wrapStore: (store) => ({
      ...store,
      createOwned: (runRoot, drafts, options) => store.createOwned(runRoot, drafts, options),
    }),
  };
  expect(codeOf(await replay(new RunWorld(), [], emptyHanded))).toBe("MISSING_ARTIFACT");
});
