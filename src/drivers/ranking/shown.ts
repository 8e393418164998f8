// Passages as a ranker reads them: numbered, each sentence on a line of its own, so that a reply names them by numbers alone.
import { digestOfJson, type Digest } from "../../kernel/digest.ts";
import type { ToolDescription } from "../../run/model/model.ts";
import { PromptFile } from "../asking/prompt-file.ts";
import words from "./rank.txt" with { type: "text" };

export interface Shown {
  /** The headings above. */
  title: string;
  /** The document. */
  origin: string;
  sentences: readonly string[];
}

const MAX_TITLE = 160;
const MAX_ORIGIN = 40;
const WORDS = new PromptFile(words);

/** The prompt of a ranker. */
export const RANK_SYSTEM = WORDS.part("who");

/** The order of the members matters: marks before the verdict. Code judges lengths, since not all servers do. */
const SCHEMA = {
  type: "object",
  properties: {
    order: { type: "array", items: { type: "integer" } },
    marks: { type: "array", items: { type: "string" } },
    answers: { type: "string", enum: ["yes", "partly", "no"] },
    look_for: { type: "string" },
  },
  required: ["order", "marks", "answers", "look_for"],
  additionalProperties: false,
};

export const RANK_TOOL: ToolDescription = { name: "rank", description: WORDS.part("tool"), input_schema: SCHEMA };

export const RANK_PROMPT: Digest = digestOfJson({ words, schema: SCHEMA });

export function requestText(question: string, passages: readonly Shown[]): string {
  const numbered = passages.map(({ title, origin, sentences }, at) =>
    [
      `[${at + 1}] ${endOf(oneLine(origin), MAX_ORIGIN)} | ${endOf(oneLine(title), MAX_TITLE)}`,
      ...sentences.map((sentence, place) => `${at + 1}.${place + 1} ${oneLine(sentence)}`),
    ].join("\n"),
  );
  return WORDS.part("request", {
    question: oneLine(question),
    count: passages.length,
    passages: numbered.join("\n"),
  });
}

/** No text of a document can begin a line of its own, and what cannot be seen is left out. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu, "")
    .replace(/ {2,}/g, " ")
    .trim();
}

function endOf(text: string, most: number): string {
  return text.length <= most ? text : `…${text.slice(text.length - most).toWellFormed()}`;
}
