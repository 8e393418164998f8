// The messages of one step with a model, and the rules that keep each tool call and its result together.
import type { Json } from "../../kernel/canonical-json.ts";
import { z } from "../../kernel/zod.ts";
import { countSchema } from "../common.ts";

/** What a provider wants back with a part of its reply, such as signatures and encrypted reasoning; by provider name. */
const providerMetadataSchema = z.record(
  z.string(),
  z.record(
    z.string(),
    z.custom<Json>((value) => value !== undefined),
  ),
);
export type ProviderMetadata = z.infer<typeof providerMetadataSchema>;

/** People read names and ids in lists and commands, so they hold no line end and no invisible character. */
const nameSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u);

/** `arguments` is the raw text as the model sent it. It may be empty, or no JSON object: then its tool refuses it. */
const toolCallSchema = z.object({
  tool_call_id: nameSchema,
  name: nameSchema,
  arguments: z.string(),
  provider_metadata: providerMetadataSchema.optional(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** `at`: how many UTF-16 units of the content came before it; absent for none. */
const reasoningSchema = z.object({
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
  /** For the driver alone, which reads it back by a schema of its own. It is never sent to a model. */
  state: z.unknown().optional(),
};

/** A reply that is in no conversation yet. */
export const assistantSchema = z.object(assistantFields);
export type Assistant = z.infer<typeof assistantSchema>;

/** Counted from 0 within a step, in the order in which messages came. A repaired result is before younger messages. */
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

/** The messages with one more: a result goes right behind its call, any other message to the end. */
export function withMessage(messages: readonly Message[], message: NewMessage): Message[] {
  if (message.role === "tool") return withResult(messages, message);
  return [...messages, { message_id: nextMessageId(messages), ...message }];
}

/** A call, the place of its assistant message, and the place of its result. */
interface Pair {
  call: ToolCall;
  calledAt: number;
  answered: number | null;
}

/**
 * Pairs calls with their results. Some servers use the id of a call again in later replies, so a result belongs to the last
 * call before it that has the id and no result yet.
 */
function pairsOf(messages: readonly Message[]): Pair[] {
  const pairs: Pair[] = [];
  for (const [place, message] of messages.entries()) {
    if (message.role === "assistant") {
      for (const call of message.tool_calls) pairs.push({ call, calledAt: place, answered: null });
    }
    if (message.role !== "tool") continue;
    const pair = pairs.findLast(
      ({ call, answered }) => answered === null && call.tool_call_id === message.tool_call_id,
    );
    if (pair !== undefined) pair.answered = place;
  }
  return pairs;
}

/**
 * Puts the result right behind its call, also when later messages exist, and in the order of the calls. A result that no
 * call waits for is left out.
 */
function withResult(messages: readonly Message[], result: Extract<NewMessage, { role: "tool" }>): Message[] {
  const pairs = pairsOf(messages);
  const pair = pairs.findLast(({ call, answered }) => answered === null && call.tool_call_id === result.tool_call_id);
  if (pair === undefined) return [...messages];
  const siblings = pairs.filter(({ calledAt }) => calledAt === pair.calledAt);
  const earlier = new Set(siblings.slice(0, siblings.indexOf(pair)).map(({ answered }) => answered));
  let place = pair.calledAt + 1;
  while (earlier.has(place)) place++;
  return messages.toSpliced(place, 0, { message_id: nextMessageId(messages), ...result });
}

interface Trimmed {
  messages: Message[];
  /** The `message_id` of each message that was left out. */
  dropped: number[];
  /** False when even what has to stay is more than `maxTokens`. */
  fits: boolean;
}

/** Summarizes messages in at most so many characters; null where there is nothing to say. */
export type Recall = (messages: readonly Message[], most: number) => string | null;

/** A summary may take one part in so many of a request. The rest is for the newest messages. */
const RECALLED_SHARE = 4;

/**
 * The newest messages that fit. System messages, the first user message and the last exchange always stay. The oldest
 * messages go first, a call always together with its result. The first user message then summarizes them, if it fits.
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
  const recalled = messages.map((message, place) =>
    place === firstUser && message.role === "user" ? { ...message, content: `${message.content}\n\n${text}` } : message,
  );
  const shortened = newestOf(recalled, maxTokens, countTokens);
  return shortened.fits ? shortened : plain;
}

function newestOf(messages: readonly Message[], maxTokens: number, countTokens: (message: Message) => number): Trimmed {
  const firstUser = messages.findIndex(({ role }) => role === "user");
  const isHead = (message: Message, place: number): boolean => message.role === "system" || place === firstUser;
  const head = messages.filter(isHead).reduce((sum, message) => sum + countTokens(message), 0);
  // Tokens from each place on, without the head.
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

/** The places before which messages may be left out without splitting a call from its result. */
function cutsOf(messages: readonly Message[]): number[] {
  const pairs = pairsOf(messages);
  return [...messages.keys()].filter(
    (place) => !pairs.some(({ calledAt, answered }) => answered !== null && calledAt < place && answered >= place),
  );
}
