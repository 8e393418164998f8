// Cuts a question into its sentences, and makes parts of the question with the words that each is about.
import { termOf } from "../../corpus/term-cutter.ts";
import { freeName, slug } from "../../kernel/ids.ts";
import type { QuestionPart } from "../../run/research.ts";
import { sentencesOf } from "./sentences.ts";
import { wordsAsked } from "./signed-words.ts";
import { asSpelled } from "./spelling.ts";

const MAX_PARTS = 6;
/** The most characters that a heading of a report may have. */
const MAX_TEXT_LENGTH = 500;
/** A sentence with fewer telling words ("And who built it?") inherits those of the sentence before. */
const MIN_OWN_WORDS = 2;
const MAX_ID_LENGTH = 36;
const MAX_QUERY_LENGTH = 1_000;

/** The sentences of a question, at least one. A line end ends a sentence, too. */
export function sentencesAsked(question: string): string[] {
  const sentences = question.split(/[\r\n]+/u).flatMap((line) => sentencesOf(line).map((span) => slice(line, span)));
  const asked = sentences.map(tidied).filter((sentence) => wordsAsked(sentence).length > 0);
  return asked.length > 0 ? asked : [tidied(question)];
}

/** A part for each text. `leftOut`: how many texts were over the limit. */
export function partsOf(texts: readonly string[]): { parts: QuestionPart[]; leftOut: number } {
  const parts: QuestionPart[] = [];
  let subject: string[] = [];
  let subjectText = "";
  for (const text of texts.slice(0, MAX_PARTS)) {
    const own = distinct(wordsAsked(text));
    const inherited = own.length < MIN_OWN_WORDS ? subject.filter((word) => !own.includes(word)) : [];
    if (inherited.length === 0) [subject, subjectText] = [own, text];
    const name = slug(own.join(" "), MAX_ID_LENGTH);
    const taken = parts.map((part) => part.id);
    const id = freeName(name === "x" ? "part" : name, taken);
    const part = { id, text, terms: distinct([...own, ...inherited]) };
    parts.push(inherited.length === 0 ? part : { ...part, inherited: asSpelled(inherited, subjectText) });
  }
  return { parts, leftOut: Math.max(0, texts.length - MAX_PARTS) };
}

/** The text of the part, with the words that it inherited. Its small words stay, because they tell its language. */
export function queryOf({ text, inherited = [] }: QuestionPart): string {
  return [text, ...inherited].join(" ").slice(0, MAX_QUERY_LENGTH).toWellFormed();
}

/** Keeps the first of words with one stem, such as "option" and "options". */
function distinct(words: readonly string[]): string[] {
  return [...new Map(words.toReversed().map((word) => [termOf(word), word])).values()].reverse();
}

function tidied(text: string): string {
  const plain = text.replace(/[\p{Cc}\s]+/gu, " ").trim();
  return (plain === "" ? "the question" : plain).slice(0, MAX_TEXT_LENGTH).toWellFormed();
}

function slice(text: string, { start, end }: { start: number; end: number }): string {
  return text.slice(start, end);
}
