// The live driver: language models with tools do the thinking; what they bring is checked by the same gates.
import type { Driver, TaskKind, Tasks, TaskTools } from "../ports/driver.ts";
import { checkCitations } from "./live/citations.ts";
import { CODE_DIGEST } from "./live/code-digest.ts";
import { draft } from "./live/draft.ts";
import { fillGap, research } from "./live/findings.ts";
import { pivot } from "./live/pivot.ts";
import { judgeClaims } from "./live/judge-claims.ts";
import { plan } from "./live/plan.ts";
import { review } from "./live/review.ts";
import { summarize } from "./live/summary.ts";

type Performers = {
  [K in TaskKind]: (input: Tasks[K]["input"], tools: TaskTools) => Promise<Tasks[K]["result"]>;
};

const PERFORMERS: Performers = {
  plan,
  research,
  pivot,
  fill_gap: fillGap,
  check_citations: checkCitations,
  summarize,
  draft,
  judge_claims: judgeClaims,
  review,
};

export const liveDriver: Driver = {
  id: "live",
  // Another prompt, tool or line of code is drift.
  version: `live-2+${CODE_DIGEST}`,
  async perform<K extends TaskKind>(kind: K, input: Tasks[K]["input"], tools: TaskTools): Promise<Tasks[K]["result"]> {
    tools.signal.throwIfAborted();
    return await PERFORMERS[kind](input, tools);
  },
};
