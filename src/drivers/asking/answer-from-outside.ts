// Asks an agent or a person outside of the program. A brief becomes one prompt, and what is submitted becomes its answer.
import { RunError } from "../../kernel/errors.ts";
import { unfenced } from "../../kernel/written-json.ts";
import type { OutsideWork } from "../../ports/driver.ts";
import { INSTRUCTIONS, instructionsIn, type Brief } from "./brief.ts";
import { jsonSchemaOf, readAnswer, type ReadAnswer } from "./read-answer.ts";

/** Errors: `AnswerMissing` while there is no answer, `AGENT_RESULT_INVALID` for an answer that does not fit. */
export async function answerFromOutside<Answer, Result>(
  brief: Brief<Answer, Result>,
  outside: OutsideWork,
): Promise<Result> {
  const problemsOf = async (text: string): Promise<string[]> => {
    const read = readIn(brief, text);
    if (read.kind === "fit") return await brief.problemsOf(read.value);
    return [...read.problems, ...(read.nearly === undefined ? [] : await brief.problemsOf(read.nearly))];
  };
  const { text, by } = await outside.answerTo({ name: brief.name, text: () => promptOf(brief), problemsOf });
  const read = readIn(brief, text);
  // The answer did fit when it was submitted, but this version of the program asks for another form.
  if (read.kind === "unfit")
    throw new RunError("AGENT_RESULT_INVALID", {
      reason: "the stored answer does not fit any more",
      problems: read.problems,
    });
  return await brief.resultOf(read.value, by);
}

function readIn<Answer>({ answer }: Pick<Brief<Answer, unknown>, "answer">, text: string): ReadAnswer<Answer> {
  // Many agents put a fence around all that they submit.
  const plain = unfenced(text);
  return answer.ofMarkdown === undefined
    ? readAnswer(answer.schema, plain)
    : readAnswer(answer.schema, JSON.stringify(answer.ofMarkdown(plain)));
}

/** The prompt: the instructions with all demands, the task, and the form of the answer. */
function promptOf<Answer>(brief: Brief<Answer, unknown>): string {
  const isMarkdown = brief.answer.ofMarkdown !== undefined;
  return `# Prompt for the ${brief.role}

${instructionsIn(brief, INSTRUCTIONS.part(isMarkdown ? "submit_markdown" : "submit_json"))}

## The task

${shownTask(brief.task)}

## The form of the answer

${isMarkdown ? "Markdown, with marks as said above." : jsonForm(brief.answer)}
`;
}

function jsonForm<Answer>({ schema, example }: Brief<Answer, unknown>["answer"]): string {
  const shown =
    example === undefined
      ? ""
      : `A small example; its contents are made up:\n\n${fenced("json", shownJson(example))}\n\n`;
  return `${shown}One JSON object by this schema:\n\n${fenced("json", JSON.stringify(jsonSchemaOf(schema)))}`;
}

/** Data is shown as a block of JSON. */
function shownTask(task: string | object): string {
  return typeof task === "string" ? task : fenced("json", shownJson(task));
}

function shownJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** The text in a fence that is longer than any in the text. */
function fenced(language: string, text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/gu)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}
