// Cuts a question into its sentences, and makes parts of the question with the words that each is about.
import { withoutCourtesies } from "../../corpus/words/courtesies.ts";
import { termOf } from "../../corpus/words/term-cutter.ts";
import { subjectsOf } from "../../corpus/words/terms.ts";
import { freeName, slug } from "../../kernel/ids.ts";
import type { QuestionPart } from "../../run/report/research.ts";
import { sentencesOf } from "../../kernel/sentences.ts";
import { isSigned, questionWords } from "./signed-words.ts";
import { asSpelled } from "./spelling.ts";

const MAX_PARTS = 6;
/** The most characters that a heading of a report may have. */
const MAX_TEXT_LENGTH = 500;
/** A sentence with fewer distinctive words ("And who built it?") inherits those before; such a clause is joined to the one before. */
export const MIN_OWN_WORDS = 2;
/** Says that another thing is wanted, which may be a single word: "prices, and also deploys". */
export const ALSO =
  /^\s*(?:(?:and|und|et|y|e|en|og|och|i|и|oraz)\s+)?(?:also|auch|ausserdem|außerdem|aussi|también|anche|também|ook|också|også|także|также)(?!\p{L})/iu;
const MAX_ID_LENGTH = 36;
const MAX_QUERY_LENGTH = 1_000;

/** What ends a sentence without a sign: a blank line, and the line before an item of a list. */
const PARAGRAPH_END = /\n[^\S\n]*\n\s*|\n(?=[^\S\n]*(?:[-*+•–]|\p{Nd}{1,3}[.)])[^\S\n])/u;
/** In front of a line: the mark of an item, of a heading, or of a quoted mail. */
const LINE_MARK = /^[^\S\n]*(?:(?:>|#{1,6}|[-*+•–]|\p{Nd}{1,3}[.)])[^\S\n]+)+/gmu;

/** The sentences of a question that ask about something, at least one. Other line ends are blanks. */
export function questionSentences(question: string): string[] {
  const text = withoutCourtesies(question.replace(/\r\n?/gu, "\n").replace(/[^\S\n]+/gu, " "));
  const paragraphs = text.split(PARAGRAPH_END).map((one) => one.replace(LINE_MARK, ""));
  const sentences = paragraphs.flatMap((one) =>
    sentencesOf(one).map(({ start, end }) => tidied(one.slice(start, end))),
  );
  const about = sentences.filter(
    (sentence) => subjectsOf(sentence).length > 0 || questionWords(sentence).some(isSigned),
  );
  const kept = about.length > 0 ? about : sentences.filter((sentence) => questionWords(sentence).length > 0);
  return kept.length > 0 ? kept : [tidied(question)];
}

/** A part for each text. `leftOut`: how many texts were over the limit. */
export function partsOf(texts: readonly string[]): { parts: QuestionPart[]; leftOut: number } {
  const parts: QuestionPart[] = [];
  let subject: string[] = [];
  let subjectText = "";
  for (const text of texts.slice(0, MAX_PARTS)) {
    const own = distinct(questionWords(text));
    const inherited =
      own.length < MIN_OWN_WORDS && !ALSO.test(text) ? subject.filter((word) => !own.includes(word)) : [];
    if (inherited.length === 0) [subject, subjectText] = [own, text];
    const name = slug(own.join(" "), MAX_ID_LENGTH);
    const taken = parts.map((part) => part.id);
    const id = freeName(name === "x" ? "part" : name, taken);
    const part = { id, text, terms: distinct([...own, ...inherited]) };
    parts.push(inherited.length === 0 ? part : { ...part, inherited: asSpelled(inherited, subjectText) });
  }
  return { parts, leftOut: Math.max(0, texts.length - MAX_PARTS) };
}

/** The text of the part, with the words that it inherited. Its small words stay, because they show its language. */
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
