// Runs the tasks of public benchmarks of deep research, and writes the submissions that their evaluators take. By hand:
//
//     bun tests/bench/field.ts --set drb --tasks query.jsonl --model openai:gpt-5-mini --provider web
//     bun tests/bench/field.ts --set drb2 --tasks tasks_and_rubrics.jsonl --model compatible:qwen3 --model-base-url URL --corpus docs
//
// --out DIR is where runs and submission are kept (default: .demo/field/), --limit N takes the first N tasks. All other options
// go to `start`. After an interruption the same line continues; Ctrl-C and SIGTERM pause the run that is at work.
import { spawn, type ChildProcess } from "node:child_process";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { measure, nameOf } from "./field/measure.ts";
import { tableOf } from "./field/submission.ts";
import { readTasks, SETS, TasksFault } from "./field/tasks.ts";
import { MAIN, PROJECT } from "./fixtures.ts";
import type { Cli } from "./kept-run.ts";

const OWN = { set: {}, tasks: {}, model: {}, "model-base-url": {}, out: {}, limit: {} } as const;
const EXIT = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

let child: ChildProcess | null = null;
let stoppedBy: keyof typeof EXIT | null = null;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    stoppedBy ??= signal;
    // A first one pauses the run, a second one ends it at once.
    child?.kill(signal === "SIGINT" ? "SIGINT" : "SIGTERM");
  });

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof TasksFault)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

async function main(argv: readonly string[]): Promise<number> {
  const { own, others } = split(argv);
  const [set, tasksPath, model] = [SETS.find((name) => name === own.set), own.tasks, own.model];
  if (set === undefined) throw new TasksFault(`--set is one of ${SETS.join(", ")}`);
  if (tasksPath === undefined) throw new TasksFault("--tasks FILE names the tasks");
  if (model === undefined) throw new TasksFault("--model PROVIDER:NAME names the model");
  const limit = own.limit === undefined ? undefined : Number(own.limit);
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 1))
    throw new TasksFault("--limit is a number from 1");
  const out = resolve(own.out ?? join(PROJECT, ".demo", "field", `${set}-${nameOf(model)}`));
  const { done, submission, isComplete } = await measure({
    cli,
    set,
    tasks: readTasks(set, tasksPath).slice(0, limit),
    model,
    baseUrl: own["model-base-url"],
    options: others,
    out,
    say: (line) => console.error(line),
    isStopping: () => stoppedBy !== null,
  });
  console.log(`${tableOf(done)}\n\nSubmission: ${submission}\nRuns and usage: ${out}`);
  if (!isComplete) console.error("Tasks are left. The same line continues.");
  return stoppedBy === null ? (isComplete ? 0 : 1) : EXIT[stoppedBy];
}

/** The options of this bench, and those that `start` is to read. */
function split(argv: readonly string[]) {
  const options = Object.fromEntries(Object.keys(OWN).map((name) => [name, { type: "string" as const }]));
  const { values, tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true });
  const taken = new Set(
    tokens.flatMap((token) =>
      token.kind === "option" && token.name in OWN
        ? [token.index, ...(token.inlineValue === false ? [token.index + 1] : [])]
        : [],
    ),
  );
  const own: Partial<Record<keyof typeof OWN, string>> = {};
  for (const name of Object.keys(OWN) as (keyof typeof OWN)[])
    if (typeof values[name] === "string") own[name] = values[name];
  return { own, others: argv.filter((_, index) => !taken.has(index)) };
}

/** The child has a group of its own, so that a Ctrl-C reaches it once, from here. */
async function run(argv: readonly string[], input: string): Promise<{ code: number; json: unknown }> {
  const started = spawn(process.execPath, [MAIN, ...argv], { stdio: ["pipe", "pipe", "inherit"], detached: true });
  child = started;
  const ended = new Promise<number>((done) => started.on("close", (code) => done(code ?? 1)));
  started.stdin.end(input);
  const printed = await text(started.stdout);
  const code = await ended;
  child = null;
  return { code, json: JSON.parse(printed) as unknown };
}

function cli(...[argv, input = ""]: Parameters<Cli>): ReturnType<Cli> {
  return run(argv, input);
}
