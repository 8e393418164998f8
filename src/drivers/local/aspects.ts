// What the corpus talks about when it talks about the question: phrases that recur there and are rarer elsewhere.
import { formatOf } from "../../corpus/formats.ts";
import { Pacer } from "../../corpus/pacer.ts";
import { hasUnspacedScript } from "../../corpus/terms.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { Passage } from "../../ports/provider.ts";
import type { QuestionPart } from "../../run/research.ts";
import type { Lexicon } from "./lexicon.ts";
import { Phrases, type Phrase } from "./phrases.ts";
import { headingsOf, isUnlikely } from "./places.ts";
import { NO_PLACE, RelevanceJudge } from "./relevance.ts";
import { sentencesOf } from "./sentences.ts";
import { countPassages, rarityOf } from "./term-weights.ts";

export interface Aspect {
  /** As the corpus writes it. */
  name: string;
}

const SEARCHED = 40;
const SEARCHED_PER_PART = 20;
const MAX_ASPECTS = 6;
/** Only the most promising are looked up in the whole corpus. */
const MAX_LOOKED_UP = 14;
const COUNTED = 80;
const MIN_SENTENCES = 2;
/** Among many passages an aspect stands more often. */
const PASSAGES_PER_SENTENCE = 10;
const MIN_DOCUMENTS = 2;
/** Shorter words are seldom put together of others. */
const COMPOUND_LENGTH = 12;
const HEADING_BONUS = 1.5;
const LONGER_BONUS = 2;
/** A phrase that tells less stands everywhere; of its passages so many have to be about the question. */
const MIN_RARITY = 0.2;
const MIN_CONTRAST = 0.08;

/** The most telling first. None when the corpus says nothing about the question. */
export async function aspectsOf(parts: readonly QuestionPart[], lexicon: Lexicon, tools: TaskTools): Promise<Aspect[]> {
  const passages = await relevantPassages(parts, lexicon, tools);
  const documents = new Set(passages.map(({ origin }) => origin)).size;
  const phrases = new Phrases(
    lexicon,
    parts.flatMap((part) => part.terms),
  );
  const pacer = new Pacer(tools.signal);
  for (const passage of passages) {
    await pacer.pause();
    phrases.readHeading(headingsOf(passage.title).at(-1) ?? "");
    for (const { text } of sentencesOf(passage.text, formatOf(passage.origin))) phrases.readSentence(text, passage);
  }
  const needed = Math.min(MIN_DOCUMENTS, documents);
  const sentences = Math.max(MIN_SENTENCES, Math.ceil(passages.length / PASSAGES_PER_SENTENCE));
  const recurring = phrases
    .all()
    .filter((phrase) => phrase.documents.size >= needed && phrase.sentences >= sentences && namesSomething(phrase));
  const promising = recurring.sort(byWorth(firstWorth)).slice(0, MAX_LOOKED_UP);
  const worths = new Map<Phrase, number>();
  for (const phrase of promising) {
    const count = await countPassages(phrase.name(), phrase.terms, lexicon, tools, COUNTED);
    const rarity = rarityOf(count, COUNTED);
    const isTelling = rarity >= MIN_RARITY && phrase.passages.size >= count * MIN_CONTRAST;
    worths.set(phrase, isTelling ? firstWorth(phrase) * rarity : 0);
  }
  const worth = (phrase: Phrase): number => worths.get(phrase) ?? 0;
  const telling = promising.filter((phrase) => worth(phrase) > 0).sort(byWorth(worth));
  return distinct(telling, phrases.asked).map((phrase) => ({ name: phrase.name() }));
}

async function relevantPassages(
  parts: readonly QuestionPart[],
  lexicon: Lexicon,
  tools: TaskTools,
): Promise<Passage[]> {
  const judge = new RelevanceJudge(parts, parts, lexicon);
  const all = [...new Set(parts.flatMap((part) => part.terms))].join(" ");
  const found = [...(await tools.search(all, SEARCHED))];
  if (parts.length > 1)
    for (const { terms } of parts) found.push(...(await tools.search(terms.join(" "), SEARCHED_PER_PART)));
  const asked = new Set(parts.flatMap((part) => part.terms.map((word) => lexicon.termOf(word))));
  const pacer = new Pacer(tools.signal);
  const relevant = new Map<string, Passage>();
  for (const passage of found) {
    await pacer.pause();
    if (isUnlikely(passage, asked, lexicon)) continue;
    const above = new Set(lexicon.termsOf(passage.title));
    const sentence = lexicon.termsOf(passage.text);
    const { part_ids } = judge.judge({ ...NO_PLACE, text: passage.text, sentence, above });
    if (part_ids.length > 0) relevant.set(`${passage.origin}\0${passage.start}`, passage);
  }
  return [...relevant.values()];
}

/** One word alone seldom does: it has to stand in a heading, to be a name like NMU, or to be put together of others. */
function namesSomething(phrase: Phrase): boolean {
  const name = phrase.name();
  if (phrase.terms.length > 1 || phrase.isHeading || hasUnspacedScript(name)) return true;
  return name.length >= COMPOUND_LENGTH || /\p{Lu}.*\p{Lu}/u.test(name);
}

function firstWorth(phrase: Phrase): number {
  const length = phrase.terms.length > 1 ? LONGER_BONUS : 1;
  return Math.sqrt(phrase.documents.size + phrase.passages.size / 4) * length * (phrase.isHeading ? HEADING_BONUS : 1);
}

/** Each names something that those before it do not. */
function distinct(phrases: readonly Phrase[], asked: ReadonlySet<string>): Phrase[] {
  const named = new Set<string>();
  const chosen: Phrase[] = [];
  for (const phrase of phrases) {
    const own = phrase.terms.filter((term) => !asked.has(term));
    if (chosen.length >= MAX_ASPECTS || own.some((term) => named.has(term))) continue;
    for (const term of own) named.add(term);
    chosen.push(phrase);
  }
  return chosen;
}

function byWorth(worth: (phrase: Phrase) => number): (left: Phrase, right: Phrase) => number {
  return (left, right) => worth(right) - worth(left) || (left.key < right.key ? -1 : 1);
}
