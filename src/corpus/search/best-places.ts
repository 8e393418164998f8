// Picks the passages with the best scores, at most a few of each document.
import type { PassageTable } from "../index/passage-table.ts";
import type { Scores } from "./scores.ts";

export interface Scored {
  place: number;
  score: number;
}

/** The best `limit` passages, best first, with at most `perDocument` of each document. */
export function bestPlaces(
  table: PassageTable,
  scores: Scores,
  { limit, perDocument }: { limit: number; perDocument: number },
): Scored[] {
  let best: Scored[] = [];
  let least = 0;
  for (let document = 0; document < table.documents.length; document++) {
    const own: Scored[] = [];
    for (let place = table.firstOf[document] ?? 0; place < (table.firstOf[document + 1] ?? 0); place++) {
      const score = scores.of(place);
      if (score > least) own.push({ place, score });
    }
    if (own.length > perDocument) own.sort(byScore).length = perDocument;
    best.push(...own);
    if (best.length < limit * 4 + 100) continue;
    best = best.sort(byScore).slice(0, limit);
    // A later passage with an equal score is behind these.
    least = best.at(-1)?.score ?? 0;
  }
  return best.sort(byScore).slice(0, limit);
}

export function byScore(left: Scored, right: Scored): number {
  return right.score - left.score || left.place - right.place;
}
