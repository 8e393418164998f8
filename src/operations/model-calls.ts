// The calls of models that one step made: when, what each used and cost, and how it ended.
import type { AnyRecord, RecordData } from "../run/record.ts";

export interface ModelCallView {
  reservation_id: string;
  role: string;
  model: string;
  begun_at: string;
  /** Null while it is under way, or was cut off and is not settled yet. */
  ended_at: string | null;
  outcome: RecordData<"usage.settled">["outcome"] | null;
  /** What the provider says; null where it does not, or has not yet. */
  input_tokens: number | null;
  output_tokens: number | null;
  cached_input_tokens: number | null;
  cache_write_tokens: number | null;
  /** What is charged for it. Null until it is settled; a cost also where the price is not known. */
  tokens: number | null;
  cost_usd: number | null;
  reserved: { tokens: number; cost_usd: number | null };
}

/** In the order in which they were begun, those of earlier attempts too. */
export function modelCallsOf(records: readonly AnyRecord[], key: string): ModelCallView[] {
  const calls = new Map<string, ModelCallView>();
  for (const record of records) {
    if (record.kind === "usage.reserved" && record.data.key === key)
      calls.set(record.data.reservation_id, begun(record.data, record.ts));
    if (record.kind !== "usage.settled") continue;
    const call = calls.get(record.data.reservation_id);
    if (call !== undefined) settle(call, record.data, record.ts);
  }
  return [...calls.values()];
}

function begun(
  { reservation_id, role, model, tokens, cost_usd }: RecordData<"usage.reserved">,
  begun_at: string,
): ModelCallView {
  const unsaid = { input_tokens: null, output_tokens: null, cached_input_tokens: null, cache_write_tokens: null };
  const unknown = { ...unsaid, tokens: null, cost_usd: null };
  const reserved = { tokens, cost_usd };
  return { reservation_id, role, model, begun_at, ended_at: null, outcome: null, ...unknown, reserved };
}

function settle(
  call: ModelCallView,
  { outcome, usage, tokens, cost_usd }: RecordData<"usage.settled">,
  ended_at: string,
): void {
  const said = {
    input_tokens: usage?.input_tokens ?? null,
    output_tokens: usage?.output_tokens ?? null,
    cached_input_tokens: usage?.cached_input_tokens ?? null,
    cache_write_tokens: usage?.cache_write_tokens ?? null,
  };
  Object.assign(call, { outcome, ended_at, tokens, cost_usd, ...said });
}
