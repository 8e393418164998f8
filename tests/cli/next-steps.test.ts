// Printed commands are short where that works, and a chain of them never leads back to where it began.
import fs from "node:fs";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { listText } from "../../src/cli/commands/list.ts";
import { statusText } from "../../src/cli/text/status-text.ts";
import { RunError } from "../../src/kernel/errors.ts";
import { adviceOn } from "../../src/surface/fault-advice.ts";
import { PLAIN } from "../../src/cli/terminal/style.ts";
import { triageText } from "../../src/cli/commands/triage.ts";
import { listRuns } from "../../src/operations/look/list-runs.ts";
import { standingOf } from "../../src/operations/look/standing.ts";
import { statusFrom, statusOf } from "../../src/operations/look/status.ts";
import { tickAll } from "../../src/operations/change/tick-all.ts";
import { triageAll } from "../../src/operations/look/triage-all.ts";
import { triageRun } from "../../src/operations/look/triage-run.ts";
import {
  makeCompletedRun,
  makeRun,
  temporaryFolder,
  testPorts,
  tickStarted,
  TO_PAUSED,
  TO_RUNNING,
  withWriter,
} from "../operations/made-run.ts";
import { DOCUMENTS, QUESTION } from "../simulation/run-world.ts";
import { envelopeIn } from "./envelope.ts";
import { later } from "../operations/later.ts";
import { cli } from "./fake-host.ts";

setDefaultTimeout(600_000);

const ports = testPorts();

describe("a printed command", () => {
  test("is the name and the id where the PATH and the default root lead there, and whole in JSON", async () => {
    using folder = temporaryFolder();
    await makeRun(ports, folder.path, "dr_1");
    const environment = { DEEP_RESEARCH_RUNS_ROOT: folder.path };
    const last = async (isOnPath: boolean, ...argv: string[]): Promise<string> =>
      (await cli(argv, { environment, isOnPath })).stdout.trimEnd().split("\n").at(-1) ?? "";
    expect(await last(true, "status", "dr_1")).toBe("    deep-research run dr_1");
    expect(await last(false, "status", "dr_1")).toBe(`    deep-research run ${folder.path}/dr_1`);
    const { result } = envelopeIn(`${await last(true, "status", "dr_1", "--json")}\n`);
    expect(result).toMatchObject({ next_commands: [`deep-research run ${folder.path}/dr_1`] });
  });

  test("names the run by its path where no id finds it from any folder", async () => {
    using folder = temporaryFolder();
    const runRoot = await makeRun(ports, folder.path, "dr_1");
    fs.writeFileSync(`${folder.path}/deep-research.json`, JSON.stringify({ runs_root: "." }));
    for (const environment of [{}, { DEEP_RESEARCH_RUNS_ROOT: "." }]) {
      const { stdout } = await cli(["status", runRoot], { isOnPath: true, workingFolder: folder.path, environment });
      expect(stdout).toEndWith(`\n    deep-research run ${runRoot}\n`);
    }
  });

  test("names a run in a renamed folder by what finds it", async () => {
    using folder = temporaryFolder();
    const environment = { DEEP_RESEARCH_RUNS_ROOT: folder.path };
    const inOwn = await makeRun(ports, folder.path, "dr_1");
    const renamed = await makeRun(ports, folder.path, "dr_2", "kept");
    const misleading = await makeRun(ports, folder.path, "dr_3", "dr_4");
    for (const [runRoot, named] of [
      [inOwn, "dr_1"],
      [renamed, renamed],
      [misleading, misleading],
    ] as const) {
      const { stdout } = await cli(["status", runRoot], { environment, isOnPath: true });
      const command = stdout.trimEnd().split("\n").at(-1)?.trim() ?? "";
      expect(command).toBe(`deep-research run ${named}`);
      const found = await cli(["status", ...command.split(" ").slice(2), "--json"], { environment });
      expect(envelopeIn(found.stdout).contract.run_root).toBe(runRoot);
    }
  });
});

test("status of a run whose owner is silent says until when the lease holds, and the next step", async () => {
  using folder = temporaryFolder();
  const root = await makeRun(ports, folder.path, "dr_1");
  const late = later(ports, 74_000);
  await withWriter(ports, root, async (writer) => {
    await writer.commit([TO_RUNNING, tickStarted(ports)]);
    const run = await late.store.look(root);
    const standing = standingOf(late, run);
    const status = statusText(run, statusFrom(run), standing, PLAIN);
    expect(status).toStartWith("dr_1  running, but its owner does not answer\n");
    expect(status).toMatch(/does not answer\. Its lease holds until 2\d{3}-.* UTC;/);
    for (const words of [status, triageText((await triageRun(late, root)).result, PLAIN)])
      expect(words).toEndWith(`deep-research run ${root}\n`);
    const { result } = await listRuns(late, folder.path);
    expect(listText(result, false, null, PLAIN)).toContain("running, but its owner does not answer");
  });
});

test("an owner without a sign of life is not called well, and tick --all says that it passed it by", async () => {
  using folder = temporaryFolder();
  const root = await makeRun(ports, folder.path, "dr_1");
  const after = (seconds: number) => later(ports, seconds * 1000);
  await withWriter(ports, root, async (writer) => {
    await writer.commit([TO_RUNNING, tickStarted(ports)]);
    const conditionIn = async (seconds: number) => (await triageRun(after(seconds), root)).result.findings[0].condition;
    expect([await conditionIn(0), await conditionIn(55), await conditionIn(74)]).toEqual([
      "working",
      "working",
      "silent",
    ]);
    const { lease, owner_is_silent } = (await statusOf(after(74), root)).result;
    expect([owner_is_silent, (await statusOf(after(55), root)).result.owner_is_silent]).toEqual([true, false]);
    expect(lease.held_by?.heartbeat_age_s).toBeWithin(73, 77);
    expect((await triageAll(after(74), folder.path)).result.runs.map(({ run_id }) => run_id)).toEqual(["dr_1"]);
    const { runs } = (await tickAll(after(74), folder.path, { jobs: 1 }, {})).result;
    expect(runs).toMatchObject([{ run_id: "dr_1", outcome: "not_answering", stage: "init", error: null }]);
    expect((await tickAll(ports, folder.path, { jobs: 1 }, {})).result.runs).toEqual([]);
  });
});

describe("a chain of next commands leads on", () => {
  test("from a timeout: a refused command names the same fork as status", async () => {
    using folder = temporaryFolder();
    const docs = `${folder.path}/docs`;
    fs.mkdirSync(docs);
    for (const [name, text] of DOCUMENTS) fs.writeFileSync(`${docs}/${name}`, text);
    const environment = { DEEP_RESEARCH_STAGE_TIMEOUT_SECONDS: "0.001" };
    // A run that is done between two steps of the uptime is not late.
    let runRoot = "";
    for (let code = 0, tries = 1; code === 0; tries++) {
      runRoot = `${folder.path}/runs/late-${tries}`;
      const named = ["--corpus", docs, "--runs-root", `${folder.path}/runs`, "--run-id", `late-${tries}`];
      ({ code } = await cli(["start", QUESTION, ...named, "--mode", "quick"], { environment }));
    }
    const { result } = envelopeIn((await cli(["status", runRoot, "--json"])).stdout);
    const [fork] = (result as { next_commands: string[] }).next_commands;
    expect(fork).toMatch(/fork .* --stage-timeout \d+$/);
    for (const verb of ["resume", "tick"]) expect((await cli([verb, runRoot])).stderr).toContain(`${fork}\n`);
  });

  test("from damage that a repair could not mend: everywhere to a fork", async () => {
    using folder = temporaryFolder();
    const root = await makeCompletedRun(ports, folder.path, "dr_1");
    const [source = ""] = fs.readdirSync(`${root}/sources`);
    fs.rmSync(`${root}/sources/${source}`);
    expect((await cli(["verify", root])).stderr).toContain(`deep-research repair ${root} --dry-run\n`);
    expect((await cli(["repair", root])).code).toBe(12);
    const told = [
      (await cli(["verify", root])).stderr,
      (await cli(["triage", root])).stdout,
      (await cli(["triage", "--all", "--runs-root", folder.path])).stdout,
      (await cli(["status", root])).stdout,
    ];
    for (const words of told) {
      expect(words.match(/deep-research .*\n/)?.[0]).toBe(`deep-research fork ${root}\n`);
      expect(words).not.toContain("deep-research repair");
    }
    expect(told[1]).not.toContain("deep-research report show");

    using documents = temporaryFolder();
    for (const [name, text] of DOCUMENTS) fs.writeFileSync(`${documents.path}/${name}`, text);
    const made = await cli(["fork", root, "--corpus", documents.path, "--json"]);
    const forked = envelopeIn(made.stdout).contract.run_root ?? "";
    expect((await cli(["triage", root])).stdout.match(/deep-research .*\n/)?.[0]).toBe(`deep-research run ${forked}\n`);
    await withWriter(ports, forked, async (writer) => void (await writer.commit([TO_RUNNING])));
    const all = (await cli(["triage", "--all", "--runs-root", folder.path])).stdout;
    expect(all).toContain(
      "no run needs attention; 2 runs: 1 damaged, 1 between ticks; 1 of them continued in a fork\n",
    );
    const one = (await cli(["triage", root])).stdout;
    expect(one).toContain(`deep-research status ${forked}\n`);
    expect(one).not.toContain("deep-research fork");
    for (const look of ["status", "inspect"]) {
      const words = (await cli([look, root])).stdout;
      expect(words.match(/deep-research .*\n/g)).toEqual([`deep-research status ${forked}\n`]);
      expect(words).toContain(`continued in  ${envelopeIn(made.stdout).contract.run_id}\n`);
    }
  });

  test("from a refused resume of a failed run, and from a damaged one that is paused: to the fork that there is", async () => {
    using folder = temporaryFolder();
    const failed = await makeRun(ports, folder.path, "dr_failed");
    const failure = {
      kind: "state.changed" as const,
      data: { from: "running" as const, to: "failed" as const, reason: "test" },
    };
    await withWriter(ports, failed, async (writer) => void (await writer.commit([TO_RUNNING, failure])));
    const paused = await makeRun(ports, folder.path, "dr_paused");
    await withWriter(ports, paused, async (writer) => void (await writer.commit([TO_RUNNING, TO_PAUSED])));
    fs.writeFileSync(`${paused}/manifest.json`, "{}");
    expect((await cli(["resume", failed])).stderr).toContain(`deep-research fork ${failed}`);
    for (const root of [failed, paused]) {
      const created = (await ports.store.records(root))[0];
      if (created?.kind !== "run.created") throw new Error("no first record");
      const run_id = `${created.data.run_id}_fork`;
      const forked_from = { run_id: created.data.run_id, seq: 1, digest: created.digest, offers: null };
      const data = { ...created.data, run_id, forked_from };
      await ports.store.create(`${folder.path}/${run_id}`, [{ kind: "run.created", data }], []);
    }
    const first = (words: string): string | undefined => words.match(/deep-research .*\n/)?.[0];
    expect(first((await cli(["resume", failed])).stderr)).toBe(`deep-research run ${failed}_fork\n`);
    for (const root of [failed, paused])
      await withWriter(ports, `${root}_fork`, async (writer) => void (await writer.commit([TO_RUNNING])));
    const refused = (await cli(["resume", failed])).stderr;
    expect(refused.match(/deep-research .*\n/g)).toEqual([`deep-research status ${failed}_fork\n`]);
    for (const look of ["status", "triage"]) {
      const words = (await cli([look, paused])).stdout;
      expect(new Set(words.match(/deep-research .*\n/g))).toEqual(new Set([`deep-research status ${paused}_fork\n`]));
    }
    const all = (await cli(["triage", "--all", "--runs-root", folder.path])).stdout;
    expect(all).toContain("2 of them continued in a fork\n");
  });

  test("from a stop of a run that has not begun: abort to its removal, pause to its start", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_1");
    const paused = await cli(["pause", root]);
    expect([paused.code, paused.stderr]).toEqual([1, expect.stringContaining("not begun: there is nothing to pause")]);
    expect(paused.stderr).toEndWith(`deep-research run ${root}\n`);
    const { code, stderr } = await cli(["abort", root, "--yes"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("not begun: there is nothing to abort")]);
    expect(stderr).toEndWith(`deep-research remove ${root} --yes\n`);
    expect((await cli(["remove", root, "--yes"])).code).toBe(0);
  });

  test("a question that was not filled in makes no fork", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_1");
    const { code, stderr } = await cli(["fork", root, "--question", "..."]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("put your own between the quotes")]);
  });
});

test("a pause that waits for an owner says for whom and how long", async () => {
  using folder = temporaryFolder();
  const root = await makeRun(ports, folder.path, "dr_1");
  await withWriter(ports, root, async (writer) => {
    await writer.commit([TO_RUNNING, tickStarted(ports)]);
    const { code, stderr } = await cli(["pause", root, "--wait", "1"]);
    expect(code).toBe(4);
    expect(stderr).toMatch(
      new RegExp(`^waiting for process ${process.pid} on .*, last heartbeat .* ago; at most 1 s in all`),
    );
    expect((await cli(["pause", root, "--wait", "1", "--quiet"])).stderr).not.toContain("waiting for");
  });
});

test("a report that is asked for where nothing was found leads to what the run can still do", () => {
  const verbs = (state: string): string[] =>
    adviceOn(new RunError("NO_EVIDENCE.no_report", { reason: "nothing", run_root: "/runs/dr_1", state }), {
      isRepaired: false,
    }).steps.map(({ verb }) => verb);
  for (const state of ["aborted", "failed", "completed"]) expect([state, verbs(state)]).toEqual([state, ["fork"]]);
  for (const state of ["paused", "interrupted"]) expect([state, verbs(state)]).toEqual([state, ["resume"]]);
});
