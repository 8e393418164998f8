// The conversations of a run or of one step: their messages as a model gets them, their calls of tools, and their repairs.
import {
  endedBy,
  messageOf,
  noteCall,
  takeStored,
  type StoredConversation,
} from "../../conversations/conversation-log.ts";
import { unlessDamaged } from "../../kernel/damage.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import type { AnyRecord } from "../../run/log/record.ts";

export type ConversationView = ReturnType<typeof viewOf>;

interface Open extends Pick<ConversationRecord["data"], "key" | "stage" | "conversation" | "inputs_digest"> {
  stored: StoredConversation;
  repairs: { message_id: number; repaired: "backfilled" | "replayed" }[];
  /** Ids of stored messages whose file is missing or altered. */
  lost: number[];
}

/** The conversations in the order in which they began, those of earlier attempts too; with a key, those of one step. */
export async function conversationsOf(
  { store }: Pick<Ports, "store">,
  { runRoot }: Pick<RunLook, "runRoot">,
  key?: string,
): Promise<ConversationView[]> {
  const all: Open[] = [];
  const current = new Map<string, Open>();
  for (const record of await store.records(runRoot)) {
    const ended = endedBy(record);
    for (const [place, { key: of }] of current) if (of === ended) current.delete(place);
    if (!isOfConversation(record) || (key !== undefined && record.data.key !== key)) continue;
    const place = `${record.data.key}\0${record.data.inputs_digest}\0${record.data.conversation}`;
    let open = current.get(place);
    if (open === undefined) {
      open = opened(record.data);
      current.set(place, open);
      all.push(open);
    }
    if (record.kind !== "message.stored") {
      noteCall(open.stored.calls, record);
      continue;
    }
    const { message_id, repaired } = record.data;
    const message = await unlessDamaged(messageOf(record.data, (ref) => store.readContent(runRoot, ref)));
    if (message === null) open.lost.push(message_id);
    else takeStored(open.stored, message);
    if (repaired !== undefined) open.repairs.push({ message_id, repaired });
  }
  return all.map(viewOf);
}

type ConversationRecord = Extract<
  AnyRecord,
  { kind: "message.stored" | "tool.requested" | "tool.completed" | "tool.replay_allowed" }
>;

function isOfConversation(record: AnyRecord): record is ConversationRecord {
  return record.kind === "message.stored" || (record.kind.startsWith("tool.") && record.kind !== "unknown");
}

function opened({ key, stage, conversation, inputs_digest }: ConversationRecord["data"]): Open {
  const stored = { messages: [], calls: new Map(), orphans: [] };
  return { key, stage, conversation, inputs_digest, stored, repairs: [], lost: [] };
}

function viewOf({ stored, repairs, lost, ...place }: Open) {
  const { messages, calls, orphans } = stored;
  return {
    ...place,
    messages,
    tool_calls: [...calls.values()].map(({ call, isSafe, requested, completed }) => ({
      ...call,
      is_safe: isSafe,
      /** Times that it was begun since it was last known to have done nothing. */
      requested,
      /** Null for a call that was cut off and is not settled yet. */
      outcome: completed?.outcome ?? (requested === 0 ? ("not_done" as const) : null),
    })),
    repairs,
    /** Ids of stored results that no call waits for; they are left out of the messages. */
    orphans,
    lost,
  };
}
