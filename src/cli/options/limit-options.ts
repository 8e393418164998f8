// The options about limits that judge what was done: a run may be given others when it goes on.
import { MAX_ROUNDS, type JudgingLimits } from "../../run/settings.ts";
import { integer, share, type OptionTable, type ValuesOf } from "./options.ts";

export const JUDGING_LIMITS = {
  maxRounds: integer("N", "drafts that review may ask for (default: by mode)", { least: 1, most: MAX_ROUNDS }),
  maxUnsupportedShare: share("claims that may be contradicted or not checked (default: by mode)"),
  minCitationUse: share("verified citations that the report has to use (default: by mode)"),
} satisfies OptionTable;

/** Only what was given. */
export function judgingLimitsOf(values: ValuesOf<typeof JUDGING_LIMITS>): Partial<JudgingLimits> {
  const { maxRounds, maxUnsupportedShare, minCitationUse } = values;
  return {
    ...(maxRounds === undefined ? {} : { max_rounds: maxRounds }),
    ...(maxUnsupportedShare === undefined ? {} : { max_unsupported_share: maxUnsupportedShare }),
    ...(minCitationUse === undefined ? {} : { min_citation_use: minCitationUse }),
  };
}
