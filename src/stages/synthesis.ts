// Stage synthesis: the first draft. The redrafts that review asks for use the same task.
import type { Directive } from "../run/research.ts";
import type { Draft } from "../run/report.ts";
import { draftSchema } from "../run/report-v1.ts";
import { stepPlan, type AnyStepPlan, type StageContext, type StageDefinition } from "./stage-definition.ts";

export const synthesisStage: StageDefinition = {
  stage: "synthesis",
  gathers: false,
  async plan(context) {
    return [await draftStep(context, "synthesis:draft-1", [], null)];
  },
  async judge() {
    return [];
  },
  async next() {
    return { to: "review", reason: "a draft is there" };
  },
};

export async function draftStep(
  { manifest, evidence }: StageContext,
  key: string,
  directives: Directive[],
  previous: Draft | null,
): Promise<AnyStepPlan> {
  const question = manifest.query.text;
  const upstream = {
    ...(await evidence.digests("pivot")),
    ...(await evidence.digests("citations")),
    ...(await evidence.digests("summaries")),
  };
  return stepPlan({
    key,
    task: "draft",
    identity: { question, upstream, directives, previous },
    input: async () => ({
      question,
      plan: await evidence.plan(),
      pivot: await evidence.pivot(),
      summaries: await evidence.summaries(),
      citations: await evidence.citations(),
      sources: await evidence.sources(),
      directives,
      previous,
      limits: manifest.limits,
    }),
    parse: (value) => draftSchema.parse(value),
  });
}
