// Writes the submission of a set in the form that its evaluator takes, and what each task used.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RunFigures } from "../kept-run.ts";
import type { SetName, Task } from "./tasks.ts";

export interface Done extends Omit<RunFigures, "report" | "isForAll"> {
  task: Task;
  /** Why it stopped, in the words of the product. */
  reason?: string;
  /** Null without a report. */
  article: string | null;
}

/**
 * `drb`: one JSONL for all tasks; `drb2`: `idx-<idx>.md` in a folder of the model; `researchrubrics`: `<sample_id>.md`. Only tasks
 * with a report are in it. Returns its path.
 */
export function writeSubmission(folder: string, set: SetName, model: string, done: readonly Done[]): string {
  const root = join(folder, "submission");
  const written = done.flatMap(({ task, article }) => (article === null ? [] : [{ task, article }]));
  if (set === "drb") {
    const lines = written.map(({ task: { id, prompt }, article }) => `${JSON.stringify({ id, prompt, article })}\n`);
    return replace(join(root, `${model}.jsonl`), lines.join(""));
  }
  const articles = set === "drb2" ? join(root, model) : root;
  mkdirSync(articles, { recursive: true });
  for (const { task, article } of written)
    replace(join(articles, `${set === "drb2" ? "idx-" : ""}${task.id}.md`), article);
  return articles;
}

export function writeUsage(folder: string, set: SetName, done: readonly Done[]): string {
  const tasks = done.map(({ task, outcome, reason, calls, tokens, costUsd, seconds }) => ({
    id: task.id,
    run_id: task.runId,
    outcome,
    ...(reason === undefined ? {} : { reason }),
    calls,
    tokens,
    cost_usd: costUsd,
    seconds,
  }));
  const text = JSON.stringify({ set, total: totalOf(done), tasks }, null, 2);
  return replace(join(folder, "usage.json"), `${text}\n`);
}

/** `cost_usd` is null where the price of a call is not known. */
export function totalOf(done: readonly Done[]) {
  const sum = (of: "calls" | "tokens" | "seconds"): number => done.reduce((total, one) => total + one[of], 0);
  const costs = done.map(({ costUsd }) => costUsd);
  const cost = costs.reduce<number | null>((all, one) => (all === null || one === null ? null : all + one), 0);
  const reports = done.filter(({ article }) => article !== null).length;
  return {
    tasks: done.length,
    reports,
    calls: sum("calls"),
    tokens: sum("tokens"),
    cost_usd: cost,
    seconds: sum("seconds"),
  };
}

/** The table of the figures, by task and in all. */
export function tableOf(done: readonly Done[]): string {
  const total = totalOf(done);
  const dollars = (cost: number | null): string => (cost === null ? "unknown" : `$${cost.toFixed(4)}`);
  const rows = done.map(({ task, outcome, calls, tokens, costUsd, seconds }) => [
    String(task.id),
    outcome,
    String(calls),
    String(tokens),
    dollars(costUsd),
    seconds.toFixed(1),
  ]);
  const all = ["all", `${total.reports} reports`, String(total.calls), String(total.tokens), dollars(total.cost_usd)];
  const lines = [
    ["task", "outcome", "calls", "tokens", "cost", "seconds"],
    ["---", "---", "--:", "--:", "--:", "--:"],
    ...rows,
    [...all, total.seconds.toFixed(1)],
  ];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A reader finds the old file or the new one, never half of it. */
function replace(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
  return path;
}
