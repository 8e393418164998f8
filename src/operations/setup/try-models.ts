// Tries the models that are set up: where each is reached, where its key comes from, whether it calls a tool, and whether its
// server reads a long request whole.
import { RunError } from "../../kernel/errors.ts";
import { shortened } from "../../kernel/shortened.ts";
import { isCut } from "../../conversations/truncation.ts";
import { checkModels } from "../../conversations/model-check.ts";
import { boundOptions, contextAbout, helpFor, serverHelp } from "../../conversations/model-help.ts";
import { ModelFailure, type CallOptions, type ModelRequest, type Models } from "../../ports/model.ts";
import type { Ports } from "../../ports/ports.ts";
import { modelName, modelFor } from "../../run/settings/model-names.ts";
import { ROLES } from "../../run/role.ts";
import type { Model, Usage } from "../../run/model/model.ts";
import { costOf, priceOf, type Price } from "../../run/money/prices.ts";
import type { ModelSettings, Sensitivity } from "../../run/settings/settings.ts";
import { tokensAtLeast } from "../../run/money/token-bound.ts";
import type { Check } from "./doctor.ts";
import { completeModels } from "../make/model-settings.ts";
import type { GivenModels } from "../options.ts";

type Finding = Omit<Check, "name">;

const NOT_CALLED: Finding = { status: "ok", detail: "not called" };

export interface TryOptions {
  sensitivity: Sensitivity;
  /** Says what is set up, and opens no connection. */
  isOffline: boolean;
  signal?: AbortSignal;
}

/** One check for each model, whatever roles it has. */
export async function tryModels(
  ports: Pick<Ports, "loadModels" | "prices">,
  given: GivenModels,
  { sensitivity, isOffline, signal = new AbortController().signal }: TryOptions,
): Promise<Check[]> {
  const settings = completeModels(given);
  const models = await ports.loadModels();
  const distinct = new Map(ROLES.map((role) => [JSON.stringify(modelFor(settings, role)), modelFor(settings, role)]));
  const checks: Check[] = [];
  for (const model of distinct.values()) {
    const about = describe(models, model);
    try {
      checkModels(models, { ...settings, default: model, roles: {} }, sensitivity);
      const tried = { models, model, settings, signal, mayUseProxy: sensitivity === "normal" };
      const found = isOffline ? [NOT_CALLED] : [await tryTool(tried, priceOf(model, ...ports.prices))];
      // Hosted models refuse what is too long; a server of one's own may cut it off.
      if (!isOffline && model.provider === "compatible") found.push(await tryLongRequest(tried));
      checks.push(...found.map(({ detail, ...rest }) => ({ name: "model", ...rest, detail: `${about}: ${detail}` })));
    } catch (error) {
      signal.throwIfAborted();
      const next = nextOf(error, model, settings);
      checks.push({ name: "model", status: "problem", detail: `${about}: ${reasonOf(error)}`, next });
    }
  }
  return checks;
}

function describe(models: Models, model: Model): string {
  const { variable, is_set } = models.keyOf(model);
  const key = is_set ? `key from ${variable}` : `no key in ${variable}`;
  return `${modelName(model)} (${endpointOf(models, model)}, ${key})`;
}

function endpointOf(models: Models, model: Model): string {
  try {
    return models.endpointOf(model);
  } catch {
    // The check itself says what is wrong.
    return "no endpoint";
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ModelFailure) return shortened(error.message, 300);
  if (error instanceof RunError) return shortened(error.facts.reason ?? error.code, 300);
  throw error;
}

function nextOf(error: unknown, model: Model, settings: ModelSettings): string {
  if (error instanceof ModelFailure)
    return (
      helpFor(error, model, settings) ??
      "see that the endpoint is up and that the base URL ends in its version path, as /v1"
    );
  const { unset_variable: variable } = error instanceof RunError ? error.facts : {};
  return typeof variable === "string" ? `set ${variable} in the environment` : "correct the setting";
}

// --- a tool -------------------------------------------------------------------------------------------------------

interface Tried extends Pick<CallOptions, "signal" | "mayUseProxy"> {
  models: Models;
  model: Model;
  settings: ModelSettings;
}

/** No model can do research without tools, so a model that cannot call one is found out here. */
const TOOL = {
  name: "ready",
  description: "Says that you are ready.",
  input_schema: { type: "object", properties: {} },
};
const CALL_IT = "Say that you are ready: call the tool `ready`, and write nothing else.";
/** Some models think before they call. */
const MAX_OUTPUT_TOKENS = 512;
const TIMEOUT_MS = 60_000;

/** Errors: `ModelFailure` when it does not answer. */
async function tryTool({ models, model, settings: _bounds, ...options }: Tried, price: Price | null): Promise<Finding> {
  const request = { ...requestOf(model, CALL_IT), tools: [TOOL], max_output_tokens: MAX_OUTPUT_TOKENS };
  try {
    const { usage, model_id, message } = await models.call(request, { ...options, timeout_ms: TIMEOUT_MS });
    const answers = `answers as ${model_id}; ${costText(usage, price)}`;
    if (message.tool_calls.some(({ name }) => name === TOOL.name))
      return { status: "ok", detail: `${answers}; calls the tool that it is given` };
    return {
      status: "warning",
      detail: `${answers}, but did not call the tool that it was given: it may not be able to work here`,
      next: "name a model that can call tools, with --model, or set its server up to read the calls that it writes",
    };
  } catch (error) {
    if (error instanceof ModelFailure && (error.kind === "empty" || error.kind === "reply_too_long"))
      return { status: "ok", detail: `answers, and said nothing within ${MAX_OUTPUT_TOKENS} tokens` };
    throw error;
  }
}

function costText(usage: Usage, price: Price | null): string {
  const cost = costOf(usage, price);
  const tokens = (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  const used = usage.input_tokens === null ? "tokens not said" : `${tokens} tokens`;
  return `${used}, ${cost === null ? "price not known" : `$${Number(cost.toPrecision(2))}`}`;
}

// --- a long request -------------------------------------------------------------------------------------------------

const FILLER = ["stone", "river", "lamp", "window", "paper", "garden", "table"];
const ANSWER = "Forget the words above. Answer with one word: ready.";
/** More than a context of 8,192 tokens, which many servers have by themselves. */
const LONG_WORDS = 9_000;
/** Each of these words is a token at the least. */
const WHOLE = 0.95;
const LONG_OUTPUT_TOKENS = 16;
const LONG_TIMEOUT_MS = 120_000;

/** No longer than a request of a run may be. Only the usage matters, so a failure that names it serves as well. */
async function tryLongRequest({ models, model, settings, ...options }: Tried): Promise<Finding> {
  const words = Math.min(LONG_WORDS, Math.floor((settings.context_tokens * 3) / 4));
  const filler = Array.from({ length: words }, (_, place) => FILLER[place % FILLER.length]).join(" ");
  const content = `${filler}\n\n${ANSWER}`;
  const request = { ...requestOf(model, content), tools: [], max_output_tokens: LONG_OUTPUT_TOKENS };
  const held = tokensAtLeast(content);
  try {
    const { usage } = await models.call(request, { ...options, timeout_ms: LONG_TIMEOUT_MS });
    return readFinding(usage, held, settings);
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    if (error.facts.usage !== undefined) return readFinding(error.facts.usage, held, settings);
    if (error.kind === "context_too_long") return refusedFinding(error, held, settings);
    const help = helpFor(error, model, settings);
    const detail = `fails at a request of ${held} tokens: ${shortened(error.message, 300)}`;
    return { status: "warning", detail, ...(help === null ? {} : { next: help }) };
  }
}

function readFinding(usage: Usage, held: number, { max_output_tokens }: ModelSettings): Finding {
  const { input_tokens: read } = usage;
  if (read === null || read < 1) return { status: "ok", detail: UNSAID };
  if (!isCut(usage, held, WHOLE))
    return { status: "ok", detail: read < held * WHOLE ? UNSAID : `reads a request of ${held} tokens whole` };
  return {
    status: "warning",
    detail: `reads only ${read} tokens of a request of ${held}, and does not say so`,
    next: nextFor(contextAbout(read), held, max_output_tokens),
  };
}

const UNSAID = "does not say how much of a request it read: whether it cuts off what is too long is not known";

function refusedFinding(
  { facts }: ModelFailure,
  held: number,
  { max_output_tokens, context_tokens }: ModelSettings,
): Finding {
  const most = facts.context_tokens ?? Math.floor(context_tokens / 2);
  const detail = `refuses a request of ${held} tokens: ${shortened(facts.reason, 300)}`;
  return { status: "warning", detail, next: nextFor(most, held, max_output_tokens) };
}

function nextFor(context: number, held: number, max_output_tokens: number): string {
  return `${serverHelp(held, max_output_tokens)}, or give runs ${boundOptions(context, max_output_tokens)}`;
}

function requestOf(model: Model, content: string): Pick<ModelRequest, "model" | "messages"> {
  return { model, messages: [{ role: "user", message_id: 0, content }] };
}
