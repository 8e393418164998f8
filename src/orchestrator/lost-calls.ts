// Calls of models that nobody will settle any more, since whoever made them is gone or was stopped.
import type { Ports } from "../ports/ports.ts";
import type { RunWriter } from "../ports/run-store.ts";
import type { RecordDraft } from "../run/record.ts";
import { ConversationLog } from "./conversation-log.ts";
import type { Reservation } from "./ledger.ts";

/**
 * Settles what is still reserved; to be called while no call of this owner is under way. The journal is read only where
 * there is something.
 */
export async function settleLostCalls({
  ports,
  writer,
}: {
  ports: Pick<Ports, "store">;
  writer: RunWriter;
}): Promise<void> {
  const { reserved_usd, reserved_tokens = 0 } = writer.manifest.usage;
  if (reserved_usd === 0 && reserved_tokens === 0) return;
  const records = await ports.store.records(writer.runRoot);
  const lost = new ConversationLog(records.map(({ record }) => record)).unsettled.map(settledAsLost);
  if (lost.length > 0) await writer.commit(lost);
}

/** It may have been answered, so it is charged as it was reserved. */
export function settledAsLost({ reservation_id, key, stage, tokens, cost_usd }: Reservation): RecordDraft {
  const reserved = { tokens, cost_usd };
  return {
    kind: "usage.settled",
    data: { reservation_id, key, stage, reserved, outcome: "lost", usage: null, tokens, cost_usd },
  };
}
