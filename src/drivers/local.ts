// The local driver: extractive and deterministic. It has no model, no key, no clock and no randomness; every sentence
// that it hands on is quoted from a source, word for word.
import { driverOf } from "./driver-of.ts";
import { checkCitations } from "./local/citations.ts";
import { draft } from "./local/draft.ts";
import { fillGap, research } from "./local/findings.ts";
import { judgeClaims } from "./local/judge-claims.ts";
import { pivot } from "./local/pivot.ts";
import { plan } from "./local/plan.ts";
import { review } from "./local/review.ts";
import { summarize } from "./local/summary.ts";

export const localDriver = driverOf("local", "local-7", {
  plan,
  research,
  pivot,
  fill_gap: fillGap,
  check_citations: checkCitations,
  summarize,
  draft,
  judge_claims: judgeClaims,
  review,
});
