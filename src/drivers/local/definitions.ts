// Whether a sentence says what the thing is that a question names.
import { BESIDE_HEAD, DEFINES, NAMES } from "./cues/answer-cues.ts";
import type { Lexicon } from "./lexicon.ts";

/** A sentence, with the heading or term right above it when it points there. */
export interface Said {
  text: string;
  label: string | null;
}

const TERMS_BESIDE_NAME = 2;
const NAME_LENGTH = 30;
const MAX_NAMED = 4;

/** "A lease is a lock that ...": little but what is asked about stands before the word that defines it. */
export function defines({ text, label }: Said, asked: string, lexicon: Lexicon): boolean {
  const named = lexicon.termsOf(asked).filter((term) => !lexicon.isWeak(term));
  if (named.length === 0 || named.length > MAX_NAMED) return false;
  const holdsName = (part: string, mostTerms: number): boolean => {
    const terms = new Set(lexicon.termsOf(part));
    return terms.size <= mostTerms && named.every((term) => lexicon.holds(terms, term));
  };
  // A term that is asked about, with what stands below it.
  const explained = lexicon.termsOf(label ?? "");
  if (explained.length > 0 && explained.every((term) => named.includes(term))) return true;
  const defined = DEFINES.exec(text);
  const before = text.slice(0, defined?.index ?? 0);
  const head = new Set(lexicon.termsOf(before.split(BESIDE_HEAD)[0] ?? ""));
  // "The blue lock is" says of one lock what it is, and "the history of the lock means" of a history.
  const isHead = head.size <= named.length && named.some((term) => lexicon.holds(head, term));
  if (isHead && holdsName(before, named.length + TERMS_BESIDE_NAME)) return true;
  const naming = NAMES.exec(text);
  if (naming === null) return false;
  const end = naming.index + naming[0].length;
  return holdsName(text.slice(end, end + NAME_LENGTH), Number.POSITIVE_INFINITY);
}
