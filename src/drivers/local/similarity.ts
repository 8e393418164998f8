// Tells sentences that say the same apart from those that do not: equal but for markup, or made of the same words.
import { termsOf } from "../../corpus/terms.ts";
import { NEGATION } from "./cues/sentence-cues.ts";

const NEAR_DUPLICATE = 0.7;
/** A sentence whose words all stand in another one adds nothing to it. */
const CONTAINED = 0.95;
const MIN_CONTAINED_TERMS = 4;

interface Seen {
  text: string;
  terms: ReadonlySet<string>;
  isNegated: boolean;
}

/** The sentences chosen so far. */
export class Novelty {
  private readonly seen: Seen[] = [];

  isNew(sentence: string): boolean {
    const terms = seenIn(sentence);
    return !this.seen.some((other) => saySame(terms, other));
  }

  add(sentence: string): void {
    this.seen.push(seenIn(sentence));
  }
}

/** 0 to 1: shared words over all words. */
export function likeness(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const shared = sharedCount(left, right);
  const all = left.size + right.size - shared;
  return all === 0 ? 1 : shared / all;
}

export function sharedCount(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  const [few, many] = left.size < right.size ? [left, right] : [right, left];
  for (const term of few) if (many.has(term)) shared++;
  return shared;
}

/** Each holds a number that the other does not: they may contradict, whatever else they share. */
export function giveOtherNumbers(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  const hasOwn = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
    [...one].some((term) => /^\p{N}/u.test(term) && !other.has(term));
  return hasOwn(left, right) && hasOwn(right, left);
}

function saySame(left: Seen, right: Seen): boolean {
  if (left.text.includes(right.text) || right.text.includes(left.text)) return true;
  if (left.isNegated !== right.isNegated || giveOtherNumbers(left.terms, right.terms)) return false;
  if (likeness(left.terms, right.terms) >= NEAR_DUPLICATE) return true;
  const fewer = Math.min(left.terms.size, right.terms.size);
  return fewer >= MIN_CONTAINED_TERMS && sharedCount(left.terms, right.terms) / fewer >= CONTAINED;
}

/** One text may be stored as it was written and as it is shown. */
const MARKUP = /:\p{L}+:(?=`)|<[^>\s]+>(?=`)|\]\([^)]*\)|[`*_[\]]+/gu;
const ASIDE = /\s*\((?:see|siehe)\b[^()]*\)/giu;

function seenIn(sentence: string): Seen {
  const text = sentence.replace(MARKUP, "").replace(ASIDE, "").replace(/\s+/g, " ").trim();
  return { text, terms: new Set(termsOf(text)), isNegated: NEGATION.test(text) };
}
