// The usage that a provider reports for a call, without figures that cannot be true.
import type { Usage } from "../run/model/model.ts";
import type { SdkUsage } from "./sdk.ts";

/** No request has as many tokens, so a larger figure is not believed. */
const MAX_TOKENS = 1_000_000_000;

/** Every call has tokens in and out, so a zero means that the provider did not say, as an impossible figure does. */
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
