// A task run to completion by command-line calls: whole processes of the built program beside empty ones, in the same run.
import fs from "node:fs";
import path from "node:path";
import { answerWell, readPrompt } from "../task/outside-agent.ts";
import { DOCUMENTS } from "../simulation/run-world.ts";
import type { Figure } from "./bench.ts";
import { benchFolder, built, builtEmpty, median, ports } from "./fixtures.ts";

const RUNS = 3;
/** A step under way is looked for at most so often; a good agent needs far fewer calls. */
const MOST_ROUNDS = 60;
const MOST_RATIO = 9;

export async function taskRun(): Promise<Figure[]> {
  const folder = benchFolder();
  const programs = { program: built(folder), empty: builtEmpty(folder) };
  const times = new Map<string, number[]>();
  for (let round = 0; round < RUNS; round++) await aRun(path.join(folder, `run-${round}`), programs, times);
  fs.rmSync(folder, { recursive: true });
  return [figureOf(times)];
}

function figureOf(times: Map<string, number[]>): Figure {
  const emptyMs = median(times.get(EMPTY) ?? []);
  times.delete(EMPTY);
  const allMs = median([...times.values()].flat());
  const kinds = [...times].map(([kind, ms]) => `${kind} ${(median(ms) / emptyMs).toFixed(1)}`);
  return {
    name: "a call of a task run to completion beside an empty program, median",
    value: `${allMs.toFixed(1)} ms and ${emptyMs.toFixed(1)} ms, ratio ${(allMs / emptyMs).toFixed(2)}; ${kinds.join(", ")}`,
    target: `at most ${MOST_RATIO}`,
    holds: allMs / emptyMs <= MOST_RATIO,
  };
}

const EMPTY = "empty program";

/** As an agent works that has nothing but the commands: start, hand in all that waits, tick on. */
async function aRun(
  folder: string,
  { program, empty }: { program: string; empty: string },
  times: Map<string, number[]>,
): Promise<void> {
  const corpus = path.join(folder, "corpus");
  fs.mkdirSync(corpus, { recursive: true });
  for (const [name, text] of DOCUMENTS) fs.writeFileSync(path.join(corpus, name), text);
  const runRoot = path.join(folder, "runs", "task");
  const env = { ...process.env, HOME: folder };
  const call = (kind: string, words: readonly string[], input = ""): number => {
    const start = performance.now();
    const stdin = new TextEncoder().encode(input);
    const { exitCode, stdout } = Bun.spawnSync([...words], { stdin, env });
    times.set(kind, [...(times.get(kind) ?? []), performance.now() - start]);
    if (exitCode !== 0 && exitCode !== 3) throw new Error(`${words.join(" ")} failed: ${stdout.toString()}`);
    return exitCode;
  };
  const start = ["start", "How are options read?", "--corpus", corpus, "--run-id", "task"];
  call("start", [
    program,
    ...start,
    "--runs-root",
    path.dirname(runRoot),
    "--driver",
    "task",
    "--mode",
    "quick",
    "--json",
  ]);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { manifest } = await ports.store.look(runRoot);
    if (manifest.execution_state === "completed") return;
    call(EMPTY, [empty]);
    for (const [key, { waits_for }] of Object.entries(manifest.steps)) {
      if (waits_for === undefined) continue;
      const prompt = new TextDecoder().decode(await ports.store.readContent(runRoot, waits_for.prompt));
      const words = ["agent-result", runRoot, "--step", key, "--input", "-", "--agent-run-id", "bench", "--json"];
      call(`agent-result ${readPrompt(prompt).who}`, [program, ...words], answerWell(prompt, DOCUMENTS));
    }
    if (!Object.values(manifest.steps).some(({ waits_for }) => waits_for !== undefined))
      call(`tick ${manifest.stage.current}`, [program, "tick", runRoot, "--json"]);
  }
  throw new Error("the run comes to no end");
}
