// Tries what is to put passages in order: the model by its check, which is kept for runs, and the endpoint by three passages.
import { shortened } from "../../kernel/shortened.ts";
import { checkModel, usableReranker } from "../../conversations/model-check.ts";
import type { RankCheck } from "../../ports/driver.ts";
import { ModelFailure, type CallOptions, type Models } from "../../ports/model.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Model } from "../../run/model/model.ts";
import { modelFor, modelName } from "../../run/settings/model-names.ts";
import { mayJudge, mayRank, type RankGate } from "../../run/settings/rank.ts";
import { rankGateKey } from "../../run/settings/rankers.ts";
import type { RankBy } from "../../run/settings/fields.ts";
import { completeModels } from "../make/model-settings.ts";
import type { GivenModels } from "../options.ts";
import type { Check } from "./doctor.ts";
import type { TryOptions } from "./try-models.ts";

const TIMEOUT_MS = 120_000;
const ENDPOINT_OUTPUT_TOKENS = 256;
/** Enough for a model that thinks before it answers. */
const MODEL_OUTPUT_TOKENS = 2_000;
const PASSAGES = { query: "Where is it warm?", documents: ["Oslo is cold.", "Rome is warm.", "Snow is white."] };

type Tried = Pick<CallOptions, "signal" | "mayUseProxy" | "timeout_ms">;

/** Errors: `INVALID_ARGS` for an endpoint that is not set up, or may not be reached. */
export async function tryRanking(
  ports: Pick<Ports, "loadDriver" | "loadModels" | "rankGates" | "reranker">,
  rank: RankBy | undefined,
  given: GivenModels | undefined,
  { sensitivity, isOffline, signal = new AbortController().signal }: TryOptions,
): Promise<Check[]> {
  const models = await ports.loadModels();
  const options = { signal, mayUseProxy: sensitivity === "normal", timeout_ms: TIMEOUT_MS };
  if (rank === "endpoint") {
    const endpoint = await usableReranker(ports, sensitivity);
    return isOffline ? [] : [await attempt(endpoint, () => tryEndpoint(models, endpoint, options))];
  }
  const { rankCheck } = await ports.loadDriver("local");
  if (rank !== "model" || given === undefined || rankCheck === undefined || isOffline) return [];
  const model = modelFor(completeModels(given), "researcher");
  checkModel(models, model, sensitivity);
  return [
    await attempt(model, async () => {
      const gate = await checkedBy(models, model, rankCheck, options);
      ports.rankGates.note(rankGateKey(model, rankCheck.prompt), gate);
      return gateFinding(gate);
    }),
  ];
}

async function attempt(model: Model, work: () => Promise<Omit<Check, "name">>): Promise<Check> {
  const about = modelName(model);
  try {
    const { detail, ...rest } = await work();
    return { name: "rank", ...rest, detail: `${about}: ${detail}` };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    const detail = `${about}: ${shortened(error.message, 300)}`;
    return {
      name: "rank",
      status: "problem",
      detail,
      next: "see that the endpoint is up, and that its base URL is right",
    };
  }
}

async function tryEndpoint(models: Models, model: Model, options: Tried): Promise<Omit<Check, "name">> {
  const messages = [{ role: "user", message_id: 0, content: JSON.stringify(PASSAGES) } as const];
  const { message } = await models.call(
    { model, messages, tools: [], max_output_tokens: ENDPOINT_OUTPUT_TOKENS },
    options,
  );
  const isRight = (JSON.parse(message.content) as { order: number[] }).order[0] === 2;
  if (isRight) return { status: "ok", detail: "ranks passages" };
  return {
    status: "warning",
    detail: `puts "${PASSAGES.documents[0]}" before "${PASSAGES.documents[1]}" for "${PASSAGES.query}"`,
    next: "name another model under rerank in your configuration",
  };
}

async function checkedBy(models: Models, model: Model, check: RankCheck, options: Tried): Promise<RankGate> {
  const replies = check.requests.map(async ({ system, user, tool }) => {
    const messages = [
      { role: "system", message_id: 0, content: system } as const,
      { role: "user", message_id: 1, content: user } as const,
    ];
    const request = { model, messages, tools: [tool], max_output_tokens: MODEL_OUTPUT_TOKENS };
    const { content, tool_calls } = (await models.call(request, options)).message;
    return tool_calls.at(-1)?.arguments ?? content;
  });
  return check.judge(await Promise.all(replies));
}

function gateFinding(gate: RankGate): Omit<Check, "name"> {
  const found = `${gate.first} of 8 passages first, ${gate.verdicts} of 12 verdicts right`;
  if (mayRank(gate) && mayJudge(gate)) return { status: "ok", detail: `${found}: it may choose excerpts` };
  const next = "name another model with --model, or leave out --rank model";
  if (mayRank(gate)) return { status: "warning", detail: `${found}: only its order counts`, next };
  return { status: "warning", detail: `${found}: runs keep the order of the search`, next };
}
