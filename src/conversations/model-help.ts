// Help for a person when a model failed: the option or the setting that may help.
import type { ModelFailure, ModelFailureFacts } from "../ports/model.ts";
import type { Model } from "../run/model/model.ts";
import { LEAST_CONTEXT_TOKENS } from "../run/settings/fields.ts";
import { fittingOutput, leavesRoomToAsk, type ModelSettings } from "../run/settings/settings.ts";

type CallBounds = Pick<ModelSettings, "max_output_tokens" | "context_tokens">;

/** Null where only trying again can help. */
export function helpFor(
  { kind, facts }: ModelFailure,
  { provider, base_url }: Model,
  bounds: CallBounds,
): string | null {
  switch (kind) {
    case "auth":
      return "check the key, and that the account may use this model from this place";
    case "quota":
      return "check the account at the provider";
    case "rate_limited":
      return "wait a little, then try again";
    case "no_such_model":
      return base_url === undefined
        ? "name a model that the provider has, with --model"
        : `name a model that is listed in ${base_url}/models, with --model; the URL needs its version path, such as /v1`;
    case "no_tools":
      return "name a model that can call tools, with --model, or let its server allow them";
    case "bad_request":
      return "check that the base URL is right and ends in its version path, such as /v1";
    case "refused":
      return "give this role another model, with --role-model";
    case "context_too_long":
      return facts.unsent === true
        ? `let requests be longer, with resume --context-tokens ${bounds.context_tokens * 2}, if the model takes as much`
        : contextHelp(facts, bounds);
    case "reply_too_long":
      return `let replies be longer, with resume --max-output-tokens ${bounds.max_output_tokens * 2}`;
    case "transient":
      if (facts.timed_out === true)
        return "it may still be loading: try again, or let calls take longer, with models.call_timeout_s in the configuration";
      if (facts.untrusted === true) return CERTIFICATE_HELP;
      return facts.unreachable === true ? reachHelp(provider) : null;
    case "truncated":
    case "empty":
    case "malformed":
      return null;
  }
}

/** The options for a model of this context. The limit of replies is among them where it would not fit. */
export function boundOptions(context_tokens: number, max_output_tokens: number): string {
  const fits = leavesRoomToAsk({ context_tokens, max_output_tokens });
  return `--context-tokens ${context_tokens}${fits ? "" : ` --max-output-tokens ${fittingOutput(context_tokens)}`}`;
}

/** Names the size of context that a local server should have for requests like this one. */
export function serverHelp(held: number, max_output_tokens: number): string {
  return `let its server read longer requests (Ollama: OLLAMA_CONTEXT_LENGTH=${powerOfTwoFrom(held * 2 + max_output_tokens)})`;
}

/** The context of a server that read this much of a longer request. It reads a little less than it could. */
export function contextAbout(read: number): number {
  return Math.ceil(read / 1_024) * 1_024;
}

function contextHelp(
  { held_tokens: held, context_tokens: said }: ModelFailureFacts,
  { max_output_tokens, context_tokens }: CallBounds,
): string {
  const taken = held === undefined || said === undefined ? said : contextAbout(said);
  const isNews = taken !== undefined && taken < context_tokens;
  const shorter = Math.max(LEAST_CONTEXT_TOKENS, isNews ? taken : Math.floor(context_tokens / 2));
  const options = boundOptions(shorter, max_output_tokens);
  return held === undefined
    ? `let requests be shorter, with resume ${options}`
    : `${serverHelp(held, max_output_tokens)}, or let requests be shorter, with resume ${options}`;
}

function powerOfTwoFrom(least: number): number {
  return 2 ** Math.ceil(Math.log2(least));
}

const CERTIFICATE_HELP =
  "name the certificate of its authority in NODE_EXTRA_CA_CERTS=FILE.pem, or let the server send its whole chain";

function reachHelp(provider: Model["provider"]): string {
  return provider === "compatible"
    ? "start the server of the model, or correct --model-base-url"
    : "check that this machine reaches the provider, or name a model of your own: --model compatible:NAME --model-base-url URL";
}
