// Takes a question apart: the parts that a report should answer one by one, and the words each is about.
import { stem } from "../../corpus/stem.ts";
import { contentWords, wordsOf } from "../../corpus/terms.ts";
import type { QuestionPart } from "../../run/research.ts";
import { UniqueIds } from "./unique-id.ts";

const MAX_PARTS = 6;
const MAX_TERMS = 12;
const MAX_TEXT_LENGTH = 300;

const ASKING =
  "what|how|why|when|where|which|who|whom|whose|is|are|was|were|do|does|did|can|could|should|will|would|must|may";
const SENTENCE_END = /[?!;。？！；]+|\.(?=\s|$)|[\r\n]+/u;
const JOINED_QUESTION = new RegExp(`,?\\s+(?:and|or|but)\\s+(?=(?:${ASKING})\\b)|,\\s+(?=(?:${ASKING})\\b)`, "iu");
const JOINED_PHRASE = /,?\s+and\s+/iu;
/** "... and what can go wrong?" names no subject of its own. */
const VAGUE = new Set(
  "wrong fail fails happen happens matter matters mean means important best better good bad cost costs risk risks limit limits limitations problem problems issue issues drawbacks advantages disadvantages benefits alternatives example examples".split(
    " ",
  ),
);
const REFERS_BACK = new Set(["it", "its", "they", "them", "their", "this", "these", "those"]);

/** At least one part, whatever the question. */
export function partsOf(question: string): QuestionPart[] {
  const ids = new UniqueIds("part");
  const phrases = question.split(SENTENCE_END).flatMap(splitSentence).slice(0, MAX_PARTS);
  const parts: QuestionPart[] = [];
  for (const phrase of phrases.length > 0 ? phrases : [question]) {
    const text = tidied(phrase);
    const own = contentWords(text);
    // "... and how does it fail?" is about what the first part is about.
    const refersBack = wordsOf(text).some((word) => REFERS_BACK.has(word)) || own.every((word) => VAGUE.has(word));
    const inherited = refersBack ? (parts[0]?.terms ?? []) : [];
    const terms = withoutRepeatedStems([...own, ...inherited]).slice(0, MAX_TERMS);
    parts.push({ id: ids.next(terms.join(" ")), text, terms });
  }
  return parts;
}

function splitSentence(sentence: string): string[] {
  const questions = sentence.split(JOINED_QUESTION).filter(isAboutSomething);
  return questions.flatMap((phrase) => {
    const halves = phrase.split(JOINED_PHRASE);
    // "options and arguments" is one part; two halves that each name several things are two.
    const isTwoParts = halves.length > 1 && halves.every((half) => contentWords(half).length >= 2);
    return isTwoParts ? halves : [phrase];
  });
}

function isAboutSomething(phrase: string): boolean {
  return wordsOf(phrase).length > 0 && contentWords(phrase).some((word) => word.length > 1);
}

/** The first word of each stem: "option" and "options" ask for one thing. */
function withoutRepeatedStems(words: readonly string[]): string[] {
  const byStem = new Map<string, string>();
  for (const word of words) if (!byStem.has(stem(word))) byStem.set(stem(word), word);
  return [...byStem.values()];
}

function tidied(text: string): string {
  const plain = text.replace(/[\p{Cc}\s]+/gu, " ").trim();
  return (plain === "" ? "the question" : plain).slice(0, MAX_TEXT_LENGTH).toWellFormed();
}
