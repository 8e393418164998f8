// The wire of endpoints that put texts in order: the form of Jina, Cohere, vLLM and llama.cpp, and that of TEI. The order is the reply.
import { z } from "../kernel/zod.ts";
import { ModelFailure, type CallOptions, type ModelReply, type ModelRequest } from "../ports/model.ts";
import { UNKNOWN_USAGE } from "../run/model/model.ts";
import { takesName } from "../run/settings/rank.ts";
import { wholeAnswer, type Server } from "./whole-answer.ts";

const PATH = "/rerank";

/** What the last message of a request holds. */
const wantedSchema = z.object({ query: z.string(), documents: z.array(z.string()).min(1) });

const itemSchema = z.object({
  index: z.int().min(0),
  relevance_score: z.number().optional(),
  score: z.number().optional(),
});
const listSchema = z.array(itemSchema);
const answerSchema = z.union([z.object({ results: listSchema }).transform(({ results }) => results), listSchema]);

/** Errors: `ModelFailure`, also for an answer that does not say of each document where it belongs. */
export async function rerank(
  server: Omit<Server, "path">,
  { model, messages }: Pick<ModelRequest, "model" | "messages">,
  options: Pick<CallOptions, "signal" | "timeout_ms" | "mayUseProxy">,
): Promise<ModelReply> {
  const { query, documents } = wantedSchema.parse(JSON.parse(messages.at(-1)?.content ?? ""));
  const body = takesName(model)
    ? { model: model.name, query, documents, top_n: documents.length }
    : { query, texts: documents };
  const answer = await wholeAnswer({ ...server, path: PATH }, body, options);
  const order = orderIn(answer, documents.length);
  return {
    message: { role: "assistant", content: JSON.stringify({ order }), tool_calls: [] },
    // What endpoints count differs, so calls are charged as they were estimated.
    usage: UNKNOWN_USAGE,
    finish_reason: "stop",
    model_id: model.name,
  };
}

/** The numbers of the documents from 1, the best first. Servers send them in any order; of equals the earlier document is first. */
function orderIn(text: string, count: number): number[] {
  const items = itemsIn(text).map(({ index, relevance_score, score }) => ({ index, score: relevance_score ?? score }));
  const named = new Set(items.map(({ index }) => index));
  if (items.length !== count || named.size !== count || Math.max(...named) >= count)
    throw unreadable(`it ranks ${named.size} of ${count} passages`);
  const scored = items.flatMap(({ index, score }) => (score === undefined ? [] : [{ index, score }]));
  if (scored.length !== count) throw unreadable("it gives no scores");
  return scored
    .sort((left, right) => right.score - left.score || left.index - right.index)
    .map(({ index }) => index + 1);
}

function itemsIn(text: string): z.infer<typeof listSchema> {
  try {
    return answerSchema.parse(JSON.parse(text));
  } catch {
    throw unreadable("it answers with something else than an order: does the base URL end before /rerank?");
  }
}

function unreadable(reason: string): ModelFailure {
  return new ModelFailure("malformed", { reason });
}
