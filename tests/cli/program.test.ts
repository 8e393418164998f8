// The command line over real runs: envelopes, exit statuses, streams, colours.
import { describe, expect, test } from "bun:test";
import {
  makeCompletedRun,
  makeRun,
  noEvidenceHalt,
  temporaryFolder,
  testPorts,
  TO_PAUSED,
  TO_RUNNING,
  withWriter,
} from "../operations/made-run.ts";
import type { PlainHalt } from "../../src/run/log/halt.ts";
import { cli, type Told } from "./fake-host.ts";
import { envelopeIn } from "./envelope.ts";

const ID = "dr_20260101000000_aaaaaa";
const LOOKS = [
  ["status"],
  ["list"],
  ["inspect"],
  ["triage"],
  ["verify"],
  ["report", "list"],
  ["report", "show"],
  ["watchdog"],
  ["repair", "--dry-run"],
];

function failing(code: string): Error {
  return Object.assign(new Error(code), { code });
}

test("every look answers in one envelope, and says the run that it looked at", async () => {
  using folder = temporaryFolder();
  const root = await makeCompletedRun(testPorts(), folder.path, ID);
  for (const look of LOOKS) {
    const { code, stdout, stderr } = await cli([...look, "--json", "--runs-root", folder.path]);
    expect([look, code, stderr]).toEqual([look, 0, ""]);
    const { ok, command, contract } = envelopeIn(stdout);
    expect([ok, command]).toEqual([true, look.filter((word) => !word.startsWith("-")).join(" ")]);
    if (command === "list" || command === "watchdog") continue;
    expect(contract.run_root).toBe(root);
    if (command !== "repair")
      expect(contract).toMatchObject({ run_id: ID, execution_state: "completed", stage_current: "init" });
  }
});

test("every look answers in text, too, and keeps stderr clean", async () => {
  using folder = temporaryFolder();
  await makeCompletedRun(testPorts(), folder.path, ID);
  for (const look of LOOKS) {
    const { code, stdout, stderr } = await cli([...look, "--runs-root", folder.path]);
    expect([look, code, stderr]).toEqual([look, 0, ""]);
    expect(stdout).toEndWith("\n");
    expect(stdout).not.toMatch(/undefined|NaN|\[object|\u001b/);
  }
});

describe("errors", () => {
  test("a run that is not there: exit 10, the nearest id, no stack", async () => {
    using folder = temporaryFolder();
    await makeRun(testPorts(), folder.path, ID);
    const { code, stdout, stderr } = await cli(["status", "dr_20260101000000_aaaaab", "--runs-root", folder.path]);
    expect([code, stdout]).toEqual([10, ""]);
    expect(stderr).toContain(ID);
    expect(stderr).toContain("\nnext:");
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test("usage errors are JSON where JSON is asked for", async () => {
    const { code, stdout, stderr } = await cli(["status", "--jsn", "--json"]);
    expect([code, stderr]).toEqual([2, ""]);
    expect(envelopeIn(stdout)).toMatchObject({
      ok: false,
      command: "status",
      error: { code: "INVALID_ARGS" },
      contract: { run_id: null },
    });
  });

  test("a damaged run keeps its place in the contract: exit 12", async () => {
    using folder = temporaryFolder();
    const root = await makeCompletedRun(testPorts(), folder.path, ID);
    await Bun.write(`${root}/journal.jsonl`, "garbage\n");
    const { code, stdout } = await cli(["status", "--json", "--runs-root", folder.path]);
    expect(code).toBe(12);
    expect(envelopeIn(stdout)).toMatchObject({
      ok: false,
      contract: { run_root: root },
      error: { code: "INTEGRITY_ERROR" },
    });
  });

  test("a look at a halted run succeeds, and shows the halt", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const root = await makeRun(ports, folder.path, ID);
    await withWriter(ports, root, async (writer) => void (await writer.commit([TO_RUNNING, noEvidenceHalt(root, ID)])));
    const { code, stdout } = await cli(["status", "--json", "--runs-root", folder.path]);
    expect(code).toBe(0);
    expect(envelopeIn(stdout)).toMatchObject({
      ok: true,
      halt: { kind: "no_evidence", path: "manifest.json", blockers: ["nothing was found"] },
    });
    expect((await cli(["status", "--runs-root", folder.path])).stdout).toContain(
      "stopped: no evidence found (needs you)",
    );
  });

  test("work on a halted run does not: exit 3, error and halt together", async () => {
    using folder = temporaryFolder();
    const ports = testPorts();
    const root = await makeRun(ports, folder.path, ID);
    await withWriter(ports, root, async (writer) => void (await writer.commit([TO_RUNNING, noEvidenceHalt(root, ID)])));
    const { code, stdout } = await cli(["tick", "--json", "--runs-root", folder.path]);
    expect(code).toBe(3);
    expect(envelopeIn(stdout)).toMatchObject({
      ok: false,
      error: { code: "NO_EVIDENCE" },
      halt: { kind: "no_evidence" },
      contract: { execution_state: "running" },
    });
  });
});

describe("a filter of list", () => {
  const list = async (...argv: string[]): Promise<Told> => {
    using folder = temporaryFolder();
    const ports = testPorts();
    await makeCompletedRun(ports, folder.path, "dr_completed");
    const paused = await makeRun(ports, folder.path, "dr_paused");
    await withWriter(ports, paused, async (writer) => void (await writer.commit([TO_RUNNING, TO_PAUSED])));
    return await cli(["list", "--runs-root", folder.path, ...argv]);
  };

  test("is heeded, with one state and with several", async () => {
    for (const [argv, ids] of [
      [["--state", "paused"], ["dr_paused"]],
      [["--state=paused"], ["dr_paused"]],
      [
        ["--state", "paused,completed"],
        ["dr_completed", "dr_paused"],
      ],
      [
        ["--state", "paused", "completed"],
        ["dr_completed", "dr_paused"],
      ],
    ] as const) {
      const { runs } = envelopeIn((await list(...argv, "--json")).stdout).result as { runs: { run_id: string }[] };
      expect(runs.map(({ run_id }) => run_id).sort()).toEqual([...ids]);
    }
  });

  test("is refused when there is no such state, and says so when nothing fits", async () => {
    const { code, stderr } = await list("--state", "foo");
    expect(code).toBe(2);
    expect(stderr).toContain('--state "foo": use idle, running');
    expect((await list("--state", "failed")).stdout).toStartWith("no runs like that in ");
  });
});

test("what would not be heeded is refused", async () => {
  for (const argv of [
    ["tick", "--all", ID],
    ["tick", "--all", "--run-id", ID],
    ["tick", "--all", "--max-steps", "1"],
    ["tick", "--all", "--reason", "why"],
    ["tick", "--all", "--jsonl"],
    ["tick", ID, "--jobs", "2"],
    ["triage", "--all", ID],
    ["triage", "--all", "--run-root", "/x"],
    ["run", ID, "--json", "--jsonl"],
  ]) {
    const { code, stdout, stderr } = await cli([...argv, "--runs-root", "/nowhere/at/all"]);
    expect([argv, code]).toEqual([argv, 2]);
    expect(stdout + stderr).toContain("INVALID_ARGS");
  }
});

test("triage and inspect do not name themselves as what comes next, and speak no JSON", async () => {
  using folder = temporaryFolder();
  const ports = testPorts();
  const root = await makeRun(ports, folder.path, ID);
  const { data } = noEvidenceHalt(root, ID) as { data: { halt: PlainHalt } };
  const halt: PlainHalt = {
    ...data.halt,
    last_step: { key: "wave1:overview", state: "completed", attempts: 1 },
    next_commands: ["resume", "inspect", "triage"].map((verb) => `deep-research ${verb} ${root}`),
    details: {
      looked_for: [{ part: "zebras", terms: ["zebra"] }],
      searched: [{ corpus: "docs", documents: 3, partly_read: ["a.pdf: 1 page"] }],
    },
  };
  await withWriter(
    ports,
    root,
    async (writer) => void (await writer.commit([TO_RUNNING, { kind: "halt.raised", data: { halt } }])),
  );
  for (const verb of ["triage", "inspect"]) {
    const { stdout } = await cli([verb, "--runs-root", folder.path]);
    expect(stdout).toContain(`deep-research resume ${root}\n`);
    expect(stdout).not.toContain(`deep-research ${verb} `);
    expect(stdout.replaceAll(`--question "..."`, "")).not.toMatch(/[{}"]/);
  }
  const { stdout } = await cli(["triage", "--runs-root", folder.path]);
  expect(stdout).toContain("last step   wave1:overview (completed, 1 attempt)\n");
  expect(stdout).toContain("looked for  zebras (as zebra)\n");
  expect(stdout).toContain("docs (3 documents; a.pdf: 1 page)");
});

test("a hint names the runs root only where a command would look in another one", async () => {
  using folder = temporaryFolder();
  await makeCompletedRun(testPorts(), folder.path, ID);
  const hint = async (argv: string[], runsRoot: string): Promise<string> =>
    (await cli(["status", ...argv], { environment: { DEEP_RESEARCH_RUNS_ROOT: runsRoot } })).stderr;
  const wanted = ["dr_nope", "--runs-root", folder.path];
  expect(await hint(["dr_nope"], folder.path)).toEndWith("    deep-research list\n");
  expect(await hint(wanted, folder.path)).toEndWith("    deep-research list\n");
  expect(await hint(wanted, "/elsewhere")).toEndWith(`    deep-research list --runs-root ${folder.path}\n`);
  const none = `${folder.path}/none`;
  expect(await hint(["--runs-root", none], "/elsewhere")).toEndWith(`--runs-root ${none} --corpus PATH\n`);
  // Programs may run it with other variables.
  const { stdout } = await cli(["status", "dr_nope", "--json"], {
    environment: { DEEP_RESEARCH_RUNS_ROOT: folder.path },
  });
  expect(envelopeIn(stdout).error?.hint).toEndWith(`deep-research list --runs-root ${folder.path}`);
});

describe("damage", () => {
  test("a report of which a part was altered is not shown", async () => {
    for (const name of ["report.md", "report.json"]) {
      using folder = temporaryFolder();
      const root = await makeCompletedRun(testPorts(), folder.path, ID);
      const file = `${root}/reports/1/${name}`;
      await Bun.write(file, (await Bun.file(file).text()).replace("dash", "dish"));
      const { code, stdout, stderr } = await cli(["report", "show", "--runs-root", folder.path]);
      expect([code, stdout]).toEqual([12, ""]);
      expect(stderr).toContain(name);
    }
  });

  test("after a repair that could not bring everything back, the hint is a fork", async () => {
    using folder = temporaryFolder();
    const root = await makeCompletedRun(testPorts(), folder.path, ID);
    await Bun.file(`${root}/reports/1/report.md`).delete();
    const { code, stderr } = await cli(["repair", "--runs-root", folder.path]);
    expect(code).toBe(12);
    expect(stderr).toContain(`deep-research fork ${root}\n`);
    expect(stderr).not.toContain("--dry-run");
  });
});

describe("stdout that takes nothing", () => {
  for (const errno of ["EPIPE", "ENOSPC"]) {
    for (const json of [[], ["--json"]]) {
      test(`${errno}${json.length > 0 ? " with --json" : ""} is WRITE_FAILED, told on stderr without a stack`, async () => {
        using folder = temporaryFolder();
        const { code, stderr } = await cli(["list", ...json, "--runs-root", folder.path], {
          stdoutError: failing(errno),
        });
        expect(code).toBe(1);
        expect(stderr).toContain("[WRITE_FAILED]");
        expect(stderr).toContain(errno);
        expect(stderr).not.toMatch(/\n\s+at /);
      });
    }
  }
});

test("an error fits the terminal; elsewhere each of its lines stays whole", async () => {
  const argv = ["start", "q", "--corpus", "/nowhere/at/all", "--mode", `${"deep and wide ".repeat(8)}x`];
  const { stderr } = await cli(argv, { terminals: ["stderr"], columns: 60 });
  const lines = Bun.stripANSI(stderr).split("\n");
  for (const line of lines) expect([line, line.length <= 60]).toEqual([line, true]);
  expect(lines[1]).toStartWith("  ");
  const piped = (await cli(argv, { columns: 60 })).stderr;
  expect(piped.split("\n")[0]).toEndWith("[INVALID_ARGS]");
  const flat = (text: string): string => Bun.stripANSI(text).replace(/\s+/g, " ");
  expect(flat(stderr)).toBe(flat(piped));
});

describe("colours", () => {
  const isColoured = async (argv: string[], options: Parameters<typeof cli>[1]): Promise<boolean> => {
    using folder = temporaryFolder();
    await makeRun(testPorts(), folder.path, ID);
    return (await cli(["status", "--runs-root", folder.path, ...argv], options)).stdout.includes("\u001b[");
  };

  test("only on a terminal, without NO_COLOR and --no-color", async () => {
    expect(await isColoured([], { terminals: ["stdout"] })).toBe(true);
    expect(await isColoured([], {})).toBe(false);
    expect(await isColoured(["--no-color"], { terminals: ["stdout"] })).toBe(false);
    expect(await isColoured([], { terminals: ["stdout"], environment: { NO_COLOR: "1" } })).toBe(false);
    expect(await isColoured([], { terminals: ["stdout"], environment: { NO_COLOR: "" } })).toBe(true);
  });
});

test("common options may be before the command", async () => {
  using folder = temporaryFolder();
  await makeRun(testPorts(), folder.path, ID);
  const { stdout } = await cli(["--runs-root", folder.path, "--json", "report", "list", ID]);
  expect(envelopeIn(stdout)).toMatchObject({ ok: true, command: "report list" });
});

test("control characters of a question never reach the terminal", async () => {
  using folder = temporaryFolder();
  const { stderr } = await cli(["status", "\u001b[31mred", "--runs-root", folder.path]);
  expect(stderr).not.toContain("\u001b");
});
