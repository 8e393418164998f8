// The worked examples of docs/examples: what was asked over which documents, and the reports that the tool makes of it now.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { cli } from "../cli/fake-host.ts";
import { ranksBy } from "../drivers/ranking/scripted-ranker.ts";
import type { Script } from "../models/answers.ts";
import { scriptedServer } from "../models/scripted-server.ts";
import { exampleModel } from "./example-model.ts";

export const EXAMPLES_FOLDER = path.resolve(import.meta.dir, "../../docs/examples");

export interface Example {
  folder: string;
  question: string;
  /** A question that the documents do not answer at all. */
  unanswered?: string;
  /** What is asked of the same documents with excerpts chosen by a model. */
  ranked?: { question: string; script: Script };
  /** What a live run is asked over the same documents. */
  live?: { question: string; script: Script };
}

export const EXAMPLES: readonly Example[] = [
  {
    folder: "queue",
    question:
      "How many jobs per second does the broker handle, and does the table queue lose jobs when a worker is killed?",
    ranked: {
      question: "Would the queue inside our database cope with the rush hour?",
      script: ranksBy("both queues are fast enough"),
    },
    live: {
      question: "Which of the two queues should we choose, and what speaks against it?",
      script: exampleModel,
    },
  },
  {
    folder: "regenwasser",
    question: "Wie groß soll eine Zisterne für Regenwasser sein, und wie oft wird der Filter gereinigt?",
  },
  {
    folder: "tablefold",
    question: "How does tablefold fold columns, which errors does it throw, and what does a licence cost?",
    unanswered: "When was the lighthouse at the harbour built?",
  },
];

/** The files of an example that the tool makes, by their names. */
export async function reportsOf(example: Example): Promise<Map<string, string>> {
  const { question, live, ranked } = example;
  const made = await exported(example, question, "report");
  const byModel = {
    "ranked-report": { asked: ranked, mode: ["--rank", "model"] },
    "live-report": { asked: live, mode: [] },
  };
  for (const [name, { asked, mode }] of Object.entries(byModel)) {
    if (asked === undefined) continue;
    await using server = await scriptedServer(asked.script);
    const model = ["--mode", "quick", ...mode, "--model", "compatible:example", "--model-base-url", server.baseUrl];
    for (const [file, content] of await exported(example, asked.question, name, model)) made.set(file, content);
  }
  return made;
}

async function exported(
  example: Example,
  question: string,
  name: string,
  options: readonly string[] = [],
): Promise<Map<string, string>> {
  return await inEmptyFolder(async (folder) => {
    const runs = ["--runs-root", `${folder}/runs`, "--quiet"];
    const { code, stderr } = await research(example, question, [...options, ...runs]);
    if (code !== 0) throw new Error(`${example.folder}: exit ${code}\n${stderr}`);
    const made = new Map<string, string>();
    for (const ending of ["md", "html"]) {
      const output = `${folder}/${name}.${ending}`;
      const { code: exit, stderr: told } = await cli(["report", "export", "--output", output, ...runs]);
      if (exit !== 0) throw new Error(`${example.folder}: ${told}`);
      made.set(`${name}.${ending}`, fs.readFileSync(output, "utf8"));
    }
    return made;
  });
}

/** How a question without an answer ends: exit status and error code. */
export async function endingOfUnanswered(example: Example): Promise<{ code: number; answered: unknown }> {
  return await inEmptyFolder(async (folder) => {
    const { code, stdout } = await research(example, example.unanswered ?? "", [
      "--runs-root",
      `${folder}/runs`,
      "--json",
    ]);
    const { result } = JSON.parse(stdout) as { result: { answered?: string } };
    return { code, answered: result.answered };
  });
}

function research({ folder }: Example, question: string, options: readonly string[]): ReturnType<typeof cli> {
  return cli(["start", question, "--corpus", path.join(EXAMPLES_FOLDER, folder, "documents"), ...options]);
}

async function inEmptyFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "deep-research-"));
  try {
    return await work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
