// Stage pivot: decides which parts of the question need more evidence, and whether wave 2 searches for it.
import { workLimits } from "../run/settings/settings.ts";
import { stepPlan, type StageDefinition } from "./stage-definition.ts";

export const pivotStage: StageDefinition = {
  stage: "pivot",
  gathers: false,
  async plan({ manifest, evidence }) {
    const { limits, query } = manifest;
    const upstream = { ...(await evidence.digests("perspectives")), ...(await evidence.digests("wave1")) };
    return [
      stepPlan({
        key: "pivot:decide",
        task: "pivot",
        identity: { question: query.text, upstream, limits: workLimits(limits) },
        input: async () => ({
          question: query.text,
          plan: await evidence.plan(),
          findings: await evidence.wave1(),
          wave: 2,
          gaps: [],
          limits,
        }),
      }),
    ];
  },
  async next({ evidence }) {
    const { decision, gaps, reason } = await evidence.pivot();
    return decision === "wave2" && gaps.length > 0 ? { to: "wave2", reason } : { to: "citations", reason };
  },
};
