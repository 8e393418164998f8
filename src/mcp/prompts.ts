// The prompts that a person picks in an agent: what the agent is told to do with the tools.
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly { name: string; description: string; required: boolean }[];
  readonly text: (values: Readonly<Record<string, string>>) => string;
}

const PROMPTS: readonly Prompt[] = [
  {
    name: "research",
    title: "Research a question",
    description: "Start a run for a question, follow it, and tell what its report says.",
    arguments: [
      { name: "question", description: "what to research", required: true },
      { name: "corpus", description: "folders of documents, with commas between", required: false },
    ],
    text: ({ question = "", corpus = "" }) => `Research this question with the tools of deep-research:

${question}

1. Call run_start with the question${corpus.trim() === "" ? "" : ` and corpus ${JSON.stringify(listOf(corpus))}`}. Without a folder of documents, ask which to read.
2. Call run_status with the run's id and wait: 30 until execution_state is completed. When halt is set, the run waits for somebody: say why, and what its next commands would do, and ask before you call one. An error says in its hint what helps.
3. Call report_show. Answer the question from the report alone, keep its numbered citations, and say what it leaves open.
4. End with the run's id and the path of the report.`,
  },
];

function listOf(words: string): string[] {
  return words
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** What a client is told of them. */
export function listPrompts() {
  return PROMPTS.map(({ text: _text, arguments: taken, ...prompt }) => ({ ...prompt, arguments: [...taken] }));
}

const MAX_LENGTH = 20_000;

/** Errors: `ProtocolError` for a prompt that is not there, and for arguments that are missing or too long. */
export function promptText(name: string, values: Readonly<Record<string, string>>): string {
  const prompt = PROMPTS.find((one) => one.name === name);
  if (prompt === undefined) throw wrong(`there is no prompt ${name.slice(0, 200)}`);
  const missing = prompt.arguments.find((one) => one.required && (values[one.name] ?? "").trim() === "");
  if (missing !== undefined) throw wrong(`the argument ${missing.name} is missing`);
  const tooLong = prompt.arguments.find((one) => (values[one.name] ?? "").length > MAX_LENGTH);
  if (tooLong !== undefined) throw wrong(`the argument ${tooLong.name} has more than ${MAX_LENGTH} characters`);
  return prompt.text(values);
}

function wrong(reason: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, reason);
}
