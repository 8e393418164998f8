// watchdog_check: judges by the wall clock alone, and leaves the checkpoint of a late run for people and for programs.
import { describe, expect, test } from "bun:test";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import { pauseRun } from "../../../src/operations/change/stop-run.ts";
import { tickRun } from "../../../src/operations/change/tick-run.ts";
import { timeoutHaltSchema } from "../../../src/run/log/halt.ts";
import { watchdog_check } from "../../tools/deep_research_cli/watchdog_check.ts";
import { call, makeRun, readManifest, withTempDir, type SampleRun } from "../helpers/dr-harness.ts";

/** A run at work in wave 1, with a limit of 100 seconds for every stage. */
async function runAtWork(base: string): Promise<SampleRun> {
  const run = await makeRun(base, { stageTimeoutSeconds: 100 });
  await tickRun(run.ports, run.runRoot, {});
  return run;
}

function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}

describe("watchdog_check", () => {
  test("fails a late run and writes both checkpoint files", () =>
    withTempDir(async (base) => {
      const { runRoot, manifestPath } = await runAtWork(base);
      const before = await readManifest(manifestPath);
      const answer = await call(watchdog_check, {
        manifest_path: manifestPath,
        now_iso: inSeconds(200),
        reason: "a test",
      });
      expect(answer).toMatchObject({
        ok: true,
        timed_out: true,
        stage: "wave1",
        timeout_s: 100,
        timer_origin_field: "stage.started_at",
        timer_origin: before.stage.started_at,
        checkpoint_path: path.join(runRoot, "logs/timeout-checkpoint.md"),
        checkpoint_json_path: path.join(runRoot, "logs/halt.timeout.v1.json"),
      });
      expect(answer["elapsed_s"]).toBeGreaterThan(190);

      const halt = timeoutHaltSchema.parse(
        JSON.parse(await fs.readFile(String(answer["checkpoint_json_path"]), "utf8")),
      );
      expect(halt).toMatchObject({
        schema_version: "halt.timeout.v1",
        stage: "wave1",
        timeout_s: 100,
        timer_origin_field: "stage.started_at",
        timer_origin: before.stage.started_at,
        manifest_path: manifestPath,
        checkpoint_md_path: "logs/timeout-checkpoint.md",
      });
      expect(halt.elapsed_s).toBe(Number(answer["elapsed_s"]));
      const verbs = halt.next_commands.map((command) => / (inspect|triage|fork) /.exec(command)?.[1]);
      expect(verbs).toEqual(["inspect", "triage", "fork"]);
      for (const command of halt.next_commands) expect(command).toStartWith("bun /");

      const markdown = await fs.readFile(String(answer["checkpoint_path"]), "utf8");
      for (const fact of ["wave1", String(halt.elapsed_s), halt.timer_origin, ...halt.next_commands])
        expect(markdown).toContain(fact);

      const { status, execution_state, failures } = await readManifest(manifestPath);
      expect({ status, execution_state }).toEqual({ status: "failed", execution_state: "failed" });
      expect(failures).toMatchObject([{ kind: "timeout", stage: "wave1", retryable: false }]);
    }));

  test("its next commands run as they stand, from any folder", () =>
    withTempDir(async (base) => {
      const { manifestPath } = await runAtWork(base);
      await call(watchdog_check, { manifest_path: manifestPath, now_iso: inSeconds(200), reason: "a test" });
      const { halt } = await readManifest(manifestPath);
      const commands = halt?.next_commands ?? [];
      expect(commands).toHaveLength(3);
      for (const command of commands) {
        const [, entry] = /^bun (\S+) (?:inspect|triage|fork) /.exec(command) ?? [];
        expect(entry).toEndWith(".opencode/pai-tools/deep-research-cli.ts");
        const { exitCode, stdout } = Bun.spawnSync(["sh", "-c", `${command} --json`], {
          cwd: "/",
          env: { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env["PATH"]}` },
        });
        expect(exitCode).toBe(0);
        const { contract } = JSON.parse(stdout.toString()) as {
          contract: { execution_state: string; cli_invocation: string };
        };
        // A fork is another run, and has not begun.
        expect(contract.execution_state).toBe(command.includes(" fork ") ? "idle" : "failed");
        expect(contract.cli_invocation).toEndWith(String(entry));
      }
    }));

  test("leaves a run within its limit as it is", () =>
    withTempDir(async (base) => {
      const { runRoot, manifestPath } = await runAtWork(base);
      const before = await fs.readFile(manifestPath, "utf8");
      const answer = await call(watchdog_check, {
        manifest_path: manifestPath,
        now_iso: inSeconds(50),
        reason: "a test",
      });
      expect(answer).toMatchObject({ ok: true, timed_out: false, stage: "wave1", timeout_s: 100 });
      expect(answer["checkpoint_path"]).toBeUndefined();
      expect(await fs.readFile(manifestPath, "utf8")).toBe(before);
      expect(await fs.readdir(runRoot)).not.toContain("logs");
    }));

  test("judges by the limit of the stage that is named", () =>
    withTempDir(async (base) => {
      const run = await makeRun(base);
      await tickRun(run.ports, run.runRoot, {});
      const ask = (stage: string) =>
        call(watchdog_check, { manifest_path: run.manifestPath, stage, now_iso: inSeconds(700), reason: "a test" });
      expect(await ask("wave1")).toMatchObject({ timed_out: false, timeout_s: 1800 });
      expect(await ask("pivot")).toMatchObject({ timed_out: true, stage: "pivot", timeout_s: 600 });
    }));

  test("idle, paused and ended runs are never late", () =>
    withTempDir(async (base) => {
      const { ports, runRoot, manifestPath } = await makeRun(base, { stageTimeoutSeconds: 100 });
      const ask = () =>
        call(watchdog_check, { manifest_path: manifestPath, now_iso: inSeconds(1000), reason: "a test" });
      expect(await ask()).toMatchObject({ ok: true, timed_out: false });
      await tickRun(ports, runRoot, {});
      await pauseRun(ports, runRoot, { waitSeconds: 5 });
      expect(await ask()).toMatchObject({ ok: true, timed_out: false });
      expect((await readManifest(manifestPath)).status).toBe("paused");
    }).then(() =>
      withTempDir(async (base) => {
        const { manifestPath } = await runAtWork(base);
        const ask = () =>
          call(watchdog_check, { manifest_path: manifestPath, now_iso: inSeconds(1000), reason: "a test" });
        expect(await ask()).toMatchObject({ ok: true, timed_out: true });
        const ended = await fs.readFile(manifestPath, "utf8");
        expect(await ask()).toMatchObject({ ok: true, timed_out: false });
        expect(await fs.readFile(manifestPath, "utf8")).toBe(ended);
      }),
    ));

  test("bad arguments and missing runs are typed", () =>
    withTempDir(async (base) => {
      const { manifestPath } = await makeRun(base);
      const code = async (args: Record<string, unknown>) => (await call(watchdog_check, args)).error?.code;
      expect(await code({ manifest_path: manifestPath })).toBe("INVALID_ARGS");
      expect(await code({ manifest_path: manifestPath, reason: "a test", now_iso: "soon" })).toBe("INVALID_ARGS");
      expect(await code({ manifest_path: manifestPath, reason: "a test", stage: "wave9" })).toBe("INVALID_ARGS");
      expect(await code({ manifest_path: manifestPath, reason: "a test", surprise: 1 })).toBe("INVALID_ARGS");
      expect(await code({ manifest_path: path.join(base, "none/manifest.json"), reason: "a test" })).toBe("NOT_FOUND");
      expect(await code({ manifest_path: path.join(base, "other.json"), reason: "a test" })).toBe("INVALID_ARGS");
    }));
});
