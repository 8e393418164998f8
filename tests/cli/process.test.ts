// The command line as real processes: what only a process shows.
import { describe, expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { realHost } from "../../src/system/host.ts";
import { makeRun, temporaryFolder, testPorts } from "../operations/made-run.ts";
import { envelopeIn } from "./envelope.ts";

const MAIN = `${import.meta.dir}/../../src/main.ts`;

function shell(command: string, environment: Record<string, string> = {}) {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["sh", "-c", command], {
    env: { ...process.env, BUN: process.execPath, MAIN, ...environment },
  });
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

describe("a real process", () => {
  test("answers, and prints commands that run as they stand", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(testPorts(), `${folder.path}/a space`, "dr_1");
    const { code, stdout } = shell('"$BUN" "$MAIN" status --json', {
      DEEP_RESEARCH_RUNS_ROOT: `${folder.path}/a space`,
    });
    expect(code).toBe(0);
    const { contract } = envelopeIn(stdout);
    expect(contract.run_root).toBe(root);
    const again = shell(`cd / && ${contract.cli_invocation} status --json --run-root '${root}'`);
    expect(envelopeIn(again.stdout).contract.run_id).toBe("dr_1");
  });

  test("a working folder that is gone is an error, not a stack", () => {
    using folder = temporaryFolder();
    const { code, stdout, stderr } = shell(
      `mkdir ${folder.path}/gone && cd ${folder.path}/gone && rmdir ../gone && "$BUN" "$MAIN" list --json`,
    );
    expect([code, envelopeIn(stdout).error?.code, stderr]).toEqual([2, "INVALID_ARGS", ""]);
  });

  test("a full stdout is an error, not a success", () => {
    const { code, stderr } = shell('"$BUN" "$MAIN" --help > /dev/full');
    expect(code).toBe(1);
    expect(stderr).toContain("ENOSPC");
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test("a reader that goes away is an error, not a stack", () => {
    const { stderr } = shell('{ "$BUN" "$MAIN" --help; echo "exit $?" >&2; } | true; sleep 0.2');
    // The reader may be quick enough to leave first, or not: then all was taken by the pipe.
    expect(stderr).toMatch(/exit (0|1)\n$/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test("a slow reader gets everything", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(testPorts(), folder.path, "dr_1");
    for (let index = 2; index <= 300; index++) cpSync(root, `${folder.path}/copy-${index}`, { recursive: true });
    const { stdout } = shell('"$BUN" "$MAIN" list --json | { sleep 0.3; cat; }', {
      DEEP_RESEARCH_RUNS_ROOT: folder.path,
    });
    expect(stdout.length).toBeGreaterThan(65_536);
    expect(envelopeIn(stdout).result).toMatchObject({ runs: { length: 300 } });
  });
});

test("a terminal that does not know its width is taken for one of ordinary width", () => {
  const known = Object.getOwnPropertyDescriptor(process.stderr, "columns");
  try {
    for (const [value, expected] of [
      [0, 80],
      [undefined, 80],
      [132, 132],
    ] as const) {
      Object.defineProperty(process.stderr, "columns", { value, configurable: true });
      expect(realHost.columns("stderr")).toBe(expected);
    }
  } finally {
    if (known === undefined) Reflect.deleteProperty(process.stderr, "columns");
    else Object.defineProperty(process.stderr, "columns", known);
  }
});
