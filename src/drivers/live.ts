// The live driver: language models with tools do the thinking; what they bring is checked by the same gates.
import { digestOfJson } from "../kernel/digest.ts";
import type { Driver, TaskKind, Tasks, TaskTools } from "../ports/driver.ts";
import { LIMITS_BY_MODE } from "../run/settings.ts";
import { checkCitations } from "./live/citations.ts";
import { draft } from "./live/draft.ts";
import { fillGap, research } from "./live/findings.ts";
import { pivot } from "./live/pivot.ts";
import { judgeClaims } from "./live/judge-claims.ts";
import { plan } from "./live/plan.ts";
import * as prompts from "./live/prompts.ts";
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

/** Changed by hand with the code, by itself with the prompts: another one is drift. */
const CODE_VERSION = "live-2";

function versionOf(): string {
  const limits = LIMITS_BY_MODE.standard;
  const demands = [
    prompts.planDemands(limits),
    prompts.pivotDemands(),
    prompts.researchDemands(limits),
    prompts.summaryDemands(limits),
    prompts.draftDemands(limits),
    prompts.verdictDemands(),
    prompts.reviewDemands(1, limits),
  ];
  const texts = [prompts.PLANNER, prompts.RESEARCHER, prompts.VERIFIER, prompts.WRITER, prompts.REVIEWER];
  const spoken = [...texts.map((who) => prompts.system(who, [])), ...demands.flat()];
  return `${CODE_VERSION}+${digestOfJson(spoken).slice("sha256:".length, "sha256:".length + 12)}`;
}

export const liveDriver: Driver = {
  id: "live",
  version: versionOf(),
  async perform<K extends TaskKind>(kind: K, input: Tasks[K]["input"], tools: TaskTools): Promise<Tasks[K]["result"]> {
    tools.signal.throwIfAborted();
    return await PERFORMERS[kind](input, tools);
  },
};
