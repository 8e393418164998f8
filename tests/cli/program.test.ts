// The command line over real runs: envelopes, exit statuses, streams, colours.
import { describe, expect, test } from "bun:test";
import {
  makeCompletedRun,
  makeRun,
  noEvidenceHalt,
  temporaryFolder,
  testPorts,
  TO_RUNNING,
  withWriter,
} from "../operations/made-run.ts";
import { cli } from "./fake-host.ts";
import { envelopeIn } from "./envelope-schema.ts";

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
    expect(stderr).toContain("next: ");
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
    expect((await cli(["status", "--runs-root", folder.path])).stdout).toContain("running, halted: no_evidence");
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

test("common options may stand before the command", async () => {
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
