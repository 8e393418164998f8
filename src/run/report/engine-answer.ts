// The answer of a search engine: the pages that it names for a query, best first.
import { z } from "../../kernel/zod.ts";

const MAX_HITS = 50;

export const engineAnswerSchema = z.object({
  query: z.string(),
  hits: z.array(z.object({ url: z.string().min(1), title: z.string() })).max(MAX_HITS),
});
export type EngineAnswer = z.infer<typeof engineAnswerSchema>;
