// Claims of the report to be read side by side: other numbers for one thing, or sentences that may not agree.
import type { Claim, Comparison } from "../../run/report.ts";
import { disagreementsOf } from "./disagreements.ts";
import type { Lexicon } from "./lexicon.ts";
import { differingNumbers } from "./differing-numbers.ts";
import type { Statement } from "./statements.ts";

const MAX_OF_A_KIND = 3;

/** Few, rather than some that are none. */
export function comparisonsOf(claims: readonly Claim[], lexicon: Lexicon): Comparison[] {
  const statements = claims.flatMap((claim): Statement[] => {
    const source = claim.quotes[0]?.source_digest;
    return source === undefined ? [] : [{ claim, source, terms: new Set(lexicon.termsOf(claim.text)) }];
  });
  return [
    ...differingNumbers(statements, lexicon).slice(0, MAX_OF_A_KIND),
    ...disagreementsOf(statements, lexicon).slice(0, MAX_OF_A_KIND),
  ];
}
