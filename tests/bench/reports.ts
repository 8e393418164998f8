// Measures the reports of a model over documents of our own, by what a right answer holds. By hand:
//
//     bun tests/bench/reports.ts --model compatible:qwen3 --base-url http://127.0.0.1:11434/v1 [--mode quick]
//     bun tests/bench/reports.ts                      # the local driver, to compare with
//     bun tests/bench/reports.ts --question roof …    # one question, with what is missing and what is wrong
//
// All other options go to `start`: --context-tokens 32768, --max-cost-usd 1 (for each question). Runs stay in .demo/; the
// same line goes on where it stopped.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { MAIN, PROJECT } from "./fixtures.ts";
import type { Cli } from "./kept-run.ts";
import { ask, type Asked } from "./reports/ask.ts";
import { QUESTIONS } from "./reports/questions.ts";
import { meanScore, tableOf } from "./reports/table.ts";

const OWN = { question: { type: "string", multiple: true }, "base-url": { type: "string" } } as const;

const { values, tokens } = parseArgs({ options: OWN, strict: false, tokens: true });
const baseUrl = typeof values["base-url"] === "string" ? values["base-url"] : undefined;
const wanted = tokens.flatMap((token) =>
  token.kind === "option" && token.name === "question" && token.value !== undefined ? [token.value] : [],
);
const given = [...passedOn(process.argv.slice(2)), ...(baseUrl === undefined ? [] : ["--model-base-url", baseUrl])];
// A model of your configuration may cost money: only one that is named here is measured.
const options =
  values["model"] === undefined && values["driver"] === undefined ? [...given, "--driver", "local"] : given;
const questions = QUESTIONS.filter(({ id }) => wanted.length === 0 || wanted.includes(id));
if (questions.length === 0) throw new Error(`the questions are ${QUESTIONS.map(({ id }) => id).join(", ")}`);

const folder = join(PROJECT, ".demo", "reports", folderName(given));
mkdirSync(folder, { recursive: true });
const bench = {
  cli: spawned(),
  runsRoot: join(folder, "runs"),
  options,
  ...(baseUrl === undefined ? {} : { baseUrl }),
};
const asked: Asked[] = [];
for (const question of questions) {
  const one = await ask(question, bench);
  asked.push(one);
  console.error(`${one.id}: ${one.outcome}, ${Math.round(one.score.score * 100)} %`);
  if (one.reason !== undefined) console.error(`  ${one.reason}`);
  if (wanted.length > 0) for (const remark of one.score.remarks) console.error(`  ${remark}`);
  if (one.isForAll === true) {
    console.error("Stopped here. The same line goes on with this question.");
    process.exitCode = 1;
    break;
  }
}
const file = join(folder, "scores.json");
writeFileSync(file, `${JSON.stringify({ options, score: meanScore(asked), questions: asked }, null, 2)}\n`);
console.log(`${tableOf(asked)}\n\nRuns and scores: ${folder}`);

/** What `start` is to read: everything but the bench's own options with their values. */
function passedOn(argv: readonly string[]): string[] {
  const own = Object.keys(OWN).map((name) => `--${name}`);
  return argv.filter((word, index) => {
    const isOwn = own.some((name) => word === name || word.startsWith(`${name}=`));
    return !isOwn && !own.includes(argv[index - 1] ?? "");
  });
}

/** Other options are other runs; where the model answers is not. */
function folderName(given: readonly string[]): string {
  const words = given.filter((word, index) => !`${given[index - 1] ?? ""} ${word}`.includes("--model-base-url"));
  const name = words.join(" ").replace(/[^A-Za-z0-9.]+/g, "-");
  return name.replace(/^-+|-+$/g, "") || "local";
}

function spawned(): Cli {
  return async (argv) => {
    const child = Bun.spawn([process.execPath, MAIN, ...argv], { stdout: "pipe", stderr: "inherit", cwd: PROJECT });
    const text = await new Response(child.stdout).text();
    return { code: await child.exited, json: JSON.parse(text) as unknown };
  };
}
