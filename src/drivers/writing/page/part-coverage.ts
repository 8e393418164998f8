// Measures how far a page answers each part of the question: as far as the writer says, but no further than its claims show.
import type { Claim, Draft } from "../../../run/report/report.ts";
import { claimsOf } from "../../../run/report/statements.ts";
import { spanKey } from "../../../run/report/source.ts";
import type { Citation, Plan } from "../../../run/report/research.ts";

const ENOUGH_CLAIMS = 2;

/** How far a writer says that a part is answered: 0, 0.5 or 1. */
export interface Said {
  part_id: string;
  coverage: number;
}

/** The coverages of a draft that differ from those that its claims alone give, and so come from its writer. */
export function saidOf(draft: Draft, plan: Plan, citations: readonly Citation[]): Said[] {
  const counted = partsOf(plan, claimsOf(draft), citations, []);
  return plan.parts.flatMap(({ id }, index) => {
    const { coverage } = draft.parts[index] ?? {};
    return coverage === undefined || coverage === counted[index]?.coverage ? [] : [{ part_id: id, coverage }];
  });
}

/**
 * A supported claim answers the parts that its quotes were recorded for. `written`: what the writer said. `lacking`: the parts for
 * which something was looked for in vain, which are answered in part at best.
 */
export function partsOf(
  { parts }: Plan,
  claims: readonly Claim[],
  citations: readonly Citation[],
  written: readonly Said[],
  lacking: ReadonlySet<string> = new Set(),
): Draft["parts"] {
  const supported = claims.filter(({ verdict }) => verdict === "supported");
  return parts.map(({ id, text, absent = [] }) => {
    const spans = new Set(
      citations.filter(({ part_ids = [] }) => part_ids.includes(id)).map(({ quote }) => spanKey(quote)),
    );
    const own = supported.filter(({ quotes }) => quotes.some((quote) => spans.has(spanKey(quote))));
    const sources = new Set(own.flatMap(({ quotes }) => quotes.map(({ source_digest }) => source_digest)));
    const counted = own.length === 0 ? 0 : own.length < ENOUGH_CLAIMS || lacking.has(id) ? 0.5 : 1;
    const said = written.find(({ part_id }) => part_id === id)?.coverage;
    const coverage = Math.min(counted, said ?? counted);
    const answered_by = own.map(({ statement_id }) => statement_id);
    return { text, coverage, missing: [...absent], claims: own.length, sources: sources.size, answered_by };
  });
}
