// The local driver: extractive and deterministic. It has no model, no key, no clock and no randomness; every sentence
// that it hands on is quoted from a source, word for word.
import type { Driver, TaskKind, Tasks, TaskTools } from "../ports/driver.ts";
import { checkCitations } from "./local/citations.ts";
import { draft } from "./local/draft.ts";
import { fillGap, research } from "./local/findings.ts";
import { judgeClaims } from "./local/judge-claims.ts";
import { pivot } from "./local/pivot.ts";
import { plan } from "./local/plan.ts";
import { review } from "./local/review.ts";
import { summarize } from "./local/summary.ts";

type Performers = {
  [K in TaskKind]: (input: Tasks[K]["input"], tools: TaskTools) => Tasks[K]["result"] | Promise<Tasks[K]["result"]>;
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

export const localDriver: Driver = {
  id: "local",
  version: "local-6",
  async perform<K extends TaskKind>(kind: K, input: Tasks[K]["input"], tools: TaskTools): Promise<Tasks[K]["result"]> {
    tools.signal.throwIfAborted();
    return PERFORMERS[kind](input, tools);
  },
};
