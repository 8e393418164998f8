// The run that was recorded: a question of the bench over its documents, in standard mode.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { QUESTIONS } from "../../bench/reports/questions.ts";
import type { Question } from "../../bench/reports/rubric.ts";
import type { Script } from "../../models/answers.ts";
import { LiveRun } from "../live-run.ts";
import { recordingSchema, type Recording } from "./recording.ts";

const DOCUMENTS = join(import.meta.dir, "../../bench/reports/documents");
export const RECORDING_FILE = join(import.meta.dir, "conversation.json");
export const PAGE_FILE = join(import.meta.dir, "page.md");

export function recordedQuestion(): Question {
  const question = QUESTIONS.find(({ id }) => id === "first-hall");
  if (question === undefined) throw new Error("the question that was recorded is gone");
  return question;
}

export async function openRecordedRun(script: Script): Promise<LiveRun> {
  const { ask, corpus } = recordedQuestion();
  const folder = join(DOCUMENTS, corpus);
  const documents = new Map(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
  return await LiveRun.open({ script, documents, question: ask, mode: "standard", limits: {} });
}

export function readRecording(): Recording {
  return recordingSchema.parse(JSON.parse(readFileSync(RECORDING_FILE, "utf8")));
}
