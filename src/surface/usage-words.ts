// Words for what models used and cost, and for how much of a budget that is.
import type { Usage } from "../run/money/usage.ts";
import type { Budgets } from "../run/settings/settings.ts";
import { count, duration } from "./words.ts";

/** The usage of a run, or of a report version. */
type SomeUsage = { [K in keyof Usage]?: Usage[K] | undefined };

/** `12 calls, 34,567 tokens (1,200 of them cached), $0.0134; at the most: 2 calls without figures`; null where no model was called. */
export function usageText(usage: SomeUsage & Pick<Usage, "calls">): string | null {
  const { calls, tokens = 0, cached_input_tokens: cached = 0, cache_write_tokens: kept = 0 } = usage;
  if (calls === 0) return null;
  const parts = [cached === 0 ? [] : `${number(cached)} of them cached`, kept === 0 ? [] : keptText(kept)].flat();
  const ofCache = parts.length === 0 ? "" : ` (${parts.join(", ")})`;
  const further = [atMostText(usage), reservedText(usage)].filter((text) => text !== "");
  return [`${count(calls, "call")}, ${number(tokens)} tokens${ofCache}, ${costText(usage)}`, ...further].join("; ");
}

/** The tokens that a provider kept for later requests. */
export function keptText(tokens: number): string {
  return `${number(tokens)} put into the cache`;
}

/** `at the most: 2 calls without figures`: a provider did not say what these used, so the sums hold upper bounds. */
export function atMostText({ estimated_calls = 0 }: SomeUsage): string {
  return estimated_calls === 0 ? "" : `at the most: ${count(estimated_calls, "call")} without figures`;
}

/** `reserved: 1,000 tokens, $0.5`; nothing where no call waits to be settled. */
export function reservedText({ reserved_usd = 0, reserved_tokens = 0 }: SomeUsage): string {
  if (reserved_usd === 0 && reserved_tokens === 0) return "";
  return `reserved: ${number(reserved_tokens)} tokens${reserved_usd === 0 ? "" : `, ${dollars(reserved_usd)}`}`;
}

/** Calls at an unknown price are counted, and are in no sum. */
export function costText({ cost_usd = 0, unpriced_calls = 0 }: SomeUsage): string {
  if (unpriced_calls === 0) return dollars(cost_usd);
  if (cost_usd === 0) return "at an unknown price";
  return `${dollars(cost_usd)} and ${count(unpriced_calls, "call")} at an unknown price`;
}

/** `12 calls, $0.0134`, `12 calls`, or nothing: for a line that is short. */
export function shortUsageText({ calls, cost_usd }: Usage): string {
  if (calls === 0) return "";
  return cost_usd === 0 ? count(calls, "call") : `${count(calls, "call")}, ${dollars(cost_usd)}`;
}

/**
 * `12 of about 40 calls`, `34,567 of 100,000 tokens`, `$0.43 of $2`: so far, and of how much; nothing where no model was called.
 * Before the first reply, what is reserved for it. `toCome`: an estimate of further calls.
 */
export function spentParts(
  { calls, tokens, cost_usd, reserved_tokens = 0 }: Usage,
  budgets: Budgets | null,
  toCome: number | null = null,
): string[] {
  if (calls === 0) return [];
  const { max_cost_usd, max_tokens, max_calls } = budgets ?? {};
  const expected = toCome === null || toCome === 0 ? "" : `of about ${number(calls + toCome)} `;
  const used = tokens === 0 && reserved_tokens > 0 ? `${number(reserved_tokens)} reserved` : number(tokens);
  return [
    max_calls === undefined
      ? `${number(calls)} ${expected}${expected === "" && calls === 1 ? "call" : "calls"}`
      : `${number(calls)} of ${number(max_calls)} calls`,
    max_tokens === undefined ? `${used} tokens` : `${used} of ${number(max_tokens)} tokens`,
    max_cost_usd !== undefined
      ? `${dollars(cost_usd)} of ${dollars(max_cost_usd)}`
      : cost_usd === 0
        ? ""
        : dollars(cost_usd),
  ].filter((part) => part !== "");
}

/** `$0.43 of $2, $0.1 more reserved; 34,567 of 100,000 tokens`; null where nothing is limited. */
export function budgetText(budgets: Budgets | null, usage: Usage): string | null {
  const { max_cost_usd, max_tokens, max_calls, max_minutes } = budgets ?? {};
  const parts = [
    max_cost_usd === undefined
      ? []
      : `${dollars(usage.cost_usd)} of ${dollars(max_cost_usd)}${moreReserved(usage.reserved_usd, dollars)}`,
    max_tokens === undefined
      ? []
      : `${number(usage.tokens)} of ${number(max_tokens)} tokens${moreReserved(usage.reserved_tokens ?? 0, number)}`,
    max_calls === undefined ? [] : `${number(usage.calls)} of ${number(max_calls)} calls`,
    max_minutes === undefined ? [] : `${duration(usage.worked_ms ?? 0)} of ${duration(max_minutes * 60_000)}`,
  ].flat();
  return parts.length === 0 ? null : parts.join("; ");
}

/** An amount of each budget with its unit. */
const AMOUNTS: Record<keyof Budgets, (amount: number) => string> = {
  max_cost_usd: dollars,
  max_tokens: (amount) => `${number(amount)} tokens`,
  max_calls: (amount) => count(amount, "call"),
  max_minutes: (amount) => count(amount, "minute"),
};

/** `the limit is 4 calls`; undefined where no budget is meant. */
export function limitText(budget: unknown, limit: unknown): string | undefined {
  const amount = Object.entries(AMOUNTS).find(([name]) => name === budget)?.[1];
  return amount === undefined || typeof limit !== "number" ? undefined : `the limit is ${amount(limit)}`;
}

/** The facts, with those of a budget that was reached as one sentence. */
export function withBudgetInWords(facts: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { budget, limit, held_back = 0, would_be, ...others } = facts;
  const amount = Object.entries(AMOUNTS).find(([name]) => name === budget)?.[1];
  if (amount === undefined || typeof limit !== "number" || typeof would_be !== "number") return facts;
  const held = typeof held_back === "number" ? held_back : 0;
  const forReport = `, with ${amount(held)} reserved for the report, so ${amount(limit - held)} before it`;
  const reached = budget === "max_minutes" ? "worked by then" : "with the next call it would have been";
  return { budget: `${amount(limit)}${held === 0 ? "" : forReport}; ${reached} ${amount(would_be)}`, ...others };
}

function moreReserved(amount: number, shown: (amount: number) => string): string {
  return amount === 0 ? "" : `, ${shown(amount)} more reserved`;
}

/** Rounded to the cent; less than a dollar to two significant digits. */
export function dollars(amount: number): string {
  if (amount === 0 || amount >= 1) return `$${Number(amount.toFixed(2))}`;
  return `$${Number(amount.toPrecision(2))}`;
}

export function number(value: number): string {
  return value.toLocaleString("en-US");
}
