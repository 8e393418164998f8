// The messages of one step with a model, and the rules that keep each tool call and its result together.
import type { Json } from "../kernel/canonical-json.ts";
import { z } from "../kernel/schema.ts";
import { countSchema } from "./common.ts";

/** What a provider wants back unread with a part of its reply: signatures, encrypted reasoning. By provider name. */
const providerMetadataSchema = z.record(
  z.string(),
  z.record(
    z.string(),
    z.custom<Json>((value) => value !== undefined),
  ),
);
export type ProviderMetadata = z.infer<typeof providerMetadataSchema>;

/** People read names and ids in lists and commands: nothing in one ends a line or hides. */
const nameSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u);

/** `arguments` is the raw text as the model sent it: a JSON object, nothing at all, or something that its tool refuses. */
export const toolCallSchema = z.object({
  tool_call_id: nameSchema,
  name: nameSchema,
  arguments: z.string(),
  provider_metadata: providerMetadataSchema.optional(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** `at`: how many UTF-16 units of the content stood before it; without it, none. */
export const reasoningSchema = z.object({
  text: z.string(),
  at: countSchema.optional(),
  provider_metadata: providerMetadataSchema.optional(),
});
export type Reasoning = z.infer<typeof reasoningSchema>;

const systemFields = { role: z.literal("system"), content: z.string() };
const userFields = { role: z.literal("user"), content: z.string() };
const assistantFields = {
  role: z.literal("assistant"),
  content: z.string(),
  reasoning: z.array(reasoningSchema).optional(),
  tool_calls: z.array(toolCallSchema),
};
const toolFields = {
  role: z.literal("tool"),
  tool_call_id: nameSchema,
  name: nameSchema,
  content: z.string(),
  is_error: z.boolean().optional(),
  /** What the driver reads back of the call, by a schema of its own; no model is sent it. */
  state: z.unknown().optional(),
};

/** A message that was not taken into a conversation yet. */
export const assistantSchema = z.object(assistantFields);
export type Assistant = z.infer<typeof assistantSchema>;
export const toolResultSchema = z.object(toolFields);
export type ToolResult = z.infer<typeof toolResultSchema>;

/** Counted from 0 within a step, in the order in which messages came; a repaired result stands before younger ones. */
const idFields = { message_id: countSchema };
export const messageSchema = z.discriminatedUnion("role", [
  z.object({ ...idFields, ...systemFields }),
  z.object({ ...idFields, ...userFields }),
  z.object({ ...idFields, ...assistantFields }),
  z.object({ ...idFields, ...toolFields }),
]);
export type Message = z.infer<typeof messageSchema>;

type Unnumbered<M> = M extends Message ? Omit<M, "message_id"> : never;
export type NewMessage = Unnumbered<Message>;

export function nextMessageId(messages: readonly Message[]): number {
  return messages.reduce((next, { message_id }) => Math.max(next, message_id + 1), 0);
}

/** With the message taken in: a result goes behind its call, anything else to the end. */
export function withMessage(messages: readonly Message[], message: NewMessage): Message[] {
  if (message.role === "tool") return withResult(messages, message);
  return [...messages, { message_id: nextMessageId(messages), ...message }];
}

/** A call, the place of its assistant message, and the place of its result. */
interface Pair {
  call: ToolCall;
  asked: number;
  answered: number | null;
}

/**
 * Calls with their results. Some servers use a call's id again in later replies: a result belongs to the last call
 * before it that has the id and no result yet.
 */
function pairsOf(messages: readonly Message[]): Pair[] {
  const pairs: Pair[] = [];
  for (const [place, message] of messages.entries()) {
    if (message.role === "assistant") {
      for (const call of message.tool_calls) pairs.push({ call, asked: place, answered: null });
    }
    if (message.role !== "tool") continue;
    const pair = pairs.findLast(
      ({ call, answered }) => answered === null && call.tool_call_id === message.tool_call_id,
    );
    if (pair !== undefined) pair.answered = place;
  }
  return pairs;
}

/** Every call has exactly one result, right after its assistant message and in the order of the calls. */
export function isStrict(messages: readonly Message[]): boolean {
  let awaited: readonly ToolCall[] = [];
  for (const message of messages) {
    const [next, ...rest] = awaited;
    if (message.role === "tool") {
      if (next === undefined || next.tool_call_id !== message.tool_call_id) return false;
      awaited = rest;
      continue;
    }
    if (next !== undefined) return false;
    awaited = message.role === "assistant" ? message.tool_calls : [];
  }
  return awaited.length === 0;
}

/**
 * With the result right behind its call, also when later messages exist, and in the order of the calls. A result that
 * nothing waits for changes nothing: what is there counts.
 */
export function withResult(messages: readonly Message[], result: ToolResult): Message[] {
  const pairs = pairsOf(messages);
  const pair = pairs.findLast(({ call, answered }) => answered === null && call.tool_call_id === result.tool_call_id);
  if (pair === undefined) return [...messages];
  const siblings = pairs.filter(({ asked }) => asked === pair.asked);
  const earlier = new Set(siblings.slice(0, siblings.indexOf(pair)).map(({ answered }) => answered));
  let place = pair.asked + 1;
  while (earlier.has(place)) place++;
  return messages.toSpliced(place, 0, { message_id: nextMessageId(messages), ...result });
}

export interface Trimmed {
  messages: Message[];
  /** `message_id`s of what was left out. */
  dropped: number[];
  /** False when even the least that has to stay is more than `maxTokens`. */
  fits: boolean;
}

/** Tells of messages in at most so many characters; null where there is nothing to tell. */
export type Recall = (messages: readonly Message[], most: number) => string | null;

/** Of the room of a request: what stands there in words leaves the rest to the newest messages. */
const RECALLED_SHARE = 4;

/**
 * The newest messages that fit, behind the system messages and the first user message, which always stay. The oldest
 * go first; a call and its result go or stay together, and the last exchange stays. Where some went, the first user message
 * tells of them, if it fits.
 */
export function trimmed(
  messages: readonly Message[],
  maxTokens: number,
  countTokens: (message: Message) => number,
  recall?: Recall,
): Trimmed {
  const plain = newestOf(messages, maxTokens, countTokens);
  if (plain.dropped.length === 0 || !plain.fits) return plain;
  const text = recall?.(messages, Math.floor(maxTokens / RECALLED_SHARE)) ?? null;
  if (text === null) return plain;
  const firstUser = messages.findIndex(({ role }) => role === "user");
  const telling = messages.map((message, place) =>
    place === firstUser && message.role === "user" ? { ...message, content: `${message.content}\n\n${text}` } : message,
  );
  const told = newestOf(telling, maxTokens, countTokens);
  return told.fits ? told : plain;
}

function newestOf(messages: readonly Message[], maxTokens: number, countTokens: (message: Message) => number): Trimmed {
  const firstUser = messages.findIndex(({ role }) => role === "user");
  const isHead = (message: Message, place: number): boolean => message.role === "system" || place === firstUser;
  const head = messages.filter(isHead).reduce((sum, message) => sum + countTokens(message), 0);
  /** Tokens from each place on, without the head. */
  const tail: number[] = [0];
  for (const [place, message] of [...messages.entries()].toReversed()) {
    tail.unshift((tail[0] ?? 0) + (isHead(message, place) ? 0 : countTokens(message)));
  }
  const cuts = cutsOf(messages);
  const cut = cuts.find((place) => head + (tail[place] ?? 0) <= maxTokens);
  const from = cut ?? cuts.at(-1) ?? 0;
  const isKept = (message: Message, place: number): boolean => place >= from || isHead(message, place);
  return {
    messages: messages.filter(isKept),
    dropped: messages.filter((message, place) => !isKept(message, place)).map(({ message_id }) => message_id),
    fits: cut !== undefined,
  };
}

/** Where a conversation may begin anew without a pair split in two; at least its last exchange stays. */
function cutsOf(messages: readonly Message[]): number[] {
  const pairs = pairsOf(messages);
  return [...messages.keys()].filter(
    (place) => !pairs.some(({ asked, answered }) => answered !== null && asked < place && answered >= place),
  );
}
