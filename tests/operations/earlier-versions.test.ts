// Runs that an earlier version made: today's code verifies, shows, resumes and forks each of them.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { forkRun } from "../../src/operations/make/fork-run.ts";
import type { ResumeOptions } from "../../src/operations/options.ts";
import { resumeRun } from "../../src/operations/change/resume-run.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import { showReport } from "../../src/operations/report/read-report.ts";
import { statusOf } from "../../src/operations/look/status.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { livePorts } from "../live/live-run.ts";
import { wellBehaved } from "../live/well-behaved.ts";
import { ScriptedServer } from "../models/scripted-server.ts";
import { temporaryFolder, type TemporaryFolder } from "./made-run.ts";

// Whole runs, on a machine that may be busy.
setDefaultTimeout(600_000);

const FIXTURE = join(import.meta.dir, "../fixtures/runs-0.1.0");
const CORPUS = join(FIXTURE, "corpus");

interface EarlierRun {
  name: string;
  isLive: boolean;
  reports: number;
  /** What it takes to go on. */
  resume: ResumeOptions;
}

const RUNS: EarlierRun[] = [
  { name: "local", isLive: false, reports: 1, resume: {} },
  { name: "live", isLive: true, reports: 1, resume: {} },
  { name: "interrupted", isLive: false, reports: 0, resume: {} },
  { name: "halted", isLive: true, reports: 1, resume: { budgets: { max_calls: 200 } } },
];

const ports = livePorts();
const server = new ScriptedServer(wellBehaved);
beforeAll(() => server.listen());
afterAll(() => server[Symbol.asyncDispose]());

interface Copy extends Disposable {
  runsRoot: string;
  runRoot: string;
}

/** A copy in a folder of its own: nothing may write beside the stored one. */
function copyOf({ name }: EarlierRun): Copy {
  const folder: TemporaryFolder = temporaryFolder();
  const runRoot = join(folder.path, name);
  cpSync(join(FIXTURE, name), runRoot, { recursive: true });
  return { runsRoot: folder.path, runRoot, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

for (const run of RUNS) {
  describe(`a run of 0.1.0 (${run.name})`, () => {
    test("verifies", async () => {
      using copy = copyOf(run);
      const { result } = await verifyRun(ports, copy.runRoot);
      expect(result.reports).toBe(run.reports);
    });

    test("is shown", async () => {
      using copy = copyOf(run);
      const { run: look } = await statusOf(ports, copy.runRoot);
      expect(look?.problems).toEqual([]);
      expect(look?.manifest.run_id).toBe(run.name);
      if (run.reports === 0) return;
      const { result } = await showReport(ports, copy.runRoot);
      expect(result.report_md).toContain("## Sources");
    });

    test("is resumed to its end", async () => {
      using copy = copyOf(run);
      const moved = run.isLive ? { modelBaseUrl: server.baseUrl } : {};
      const options: ResumeOptions = { onDrift: "continue", corpora: [CORPUS], ...moved, ...run.resume };
      const { error, run: look } = await resumeRun(ports, copy.runRoot, options, {});
      expect(error).toBeNull();
      expect(look?.manifest.execution_state).toBe("completed");
      expect((await verifyRun(ports, copy.runRoot)).result.reports).toBeGreaterThan(0);
    });

    test("is forked, and the fork runs to its end", async () => {
      using copy = copyOf(run);
      const model = { provider: "compatible", name: "scripted", base_url: server.baseUrl } as const;
      const moved = run.isLive ? { models: { default: model } } : {};
      const options = { runsRoot: copy.runsRoot, runId: "forked", corpora: [CORPUS], ...moved, ...run.resume };
      const { result } = await forkRun(ports, copy.runRoot, options, {});
      expect(result.offered_steps).toBeGreaterThan(0);
      const { error } = await runRun(ports, result.run_root, {}, {});
      expect(error).toBeNull();
      expect((await verifyRun(ports, result.run_root)).result.reports).toBeGreaterThan(0);
    });
  });
}
