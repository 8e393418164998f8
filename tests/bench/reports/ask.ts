// Asks one question of the bench: a real run of the command line, which a later start finds again and goes on with.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import { reportV3Schema } from "../../../src/run/report/report.ts";
import { figuresOf, workOn, type Cli, type RunFigures } from "../kept-run.ts";
import type { Question } from "./rubric.ts";
import { scoreOf, type Score } from "./score.ts";

export interface Bench {
  cli: Cli;
  /** Where the runs of this model are kept. */
  runsRoot: string;
  /** Options of `start`, as they are typed. */
  options: readonly string[];
  /** Where the model answers now; it may have moved. */
  baseUrl?: string;
}

export interface Asked extends Omit<RunFigures, "report" | "isForAll"> {
  id: string;
  /** Why it stopped, in the words of the product. */
  reason?: string;
  isForAll?: boolean;
  score: Score;
}

const DOCUMENTS = join(import.meta.dir, "documents");

export async function ask(question: Question, { cli, runsRoot, options, baseUrl }: Bench): Promise<Asked> {
  const start = [question.ask, "--corpus", join(DOCUMENTS, question.corpus), ...options];
  const { status, failure } = await workOn({ cli, runId: runIdOf(question), runsRoot, start, baseUrl });
  if (status === null) throw new Error(`${question.id}: ${failure ?? "no run was made"}`);
  const { outcome, isForAll, report, ...figures } = figuresOf(status);
  return {
    id: question.id,
    outcome,
    ...(outcome === "stopped" ? { reason: failure ?? "it did not end", isForAll } : {}),
    score: scoreOf(report === null ? null : pageAt(join(status.contract.run_root, report)), question),
    ...figures,
  };
}

/** Another question, rubrics aside, or other documents are another run. */
function runIdOf({ id, corpus, ask: text }: Question): string {
  const folder = join(DOCUMENTS, corpus);
  const documents = readdirSync(folder)
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), "utf8")]);
  const digest = digestOfBytes(JSON.stringify([text, documents]));
  return `${id}-${digest.replace("sha256:", "").slice(0, 8)}`;
}

function pageAt(markdownPath: string): z.infer<typeof reportV3Schema> {
  const text = readFileSync(markdownPath.replace(/\.md$/, ".json"), "utf8");
  return reportV3Schema.parse(JSON.parse(text));
}
