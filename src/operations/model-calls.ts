// The calls of models that one step made: when, what each used and cost, and how it ended.
import type { AnyRecord, JournalRecord } from "../run/record.ts";

type Reserved = Extract<JournalRecord, { kind: "usage.reserved" }>;
type Settled = Extract<JournalRecord, { kind: "usage.settled" }>;
export type ModelCallView = ReturnType<typeof viewOf>;

/** In the order in which they were begun, those of earlier attempts too. */
export function modelCallsOf(records: readonly AnyRecord[], key: string): ModelCallView[] {
  const settled = new Map(
    records.flatMap((record) =>
      record.kind === "usage.settled" ? [[record.data.reservation_id, record] as const] : [],
    ),
  );
  return records.flatMap((record) =>
    record.kind === "usage.reserved" && record.data.key === key
      ? [viewOf(record, settled.get(record.data.reservation_id))]
      : [],
  );
}

/** Without `end` it is under way, or was cut off and is not settled yet. */
function viewOf({ data, ts }: Reserved, end: Settled | undefined) {
  const { reservation_id, role, model, tokens, cost_usd } = data;
  const settled = end?.data;
  return {
    reservation_id,
    role,
    model,
    begun_at: ts,
    ended_at: end?.ts ?? null,
    outcome: settled?.outcome ?? null,
    /** What the provider says; null where it does not, or has not yet. */
    input_tokens: settled?.usage?.input_tokens ?? null,
    output_tokens: settled?.usage?.output_tokens ?? null,
    cached_input_tokens: settled?.usage?.cached_input_tokens ?? null,
    cache_write_tokens: settled?.usage?.cache_write_tokens ?? null,
    /** What is charged for it. Null until it is settled; a cost also where the price is not known. */
    tokens: settled?.tokens ?? null,
    cost_usd: settled?.cost_usd ?? null,
    reserved: { tokens, cost_usd },
  };
}
