// Takes a question apart: the parts that a report should answer one by one, and the words each is about.
import { stem } from "../../corpus/stem.ts";
import { contentWords, wordsOf } from "../../corpus/terms.ts";
import type { QuestionPart } from "../../run/research.ts";
import {
  ASKED_MEASURE,
  ASKING_ALONE,
  DUMMY_PRONOUN,
  JOINED_QUESTION,
  POINTS_BACK,
  REFERS_BACK,
  THE_CORPUS,
  VAGUE_WORDS,
} from "./cues/question-cues.ts";
import type { Lexicon } from "./lexicon.ts";
import { UniqueIds } from "./unique-id.ts";

const MAX_PARTS = 6;
const MAX_TERMS = 16;
/** Less than a title may have: in upper case some letters become two. */
const MAX_TEXT_LENGTH = 280;

const SENTENCE_END = /[?!;。？！；]+|\.(?=\s|$)|[\r\n]+/u;
const JOINED_PHRASE = /,?\s+(?:and|und)\s+/iu;
const LISTED_PHRASE = /,\s+(?:(?:and|or|und|oder)\s+)?|\s+(?:and|or|und|oder)\s+/iu;
const MIN_LISTED = 3;

/** At least one part, whatever the question. `leftOut`: how many parts were too many. */
export function partsOf(question: string, lexicon: Lexicon): { parts: QuestionPart[]; leftOut: number } {
  const ids = new UniqueIds("part");
  const asked = question.split(SENTENCE_END).flatMap(splitSentence);
  const phrases = asked.length > 0 ? asked.slice(0, MAX_PARTS) : [question];
  const parts: QuestionPart[] = [];
  for (const phrase of phrases) {
    const text = tidied(phrase);
    // Of the whole phrase: what a long question is about may stand at its end.
    const own = contentWords(subjectOf(phrase));
    const inherited = refersBack(phrase, own, lexicon) ? (parts[0]?.terms ?? []) : [];
    const terms = longest(withoutRepeatedStems([...own, ...inherited]));
    const part = { id: ids.next(terms.join(" ")), text, terms };
    const taken = terms.filter((term) => !own.includes(term));
    parts.push(taken.length === 0 ? part : { ...part, inherited: taken });
  }
  return { parts, leftOut: Math.max(0, asked.length - MAX_PARTS) };
}

/** Without the words that only say who is asked and how. */
function subjectOf(phrase: string): string {
  const subject = phrase.replace(THE_CORPUS, " ").replace(ASKED_MEASURE, " ");
  return isAboutSomething(subject) ? subject : phrase;
}

/** "... and how does it fail?" is about what the first part is about. */
function refersBack(phrase: string, own: readonly string[], lexicon: Lexicon): boolean {
  const plain = phrase.replace(DUMMY_PRONOUN, "");
  if (POINTS_BACK.test(plain) || wordsOf(plain).some((word) => REFERS_BACK.has(word))) return true;
  return own.every((word) => VAGUE_WORDS.has(word) || lexicon.isWeak(lexicon.termOf(word)));
}

function splitSentence(sentence: string): string[] {
  const questions = withoutLonely(sentence.split(JOINED_QUESTION)).filter(isAboutSomething);
  return questions.flatMap((phrase) => {
    const listed = phrase.split(LISTED_PHRASE);
    if (listed.length >= MIN_LISTED && listed.every(namesSeveral)) return listed;
    const halves = phrase.split(JOINED_PHRASE);
    // "options and arguments" is one part; two halves that each name several things are two.
    const isTwoParts = halves.length > 1 && halves.every(namesSeveral);
    return isTwoParts ? halves : [phrase];
  });
}

/** What is only a question word goes with the question before it. */
function withoutLonely(phrases: readonly string[]): string[] {
  const joined: string[] = [];
  for (const phrase of phrases) {
    const before = joined.at(-1);
    if (before !== undefined && ASKING_ALONE.test(phrase)) joined[joined.length - 1] = `${before}, ${phrase.trim()}`;
    else joined.push(phrase);
  }
  return joined;
}

function namesSeveral(phrase: string): boolean {
  return contentWords(phrase).length >= 2;
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
