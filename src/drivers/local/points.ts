// The claims that may stand in a report: each checked sentence once, with the subjects and parts it was found for.
import type { Citation, Citations, Directive, Plan, Summary } from "../../run/research.ts";
import type { Claim } from "../../run/report.ts";
import { Novelty } from "./similarity.ts";

export interface Point {
  claim: Claim;
  /** Perspectives and gaps. */
  subjects: string[];
  part_ids: string[];
  score: number;
}

/** Best first; what a review struck out stays out. */
export function pointsOf(
  plan: Plan,
  summaries: readonly Summary[],
  citations: readonly Citations[],
  directives: readonly Directive[],
): Point[] {
  return withoutRepeats(allPoints(plan, summaries, citations), directives);
}

/** The claim id is the id of its first citation: the same in every draft of a run. */
function allPoints(plan: Plan, summaries: readonly Summary[], citations: readonly Citations[]): Point[] {
  const byId = new Map(
    citations.flatMap((checked) => checked.citations).map((citation) => [citation.citation_id, citation]),
  );
  return summaries.flatMap(({ subject, points }) => {
    const wanted = plan.perspectives.find(({ id }) => id === subject)?.part_ids ?? [];
    return points.flatMap((point) => {
      const cited = point.citation_ids.flatMap((id) => byId.get(id) ?? []);
      const [first] = cited;
      if (first === undefined) return [];
      const claim = claimOf(point.text, first, cited);
      return [{ claim, subjects: [subject], part_ids: point.part_ids ?? wanted, score: point.score }];
    });
  });
}

function claimOf(text: string, first: Citation, cited: readonly Citation[]): Claim {
  const { citation_id, verdict, method, reason } = first;
  return {
    claim_id: citation_id,
    text,
    verdict,
    method,
    ...(reason === undefined ? {} : { reason }),
    quotes: cited.map((citation) => citation.quote),
  };
}

function withoutRepeats(points: readonly Point[], directives: readonly Directive[]): Point[] {
  const struck = new Set(
    directives.filter(({ kind }) => kind === "remove_claim" || kind === "drop_duplicate").map(({ target }) => target),
  );
  const novelty = new Novelty();
  const kept: Point[] = [];
  for (const point of [...points].sort((left, right) => right.score - left.score)) {
    if (struck.has(point.claim.claim_id)) continue;
    const same = kept.find((other) => other.claim.text === point.claim.text);
    if (same !== undefined) {
      same.subjects.push(...point.subjects);
      same.part_ids = [...new Set([...same.part_ids, ...point.part_ids])];
    }
    if (!novelty.isNew(point.claim.text)) continue;
    novelty.add(point.claim.text);
    kept.push({ ...point, subjects: [...point.subjects] });
  }
  return kept;
}
