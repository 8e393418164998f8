// The conversations of a run or of one step: messages as a model gets them, the calls of tools, and what was repaired.
import {
  endedBy,
  messageOf,
  noteCall,
  takeStored,
  type AskedCall,
  type StoredConversation,
} from "../conversations/conversation-log.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-store.ts";
import type { Message } from "../run/conversation.ts";
import type { AnyRecord, RecordData } from "../run/record.ts";
import type { Stage } from "../run/stage.ts";
import { unlessDamaged } from "./damage.ts";

export interface ToolCallView extends AskedCall {
  is_safe: boolean;
  /** How often it was begun since it was last known to have done nothing. */
  requested: number;
  /** Null: it was cut off, and nobody has said what became of it. */
  outcome: RecordData<"tool.completed">["outcome"] | null;
}

export interface ConversationView {
  key: string;
  stage: Stage;
  conversation: string;
  inputs_digest: string;
  messages: Message[];
  tool_calls: ToolCallView[];
  repairs: { message_id: number; repaired: "backfilled" | "replayed" }[];
  /** Ids of stored results that no call waits for; they are left out of the messages. */
  orphans: number[];
  /** Ids of stored messages whose file is missing or altered. */
  lost: number[];
}

interface Open {
  view: ConversationView;
  stored: StoredConversation;
}

/** In the order in which they began, those of earlier attempts too. With a key, those of one step. */
export async function conversationsOf(
  { store }: Pick<Ports, "store">,
  { runRoot }: Pick<RunLook, "runRoot">,
  key?: string,
): Promise<ConversationView[]> {
  const all: Open[] = [];
  const current = new Map<string, Open>();
  for (const { record } of await store.records(runRoot)) {
    const ended = endedBy(record);
    for (const [place, { view }] of current) if (view.key === ended) current.delete(place);
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
    if (message === null) open.view.lost.push(message_id);
    else takeStored(open.stored, message);
    if (repaired !== undefined) open.view.repairs.push({ message_id, repaired });
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
  const view = { key, stage, conversation, inputs_digest, messages: [], tool_calls: [], repairs: [] };
  const stored = { messages: [], calls: new Map(), orphans: [] };
  return { view: { ...view, orphans: [], lost: [] }, stored };
}

function viewOf({ view, stored }: Open): ConversationView {
  const tool_calls = [...stored.calls.values()].map(({ call, isSafe, requested, completed }) => ({
    ...call,
    is_safe: isSafe,
    requested,
    outcome: completed?.outcome ?? (requested === 0 ? "not_done" : null),
  }));
  return { ...view, messages: stored.messages, tool_calls, orphans: stored.orphans };
}
