// Which claims answer a part of the question itself, and do not only touch it: by these its strength is counted.
import type { QuestionPart } from "../../run/research.ts";
import type { Source } from "../../run/source.ts";
import { asksHowMany, holdsAskedKind } from "./asked-kind.ts";
import {
  asksForDrawbacks,
  asksForQuantity,
  givesDrawback,
  givesQuantity,
  keepsQualifiers,
  measureTerms,
} from "./expectations.ts";
import type { Lexicon } from "./lexicon.ts";
import type { Point } from "./points.ts";
import { termsAbove } from "./places.ts";
import { quantitiesOf } from "./quantities.ts";
import { alternativesIn, strongTerms } from "./weighed-parts.ts";
import { subjectHead } from "./subject-head.ts";

/** No sentence holds every word of a long question. */
const MAX_TERMS = 3;
const SHARE_OF_MANY = 0.75;

/** By the id of the part, in the order of the points. */
export function coreClaimsOf(
  parts: readonly QuestionPart[],
  points: readonly Point[],
  sources: readonly Source[],
  lexicon: Lexicon,
): ReadonlyMap<string, readonly Point[]> {
  const places = new Map(sources.map(({ source_digest, title, origin }) => [source_digest, `${title} ${origin}`]));
  const asked = parts.flatMap(({ text }) => lexicon.termsOf(text));
  const held = new Map(points.map((point) => [point, heldBy(point, { places, asked }, lexicon)]));
  return new Map(
    parts.map((part) => {
      const terms = strongTerms(part, lexicon);
      const own = points.filter(
        (point) =>
          point.part_ids.includes(part.id) &&
          isCore(part, terms, point.claim.text, held.get(point) ?? NOTHING, lexicon),
      );
      return [part.id, withMeasure(own, part, lexicon)];
    }),
  );
}

const NOTHING: ReadonlySet<string> = new Set();

/** The terms of a claim and of what stands above it; `asked`: those of the question. */
function heldBy(
  { claim }: Point,
  { places, asked }: { places: ReadonlyMap<string, string>; asked: readonly string[] },
  lexicon: Lexicon,
): ReadonlySet<string> {
  const [quote] = claim.quotes;
  const above = [...(quote?.anchor?.section ?? []), places.get(quote?.source_digest ?? "") ?? ""];
  return new Set([...lexicon.termsOf(claim.text), ...termsAbove(above.join("\n"), asked, lexicon)]);
}

/** A number of the kind that is asked for may stand for one of the words. */
function isCore(
  part: QuestionPart,
  terms: readonly string[],
  text: string,
  held: ReadonlySet<string>,
  lexicon: Lexicon,
): boolean {
  if (!keepsQualifiers(text, part.text) || !holdsAskedKind(text, part.text, lexicon)) return false;
  if (asksForDrawbacks(part.text) && !givesDrawback(text) && !namesAspect(part, held, lexicon)) return false;
  const alternatives = alternativesIn(part.text, lexicon);
  const isHeld = (term: string): boolean =>
    lexicon.holds(held, term) ||
    (alternatives.has(term) && [...alternatives].some((other) => lexicon.holds(held, other)));
  const found = terms.filter(isHeld).length;
  const needed = terms.length <= MAX_TERMS ? terms.length : Math.ceil(terms.length * SHARE_OF_MANY);
  if (!asksForQuantity(part.text)) return found >= needed;
  // A count was looked for above, also where its thing stands before it.
  if (!asksHowMany(part.text) && !givesQuantity(text, part.text, lexicon)) return false;
  return found >= needed || (found >= Math.max(1, needed - 1) && numbersAreAbout(terms, text, lexicon));
}

/** Below a heading such as "Limitations" everything is one. */
function namesAspect(part: QuestionPart, held: ReadonlySet<string>, lexicon: Lexicon): boolean {
  return part.terms.some((word) => lexicon.isWeak(lexicon.termOf(word)) && held.has(lexicon.termOf(word)));
}

function numbersAreAbout(terms: readonly string[], text: string, lexicon: Lexicon): boolean {
  return quantitiesOf(text, lexicon).some(({ start }) => {
    const head = subjectHead(text, start, lexicon);
    return terms.some((term) => lexicon.holds(head, term));
  });
}

/** "How deep": when some say "deep" beside the number, the others measure something else. */
function withMeasure(points: readonly Point[], part: QuestionPart, lexicon: Lexicon): readonly Point[] {
  const asked = measureTerms(part.text, lexicon);
  const measuring = points.filter(({ claim }) => {
    const terms = new Set(lexicon.termsOf(claim.text));
    return asked.some((term) => lexicon.holds(terms, term));
  });
  return measuring.length > 0 ? measuring : points;
}
