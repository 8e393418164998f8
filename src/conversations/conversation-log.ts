// The conversations of a run in its journal: messages and tool calls, read once per ownership.
import type { Digest } from "../kernel/digest.ts";
import { parseStrictJson } from "../kernel/strict-json.ts";
import { parseWith, type ContentRef } from "../run/common.ts";
import { messageSchema, withMessage, type Message } from "../run/model/conversation.ts";
import type { AnyRecord, RecordData } from "../run/log/record.ts";

export interface ConversationPlace {
  key: string;
  inputs_digest: Digest;
  conversation: string;
}

/** One call of a tool: the assistant message that requested it, the id of the call there, and the tool. */
type RequestedCall = Pick<RecordData<"tool.requested">, "message_id" | "tool_call_id" | "name">;

/** What the journal says about one call of a tool. */
export interface CallFacts {
  call: RequestedCall;
  requested: number;
  isSafe: boolean;
  completed: RecordData<"tool.completed"> | null;
  mayReplay: boolean;
}

export interface StoredConversation {
  messages: Message[];
  /** By assistant message and call id. */
  calls: Map<string, CallFacts>;
  /** The message ids of results that no call waits for. These messages are left out. */
  orphans: number[];
}

export type ReadContent = (ref: ContentRef) => Promise<Uint8Array>;

interface NotedConversation {
  place: ConversationPlace;
  stored: RecordData<"message.stored">[];
  calls: StoredConversation["calls"];
  opened: Promise<StoredConversation> | null;
}

/** Messages are read only when their conversation is opened, so that memory never holds those of finished steps. */
export class ConversationLog {
  readonly #noted = new Map<string, NotedConversation>();

  constructor(records: readonly AnyRecord[]) {
    for (const record of records) this.#note(record);
  }

  /** The conversations that their steps would continue, with their content files. */
  get underWay(): { place: ConversationPlace; paths: string[]; calls: CallFacts[] }[] {
    return [...this.#noted.values()].map(({ place, stored, calls }) => {
      const facts = [...calls.values()];
      const contents = [...stored, ...facts.map(({ completed }) => completed)].map((data) => data?.content);
      return { place, paths: contents.flatMap((ref) => (ref === undefined ? [] : [ref.path])), calls: facts };
    });
  }

  /** True when the step has made a call that may do harm when it is made twice. */
  hasActed(key: string): boolean {
    return this.underWay.some(({ place, calls }) => place.key === key && calls.some(mayHaveActed));
  }

  /** Opening a conversation again gives the same object. */
  async open(place: ConversationPlace, readContent: ReadContent): Promise<StoredConversation> {
    const noted = this.#at(place);
    noted.opened ??= readConversation(noted, readContent);
    return await noted.opened;
  }

  /** Forgets the conversations of a step that is done, or that begins anew. */
  forget(key: string): void {
    for (const place of this.#noted.keys()) if (place.startsWith(`${key}\0`)) this.#noted.delete(place);
  }

  #at(place: ConversationPlace): NotedConversation {
    const at = placeKey(place);
    const noted = this.#noted.get(at) ?? { place, stored: [], calls: new Map(), opened: null };
    this.#noted.set(at, noted);
    return noted;
  }

  #note(record: AnyRecord): void {
    const ended = endedBy(record);
    if (ended !== null) return this.forget(ended);
    switch (record.kind) {
      case "message.stored":
        this.#at(record.data).stored.push(record.data);
        return;
      case "tool.requested":
      case "tool.completed":
      case "tool.replay_allowed":
        noteCall(this.#at(record.data).calls, record);
        return;
      default:
        return;
    }
  }
}

/** The key of the step whose conversations end with this record. What the step says later is a new conversation. */
export function endedBy(record: AnyRecord): string | null {
  if (record.kind === "step.completed" || record.kind === "step.adopted") return record.data.key;
  return record.kind === "step.failed" && record.data.error.goes_on !== true ? record.data.key : null;
}

function placeKey({ key, inputs_digest, conversation }: ConversationPlace): string {
  return `${key}\0${inputs_digest}\0${conversation}`;
}

// --- calls of tools -----------------------------------------------------------------------------------------------

/** The facts of a call that is in the journal. */
export function knownFacts(calls: StoredConversation["calls"], call: RequestedCall): CallFacts | undefined {
  return calls.get(callKey(call));
}

function callKey({ message_id, tool_call_id }: Pick<RequestedCall, "message_id" | "tool_call_id">): string {
  return `${message_id} ${tool_call_id}`;
}

/** The facts of a call, added where there are none yet. */
export function factsOf(
  calls: StoredConversation["calls"],
  { message_id, tool_call_id, name }: RequestedCall,
  isSafe: boolean,
): CallFacts {
  const call = { message_id, tool_call_id, name };
  const at = callKey(call);
  const known = calls.get(at) ?? { call, requested: 0, isSafe, completed: null, mayReplay: false };
  calls.set(at, known);
  return known;
}

export function noteRequested(facts: CallFacts, attempt: number): void {
  facts.requested = attempt;
  facts.mayReplay = false;
}

export function noteCompleted(facts: CallFacts, completed: RecordData<"tool.completed">): void {
  if (completed.outcome === "not_done") facts.requested = 0;
  else facts.completed = completed;
}

/** True for a call that may do harm when it is made twice, and that did its work or may have. */
export function mayHaveActed({ isSafe, requested, completed }: CallFacts): boolean {
  return !isSafe && (requested > 0 || completed !== null);
}

type ToolRecord = Extract<AnyRecord, { kind: "tool.requested" | "tool.completed" | "tool.replay_allowed" }>;

export function noteCall(calls: StoredConversation["calls"], record: ToolRecord): void {
  const facts = factsOf(calls, record.data, record.kind === "tool.requested" ? record.data.is_safe : false);
  if (record.kind === "tool.requested") noteRequested(facts, record.data.attempt);
  else if (record.kind === "tool.completed") noteCompleted(facts, record.data);
  else facts.mayReplay = true;
}

// --- messages -----------------------------------------------------------------------------------------------------

async function readConversation(
  { stored, calls }: Pick<NotedConversation, "stored" | "calls">,
  readContent: ReadContent,
): Promise<StoredConversation> {
  const conversation: StoredConversation = { messages: [], calls, orphans: [] };
  for (const data of stored) takeStored(conversation, await messageOf(data, readContent));
  return conversation;
}

export async function messageOf(data: RecordData<"message.stored">, readContent: ReadContent): Promise<Message> {
  if (data.content === undefined) return parseWith(messageSchema, data.message, { step: data.key });
  const text = await readContent(data.content);
  return parseWith(messageSchema, parseStrictJson(text), { step: data.key, path: data.content.path });
}

/** Adds a message with the id that it was stored under. A result goes behind its call. */
export function takeStored(conversation: StoredConversation, message: Message): void {
  const { message_id, ...unnumbered } = message;
  const before = new Set(conversation.messages);
  const taken = withMessage(conversation.messages, unnumbered);
  if (taken.length === before.size) conversation.orphans.push(message_id);
  conversation.messages = taken.map((one) => (before.has(one) ? one : { ...one, message_id }));
}
