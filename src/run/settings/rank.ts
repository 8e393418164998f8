// The ranker of a run, as its settings hold it: what puts the passages of a search in order.
import { z } from "../../kernel/zod.ts";
import { digestSchema } from "../common.ts";
import { modelSchema, type Model } from "../model/model.ts";

/** What a model got right in the check of rankers. */
export const rankGateSchema = z.object({
  /** Of the questions with an answer: how often the right passage came first. */
  first: z.int().min(0).max(8),
  /** Of all questions: how often it was right whether they are answered. */
  verdicts: z.int().min(0).max(12),
});
export type RankGate = z.infer<typeof rankGateSchema>;

/** Below, a model does not rank. */
const LEAST_FIRST = 6;
/** Below, only its order counts. */
const LEAST_VERDICTS = 10;

export function mayRank({ first }: RankGate): boolean {
  return first >= LEAST_FIRST;
}

export function mayJudge({ verdicts }: RankGate): boolean {
  return verdicts >= LEAST_VERDICTS;
}

export const rankSettingsSchema = z.discriminatedUnion("by", [
  z.object({
    by: z.literal("model"),
    /** Digest of the words that the model reads. */
    prompt: digestSchema,
    /** Absent: the model was not checked before the run was made, so the first step that ranks checks it. */
    gate: rankGateSchema.optional(),
  }),
  z.object({ by: z.literal("endpoint"), endpoint: modelSchema }),
]);
export type RankSettings = z.infer<typeof rankSettingsSchema>;

/** The endpoint that a person set up; without a model its server speaks the form of TEI, which serves one and takes no name. */
export const rerankSetUpSchema = z.object({
  base_url: z.string().min(1).max(2_000),
  model: z.string().min(1).max(200).optional(),
});

const ONLY_MODEL = "tei";

export function rerankModel({ base_url, model = ONLY_MODEL }: z.infer<typeof rerankSetUpSchema>): Model {
  return modelSchema.parse({ provider: "rerank", name: model, base_url: base_url.replace(/\/+$/, "") });
}

export function takesName({ name }: Pick<Model, "name">): boolean {
  return name !== ONLY_MODEL;
}
