// The usage that a provider reports for a call, without figures that cannot be true.
import type { Usage } from "../run/model.ts";
import type { SdkUsage } from "./sdk.ts";

/** No request has as many tokens: whoever says so, says nothing. */
const MAX_TOKENS = 1_000_000_000;

/** A call without a single token in or out does not exist: a zero stands for "not said", and so does nonsense. */
export function usageOf({ inputTokens, outputTokens }: SdkUsage): Usage {
  return {
    input_tokens: said(inputTokens.total) ?? null,
    output_tokens: said(outputTokens.total) ?? null,
    reasoning_tokens: said(outputTokens.reasoning),
    cached_input_tokens: said(inputTokens.cacheRead),
    cache_write_tokens: said(inputTokens.cacheWrite),
  };
}

function said(count: number | undefined): number | undefined {
  const isCount = count !== undefined && Number.isSafeInteger(count) && count > 0 && count <= MAX_TOKENS;
  return isCount ? count : undefined;
}
