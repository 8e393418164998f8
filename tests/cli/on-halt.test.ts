// on_halt: a program of the user's runs once per halt, after the lease is free, and changes nothing about the run.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import {
  temporaryFolder,
  testPorts,
  tickStarted,
  TO_RUNNING,
  UPTIME_STEP_MS,
  withWriter,
} from "../operations/made-run.ts";
import { runProgram } from "../../src/system/programs.ts";
import { cli, type Told } from "./fake-host.ts";
import { envelopeIn } from "./envelope.ts";

const QUESTION = "How are command line options parsed?";

/** What one call of the hook leaves behind: its environment, what it read, and who held the lease. */
const HOOK = `#!/bin/sh
n=$(ls "$HOME/calls" | wc -l)
{ env; } > "$HOME/calls/$n.env"
cat > "$HOME/calls/$n.json"
cat "$DEEP_RESEARCH_RUN_ROOT/.lock" > "$HOME/calls/$n.lock"
`;

interface Place extends Disposable {
  path: string;
  runs: string;
  calls(kind: "env" | "json" | "lock"): string[];
  run(argv: string[], environment?: Record<string, string>): Promise<Told>;
}

function place(hook = HOOK, onHalt?: unknown): Place {
  const folder = temporaryFolder();
  const { path } = folder;
  fs.mkdirSync(`${path}/calls`);
  fs.mkdirSync(`${path}/docs`);
  fs.writeFileSync(`${path}/docs/a.md`, "# Bread\n\nBread is baked from flour and water.\n");
  fs.writeFileSync(`${path}/hook`, hook, { mode: 0o755 });
  fs.mkdirSync(`${path}/.config/deep-research`, { recursive: true });
  const settings = { on_halt: onHalt ?? [`${path}/hook`] };
  fs.writeFileSync(`${path}/.config/deep-research/config.json`, JSON.stringify(settings));
  return {
    path,
    runs: `${path}/runs`,
    calls: (kind) =>
      fs
        .readdirSync(`${path}/calls`)
        .filter((name) => name.endsWith(`.${kind}`))
        .sort()
        .map((name) => fs.readFileSync(`${path}/calls/${name}`, "utf8")),
    run: async (argv, environment = {}) =>
      await cli([...argv, "--runs-root", `${path}/runs`], {
        workingFolder: path,
        environment: { HOME: path, PATH: process.env["PATH"] ?? "", ...environment },
      }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

describe("start, tick and watchdog", () => {
  test("a halt is told once, by who raised it, with its facts and nothing of the environment", async () => {
    using here = place();
    const { code, stdout } = await here.run(["start", QUESTION, "--corpus", "docs", "--json"]);
    expect(code).toBe(3);
    const { contract, halt } = envelopeIn(stdout);
    expect(here.calls("json").map((text) => JSON.parse(text) as unknown)).toMatchObject([
      { schema_version: "halt.v1", kind: "no_evidence", run_id: contract.run_id, next_commands: halt?.next_commands },
    ]);
    const variables = (here.calls("env")[0] ?? "").split("\n").filter((line) => line.startsWith("DEEP_RESEARCH_"));
    expect(variables.sort()).toEqual([
      "DEEP_RESEARCH_HALT_KIND=no_evidence",
      `DEEP_RESEARCH_HALT_PATH=${contract.manifest_path}`,
      `DEEP_RESEARCH_RUN_ID=${contract.run_id}`,
      `DEEP_RESEARCH_RUN_ROOT=${contract.run_root}`,
    ]);
    const names = (here.calls("env")[0] ?? "").split("\n").map((line) => line.split("=")[0] ?? "");
    const ofTheShell = ["PWD", "OLDPWD", "SHLVL", "_", ""];
    expect(names.filter((name) => !name.startsWith("DEEP_RESEARCH_") && !ofTheShell.includes(name)).sort()).toEqual([
      "HOME",
      "PATH",
    ]);
    expect(JSON.parse(here.calls("lock")[0] ?? "")).toHaveProperty("released_at");
    // Who only finds the halt raises none.
    for (const argv of [["tick"], ["run"], ["tick", "--all"], ["status"], ["triage"]]) await here.run(argv);
    expect(here.calls("json")).toHaveLength(1);
    await here.run(["resume"]);
    expect(here.calls("json")).toHaveLength(2);
  });

  test("a sweep tells of each run that it ended", async () => {
    using here = place();
    const ports = testPorts();
    const environment = { DEEP_RESEARCH_STAGE_TIMEOUT_SECONDS: "0.001" };
    for (const id of ["a", "b"]) {
      await here.run(["init", QUESTION, "--corpus", "docs", "--run-id", id], environment);
      const work = [TO_RUNNING, tickStarted(ports)];
      await withWriter(ports, `${here.runs}/${id}`, async (writer) => void (await writer.commit(work)));
    }
    await Bun.sleep(UPTIME_STEP_MS * 2);
    expect((await here.run(["watchdog", "--strict"])).code).toBe(1);
    const told = here.calls("json").map((text) => JSON.parse(text) as { run_id: string; schema_version: string });
    expect(told.map(({ run_id }) => run_id).sort()).toEqual(["a", "b"]);
    expect(told[0]?.schema_version).toBe("halt.timeout.v1");
    expect(here.calls("env")[0]).toMatch(/HALT_PATH=.*\/runs\/.\/logs\/halt\.timeout\.v1\.json\n/);
    await here.run(["watchdog", "--strict"]);
    expect(here.calls("json")).toHaveLength(2);
  });
});

describe("a hook that misbehaves", () => {
  test("its failure is a note on stderr: the run, the answer and the exit status stay what they were", async () => {
    for (const [hook, words] of [
      ["#!/bin/sh\necho no mail server >&2; exit 7\n", "ended with 7: no mail server"],
      ["#!/bin/sh\nkill -9 $$\n", "was ended (signal)"],
      ["#!/nowhere/at/all\n", "could not be started"],
    ] as const) {
      using here = place(hook);
      const { code, stdout, stderr } = await here.run(["start", QUESTION, "--corpus", "docs", "--json"]);
      expect([code, envelopeIn(stdout).error?.code]).toEqual([3, "NO_EVIDENCE"]);
      expect(stderr).toStartWith(`note: on_halt (${here.path}/hook) for dr_`);
      expect(stderr).toContain(words);
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    }
  });

  test("no hook, no program; a run that ends well tells nobody", async () => {
    using here = place(HOOK);
    fs.writeFileSync(`${here.path}/docs/b.md`, "# Options\n\nCommand line options are parsed from left to right.\n");
    expect((await here.run(["start", QUESTION, "--corpus", "docs"])).code).toBe(0);
    expect(here.calls("json")).toEqual([]);
  });
});

describe("a program", () => {
  const options = { input: "", environment: { PATH: process.env["PATH"] ?? "" }, workingFolder: "/", limitMs: 60_000 };

  test("that takes too long is ended with its children", async () => {
    using folder = temporaryFolder();
    const words = ["sh", "-c", `sleep 600 & echo $! > ${folder.path}/child; echo $$ > ${folder.path}/ready; wait`];
    const controller = new AbortController();
    const ending = runProgram(words, { ...options, signal: controller.signal });
    while (!fs.existsSync(`${folder.path}/ready`)) await Bun.sleep(UPTIME_STEP_MS * 2);
    controller.abort();
    expect(await ending).toMatchObject({ kind: "killed", why: "stopped" });
    const child = Number(fs.readFileSync(`${folder.path}/child`, "utf8"));
    while (testPorts().processes.facts(child).kind === "alive") await Bun.sleep(UPTIME_STEP_MS * 2);
    expect(await runProgram(["sleep", "600"], { ...options, limitMs: 1 })).toMatchObject({ why: "too long" });
  });

  test("need not read its input, and may leave something behind that holds its pipes", async () => {
    const input = "x".repeat(1_000_000);
    expect(await runProgram(["true"], { ...options, input })).toMatchObject({ kind: "ended", status: 0 });
    const left = await runProgram(["sh", "-c", "sleep 30 & exit 3"], options);
    expect(left).toMatchObject({ kind: "ended", status: 3 });
    expect(await runProgram(["/nowhere/at/all"], options)).toMatchObject({ kind: "not_started" });
    // More than any system takes is refused before there is a process.
    expect(await runProgram(["true", "x".repeat(10_000_000)], options)).toMatchObject({ kind: "not_started" });
  });
});
