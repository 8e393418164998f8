// The performers of all tasks: each asks whoever plays its role, a model or somebody outside.
import { answer, draft, section } from "./writing.ts";
import { checkCitations } from "./citations.ts";
import { judgeClaims } from "./judge-claims.ts";
import { outline, pivot, plan, review } from "./planner.ts";
import { fillGap, research } from "./research.ts";
import { summarize } from "./summary.ts";

export const PERFORMERS = {
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
};
