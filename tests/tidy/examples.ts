// The worked examples of docs/examples: what was asked over which documents, and the reports that the tool makes of it now.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { cli } from "../cli/fake-host.ts";

export const EXAMPLES_FOLDER = path.resolve(import.meta.dir, "../../docs/examples");

export interface Example {
  folder: string;
  question: string;
  /** A question that the documents do not answer at all. */
  unanswered?: string;
}

export const EXAMPLES: readonly Example[] = [
  {
    folder: "queue",
    question:
      "How many jobs per second does the broker handle, and does the table queue lose jobs when a worker is killed?",
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
  return await inEmptyFolder(async (folder) => {
    const runs = ["--runs-root", `${folder}/runs`, "--quiet"];
    const { code, stderr } = await research(example, example.question, runs);
    if (code !== 0) throw new Error(`${example.folder}: exit ${code}\n${stderr}`);
    const made = new Map<string, string>();
    for (const name of ["report.md", "report.html"]) {
      const output = `${folder}/${name}`;
      const exported = await cli(["report", "export", "--output", output, ...runs]);
      if (exported.code !== 0) throw new Error(`${example.folder}: ${exported.stderr}`);
      made.set(name, fs.readFileSync(output, "utf8"));
    }
    return made;
  });
}

/** How a question without an answer ends: exit status and error code. */
export async function endingOfUnanswered(example: Example): Promise<{ code: number; error: unknown }> {
  return await inEmptyFolder(async (folder) => {
    const { code, stdout } = await research(example, example.unanswered ?? "", [
      "--runs-root",
      `${folder}/runs`,
      "--json",
    ]);
    const { error } = JSON.parse(stdout) as { error: { code: string } | null };
    return { code, error: error?.code };
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
