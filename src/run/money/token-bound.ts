// Bounds the number of tokens of a text from above and below, without any model's own tokenizer.
import type { Message } from "../model/conversation.ts";

/** Tokens that a provider's protocol adds around each message, call and tool. */
const TOKENS_PER_FRAME = 16;

/**
 * More tokens than any tokenizer in use makes of ordinary text, and about twice as many for English. Two letters or spaces
 * make at most one token. All else counts byte by byte, as it may for digits, code and other scripts.
 */
export function tokensAtMost(text: string): number {
  let pairs = 0;
  let single = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isLetterOrSpace(code)) pairs++;
    else single += code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
  }
  return Math.ceil(pairs / 2) + single;
}

function isLetterOrSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

export function messageTokensAtMost(message: Message): number {
  const texts = [message.content];
  if (message.role === "tool") texts.push(message.name, message.tool_call_id);
  if (message.role === "assistant") {
    for (const call of message.tool_calls) texts.push(call.name, call.tool_call_id, call.arguments);
    for (const { text } of message.reasoning ?? []) texts.push(text);
    for (const { provider_metadata } of [...message.tool_calls, ...(message.reasoning ?? [])])
      texts.push(JSON.stringify(provider_metadata ?? {}));
  }
  const frames = message.role === "assistant" ? 1 + message.tool_calls.length : 1;
  return frames * TOKENS_PER_FRAME + texts.reduce((sum, text) => sum + tokensAtMost(text), 0);
}

/** The same for text that goes with a request next to its messages, such as a tool. */
export function framedTokensAtMost(text: string): number {
  return TOKENS_PER_FRAME + tokensAtMost(text);
}

const LONGEST_TOKEN = 10;

/**
 * Fewer tokens than any tokenizer in use makes of ordinary text: none joins words, and long words take more than one token. A
 * row of one sign may be one token.
 */
export function tokensAtLeast(text: string): number {
  const words = text.replace(/(\S)\1{3,}/g, "$1").match(/\S+/g) ?? [];
  return words.reduce((sum, word) => sum + Math.max(1, Math.floor(word.length / LONGEST_TOKEN)), 0);
}

/** Zero for a reply of the model: it may hold thoughts, which the server's template leaves out of later requests. */
export function messageTokensAtLeast({ role, content }: Message): number {
  return role === "assistant" ? 0 : tokensAtLeast(content);
}
