// A brief: one task for a model or a person. It says what is wanted, the form of the answer, what is refused, and which result an
// answer becomes. It knows nothing of conversations and tools.
import type { Awaitable } from "../../kernel/awaitable.ts";
import type { z } from "../../kernel/zod.ts";
import type { Role } from "../../run/role.ts";
import instructions from "./instructions.txt" with { type: "text" };
import { PromptFile } from "./prompt-file.ts";

export interface Brief<Answer, Result> extends Instructions {
  /** Unique within the step. */
  name: string;
  role: Role;
  /** The task itself: a text, or data, in whose fields the text from documents is. */
  task: string | object;
  answer: AnswerForm<Answer>;
  /** All problems that the schema cannot see. Empty when the answer fits. */
  problemsOf(answer: Answer): Awaitable<string[]>;
  /** `by`: the model or person who answered, as verdicts name them. */
  resultOf(answer: Answer, by: string): Awaitable<Result>;
}

export interface AnswerForm<Answer> {
  schema: z.ZodType<Answer>;
  description: string;
  /** A small answer, for people and agents who do not see the schema of a tool. */
  example?: Answer;
  /** Set when the answer may be written as Markdown. Makes the answer of it. */
  ofMarkdown?: (page: string) => Answer;
}

export interface Instructions {
  /** The role, and how to work well in it. */
  who: string;
  /** What makes the result good. */
  advice?: string;
  /** An answer that misses one of these is refused. */
  demands: readonly string[];
}

/** The task as a model reads it. */
export function taskText({ task }: { task: string | object }): string {
  return typeof task === "string" ? task : JSON.stringify(task);
}

export const INSTRUCTIONS = new PromptFile(instructions);

/** `submit`: a sentence about how to submit the answer. */
export function instructionsIn({ who, advice, demands }: Instructions, submit: string): string {
  return INSTRUCTIONS.part("instructions", {
    who,
    submit,
    advice: advice === undefined ? "" : `\n\n${advice}`,
    demands: demands.map((demand) => `- ${demand}`).join("\n"),
  });
}

export function shownShare(share: number): string {
  return `${Math.round(share * 100)} %`;
}
