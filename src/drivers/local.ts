// The local driver makes a digest of excerpts. It uses no model, key, clock or randomness, and all that it says about the subject
// is quoted byte for byte.
import { CODE_DIGESTS } from "./code-digests.ts";
import { driverOf } from "./driver-of.ts";
import { checkCitations } from "./local/citations.ts";
import { draft } from "./local/draft.ts";
import { judgeClaims } from "./local/judge-claims.ts";
import { pivot } from "./local/pivot.ts";
import { plan } from "./local/plan.ts";
import { fillGap, research } from "./local/research.ts";
import { summarize } from "./local/summary.ts";

export const localDriver = driverOf("local", `local-11+${CODE_DIGESTS.local}`, {
  plan,
  research,
  pivot,
  fill_gap: fillGap,
  check_citations: checkCitations,
  summarize,
  draft,
  judge_claims: judgeClaims,
  // It was checked that the excerpts stand in their sources. The reader judges if they answer.
  review: ({ draft_number }) => ({ draft: draft_number, decision: "accept", directives: [] }),
});
