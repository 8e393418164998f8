// Reads the task files of three public benchmarks, and names the line and the field of what cannot be read.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import { MAX_QUESTION_BYTES } from "../../../src/run/settings/settings.ts";

export const SETS = ["drb", "drb2", "researchrubrics"] as const;
export type SetName = (typeof SETS)[number];

export interface Task {
  /** As the file has it, a number or a string: the evaluators compare it. */
  id: string | number;
  prompt: string;
  /** "zh" or "en" where the file says it. */
  language: string;
  runId: string;
}

/** A tasks file that cannot be used. The message is for a person. */
export class TasksFault extends Error {}

const prompt = z
  .string()
  .refine((text) => text.trim() !== "", "is empty")
  .refine((text) => Buffer.byteLength(text) <= MAX_QUESTION_BYTES, `has more than ${MAX_QUESTION_BYTES} bytes`);
const language = z.string().optional();
/** It becomes the name of a file. */
const fileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, "has to be letters, digits, dots, _ and -");

/** Fields with rubrics and topics are left out: no run may see them. */
const FORMS = {
  drb: z.object({ id: z.union([z.int(), fileName]), prompt, language }),
  drb2: z.object({ idx: z.int().min(0), prompt, language }).transform(({ idx, ...task }) => ({ id: idx, ...task })),
  researchrubrics: z
    .object({ sample_id: fileName, prompt })
    .transform(({ sample_id, ...task }) => ({ id: sample_id, language: undefined, ...task })),
} satisfies Record<SetName, z.ZodType>;

export function readTasks(set: SetName, path: string): Task[] {
  const name = basename(path);
  const lines = textAt(path)
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/);
  const tasks = lines.flatMap((line, at) =>
    line.trim() === "" ? [] : [{ task: taskIn(set, line, `${name}, line ${at + 1}`), at }],
  );
  const seen = new Map<string, number>();
  for (const { task, at } of tasks) {
    const before = seen.get(String(task.id));
    if (before !== undefined)
      throw new TasksFault(`${name}, line ${at + 1}: the id ${task.id} is in line ${before + 1}, too`);
    seen.set(String(task.id), at);
  }
  if (tasks.length === 0) throw new TasksFault(`${name} has no tasks`);
  return tasks.map(({ task }) => task);
}

function textAt(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new TasksFault(`the tasks cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function taskIn(set: SetName, line: string, place: string): Task {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new TasksFault(`${place}: no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const read = FORMS[set].safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = issue?.path.join(".") ?? "";
    throw new TasksFault(`${place}: ${field === "" ? "" : `"${field}": `}${issue?.message ?? "is malformed"}`);
  }
  const { id, prompt: text, language: spoken = "en" } = read.data;
  // Another prompt is another run.
  const digest = digestOfBytes(text).slice("sha256:".length, "sha256:".length + 8);
  return { id, prompt: text, language: spoken, runId: `${set}-${id}-${digest}` };
}
