// Finds sentences of different documents that may not agree: about one thing, one says it and the other denies it.
import type { Comparison } from "../../run/report.ts";
import { NEGATION, OPPOSITES } from "./cues/sentence-cues.ts";
import type { Lexicon } from "./lexicon.ts";
import { sharedCount } from "./similarity.ts";
import { subjectOf, writtenWords, type Statement } from "./statements.ts";

const METHOD = "lexical-polarity";
const MIN_SHARED = 3;
/** Of the shorter sentence, and of the longer one. */
const MIN_SHARE = 0.6;
const MIN_SHARE_OF_LONGER = 0.42;
/** Of what the one is about that says less before the words on which the two differ. */
const MIN_SHARE_OF_SUBJECT = 0.5;
/** The verb or adjective right behind a negation; a noun that something stands before is not what is denied. */
const DENIED =
  /^\s+(?:(?:be|been|being|have|yet|also|always|mehr|immer)\s+){0,2}([\p{L}\p{M}]+)(?![\p{L}\p{N}\p{M}'’-])/u;
const PLAIN_WORD = /(?<![\p{L}\p{N}\p{M}'’-])[\p{L}\p{M}]+(?![\p{L}\p{N}\p{M}'’-])/gu;
const CONTRASTS = /(?<!\p{L})(?:but|and|or|aber|und|oder)\s$/iu;
/** How far before a Japanese negation the word stands that it denies. */
const REACH = 10;

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
      if (values === null || !haveOneSubject(left, right, values, lexicon)) continue;
      const ids = [left.claim.claim_id, right.claim.claim_id];
      const sides = ids.map((claim_id, side) => ({ claim_id, value: values[side]?.written ?? "" }));
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

/** The word on which a statement differs, as it is written, and its string offset. */
interface Said {
  written: string;
  at: number;
}

type Values = [left: Said, right: Said];

/** Both say the same of what they speak about before the words on which they differ. */
function haveOneSubject(left: Statement, right: Statement, [there, here]: Values, lexicon: Lexicon): boolean {
  const subject = ({ claim }: Statement, { at }: Said): Set<string> =>
    new Set(lexicon.termsOf(claim.text.slice(0, at)).filter((term) => !lexicon.isWeak(term)));
  const [one, other] = [subject(left, there), subject(right, here)];
  const shared = sharedCount(one, other);
  return shared > 0 && shared >= Math.min(one.size, other.size) * MIN_SHARE_OF_SUBJECT;
}

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

/** The word of a statement that begins so. */
function wordFrom({ claim }: Statement, beginning: string): Said | null {
  const isSpaced = /^\p{Script=Latin}/u.test(beginning);
  const pattern = isSpaced ? `(?<!\\p{L})${beginning}\\p{L}*` : beginning;
  const found = new RegExp(pattern, "iu").exec(claim.text);
  return found === null ? null : { written: found[0], at: found.index };
}

function isNegated({ claim }: Statement): boolean {
  return NEGATION.test(claim.text);
}

/** One denies a word that the other says. */
function denial(left: Statement, right: Statement, shared: ReadonlySet<string>, lexicon: Lexicon): Values | null {
  if (isNegated(left) === isNegated(right)) return null;
  const [denying, saying] = isNegated(left) ? [left, right] : [right, left];
  const denied = deniedBy(denying.claim.text, lexicon);
  if (denied === null || !shared.has(denied.term)) return null;
  const said = saidIn(saying.claim.text, denied.term, lexicon);
  if (said === null) return null;
  return denying === left ? [denied, said] : [said, denied];
}

/** The negation with the word that it denies. */
function deniedBy(text: string, lexicon: Lexicon): (Said & { term: string }) | null {
  const found = NEGATION.exec(text);
  // "But not foreign tables" excepts something and denies nothing.
  if (found === null || CONTRASTS.test(text.slice(0, found.index))) return null;
  if (lexicon.language === "japanese") {
    const from = Math.max(0, found.index - REACH);
    const before = text.slice(from, found.index);
    const term = lexicon.termsOf(before).at(-1);
    const at = term === undefined ? -1 : before.lastIndexOf(term);
    return term === undefined || at === -1 ? null : { written: before.slice(at) + found[0], at: from + at, term };
  }
  const behind = DENIED.exec(text.slice(found.index + found[0].length));
  const [term] = lexicon.termsOf(behind?.[1] ?? "");
  return behind === null || term === undefined ? null : { written: found[0] + behind[0], at: found.index, term };
}

/** The first word that stands for the term by itself: no part of "command-line", and not "command's". */
function saidIn(text: string, term: string, lexicon: Lexicon): Said | null {
  if (lexicon.language === "japanese") {
    const written = writtenWords(text).find((word) => lexicon.termsOf(word).includes(term));
    return written === undefined ? null : { written, at: text.indexOf(written) };
  }
  for (const word of text.matchAll(PLAIN_WORD))
    if (lexicon.termsOf(word[0]).includes(term)) return { written: word[0], at: word.index };
  return null;
}
