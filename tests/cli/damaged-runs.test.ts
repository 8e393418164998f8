// A run that is damaged: what a command met is said by every look afterwards, and no command over many runs ends because of it.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fs from "node:fs";
import { flipAt, flipInJournal } from "../operations/damaged-run.ts";
import {
  makeCompletedRun,
  makeRun,
  temporaryFolder,
  testPorts,
  TO_PAUSED,
  TO_RUNNING,
  withWriter,
  type TemporaryFolder,
} from "../operations/made-run.ts";
import { envelopeIn } from "./envelope.ts";
import { cli, type Told } from "./fake-host.ts";

const ports = testPorts();
let folder: TemporaryFolder;
const runsRoot = (): string => `${folder.path}/runs`;

beforeEach(() => void (folder = temporaryFolder()));
afterEach(() => folder[Symbol.dispose]());

const run = async (...argv: string[]): Promise<Told> =>
  await cli([...argv, ...(argv[1]?.startsWith("/") ? [] : ["--runs-root", runsRoot()])], {
    environment: { HOME: folder.path },
  });

async function pausedRun(id: string): Promise<string> {
  const runRoot = await makeRun(ports, runsRoot(), id);
  await withWriter(ports, runRoot, async (writer) => void (await writer.commit([TO_RUNNING, TO_PAUSED])));
  return runRoot;
}

const FIRST_COMMAND = /deep-research (?!triage)\S.*/;

/** Everything below a folder but times of access: a look may not change it. */
function stateOf(path: string): string[] {
  return fs
    .readdirSync(path, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => `${name} ${fs.statSync(`${path}/${name}`).mtimeMs} ${fs.statSync(`${path}/${name}`).size}`);
}

describe("a journal with a flipped byte", () => {
  test("of a run that is paused: triage, triage --all and then every look name it and what helps; repair ends it", async () => {
    const runRoot = await pausedRun("dr_1");
    expect((await run("triage", "--all")).stdout).toContain("dr_1  paused");
    flipInJournal(runRoot, "lease.taken");
    const before = stateOf(runRoot);
    for (const argv of [
      ["triage", "--all"],
      ["triage", runRoot],
      ["status", runRoot],
    ]) {
      const { stdout } = await run(...argv);
      expect([argv, stdout]).toEqual([argv, expect.stringContaining("damaged")] as never);
      expect(stdout.match(FIRST_COMMAND)?.[0]).toBe(`deep-research verify ${runRoot}`);
      expect(stdout).toContain(`deep-research ${argv[1] === "--all" ? "verify" : "repair"} ${runRoot}`);
    }
    expect((await run("list")).stdout).toContain("paused, damaged");
    expect(stateOf(runRoot)).toEqual(before);
    expect((await run("repair", runRoot, "--yes")).code).toBe(0);
    expect((await run("list")).stdout).not.toContain("damaged");
    expect((await run("triage", runRoot)).stdout).not.toContain("damaged");
  });

  test("of a run that has ended: found by triage RUN, by --deep, and by whatever else reads it; known to every look from then on", async () => {
    const runRoot = await makeCompletedRun(ports, runsRoot(), "dr_1");
    flipInJournal(runRoot, "source.stored");
    for (const find of [
      ["triage", runRoot],
      ["triage", "--all", "--deep"],
      ["watch", runRoot],
      ["verify", runRoot],
    ]) {
      fs.rmSync(`${folder.path}/.cache`, { recursive: true, force: true });
      // Control: a look that reads only the fold does not see it.
      expect((await run("triage", "--all")).stdout).toContain("no run needs attention");
      await run(...find);
      for (const look of [["list"], ["status", runRoot], ["triage", "--all"]])
        expect([find, look, (await run(...look)).stdout]).toEqual([
          find,
          look,
          expect.stringContaining("damaged"),
        ] as never);
      expect((await run("triage", "--all")).stdout).toContain(`deep-research verify ${runRoot}`);
    }
  });

  test("in one run takes no command over many runs down", async () => {
    const damaged = await makeCompletedRun(ports, runsRoot(), "dr_1");
    const other = await pausedRun("dr_2");
    const unreadable = await pausedRun("dr_3");
    for (const root of [damaged, unreadable]) flipInJournal(root, "lease.taken");
    fs.rmSync(`${unreadable}/manifest.json`);
    const watched = await run("watch");
    expect([watched.code, watched.stdout]).toEqual([
      0,
      `dr_1  damaged: deep-research verify ${damaged}\ndr_3  damaged: deep-research verify ${unreadable}\nno run is at work\n`,
    ]);
    expect(envelopeIn((await run("watch", "--json")).stdout).result).toMatchObject({ damaged: [damaged, unreadable] });
    for (const command of ["list", "tick --all", "watchdog", "triage --all", "triage --all --deep"]) {
      const { code, stderr, stdout } = await run(...command.split(" "));
      expect([command, code === 0 || command === "tick --all", stderr]).toEqual([command, true, expect.anything()]);
      if (!/tick|watchdog/.test(command)) expect(stdout).toContain("dr_2");
    }
    expect((await run("status", other)).code).toBe(0);
  });

  test("is forgotten when the run is brought back, and a note that cannot be kept costs nothing", async () => {
    const runRoot = await makeCompletedRun(ports, runsRoot(), "dr_1");
    fs.cpSync(runRoot, `${folder.path}/backup`, { recursive: true, preserveTimestamps: true });
    flipInJournal(runRoot, "source.stored");
    expect((await run("verify", runRoot)).code).toBe(12);
    expect((await run("list")).stdout).toContain("damaged");
    fs.rmSync(runRoot, { recursive: true });
    fs.cpSync(`${folder.path}/backup`, runRoot, { recursive: true, preserveTimestamps: true });
    expect((await run("list")).stdout).not.toContain("damaged");
    flipInJournal(runRoot, "source.stored");
    fs.rmSync(`${folder.path}/.cache`, { recursive: true });
    fs.writeFileSync(`${folder.path}/.cache`, "no folder");
    expect((await run("verify", runRoot)).code).toBe(12);
    expect((await run("triage", runRoot)).stdout).toContain("does not verify");
    expect((await run("list")).code).toBe(0);
  });
});

test("a source that verify found altered is known to list, status and triage --all, until it is as it was", async () => {
  const runRoot = await makeCompletedRun(ports, runsRoot(), "dr_1");
  const text = fs.readdirSync(`${runRoot}/sources`).find((name) => name.endsWith(".txt")) ?? "";
  flipAt(`${runRoot}/sources/${text}`, 3);
  expect((await run("triage", "--all")).stdout).toContain("no run needs attention");
  expect((await run("verify", runRoot)).code).toBe(12);
  for (const look of [["list"], ["status", runRoot], ["triage", "--all"]])
    expect([look, (await run(...look)).stdout]).toEqual([look, expect.stringContaining("damaged")] as never);
  flipAt(`${runRoot}/sources/${text}`, 3);
  expect((await run("triage", "--all")).stdout).toContain("no run needs attention");
});
