// What is nearest to the question when nothing answers it, and which of its words that lacks.
import { Pacer } from "../../corpus/pacer.ts";
import { formatOf } from "../../corpus/formats.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { NearMiss, QuestionPart } from "../../run/research.ts";
import type { Lexicon } from "./lexicon.ts";
import { sentencesOf } from "./sentences.ts";
import type { Passage } from "../../ports/provider.ts";

const MAX_NEAREST = 3;
const SEARCHED = 20;
const MAX_TEXT_LENGTH = 300;

/** Nearest first; empty when no passage shares a word with the question that tells anything. */
export async function nearestTo(
  parts: readonly QuestionPart[],
  lexicon: Lexicon,
  tools: TaskTools,
): Promise<NearMiss[]> {
  const pacer = new Pacer(tools.signal);
  const words = [...new Set(parts.flatMap((part) => part.terms))];
  const misses: { miss: NearMiss; held: number }[] = [];
  for (const passage of await tools.search(words.join(" "), SEARCHED)) {
    await pacer.pause();
    const found = judge(passage, parts, lexicon);
    if (found !== null && !misses.some(({ miss }) => miss.origin === found.miss.origin)) misses.push(found);
  }
  // The sort is stable: equal ones stay in the order of the search.
  return misses
    .sort((left, right) => right.held - left.held)
    .slice(0, MAX_NEAREST)
    .map(({ miss }) => miss);
}

function judge(
  passage: Passage,
  parts: readonly QuestionPart[],
  lexicon: Lexicon,
): { miss: NearMiss; held: number } | null {
  const terms = new Set(lexicon.termsOf(`${passage.title}\n${passage.text}`));
  const held = heldWeight(parts, terms, lexicon);
  if (held === 0) return null;
  const words = [...new Set(parts.flatMap((part) => part.terms))];
  const lacks = words.filter(
    (word) => !lexicon.isWeak(lexicon.termOf(word)) && !lexicon.holds(terms, lexicon.termOf(word)),
  );
  const text = excerptOf(passage, parts, lexicon);
  return text === null ? null : { miss: { origin: passage.origin, title: passage.title, text, lacks }, held };
}

/** Of words that tell what the question is about. */
function heldWeight(parts: readonly QuestionPart[], terms: ReadonlySet<string>, lexicon: Lexicon): number {
  let held = 0;
  for (const { terms: words, weights } of parts) {
    for (const [index, word] of words.entries()) {
      const term = lexicon.termOf(word);
      if (!lexicon.isWeak(term) && lexicon.holds(terms, term)) held += weights?.[index] ?? 1;
    }
  }
  return held;
}

/** The sentence that shares most with the question; null when none shares anything. */
function excerptOf(passage: Passage, parts: readonly QuestionPart[], lexicon: Lexicon): string | null {
  let best: string | null = null;
  let bestHeld = 0;
  for (const { text } of sentencesOf(passage.text, formatOf(passage.origin))) {
    const held = heldWeight(parts, new Set(lexicon.termsOf(text)), lexicon);
    if (held > bestHeld) [best, bestHeld] = [text, held];
  }
  return best === null ? null : best.replace(/\s+/g, " ").slice(0, MAX_TEXT_LENGTH).toWellFormed();
}
