// The calls of models of a step, a line each: when, which model, how it ended, what it used and cost.
import { shownLine } from "../../kernel/shown-text.ts";
import type { ModelCallView } from "../../operations/spending.ts";
import type { Style } from "../terminal/style.ts";
import { columns } from "../terminal/text.ts";
import { count, duration, moment } from "../../surface/words.ts";
import { dollars, keptText, number } from "../../surface/usage-words.ts";

const MAX_SHOWN = 60;

export function callsText(calls: readonly ModelCallView[], style: Style): string {
  const rest = calls.length - MAX_SHOWN;
  const more = rest > 0 ? `  and ${count(rest, "more call")} (--json shows all)\n` : "";
  return columns(
    calls.slice(0, MAX_SHOWN).map((call) => callRow(call, style)),
    "  ",
  ).concat(more);
}

function callRow(call: ModelCallView, style: Style): string[] {
  const { begun_at, ended_at, role, model, outcome } = call;
  return [
    moment(begun_at),
    ended_at === null ? "" : duration(Date.parse(ended_at) - Date.parse(begun_at)),
    `${shownLine(role)} ${shownLine(model)}`,
    outcome ?? style.warn("not settled"),
    usedText(call),
    costText(call),
  ];
}

function usedText(call: ModelCallView): string {
  const { input_tokens, output_tokens, cached_input_tokens, cache_write_tokens, tokens, reserved } = call;
  if (tokens === null) return `${number(reserved.tokens)} tokens reserved`;
  if (input_tokens === null || output_tokens === null) return `charged as ${number(tokens)} tokens`;
  const parts = [
    cached_input_tokens === null ? [] : `${number(cached_input_tokens)} cached`,
    cache_write_tokens === null ? [] : keptText(cache_write_tokens),
  ].flat();
  const cached = parts.length === 0 ? "" : ` (${parts.join(", ")})`;
  return `${number(input_tokens)} in${cached}, ${number(output_tokens)} out`;
}

function costText({ tokens, cost_usd, reserved }: ModelCallView): string {
  const cost = tokens === null ? reserved.cost_usd : cost_usd;
  return cost === null ? "price not known" : `${dollars(cost)}${tokens === null ? " reserved" : ""}`;
}
