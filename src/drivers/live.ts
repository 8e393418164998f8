// The live driver: language models with tools do the thinking; what they bring is checked by the same gates.
import { CODE_DIGESTS } from "./code-digests.ts";
import { driverOf } from "./driver-of.ts";
import { checkCitations } from "./live/citations.ts";
import { fillGap, research } from "./live/research.ts";
import { judgeClaims } from "./live/judge-claims.ts";
import { outline, pivot, plan, review } from "./live/planner.ts";
import { summarize } from "./live/summary.ts";
import { answer, draft, section } from "./live/writing.ts";

/** Another prompt, tool or piece of its code is another version, and so drift. */
export const liveDriver = driverOf("live", `live-2+${CODE_DIGESTS.live}`, {
  plan,
  research,
  pivot,
  fill_gap: fillGap,
  check_citations: checkCitations,
  summarize,
  draft,
  outline,
  section,
  answer,
  judge_claims: judgeClaims,
  review,
});
