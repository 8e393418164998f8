// What models used and cost, and how much of a budget that is, in words.
import type { Usage } from "../run/usage.ts";
import type { Budgets } from "../run/settings.ts";
import { factText } from "./fact-text.ts";
import { columns, count, duration } from "./text.ts";

/** `12 calls, 34,567 tokens (1,200 of them cached), $0.0134`; null where no model was asked. */
export function usageText(usage: Partial<Usage> & Pick<Usage, "calls">): string | null {
  const { calls, tokens = 0, cached_input_tokens: cached = 0, reserved_usd = 0, reserved_tokens = 0 } = usage;
  if (calls === 0) return null;
  const ofCache = cached === 0 ? "" : ` (${number(cached)} of them cached)`;
  const reserved = reserved_usd === 0 ? "" : `, ${dollars(reserved_usd)}`;
  const underWay = reserved_tokens === 0 ? "" : `; reserved: ${number(reserved_tokens)} tokens${reserved}`;
  return `${count(calls, "call")}, ${number(tokens)} tokens${ofCache}, ${costText(usage)}${underWay}`;
}

/** An unknown price is said, and stands in no sum. */
function costText({ cost_usd = 0, unpriced_calls = 0 }: Partial<Usage>): string {
  if (unpriced_calls === 0) return dollars(cost_usd);
  if (cost_usd === 0) return "at an unknown price";
  return `${dollars(cost_usd)} and ${count(unpriced_calls, "call")} at an unknown price`;
}

/** A fact of a halt or an error; what was spent in the words that it has elsewhere. */
export function shownFact(name: string, value: unknown): string {
  const isUsage = name === "usage" && typeof value === "object" && value !== null && "calls" in value;
  return isUsage ? (usageText(value as Usage) ?? "nothing") : factText(value);
}

/** `12 calls, $0.0134`, `12 calls`, or nothing: for a line that is short. */
export function shortUsageText({ calls, cost_usd }: Usage): string {
  if (calls === 0) return "";
  return cost_usd === 0 ? count(calls, "call") : `${count(calls, "call")}, ${dollars(cost_usd)}`;
}

/** `$0.43 of $2; 34,567 of 100,000 tokens`; null where nothing is limited. */
export function budgetText(budgets: Budgets | null, usage: Usage): string | null {
  const { max_cost_usd, max_tokens, max_calls, max_minutes } = budgets ?? {};
  const parts = [
    max_cost_usd === undefined ? [] : `${dollars(usage.cost_usd + usage.reserved_usd)} of ${dollars(max_cost_usd)}`,
    max_tokens === undefined
      ? []
      : `${number(usage.tokens + (usage.reserved_tokens ?? 0))} of ${number(max_tokens)} tokens`,
    max_calls === undefined ? [] : `${number(usage.calls)} of ${number(max_calls)} calls`,
    max_minutes === undefined ? [] : `${duration(usage.worked_ms ?? 0)} of ${duration(max_minutes * 60_000)}`,
  ].flat();
  return parts.length === 0 ? null : parts.join("; ");
}

/** A row for each name, under headings. */
export function usageTable(spent: Readonly<Record<string, Usage>>, indent: string): string {
  const rows = Object.entries(spent).map(([name, usage]) => [
    name,
    count(usage.calls, "call"),
    `${number(usage.tokens)} tokens`,
    usage.cached_input_tokens === undefined || usage.cached_input_tokens === 0
      ? ""
      : `${number(usage.cached_input_tokens)} cached`,
    costText(usage),
  ]);
  return columns(rows, indent);
}

/** To the cent, and small amounts to their first two digits that count. */
function dollars(amount: number): string {
  if (amount === 0 || amount >= 1) return `$${Number(amount.toFixed(2))}`;
  return `$${Number(amount.toPrecision(2))}`;
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}
