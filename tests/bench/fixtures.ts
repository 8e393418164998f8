// Runs and ports for the benchmarks, on the real disk beside the project.
import fs from "node:fs";
import path from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { makePorts } from "../../src/wiring.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { RecordDraft } from "../../src/run/log/record.ts";
import { DEFAULT_SETTINGS, LIMITS_BY_MODE, settingsDigest, type Settings } from "../../src/run/settings/settings.ts";
import { digestOfBytes } from "../../src/kernel/digest.ts";

export const PROJECT = path.resolve(import.meta.dir, "../..");
export const MAIN = path.join(PROJECT, "src/main.ts");

/** A folder on the project's own file system: a temporary folder may lie in memory, where fsync costs nothing. */
export function benchFolder(): string {
  const parent = path.join(PROJECT, ".demo", "bench");
  fs.mkdirSync(parent, { recursive: true });
  return fs.mkdtempSync(path.join(parent, "run-"));
}

/** The program as `bun run build` makes it, or another one in the same way, in `folder`. */
export function built(folder: string, entry = MAIN): string {
  const program = path.join(folder, path.basename(entry, ".ts"));
  const words = packageJson.scripts.build.split(" && ").at(-1)?.split(" ") ?? [];
  const flags = words.slice(2, words.indexOf("--outfile")).filter((word) => word.startsWith("--"));
  const build = [process.execPath, "build", ...flags, entry, "--outfile", program];
  const { success, stderr } = Bun.spawnSync(build, { cwd: PROJECT });
  if (!success) throw new Error(`the build failed: ${stderr.toString()}`);
  return program;
}

/** A built program that does nothing: what starting one takes. */
export function builtEmpty(folder: string): string {
  const empty = path.join(folder, "empty.ts");
  fs.writeFileSync(empty, "");
  return built(folder, empty);
}

export const ports: Ports = makePorts({ indexFolder: null, cliInvocation: "deep-research" });

const settings: Settings = { driver: "local", providers: { run: [], workspace: [] }, corpora: [], ...DEFAULT_SETTINGS };

export async function makeRun(runRoot: string, question = "What is measured here?"): Promise<void> {
  await ports.store.create(
    runRoot,
    [
      {
        kind: "run.created",
        data: {
          schema_version: "journal.v1",
          run_id: path.basename(runRoot),
          tool_version: ports.toolVersion,
          query: { text: question, sensitivity: "normal" },
          mode: "standard",
          settings,
          settings_digest: settingsDigest(settings),
          limits: LIMITS_BY_MODE.standard,
        },
      },
    ],
    [],
  );
}

const digest = digestOfBytes("bench");

export function finishedStep(key: string, payload: string): RecordDraft {
  return {
    kind: "step.completed",
    data: {
      key,
      stage: "wave1",
      attempt: 1,
      inputs_digest: digest,
      result_digest: digest,
      value: { payload },
      files: [],
    },
  };
}

export function startedStep(key: string): RecordDraft {
  return { kind: "step.started", data: { key, stage: "wave1", attempt: 1, inputs_digest: digest } };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Milliseconds of `work`, the median of `rounds`. */
export async function medianMs(rounds: number, work: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work(round);
    times.push(performance.now() - start);
  }
  return median(times);
}
