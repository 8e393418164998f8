// Calls of models that nobody will settle any more, since whoever made them is gone or was stopped.
import type { RunWriter } from "../ports/run-store.ts";
import type { RecordDraft } from "../run/record.ts";
import { ConversationLog } from "./conversation-log.ts";
import type { Reservation } from "./ledger.ts";
import type { RunView } from "./run-view.ts";

/** Settles what is still reserved; to be called while no call of this owner is under way. */
export async function settleLostCalls({ writer, view }: { writer: RunWriter; view: RunView }): Promise<void> {
  const { reserved_usd, reserved_tokens = 0 } = writer.manifest.usage;
  if (reserved_usd === 0 && reserved_tokens === 0) return;
  const lost = new ConversationLog(await view.records()).unsettled.map(settledAsLost);
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
