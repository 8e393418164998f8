// What a person can do about a model that failed: the option or the setting that may help.
import type { ModelFailure } from "../ports/model.ts";
import type { Model } from "../run/model.ts";
import type { ModelSettings } from "../run/settings.ts";

const LEAST_CONTEXT = 2_000;

/** Null where trying again is all there is. */
export function helpFor(
  { kind, facts }: ModelFailure,
  { provider, base_url }: Model,
  { max_output_tokens, context_tokens }: Pick<ModelSettings, "max_output_tokens" | "context_tokens">,
): string | null {
  switch (kind) {
    case "auth":
      return "see that the key is the right one, and that the account may use this model";
    case "quota":
      return "see to the account with the provider";
    case "rate_limited":
      return "wait a little, then try again";
    case "no_such_model":
      return base_url === undefined
        ? "name a model that the provider has, with --model"
        : `name a model that stands in ${base_url}/models, with --model; a URL without its version path, as /v1, has none`;
    case "no_tools":
      return "name a model that can call tools, with --model, or let its server allow them";
    case "bad_request":
      return "see that the base URL is right and ends in its version path, as /v1";
    case "refused":
      return "give this role another model, with --role-model";
    case "context_too_long":
      return facts.unsent === true
        ? `let requests be longer, with resume --context-tokens ${context_tokens * 2}, if the model takes as much`
        : `let requests be shorter, with resume --context-tokens ${Math.max(LEAST_CONTEXT, Math.floor(context_tokens / 2))}`;
    case "reply_too_long":
      return `let replies be longer, with resume --max-output-tokens ${max_output_tokens * 2}`;
    case "transient":
      if (facts.timed_out === true)
        return "it may still be loading: try again, or let calls take longer, with models.call_timeout_s in the configuration";
      return facts.unreachable === true ? reachHelp(provider) : null;
    case "truncated":
    case "empty":
    case "malformed":
      return null;
  }
}

function reachHelp(provider: Model["provider"]): string {
  return provider === "compatible"
    ? "start the server of the model, or correct --model-base-url"
    : "see that this machine reaches the provider, or name a model of your own: --model compatible:NAME --model-base-url URL";
}
