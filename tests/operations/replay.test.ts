// Replays: a bundle comes to the report that it was made of, from nothing but itself, also across kills and forks.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { captureRun } from "../../src/operations/report/capture-run.ts";
import { forkRun } from "../../src/operations/make/fork-run.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import { startRun } from "../../src/operations/change/start-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { Bundle } from "../../src/run/log/bundle.ts";
import { BUNDLES, ports, QUESTION, record, RECORDED } from "../fixtures/recorded-runs.ts";
import { temporaryFolder } from "./made-run.ts";
import { bundleIn, copyOf, forge, portsOfNothing, REPLAY, replayOptions } from "./replayed.ts";

// Whole runs, on a machine that may be busy.
setDefaultTimeout(600_000);

const nothing = portsOfNothing();

/** The digest of the report of a run that is completed and verifies. */
async function reportOf(using: Ports, runRoot: string): Promise<string | undefined> {
  const { manifest } = await using.store.look(runRoot);
  expect([manifest.execution_state, manifest.halt]).toEqual(["completed", null]);
  expect((await verifyRun(using, runRoot)).error).toBeNull();
  return manifest.report_versions.at(-1)?.digest;
}

describe.each(RECORDED)("a %s run", (driver) => {
  test("is captured, and its replay publishes the same bytes and is captured as the same bundle", async () => {
    using folder = temporaryFolder();
    const runsRoot = join(folder.path, "runs");
    const original = await record(driver, runsRoot);
    const output = join(folder.path, "kept", "bundle");
    const { result } = await captureRun(ports, original.runRoot, output);
    expect(result).toMatchObject({ output, written: true });
    expect<string | undefined>(result.report_digest).toBe(await reportOf(ports, original.runRoot));
    // Documents, models and the original are gone.
    const published = readFileSync(join(original.runRoot, "reports/1/report.json"), "utf8");
    rmSync(original.runRoot, { recursive: true });
    const { run } = await startRun(nothing, replayOptions(output, runsRoot), {});
    expect(run?.manifest.provenance.at(-1)).toEqual(original.manifest.provenance.at(-1) as never);
    const root = join(runsRoot, REPLAY);
    expect(await reportOf(nothing, root)).toBe(result.report_digest);
    expect(readFileSync(join(root, "reports/1/report.json"), "utf8")).toBe(published);
    const again = await captureRun(nothing, root, join(folder.path, "again"));
    expect(again.result.digest).toBe(result.digest);
  });

  test("of the fixtures is replayed to the report that it names", async () => {
    using folder = temporaryFolder();
    await startRun(nothing, replayOptions(join(BUNDLES, driver), folder.path), {});
    expect(await reportOf(nothing, join(folder.path, REPLAY))).toBe(bundleIn(join(BUNDLES, driver)).report_digest);
  });

  test.each([1, 4, 7])(
    "killed in step %i of its replay goes on without the bundle, to the same report",
    async (nth) => {
      using folder = temporaryFolder();
      const bundle = copyOf(driver, folder.path);
      const { report_digest } = bundleIn(bundle);
      const runsRoot = join(folder.path, "runs");
      const worker = join(import.meta.dir, "replay-worker.ts");
      const child = Bun.spawn([process.execPath, worker, bundle, runsRoot, String(nth)], { stderr: "inherit" });
      await child.exited;
      expect(child.signalCode).toBe("SIGKILL");
      rmSync(bundle, { recursive: true });
      const root = join(runsRoot, REPLAY);
      expect((await nothing.store.look(root)).state).toBe("interrupted");
      await runRun(nothing, root, {}, {});
      expect(await reportOf(nothing, root)).toBe(report_digest);
    },
  );
});

test("a start that is given again finds its run, and a fork of a replay replays without the bundle", async () => {
  using folder = temporaryFolder();
  const bundle = copyOf("local", folder.path);
  const options = replayOptions(bundle, folder.path, { question: QUESTION, mode: "standard" });
  await startRun(nothing, { ...options, untilStage: "citations" }, {});
  const root = join(folder.path, REPLAY);
  expect((await nothing.store.look(root)).manifest.stage.current).toBe("citations");
  await startRun(nothing, options, {});
  const { report_digest } = bundleIn(bundle);
  expect(await reportOf(nothing, root)).toBe(report_digest);
  rmSync(bundle, { recursive: true });
  const { result } = await forkRun(nothing, root, { runsRoot: folder.path, runId: "dr_fork" }, {});
  expect(result).toMatchObject({ offered_steps: 7, done_again: 0 });
  await runRun(nothing, result.run_root, {}, {});
  expect(await reportOf(nothing, result.run_root)).toBe(report_digest);
});

test("a step that the bundle lacks halts the run and says so; nothing that was done is lost", async () => {
  using folder = temporaryFolder();
  const bundle = copyOf("live", folder.path);
  forge(bundle, ({ steps: { "summaries:doubts": _lost, ...steps }, ...rest }) => ({ ...rest, steps }));
  const { error, run } = await startRun(nothing, replayOptions(bundle, folder.path), {});
  expect(error?.code).toBe("GATE_BLOCKED");
  const step = run?.manifest.steps["summaries:doubts"];
  expect(step?.error).toMatchObject({
    code: "INVALID_STATE",
    message: expect.stringContaining("the bundle holds no result of the step summaries:doubts"),
    retryable: false,
  });
  expect(step?.attempts).toBe(1);
  expect(run?.manifest.steps["summaries:overview"]?.state).toBe("completed");
  expect((await verifyRun(nothing, join(folder.path, REPLAY))).error).toBeNull();
});

test("a result of another form halts the run as data that does not fit, and is not tried again", async () => {
  using folder = temporaryFolder();
  const bundle = copyOf("live", folder.path);
  forge(bundle, ({ steps, ...rest }) => ({ ...rest, steps: { ...steps, "summaries:doubts": { points: "none" } } }));
  const { error, run } = await startRun(nothing, replayOptions(bundle, folder.path), {});
  expect(error?.code).toBe("GATE_BLOCKED");
  const step = run?.manifest.steps["summaries:doubts"];
  expect([step?.error?.code, step?.error?.retryable, step?.attempts]).toEqual(["SCHEMA_VALIDATION_FAILED", false, 1]);
});

test("a bundle that names a source twice is refused before anything is stored", async () => {
  using folder = temporaryFolder();
  const bundle = copyOf("local", folder.path);
  forge(bundle, ({ sources, ...rest }) => ({ ...rest, sources: [...sources, ...sources] }));
  const refused = await startRun(nothing, replayOptions(bundle, join(folder.path, "runs")), {}).catch((error) => error);
  expect(refused).toMatchObject({ code: "SCHEMA_VALIDATION_FAILED" });
  expect(existsSync(join(folder.path, "runs"))).toBe(false);
});

test.each([0, 1, 2, 3])("a signal ends the storing of sources: after %i files read there is no run", async (reads) => {
  using folder = temporaryFolder();
  const bundle = copyOf("local", folder.path);
  const [interrupt, terminate] = [new AbortController(), new AbortController()];
  let left = reads;
  const inputs: Ports["inputs"] = {
    read(path, maxBytes) {
      if (path.includes("sources") && left-- === 0) terminate.abort();
      return nothing.inputs.read(path, maxBytes);
    },
  };
  const signals = { interrupt: interrupt.signal, terminate: terminate.signal };
  const using = { ...nothing, inputs };
  const stopped = await startRun(using, replayOptions(bundle, folder.path), {}, signals).catch((error) => error);
  const facts = { signal: "SIGTERM", reason: "no run was made yet" };
  expect(stopped).toMatchObject({ code: "INTERRUPTED_BY_SIGNAL", facts });
  // The same start makes it.
  await startRun(nothing, replayOptions(bundle, folder.path), {});
  expect(await reportOf(nothing, join(folder.path, REPLAY))).toBe(bundleIn(bundle).report_digest);
});

test("gate F blocks a replay whose report is not the one that its bundle names", async () => {
  using folder = temporaryFolder();
  const bundle = copyOf("local", folder.path);
  const another = `sha256:${"0".repeat(64)}` as const;
  forge(bundle, (rest) => ({ ...rest, report_digest: another }));
  const { error, run } = await startRun(nothing, replayOptions(bundle, folder.path), {});
  expect(error?.code).toBe("GATE_BLOCKED");
  expect(run?.manifest.gates.F.reasons).toEqual([expect.stringContaining(`the replayed bundle has ${another}`)]);
  expect(existsSync(join(folder.path, REPLAY, "reports"))).toBe(false);
});

test("the only draft of a run is reviewed where its bundle holds that review, as older ones do, and nowhere else", async () => {
  using folder = temporaryFolder();
  const leftReview = async (name: string, change: (steps: Bundle["steps"]) => Bundle["steps"]) => {
    const bundle = join(folder.path, name);
    cpSync(join(BUNDLES, "local"), bundle, { recursive: true });
    forge(bundle, ({ steps, scope, ...rest }) => ({
      ...rest,
      steps: change(steps),
      scope: { ...scope, limits: { ...scope.limits, max_rounds: 1 } },
    }));
    const { run } = await startRun(nothing, replayOptions(bundle, join(folder.path, `runs of ${name}`)), {});
    return run?.manifest.stage.history.find(({ from }) => from === "review")?.reason;
  };
  expect(await leftReview("older", (steps) => steps)).toBe("the draft was reviewed");
  expect(await leftReview("newer", ({ "review:draft-1": _none, ...steps }) => steps)).toBe("only one draft is allowed");
});
