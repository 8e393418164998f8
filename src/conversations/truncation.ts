// Finds servers that read only a part of a request and do not say so: some leave out the start of what is too long.
import type { ModelFailureFacts, ModelRequest } from "../ports/model.ts";
import type { Message } from "../run/model/conversation.ts";
import { modelName } from "../run/settings/model-names.ts";
import type { Usage } from "../run/model/model.ts";
import { messageTokensAtLeast, messageTokensAtMost } from "../run/money/token-bound.ts";

/** The bounds are for ordinary text. Other text may have slightly fewer tokens. */
const NEARLY_ALL = 0.9;
/** No useful server cuts to less. A server that counts only what was not in its cache may count less. */
const LEAST_READ = 1_500;

/** True when less was read than the least that a request holds. A server that gives no count is not judged. */
export function isCut(usage: Usage, held: number, share: number = NEARLY_ALL): boolean {
  const read = readOf(usage);
  return read >= LEAST_READ && read < held * share;
}

/** The most that can have been read: some servers count cached tokens apart. */
function readOf({ input_tokens, cached_input_tokens = 0 }: Usage): number {
  return input_tokens === null ? 0 : input_tokens + cached_input_tokens;
}

interface Sent {
  messages: readonly Message[];
  /** The least tokens that they have. */
  held: number;
}

export class TruncationCheck {
  /** The most tokens that each model has read of a request. */
  readonly #mostRead = new Map<string, number>();
  /** The last request of each conversation. */
  readonly #sent = new Map<string, Sent>();

  /** Forgets the conversations of a step that is done. */
  forget(step: string): void {
    for (const conversation of this.#sent.keys())
      if (conversation.startsWith(`${step} `)) this.#sent.delete(conversation);
  }

  /** Null when all was read, as far as can be known. Hosted providers refuse what is too long, so they are not judged. */
  truncationOf(
    conversation: string,
    { model, messages }: Pick<ModelRequest, "model" | "messages">,
    usage: Usage,
  ): Pick<ModelFailureFacts, "reason" | "held_tokens" | "context_tokens"> | null {
    if (model.provider !== "compatible") return null;
    const name = `${modelName(model)} ${model.base_url}`;
    const before = this.#sent.get(conversation);
    const grownFrom = before !== undefined && isBeginning(before.messages, messages) ? before : null;
    const added = messages.slice(grownFrom?.messages.length ?? lastReplyIn(messages));
    const held = Math.max(
      sum(messages, messageTokensAtLeast),
      (grownFrom?.held ?? 0) + sum(added, messageTokensAtLeast),
    );
    const read = readOf(usage);
    const most = Math.max(read, this.#mostRead.get(name) ?? 0);
    this.#mostRead.set(name, most);
    // Without cached tokens: most servers include them in the input tokens, and then `read` counts them twice.
    const reported = (usage.input_tokens ?? 0) - sum(messages, ownTokens);
    this.#sent.set(conversation, { messages, held: Math.max(held, reported) });
    // A server that once read as much, or that now read no more than what is new, counts only what was not in its cache.
    const hasReadAsMuch = !isCut({ input_tokens: most, output_tokens: null }, held);
    if (!isCut(usage, held) || hasReadAsMuch || read <= sum(added, messageTokensAtMost)) return null;
    const reason = `the server read only ${read} tokens of a request of at least ${held}, and did not say that it left out the rest`;
    return { reason, held_tokens: held, context_tokens: most };
  }
}

function isBeginning(earlier: readonly Message[], messages: readonly Message[]): boolean {
  return earlier.length < messages.length && earlier.every((message, place) => messages[place] === message);
}

/** The place of the last reply; the end where there is none, since then nothing was sent before. */
function lastReplyIn(messages: readonly Message[]): number {
  const place = messages.findLastIndex(({ role }) => role === "assistant");
  return place < 0 ? messages.length : place;
}

/** The tokens of the model's own replies: a server may count its thoughts once, and leave them out later. */
function ownTokens(message: Message): number {
  return message.role === "assistant" ? messageTokensAtMost(message) : 0;
}

function sum(messages: readonly Message[], countTokens: (message: Message) => number): number {
  return messages.reduce((tokens, message) => tokens + countTokens(message), 0);
}
