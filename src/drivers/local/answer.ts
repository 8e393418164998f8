// What stands up front: each part of the question with its best sentence, then the best over all.
import { termsOf } from "../../corpus/terms.ts";
import { formatOf } from "../../corpus/formats.ts";
import type { Perspective, Plan, QuestionPart } from "../../run/research.ts";
import type { Claim } from "../../run/report.ts";
import type { Source } from "../../run/source.ts";
import type { Said } from "./definitions.ts";
import { givesWhatIsAsked } from "./expectations.ts";
import type { Lexicon } from "./lexicon.ts";
import type { Point } from "./points.ts";
import { describesLink } from "./readability.ts";
import { pointsUp } from "./sentences.ts";
import { giveOtherNumbers, likeness } from "./similarity.ts";

const MIN_CLAIMS = 5;
const CLAIMS_BESIDE_PARTS = 3;
const MAX_CLAIMS = 9;
const CLAIMS_PER_SOURCE = 2;
/** What is so much worse than the best is left to the sections. */
const MIN_SHARE_OF_BEST = 0.6;
const TOO_LIKE = 0.45;

/** `points` come best first; `core`: see coreClaimsOf. Objections stand in their own section, if there is more. */
export function answerOf(
  points: readonly Point[],
  { parts, perspectives }: Plan,
  core: ReadonlyMap<string, readonly Point[]>,
  sources: readonly Source[],
  lexicon: Lexicon,
): Point[] {
  const prose = leading(points, sources);
  const direct = prose.filter((point) => point.part_ids.some((id) => answers(point, id, core)));
  const agreeing = withoutObjections(direct, perspectives);
  const chosen: Point[] = [];
  for (const { id, text } of parts) {
    const own = [...agreeing, ...direct].filter((point) => answers(point, id, core));
    const lowest = (own[0]?.score ?? 0) * MIN_SHARE_OF_BEST;
    const giving = own.find(({ claim, score }) => score >= lowest && givesWhatIsAsked(saidBy(claim), text, lexicon));
    // A part that nothing answers well is not passed over: how weak its evidence is stands below.
    const touching = [...prose, ...points].find((point) => point.part_ids.includes(id));
    const best = giving ?? own.find((point) => chosen.includes(point)) ?? own[0] ?? touching;
    if (best !== undefined && !chosen.includes(best)) chosen.push(best);
  }
  const isDirect = (point: Point): boolean => point.part_ids.some((id) => core.get(id)?.includes(point) === true);
  const room = Math.min(MAX_CLAIMS, Math.max(MIN_CLAIMS, parts.length + CLAIMS_BESIDE_PARTS));
  const lowest = (agreeing[0]?.score ?? 0) * MIN_SHARE_OF_BEST;
  for (const point of agreeing) {
    if (chosen.length >= room || point.score < lowest) break;
    if (isDirect(point) && addsTo(chosen, point)) chosen.push(point);
  }
  return inOrderOfParts(chosen, parts);
}

/** What only touches a part answers it when nothing else does. */
function answers(point: Point, partId: string, core: ReadonlyMap<string, readonly Point[]>): boolean {
  const direct = core.get(partId) ?? [];
  return point.part_ids.includes(partId) && (direct.length === 0 || direct.includes(point));
}

/** Comments in code and descriptions of links stand up front only when nothing else was found. */
function leading(points: readonly Point[], sources: readonly Source[]): readonly Point[] {
  const code = new Set<string>(
    sources.filter(({ origin }) => formatOf(origin) === "code").map(({ source_digest }) => source_digest),
  );
  const prose = points.filter((point) => !code.has(sourceOf(point)) && !describesLink(point.claim.text));
  return prose.length > 0 ? prose : points;
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

function saidBy({ text, quotes }: Claim): Said {
  return { text, label: pointsUp(text) ? (quotes[0]?.anchor?.section?.at(-1) ?? null) : null };
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
