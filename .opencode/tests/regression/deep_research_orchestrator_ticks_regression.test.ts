// The four orchestrator tools: each ticks a run as its stage stands, and a lock that is lost in the middle fails the run.
import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test, type Mock } from "bun:test";
import * as fs from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import { liveDriver } from "../../../src/drivers/live.ts";
import { localDriver } from "../../../src/drivers/local.ts";
import { taskDriver } from "../../../src/drivers/task.ts";
import { z } from "../../../src/kernel/zod.ts";
import { initRun } from "../../../src/operations/make/init-run.ts";
import type { InitOptions } from "../../../src/operations/options.ts";
import { runRun } from "../../../src/operations/change/run-run.ts";
import type { Driver } from "../../../src/ports/driver.ts";
import type { Stage } from "../../../src/run/stage.ts";
import { BUNDLES } from "../../../tests/fixtures/recorded-runs.ts";
import { replayOptions } from "../../../tests/operations/replayed.ts";
import { manifest_write } from "../../tools/deep_research_cli/manifest_write.ts";
import { orchestrator_tick_fixture } from "../../tools/deep_research_cli/orchestrator_tick_fixture.ts";
import { orchestrator_tick_live } from "../../tools/deep_research_cli/orchestrator_tick_live.ts";
import { orchestrator_tick_post_pivot } from "../../tools/deep_research_cli/orchestrator_tick_post_pivot.ts";
import { orchestrator_tick_post_summaries } from "../../tools/deep_research_cli/orchestrator_tick_post_summaries.ts";
import { toolPorts } from "../../tools/deep_research_cli/ports.ts";
import { perspectives_write } from "../../tools/deep_research_cli/perspectives_write.ts";
import { stage_advance } from "../../tools/deep_research_cli/stage_advance.ts";
import type { Tool } from "../../tools/deep_research_cli/tool.ts";
import { watchdog_check } from "../../tools/deep_research_cli/watchdog_check.ts";
import { call, makeRun, readManifest, withTempDir, type SampleRun } from "../helpers/dr-harness.ts";

const LEASE = { lease_seconds: 5, heartbeat_seconds: 0.05, max_consecutive_failures: 2 };
/** Nothing answers there, and nothing is asked: the driver is stood in for. */
const MODELS = { default: { provider: "compatible", name: "none", base_url: "http://127.0.0.1:9/v1" } } as const;

interface Case {
  name: string;
  tool: Tool;
  /** Where the run stands before the tick. */
  stage: Stage;
  next: Stage;
  driver: Driver;
  options?: Partial<InitOptions>;
}

const CASES: Case[] = [
  {
    name: "orchestrator_tick_live",
    tool: orchestrator_tick_live,
    stage: "perspectives",
    next: "wave1",
    driver: liveDriver,
    options: { driver: "live", models: MODELS },
  },
  {
    name: "orchestrator_tick_live of agents outside",
    tool: orchestrator_tick_live,
    stage: "perspectives",
    next: "wave1",
    driver: taskDriver,
    options: { driver: "task" },
  },
  {
    name: "orchestrator_tick_post_pivot",
    tool: orchestrator_tick_post_pivot,
    stage: "citations",
    next: "summaries",
    driver: localDriver,
  },
  {
    name: "orchestrator_tick_post_summaries",
    tool: orchestrator_tick_post_summaries,
    stage: "synthesis",
    next: "review",
    driver: localDriver,
  },
  {
    name: "orchestrator_tick_fixture",
    tool: orchestrator_tick_fixture,
    stage: "perspectives",
    next: "wave1",
    driver: localDriver,
  },
];

const CACHE = "DEEP_RESEARCH_CACHE_DIR";
const ownCache = process.env[CACHE];

// These tools work with the index that the surroundings name, and this user's own is none of a test's.
beforeAll(async () => {
  process.env[CACHE] = await fs.mkdtemp(path.join(os.tmpdir(), "deep-research-cache-"));
});

afterAll(async () => {
  await fs.rm(String(process.env[CACHE]), { recursive: true, force: true });
  if (ownCache === undefined) delete process.env[CACHE];
  else process.env[CACHE] = ownCache;
});

const perform = localDriver.perform.bind(localDriver);
let stoodIn: Mock<Driver["perform"]> | null = null;
afterEach(() => stoodIn?.mockRestore());

/** The driver does something to the run in the middle of its step, and then what the local driver does. */
function standIn(driver: Driver, incident: (signal: AbortSignal) => Promise<void>): void {
  const work: Driver["perform"] = async (kind, input, tools) => {
    await incident(tools.signal);
    return await perform(kind, input, tools);
  };
  stoodIn = spyOn(driver, "perform").mockImplementation(work);
}

async function runAt(base: string, { stage, options = {} }: Case): Promise<SampleRun> {
  const run = await makeRun(base, { lease: LEASE, ...options });
  if (stage !== "perspectives") await runRun(run.ports, run.runRoot, { untilStage: stage }, {});
  return run;
}

describe("orchestrator tools", () => {
  for (const one of CASES) {
    test(`${one.name}: a lock that is removed in the middle of the tick fails the run`, () =>
      withTempDir(async (base) => {
        const run = await runAt(base, one);
        standIn(one.driver, async (signal) => {
          await fs.rm(path.join(run.runRoot, ".lock"), { force: true });
          for (let round = 0; round < 300 && !signal.aborted; round++) await Bun.sleep(10);
          signal.throwIfAborted();
        });
        const answer = await call(one.tool, { manifest_path: run.manifestPath, reason: "a test" });
        expect(answer).toMatchObject({ ok: false, error: { code: "LOCK_LOST" } });
        const { status, failures } = await readManifest(run.manifestPath);
        expect(status).toBe("failed");
        expect(failures).toMatchObject([{ kind: "lock_lost", stage: one.stage, retryable: false }]);
      }));

    test(`${one.name}: control: with its lock in place the tick ends in the next stage`, () =>
      withTempDir(async (base) => {
        const run = await runAt(base, one);
        standIn(one.driver, async () => await Bun.sleep(200));
        const answer = await call(one.tool, { manifest_path: run.manifestPath, reason: "a test" });
        expect(answer).toMatchObject({
          ok: true,
          stage: one.next,
          execution_state: "running",
          halt: null,
          manifest_path: run.manifestPath,
        });
        const { failures, revision } = await readManifest(run.manifestPath);
        expect(failures).toEqual([]);
        expect(answer["revision"]).toBe(revision);
      }));
  }

  test("orchestrator_tick_fixture: ticks a replay from its first stage to its report", () =>
    withTempDir(async (base) => {
      const { result } = await initRun(toolPorts(), replayOptions(path.join(BUNDLES, "local"), base), {});
      const manifest_path = path.join(result.run_root, "manifest.json");
      const stages: unknown[] = [];
      for (let state: unknown = "running"; state === "running" && stages.length < 12;) {
        const answer = await call(orchestrator_tick_fixture, { manifest_path, reason: "a test" });
        expect(answer.ok).toBe(true);
        stages.push(answer["stage"]);
        state = answer["execution_state"];
      }
      expect(stages.slice(0, 2)).toEqual(["wave1", "pivot"]);
      expect((await readManifest(manifest_path)).report_versions).toHaveLength(1);
    }));

  test("a tick that halts says so, with commands that run as they stand from any folder", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base, { question: "Who invented the sewing machine?" });
      const tick = () => call(orchestrator_tick_fixture, { manifest_path: run.manifestPath, reason: "a test" });
      expect(await tick()).toMatchObject({ ok: true, stage: "wave1" });
      const halted = await tick();
      expect(halted).toMatchObject({ ok: false, error: { code: "NO_EVIDENCE" }, halt: { kind: "no_evidence" } });
      const { next_commands } = halted["halt"] as { next_commands: string[] };
      expect(next_commands.length).toBeGreaterThan(0);
      for (const command of next_commands) {
        // Its own words are for the person to say.
        const said = command.replace('"..."', '"Why do tides rise?"');
        const { exitCode, stdout } = runFromRoot(`${said} --json`);
        const { contract } = JSON.parse(stdout.toString()) as { contract: { run_root: string } };
        // What it is about may still stand in the way (3); it was understood, and it was this run.
        expect([0, 3]).toContain(exitCode);
        expect(contract.run_root).toStartWith(path.join(base, "runs"));
      }
    }));

  test("bad arguments and missing runs are typed", () =>
    withTempDir(async (base) => {
      const missing = { manifest_path: path.join(base, "none/manifest.json"), reason: "a test" };
      for (const { tool } of CASES) {
        expect((await call(tool, missing)).error?.code).toBe("NOT_FOUND");
        expect((await call(tool, { ...missing, surprise: 1 })).error?.code).toBe("INVALID_ARGS");
      }
    }));
});

function runFromRoot(command: string): { exitCode: number; stdout: Buffer } {
  return Bun.spawnSync(["sh", "-c", command], {
    cwd: "/",
    env: { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env["PATH"]}` },
  });
}

describe("tool objects", () => {
  test("are what an agent host takes: a description, a schema for each argument, and a function", () => {
    const tools = { manifest_write, perspectives_write, stage_advance, watchdog_check };
    for (const tool of [...Object.values(tools), ...CASES.map(({ tool }) => tool)]) {
      expect(tool.description.length).toBeGreaterThan(20);
      // The host recognizes schemas by this mark and builds the object itself.
      for (const schema of Object.values(tool.args)) expect("_zod" in schema).toBe(true);
      const { properties = {}, required } = z.toJSONSchema(z.object(tool.args), { io: "input" });
      expect(required).toContain("reason");
      expect(Object.keys(properties)).toContain("manifest_path");
    }
  });
});
