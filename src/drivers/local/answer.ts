// What stands up front: each part of the question with its best sentence, then the best over all.
import { termsOf } from "../../corpus/terms.ts";
import type { Perspective, QuestionPart } from "../../run/research.ts";
import type { Point } from "./points.ts";
import { giveOtherNumbers, likeness } from "./similarity.ts";

const MIN_CLAIMS = 5;
const CLAIMS_BESIDE_PARTS = 3;
const MAX_CLAIMS = 9;
const CLAIMS_PER_SOURCE = 2;
/** What is so much worse than the best is left to the sections. */
const MIN_SHARE_OF_BEST = 0.55;
const TOO_LIKE = 0.45;

/** `points` come best first. Objections stand in their own section, if there is more. */
export function answerOf(
  points: readonly Point[],
  parts: readonly QuestionPart[],
  perspectives: readonly Perspective[],
): Point[] {
  const agreeing = withoutObjections(points, perspectives);
  const chosen: Point[] = [];
  for (const { id } of parts) {
    if (chosen.some((point) => point.part_ids.includes(id))) continue;
    const best =
      agreeing.find((point) => point.part_ids.includes(id)) ?? points.find((point) => point.part_ids.includes(id));
    if (best !== undefined) chosen.push(best);
  }
  const room = Math.min(MAX_CLAIMS, Math.max(MIN_CLAIMS, parts.length + CLAIMS_BESIDE_PARTS));
  const lowest = (agreeing[0]?.score ?? 0) * MIN_SHARE_OF_BEST;
  for (const point of agreeing) {
    if (chosen.length >= room || point.score < lowest) break;
    if (addsTo(chosen, point)) chosen.push(point);
  }
  return inOrderOfParts(chosen, parts);
}

function withoutObjections(points: readonly Point[], perspectives: readonly Perspective[]): readonly Point[] {
  if (perspectives.length === 1) return points;
  const opposing = new Set(perspectives.filter(({ kind }) => kind === "contrarian").map(({ id }) => id));
  const agreeing = points.filter((point) => point.subjects.some((subject) => !opposing.has(subject)));
  return agreeing.length > 0 ? agreeing : points;
}

function addsTo(chosen: readonly Point[], point: Point): boolean {
  if (chosen.includes(point)) return false;
  const fromSame = chosen.filter((other) => sourceOf(other) === sourceOf(point)).length;
  const terms = new Set(termsOf(point.claim.text));
  return (
    fromSame < CLAIMS_PER_SOURCE &&
    chosen.every((other) => {
      const otherTerms = new Set(termsOf(other.claim.text));
      return likeness(terms, otherTerms) < TOO_LIKE || giveOtherNumbers(terms, otherTerms);
    })
  );
}

function sourceOf({ claim }: Point): string {
  return claim.quotes[0]?.source_digest ?? "";
}

/** The sort is stable: within a part the best stays first. */
function inOrderOfParts(points: readonly Point[], parts: readonly QuestionPart[]): Point[] {
  const placeOf = ({ part_ids }: Point): number => {
    const place = parts.findIndex(({ id }) => part_ids.includes(id));
    return place === -1 ? parts.length : place;
  };
  return [...points].sort((left, right) => placeOf(left) - placeOf(right));
}
