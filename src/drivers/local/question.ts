// Takes a question apart: the parts that a report should answer one by one, and the words each is about.
import { isAskingWord } from "../../corpus/stop-words.ts";
import { wordsOf } from "../../corpus/terms.ts";
import type { QuestionPart } from "../../run/research.ts";
import {
  ASKED_MEASURE,
  ASKING_ALONE,
  DUMMY_PRONOUN,
  CONDITION,
  JOINED_QUESTION,
  OWN_VERB,
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
  const asked = question.split(SENTENCE_END).flatMap((sentence) => splitSentence(sentence, lexicon));
  const phrases = asked.length > 0 ? asked.slice(0, MAX_PARTS) : [question];
  const parts: QuestionPart[] = [];
  let subject: string[] = [];
  for (const phrase of phrases) {
    const text = tidied(phrase);
    // Of the whole phrase: what a long question is about may stand at its end.
    const own = subjectWords(phrase, lexicon);
    const inherited = refersBack(phrase, own, lexicon) ? subject : [];
    if (inherited.length === 0) subject = own;
    const all = [...own, ...inherited];
    const terms = longest(withoutRepeatedTerms(all.length > 0 ? all : [...new Set(wordsOf(phrase))], lexicon));
    const part = { id: ids.next(terms.join(" ")), text, terms };
    const taken = terms.filter((term) => !own.includes(term));
    parts.push(taken.length === 0 ? part : { ...part, inherited: taken });
  }
  return { parts, leftOut: Math.max(0, asked.length - MAX_PARTS) };
}

/** What a phrase is about, without the words that only say who is asked and how. */
function subjectWords(phrase: string, lexicon: Lexicon): string[] {
  const plain = phrase.replace(THE_CORPUS, " ").replace(ASKED_MEASURE, " ");
  for (const text of [plain, phrase]) {
    const words = lexicon.contentWords(text);
    const [last] = words.slice(-1);
    const subjects = words.filter((word) => !isAskingWord(word) || (NOUN_TOO.has(word) && word !== last));
    if (subjects.length > 0) return subjects;
  }
  return lexicon.contentWords(phrase);
}

/** "How does it work" asks how; "does remote work pay" asks about work. */
const NOUN_TOO: ReadonlySet<string> = new Set("work works working needs question questions answer answers".split(" "));

/** "... and how does it fail?" is about what the first part is about. */
function refersBack(phrase: string, own: readonly string[], lexicon: Lexicon): boolean {
  const plain = phrase.replace(DUMMY_PRONOUN, "");
  if (POINTS_BACK.test(plain) || wordsOf(plain).some((word) => REFERS_BACK.has(word))) return true;
  return own.every((word) => VAGUE_WORDS.has(word) || lexicon.isWeak(lexicon.termOf(word)));
}

function splitSentence(sentence: string, lexicon: Lexicon): string[] {
  const questions = withoutLonely(sentence.split(JOINED_QUESTION)).filter((phrase) => wordsOf(phrase).length > 0);
  return questions.flatMap((phrase) => {
    // "options and arguments" is one part; what says by a verb of its own what is done is another.
    const isOwnPart = (half: string, place: number): boolean =>
      lexicon.contentWords(half).length >= 2 && (place === 0 || OWN_VERB.test(half));
    const listed = phrase.split(LISTED_PHRASE);
    if (listed.length >= MIN_LISTED && listed.every(isOwnPart)) return listed;
    const halves = phrase.split(JOINED_PHRASE);
    return halves.length > 1 && halves.every(isOwnPart) ? halves : [phrase];
  });
}

/** What is only a question word goes with the question before it, and a condition with the one behind it. */
function withoutLonely(phrases: readonly string[]): string[] {
  const joined: string[] = [];
  for (const phrase of phrases) {
    const before = joined.at(-1);
    const goesWithIt = before !== undefined && (ASKING_ALONE.test(phrase) || CONDITION.test(before));
    if (goesWithIt) joined[joined.length - 1] = `${before}, ${phrase.trim()}`;
    else joined.push(phrase);
  }
  return joined;
}

/** The first word of each term: "option" and "options" ask for one thing. */
function withoutRepeatedTerms(words: readonly string[], lexicon: Lexicon): string[] {
  const byTerm = new Map<string, string>();
  for (const word of words) if (!byTerm.has(lexicon.termOf(word))) byTerm.set(lexicon.termOf(word), word);
  return [...byTerm.values()];
}

/** Long words tell more than short ones. In the order of the question. */
function longest(words: readonly string[]): string[] {
  const byLength = words.map((word, index) => ({ index, length: word.length }));
  byLength.sort((left, right) => right.length - left.length || left.index - right.index);
  const chosen = new Set(byLength.slice(0, MAX_TERMS).map(({ index }) => index));
  return words.filter((_, index) => chosen.has(index));
}

function tidied(text: string): string {
  const plain = text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .replace(/[\s,;:]+$/u, "")
    .trim();
  return (plain === "" ? "the question" : plain).slice(0, MAX_TEXT_LENGTH).toWellFormed();
}
