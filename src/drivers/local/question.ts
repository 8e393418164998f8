// Takes a question apart: the parts that a report should answer one by one, and the words each is about.
import { stem } from "../../corpus/stem.ts";
import { contentWords, wordsOf } from "../../corpus/terms.ts";
import type { QuestionPart } from "../../run/research.ts";
import { UniqueIds } from "./unique-id.ts";

const MAX_PARTS = 6;
const MAX_TERMS = 16;
/** Less than a title may have: in upper case some letters become two. */
const MAX_TEXT_LENGTH = 280;

const ASKING =
  "what|how|why|when|where|which|who|whom|whose|is|are|was|were|do|does|did|can|could|should|will|would|must|may";
const SENTENCE_END = /[?!;。？！；]+|\.(?=\s|$)|[\r\n]+/u;
const ASKING_GERMAN =
  "was|wie|wieso|warum|weshalb|wann|wo|wohin|woher|womit|wodurch|worin|wozu|wer|wem|wen|wessen|wieviele?|welche[mnrs]?";
const JOINED_QUESTION = new RegExp(
  [
    `,?\\s+(?:and|or|but)\\s+(?=(?:${ASKING})\\b)`,
    `,\\s+(?=(?:${ASKING})\\b)`,
    `,?\\s+(?:und|oder|aber)\\s+(?=(?:${ASKING_GERMAN})\\b)`,
  ].join("|"),
  "iu",
);
const JOINED_PHRASE = /,?\s+(?:and|und)\s+/iu;
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
    // Of the whole phrase: what a long question is about may stand at its end.
    const own = contentWords(phrase);
    // "... and how does it fail?" is about what the first part is about.
    const refersBack = wordsOf(phrase).some((word) => REFERS_BACK.has(word)) || own.every((word) => VAGUE.has(word));
    const inherited = refersBack ? (parts[0]?.terms ?? []) : [];
    const terms = longest(withoutRepeatedStems([...own, ...inherited]));
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

/** Long words tell more than short ones. In the order of the question. */
function longest(words: readonly string[]): string[] {
  const byLength = words.map((word, index) => ({ index, length: word.length }));
  byLength.sort((left, right) => right.length - left.length || left.index - right.index);
  const chosen = new Set(byLength.slice(0, MAX_TERMS).map(({ index }) => index));
  return words.filter((_, index) => chosen.has(index));
}

function tidied(text: string): string {
  const plain = text.replace(/[\p{Cc}\s]+/gu, " ").trim();
  return (plain === "" ? "the question" : plain).slice(0, MAX_TEXT_LENGTH).toWellFormed();
}
