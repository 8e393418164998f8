// Finds sentences of different documents that may not agree: about one thing, one says it and the other denies it.
import type { Comparison } from "../../run/report.ts";
import { NEGATION, OPPOSITES } from "./cues/sentence-cues.ts";
import type { Lexicon } from "./lexicon.ts";
import { subjectOf, writtenWords, type Statement } from "./statements.ts";

const METHOD = "lexical-polarity";
const MIN_SHARED = 3;
/** Of the shorter sentence, and of the longer one. */
const MIN_SHARE = 0.6;
const MIN_SHARE_OF_LONGER = 0.42;
/** How far behind a negation the word stands that it denies; before it in Japanese. */
const REACH = 40;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu;

interface Found {
  comparison: Comparison;
  share: number;
  claims: string[];
}

/** The likeliest first; a claim stands in one of them only. */
export function disagreementsOf(statements: readonly Statement[], lexicon: Lexicon): Comparison[] {
  const found: Found[] = [];
  for (const [index, left] of statements.entries()) {
    for (const right of statements.slice(index + 1)) {
      const shared = new Set([...left.terms].filter((term) => right.terms.has(term)));
      const share = shared.size / Math.max(1, Math.min(left.terms.size, right.terms.size));
      const ofLonger = shared.size / Math.max(1, left.terms.size, right.terms.size);
      if (left.source === right.source || shared.size < MIN_SHARED) continue;
      if (share < MIN_SHARE || ofLonger < MIN_SHARE_OF_LONGER) continue;
      const values = opposites(left, right) ?? denial(left, right, shared, lexicon);
      if (values === null) continue;
      const ids = [left.claim.claim_id, right.claim.claim_id];
      const sides = ids.map((claim_id, side) => ({ claim_id, value: values[side] ?? "" }));
      const title = subjectOf(left.claim.text, shared, lexicon);
      found.push({ comparison: { kind: "disagreement", title, method: METHOD, sides }, share, claims: ids });
    }
  }
  found.sort((one, other) => other.share - one.share);
  const taken = new Set<string>();
  return found.flatMap(({ comparison, claims }) => {
    if (claims.some((id) => taken.has(id))) return [];
    for (const id of claims) taken.add(id);
    return [comparison];
  });
}

type Values = [left: string, right: string];

/** One says "increases" where the other says "decreases", and neither says both. */
function opposites(left: Statement, right: Statement): Values | null {
  for (const [one, other] of OPPOSITES) {
    for (const [first, second] of [
      [one, other],
      [other, one],
    ] as const) {
      const [there, here] = [wordFrom(left, first), wordFrom(right, second)];
      if (there === null || here === null || wordFrom(left, second) !== null || wordFrom(right, first) !== null)
        continue;
      if (isNegated(left) === isNegated(right)) return [there, here];
    }
  }
  return null;
}

/** The word of a statement that begins so, as it is written. */
function wordFrom({ claim }: Statement, beginning: string): string | null {
  const isSpaced = /^\p{Script=Latin}/u.test(beginning);
  const pattern = isSpaced ? `(?<!\\p{L})${beginning}\\p{L}*` : beginning;
  return new RegExp(pattern, "iu").exec(claim.text)?.[0] ?? null;
}

function isNegated({ claim }: Statement): boolean {
  return NEGATION.test(claim.text);
}

/** One denies a word that the other says. */
function denial(left: Statement, right: Statement, shared: ReadonlySet<string>, lexicon: Lexicon): Values | null {
  if (isNegated(left) === isNegated(right)) return null;
  const [denying, saying] = isNegated(left) ? [left, right] : [right, left];
  const denied = deniedBy(denying.claim.text, shared, lexicon);
  if (denied === null) return null;
  const said = writtenWords(saying.claim.text).find((word) => lexicon.termsOf(word).includes(denied.term));
  if (said === undefined) return null;
  return denying === left ? [denied.written, said] : [said, denied.written];
}

/** The negation with the shared word that stands next to it, as written. */
function deniedBy(
  text: string,
  shared: ReadonlySet<string>,
  lexicon: Lexicon,
): { written: string; term: string } | null {
  const found = NEGATION.exec(text);
  if (found === null) return null;
  const end = found.index + found[0].length;
  if (lexicon.language === "japanese") {
    const before = text.slice(Math.max(0, found.index - REACH / 4), found.index);
    const term = lexicon.termsOf(before).findLast((candidate) => shared.has(candidate));
    const at = term === undefined ? -1 : before.lastIndexOf(term);
    return term === undefined || at === -1 ? null : { written: before.slice(at) + found[0], term };
  }
  for (const word of text.slice(end, end + REACH).matchAll(WORD)) {
    const [term] = lexicon.termsOf(word[0]);
    if (term === undefined) continue;
    if (!shared.has(term)) return null;
    return { written: text.slice(found.index, end + word.index + word[0].length), term };
  }
  return null;
}
