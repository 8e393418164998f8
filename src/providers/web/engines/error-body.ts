// Finds the refusal in the body of an answer that calls itself a success: some engines, and gateways before them, send 200 with
// an error.
import type { UnreachedReason } from "../../../run/report/blocked-urls.ts";

/** The refusal in an answer; null when there is none. `untilMs` is null when only a change of the set-up helps. */
export type EngineRefusal = { reason: UnreachedReason; detail: string; untilMs: number | null } | null;

/** For a refusal without a time. Engines suspend others for minutes to a day, and trying again costs nothing. */
const RETRY_MS = 10 * 60_000;

const THROTTLED = /\b429\b|too many|rate.?limit|throttl|suspended|captcha/iu;
const PAID = /\b(?:402|432|433)\b|quota|credits?\b|billing|payment|usage limit|exceeds? (?:your|the) plan/iu;
const REFUSED = /\b40[13]\b|unauthori[sz]ed|forbidden|api.?key|token|access denied/iu;

/** Null for an answer without an error. */
export function errorIn(answer: unknown, nowMs: number): EngineRefusal {
  const said = errorOf(answer);
  return said === null ? null : (refusalIn(said, nowMs) ?? { reason: "server_failed", detail: FAILED, untilMs: null });
}

const FAILED = "the search engine answers with an error instead of results";

/** The refusal that the words of an error say. The words themselves are not repeated, since they may hold anything. */
export function refusalIn(words: string, nowMs: number): EngineRefusal {
  if (PAID.test(words)) return { reason: "quota", detail: "the quota of the search engine is used up", untilMs: null };
  if (THROTTLED.test(words))
    return { reason: "rate_limited", detail: "the search engine throttles us", untilMs: nowMs + RETRY_MS };
  if (REFUSED.test(words)) return { reason: "unauthorized", detail: "the search engine refuses us", untilMs: null };
  return null;
}

/** `{"error": …}`, `{"errors": […]}`, `{"detail": {"error": …}}` and `{"type": "ErrorResponse", …}`, as text. */
function errorOf(answer: unknown): string | null {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return null;
  const { error, errors, detail, type } = answer as Record<string, unknown>;
  const isError =
    isSaid(error) || isSaid(errors) || isSaid(detail) || (typeof type === "string" && /error/iu.test(type));
  return isError ? JSON.stringify(answer).slice(0, 2_000) : null;
}

function isSaid(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length > 0
    : value !== undefined && value !== null && value !== false && value !== "";
}
