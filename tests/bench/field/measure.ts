// Runs the tasks of a set one after the other, each as a run of its own, and writes the submission after each.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { figuresOf, workOn, type Cli } from "../kept-run.ts";
import { articleOf } from "./article.ts";
import { writeSubmission, writeUsage, type Done } from "./submission.ts";
import { TasksFault, type SetName, type Task } from "./tasks.ts";

export interface Measuring {
  cli: Cli;
  set: SetName;
  tasks: readonly Task[];
  /** As `start` takes it: PROVIDER:NAME. */
  model: string;
  baseUrl?: string | undefined;
  /** Other options of `start`, as they are typed. */
  options: readonly string[];
  /** Where runs, submission and usage are kept. */
  out: string;
  say: (line: string) => void;
  /** True once a person wants it to end. */
  isStopping?: () => boolean;
}

export interface Measured {
  done: Done[];
  submission: string;
  /** False when tasks are left: the same line continues. */
  isComplete: boolean;
}

export async function measure(measuring: Measuring): Promise<Measured> {
  const { set, tasks, model, out, say, isStopping = () => false } = measuring;
  keepSettings(measuring);
  const done: Done[] = [];
  const name = nameOf(model);
  let submission = writeSubmission(out, set, name, done);
  for (const task of tasks) {
    if (isStopping()) break;
    const { isForAll, ...one } = await perform(task, measuring);
    done.push(one);
    submission = writeSubmission(out, set, name, done);
    writeUsage(out, set, done);
    say(`${task.id}: ${one.outcome}${one.reason === undefined ? "" : `: ${one.reason}`}`);
    if (isForAll) break;
  }
  return {
    done,
    submission,
    isComplete: done.length === tasks.length && done.every(({ outcome }) => outcome !== "stopped"),
  };
}

async function perform(task: Task, measuring: Measuring): Promise<Done & { isForAll: boolean }> {
  const { cli, model, baseUrl, options, out } = measuring;
  const at = baseUrl === undefined ? [] : ["--model-base-url", baseUrl];
  const start = ["-", "--driver", "live", "--model", model, ...at, ...options];
  const run = { cli, runId: task.runId, runsRoot: join(out, "runs"), start, input: task.prompt, baseUrl };
  const { status, failure } = await workOn(run);
  if (status === null) throw new TasksFault(`task ${task.id}: ${failure ?? "no run was made"}`);
  const { report, ...figures } = figuresOf(status);
  const json = report === null ? null : join(status.contract.run_root, report.replace(/\.md$/, ".json"));
  return {
    task,
    ...(figures.outcome === "stopped" ? { reason: failure ?? "it did not end" } : {}),
    article: json === null ? null : articleOf(JSON.parse(readFileSync(json, "utf8")), task.language),
    ...figures,
  };
}

/** Runs of other settings do not belong in one submission. Where the model answers may change. */
function keepSettings({ set, model, options, out }: Measuring): void {
  const path = join(out, "settings.json");
  const settings = `${JSON.stringify({ set, model, options }, null, 2)}\n`;
  if (existsSync(path) && readFileSync(path, "utf8") !== settings)
    throw new TasksFault(
      `${out} holds runs with other settings (see settings.json there): name another folder with --out`,
    );
  mkdirSync(out, { recursive: true });
  writeFileSync(path, settings);
}

/** The name of the model in file names: "compatible:org/Qwen 3,effort=low" is "org-Qwen-3-effort-low". */
export function nameOf(model: string): string {
  return (
    model
      .replace(/^[^:]*:/, "")
      .replace(/[^A-Za-z0-9.]+/g, "-")
      .replace(/^[-.]+|[-.]+$/g, "") || "model"
  );
}
