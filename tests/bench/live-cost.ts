// Counts the calls and tokens of whole live runs with a scripted mind, beside the commit that the goals were set for.
import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import path from "node:path";
import { taskOf, type SeenTask } from "../live/well-behaved.ts";
import type { MessageAnswer } from "../models/answers.ts";
import { scriptedServer } from "../models/scripted-server.ts";
import { textOf } from "../models/wire-text.ts";
import type { Figure } from "./bench.ts";
import { MAIN, PROJECT } from "./fixtures.ts";
import { mindAnswer, QUESTION, type Mode } from "./scripted-mind.ts";

const BASE = "626ce955";
const CHARACTERS_PER_TOKEN = 4;

interface Spent {
  calls: number;
  tokens: number;
}

export interface Cost extends Spent {
  /** By the task of each call. */
  by: Partial<Record<SeenTask["who"], Spent>>;
}

/** Runs both programs over the documents of the older one. */
export async function liveCost(folder: string): Promise<Figure[]> {
  const base = basePath();
  const corpus = path.join(base, "docs");
  const both = async (mode: Mode): Promise<[before: Cost, now: Cost]> => [
    await costOf(path.join(base, "src/main.ts"), { corpus, mode, folder }),
    await costOf(MAIN, { corpus, mode, folder }),
  ];
  const quick = await both("quick");
  const standard = await both("standard");
  return [
    figureOf("calls of a quick run", "calls", quick, 0.9),
    figureOf("calls of a standard run", "calls", standard, 0.75),
    figureOf("tokens of a standard run", "tokens", standard, 0.75),
  ];
}

function figureOf(name: string, what: keyof Spent, [before, now]: readonly [Cost, Cost], most: number): Figure {
  const ratio = now[what] / before[what];
  const by = Object.entries(now.by).map(([who, spent]) => {
    const old = before.by[who as SeenTask["who"]]?.[what] ?? 0;
    return `${who} ${shown(spent[what])} (${shown(old)})`;
  });
  return {
    name,
    value: `${shown(now[what])}, at ${BASE} ${shown(before[what])}, ratio ${ratio.toFixed(2)}: ${by.join(", ")}`,
    target: `at most ${most}`,
    holds: ratio <= most,
  };
}

function shown(count: number): string {
  return count.toLocaleString("en");
}

/** The older program with its packages, from this clone, which has to hold its commit. */
function basePath(): string {
  const base = path.join(PROJECT, ".demo", BASE);
  if (existsSync(path.join(base, "node_modules"))) return base;
  mkdirSync(base, { recursive: true });
  const steps = [
    ["sh", "-c", `git archive ${BASE} | tar -x -C "$0"`, base],
    ["sh", "-c", `cd "$0" && "$1" install --frozen-lockfile --ignore-scripts`, base, process.execPath],
  ];
  for (const step of steps) {
    const { success, stderr } = Bun.spawnSync(step, { cwd: PROJECT });
    if (!success) throw new Error(`${BASE} cannot be made ready: ${stderr.toString()}`);
  }
  return base;
}

/** Errors: what the program says where its run does not complete. */
export async function costOf(
  main: string,
  { corpus, mode, folder }: { corpus: string; mode: Mode; folder: string },
  onCall: (task: SeenTask, answer: MessageAnswer) => void = () => {},
): Promise<Cost> {
  const cost: Cost = { calls: 0, tokens: 0, by: {} };
  await using server = await scriptedServer((request) => {
    const task = taskOf(request);
    const answer = mindAnswer({ mode }, task);
    const said = (answer.tool_calls ?? []).reduce((sum, call) => sum + textOf(call.arguments).length, 0);
    const input = Math.ceil(JSON.stringify(request.body).length / CHARACTERS_PER_TOKEN);
    const output = Math.ceil(said / CHARACTERS_PER_TOKEN);
    for (const sum of [cost, (cost.by[task.who] ??= { calls: 0, tokens: 0 })]) {
      sum.calls++;
      sum.tokens += input + output;
    }
    onCall(task, answer);
    return { ...answer, usage: { input, output } };
  });
  const own = mkdtempSync(path.join(folder, `${mode}-`));
  const line = ["start", QUESTION, "--corpus", corpus, "--driver", "live", "--model", "compatible:scripted"];
  const where = ["--model-base-url", server.baseUrl, "--runs-root", own, "--mode", mode, "--json"];
  const run = Bun.spawn([process.execPath, main, ...line, ...where], { cwd: own, stdout: "pipe", stderr: "pipe" });
  const [code, text] = await Promise.all([run.exited, new Response(run.stdout).text()]);
  if (code !== 0) throw new Error(`${main} ended with ${code}: ${text.slice(0, 3_000)}`);
  return cost;
}
