// Counts the files that a look at one run opens on the simulated disk, however the run is named.
import { expect, test } from "bun:test";
import { runCli } from "../../src/cli/program.ts";
import { findRun } from "../../src/operations/look/locate-run.ts";
import { statusOf } from "../../src/operations/look/status.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { FakeHost } from "../cli/fake-host.ts";
import { RUN_ID, RUN_ROOT, RUNS_ROOT, RunWorld, start, STEP } from "../orchestrator/at-work.ts";

const world = new RunWorld();
await start(world);

/** How often the manifest and the journal of the run were opened. */
async function opensOf(look: (ports: Ports) => Promise<unknown>): Promise<[number, number]> {
  const { trace } = world.world.disk;
  const before = trace.length;
  await look(world.process("look").ports);
  const opened = trace.slice(before).filter(({ effect }) => effect.startsWith("open-"));
  const timesOf = (name: string): number => opened.filter(({ path }) => path === `${RUN_ROOT}/${name}`).length;
  return [timesOf("manifest.json"), timesOf("journal.jsonl")];
}

const NAMED = {
  "by its id": [RUN_ID, "--runs-root", RUNS_ROOT],
  "by the beginning of its id": [RUN_ID.slice(0, -1), "--runs-root", RUNS_ROOT],
  "by its path": [RUN_ROOT],
  "as the newest": ["--runs-root", RUNS_ROOT],
};

/**
 * How often the manifest and the journal are opened. `triage` looks again, to read all of the journal. Of a step `inspect` reads
 * the records as well: for its attempts, and for its conversations.
 */
const OPENS = { status: [1, 1], triage: [2, 2], inspect: [1, 1], [`inspect --step ${STEP}`]: [1, 3] };

for (const [name, words] of Object.entries(NAMED))
  test(`a run named ${name} is not looked at more often than needed`, async () => {
    for (const [command, expected] of Object.entries(OPENS)) {
      const host = new FakeHost([...command.split(" "), ...words, "--json"]);
      const opens = await opensOf(async (ports) => expect(await runCli(host, async () => () => ports)).toBe(0));
      expect([command, ...opens]).toEqual([command, ...expected]);
    }
  });

test("control: an operation that is not given what was seen reads it again", async () => {
  const opens = await opensOf(
    async (ports) =>
      await statusOf(ports, (await findRun(ports, { runsRoot: RUNS_ROOT, ref: RUN_ID }, "newest")).runRoot),
  );
  expect(opens).toEqual([2, 2]);
});
